"""What is done about a step on which a ledger that may be behind and the world disagree."""

import pytest

from daybook.state.effects.reconciliation import (
    WorldRemedy,
    WorldShows,
    reconciled,
    reconciled_undo,
)
from daybook.state.ledger.recovery import TABLE, Event, StepState
from evals.protocol.parts import CHARGE, MAIL, ORDER, RESERVE
from tests.unit.paper import Paper, approved, step_id

FOUND = WorldShows(Event.FOUND, is_keyed=False)
ABSENT = WorldShows(Event.ABSENT, is_keyed=False)
UNREACHABLE = WorldShows(Event.UNREACHABLE, is_keyed=False)
BLIND = WorldShows(None, is_keyed=False)
KEYED = WorldShows(None, is_keyed=True)


def judged(paper: Paper, name: str, look: WorldShows) -> WorldRemedy | None:
    action, step = paper.plan.find(step_id(name))
    return reconciled(paper.plan, action, step, look)


def test_only_the_next_step_of_an_approved_action_may_have_been_sent():
    paper = approved(RESERVE, CHARGE, ORDER, MAIL)
    assert judged(paper, "reserve", FOUND) is WorldRemedy.CLAIM
    assert judged(paper, "reserve", BLIND) is WorldRemedy.DOUBT
    assert judged(paper, "reserve", KEYED) is None, "its key meets it"
    assert judged(paper, "charge", BLIND) is None, "what comes before it was not sent"
    paper.done("reserve")
    assert judged(paper, "charge", FOUND) is WorldRemedy.CLAIM


def test_what_nobody_has_approved_or_the_ledger_ended_is_for_a_person():
    waiting = Paper((RESERVE, ORDER))
    assert judged(waiting, "reserve", FOUND) is WorldRemedy.ASK_FIRST
    assert judged(waiting, "reserve", BLIND) is None
    waiting.decided("rejected")
    assert judged(waiting, "reserve", FOUND) is WorldRemedy.UNDO_BY_HAND
    waiting.follow()
    assert judged(waiting, "reserve", FOUND) is WorldRemedy.UNDO_BY_HAND
    assert all(
        remedy.is_for_a_person for remedy in (WorldRemedy.ASK_FIRST, WorldRemedy.UNDO_BY_HAND)
    )


def test_done_is_missed_and_silence_is_no_proof():
    paper = approved(RESERVE, ORDER)
    paper.done("reserve")
    assert judged(paper, "reserve", FOUND) is None
    assert judged(paper, "reserve", ABSENT) is WorldRemedy.MISSING
    assert judged(paper, "reserve", UNREACHABLE) is WorldRemedy.LOOK_LATER
    assert judged(paper, "order", ABSENT) is None


@pytest.mark.parametrize("state", list(StepState))
def test_what_is_recorded_is_what_the_table_takes(state: StepState):
    paper = approved(RESERVE, ORDER)
    action, step = paper.plan.find(step_id("reserve"))
    step.state = state
    remedy = reconciled(paper.plan, action, step, FOUND)
    event = {WorldRemedy.RECORD: Event.FOUND, WorldRemedy.CLAIM: Event.ATTEMPTED}.get(remedy)
    assert event is None or (state, event) in {(row.state, row.event) for row in TABLE}
    if state in (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE):
        assert remedy is WorldRemedy.RECORD


def test_an_undo_that_may_have_been_sent_is_not_sent_again_where_nothing_recognises_it():
    paper = approved(RESERVE, ORDER)
    paper.done("reserve")
    action, step = paper.plan.find(step_id("reserve"))
    assert reconciled_undo(action, step, BLIND) is None, "nothing is undone"
    paper.closed()
    for look, remedy in (
        (FOUND, WorldRemedy.UNDONE),
        (UNREACHABLE, WorldRemedy.LOOK_LATER),
        (BLIND, WorldRemedy.DOUBT_UNDO),
        (ABSENT, None),
        (KEYED, None),
    ):
        assert reconciled_undo(action, step, look) is remedy
