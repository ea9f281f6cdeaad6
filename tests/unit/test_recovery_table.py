"""The one table of moves: whole, closed, and the same in Python and in SQL."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from daybook.app.ledger.recovery_table import moves, recovery
from daybook.state.errors import IllegalTransition
from daybook.state.ledger.plan import generation_may_follow
from daybook.state.ledger.recovery import (
    RECOVERY,
    TABLE,
    TERMINAL,
    VOIDING,
    Event,
    Remedy,
    StepState,
    transition,
)

OF_A_TURN = {Event.RECEIVED, Event.DECIDED, Event.APPLIED, Event.TURN_DONE}
OF_A_PLAN = {
    Event.OPENED,
    Event.APPROVAL,
    Event.DECISION,
    Event.CLOSING,
    Event.SUCCEEDED,
    Event.ENDED,
}
STATES: tuple[StepState | None, ...] = (None, *StepState)
EVIDENCE = (
    Event.ACKNOWLEDGED,
    Event.FOUND,
    Event.UNANSWERED,
    Event.REFUSED,
    Event.DECLINED,
    Event.ABSENT,
    Event.UNREACHABLE,
)


def test_every_state_has_a_row_can_be_reached_and_recovery_knows_what_to_do_in_it():
    assert {row.state for row in TABLE} >= set(StepState)
    assert all(RECOVERY[state].state is state and RECOVERY[state].known for state in StepState)
    reached: set[StepState | None] = {None}
    while more := {row.next for row in TABLE if row.state in reached} - reached:
        reached |= more
    assert reached >= set(StepState)
    row = RECOVERY[StepState.UNKNOWN]
    proved = (row.forward, row.after_pivot, row.closing)
    assert proved == (Remedy.PROVE, Remedy.PROVE, Remedy.SETTLE), "it may be out there"


def test_the_pages_hold_what_the_command_prints():
    docs = Path(__file__).parents[2] / "docs"
    assert "\n".join(recovery()) in (docs / "how_it_works.md").read_text()
    assert "\n".join(moves()) in (docs / "protocol.md").read_text()


def test_only_what_was_never_attempted_is_run_or_voided():
    remedies = {s: {r.forward, r.after_pivot, r.closing} for s, r in RECOVERY.items()}
    assert [s for s, r in remedies.items() if r & {Remedy.RUN, Remedy.VOID}] == [StepState.INTENDED]


def test_every_event_moves_a_step_or_is_of_a_turn_or_a_plan():
    assert {row.event for row in TABLE} == set(Event) - OF_A_TURN - OF_A_PLAN


def test_a_state_and_an_event_have_one_row_that_says_its_guard():
    moves = [(row.state, row.event) for row in TABLE]
    assert len(moves) == len(set(moves))
    assert all(row.guard for row in TABLE)


@pytest.mark.parametrize("state", STATES)
def test_a_move_that_the_table_does_not_hold_raises(state: StepState | None):
    held = {row.event: row.next for row in TABLE if row.state is state}
    assert {event: transition(state, event) for event in held} == held
    for event in set(Event) - held.keys():
        with pytest.raises(IllegalTransition, match=event.value):
            transition(state, event)


@pytest.mark.parametrize(
    ("events", "states"),
    [
        ({Event.INTENDED}, {None}),
        (VOIDING, {StepState.INTENDED, StepState.VOID}),
        ({Event.ATTEMPTED}, {StepState.INTENDED, StepState.UNKNOWN}),
        ({Event.UNDO_ATTEMPTED}, {StepState.DONE, StepState.UNDOING}),
        ({Event.HAPPENED}, {StepState.IN_DOUBT, StepState.STUCK, StepState.DONE}),
        ({Event.NOT_HAPPENED}, {StepState.IN_DOUBT, StepState.STUCK}),
    ],
    ids=["begins", "voids", "attempts", "undoes", "says", "denies"],
)
def test_an_event_is_taken_in_these_states_alone(events, states):
    assert {row.state for row in TABLE if row.event in events} == states


def test_only_an_attempt_leads_from_intended_to_unknown():
    leading = [
        r.event for r in TABLE if r.state is StepState.INTENDED and r.next is not StepState.VOID
    ]
    assert leading == [Event.ATTEMPTED]


def test_evidence_is_taken_however_late_and_none_against_an_effect_decides_by_itself():
    for state in set(StepState) - {StepState.INTENDED, StepState.VOID}:
        for event in EVIDENCE:
            transition(state, event)
    for state in (StepState.DONE, StepState.UNDOING, StepState.UNDONE, StepState.STUCK):
        assert transition(state, Event.VERIFIED) is state
    for event in (Event.ACKNOWLEDGED, Event.FOUND):
        for state in (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE):
            assert transition(state, event) is StepState.DONE
    against = set(EVIDENCE) - {Event.ACKNOWLEDGED, Event.FOUND}
    assert all(row.next is row.state for row in TABLE if row.event in against)


def test_the_next_generation_follows_only_a_step_without_effect():
    over = {StepState.UNDONE, StepState.NEGATIVE, StepState.VOID}
    assert {state for state in StepState if generation_may_follow(state)} == over == set(TERMINAL)


def _checked_in_sql(column: str) -> set[str]:
    """Read what the schema lets a column hold."""
    text = (files("daybook.checkpoints") / "sql" / "schema.sql").read_text()
    lists = re.findall(rf"check \({column} in \(([^)]*)\)", text)
    (listed,) = [one for one in lists if "'received'" in one or "'void'" in one]
    return set(re.findall(r"'(\w+)'", listed))


@pytest.mark.parametrize(("column", "enum"), [("event", Event), ("state", StepState)])
def test_the_check_of_a_column_is_the_enum(column, enum):
    assert _checked_in_sql(column) == {one.value for one in enum}
