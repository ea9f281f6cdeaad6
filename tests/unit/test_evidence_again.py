"""What is shown of a step is judged and written: ours or not, and the same thing once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from daybook.state.effects.evidence import Evidence, Look
from daybook.state.effects.outcome import Confirmed, Unknown
from daybook.state.ledger.next_action import AskDoubt, Claim, ClaimUndo, LookFor
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.ledger.work_list import open_steps
from tests.unit.paper import (
    CHARGE,
    KEY_AND_PROBE,
    ORDER,
    PROBE,
    Paper,
    approved,
    step_id,
)
from tests.unit.test_evidence import effect as strangers
from tests.unit.test_evidence import paper_of as sent
from tests.unit.test_evidence import record
from tests.unit.test_evidence import row as ours

ID = step_id("only")


def told(paper: Paper, seen: Evidence) -> list[Event]:
    """Write evidence down, and return what was written."""
    return record(paper, seen, paper.guarantees["only"])


def shown(paper: Paper, *rows: dict[str, Any], event: Event | None = None) -> Look:
    seen = event or (Event.FOUND if rows else Event.ABSENT)
    return Look(seen, paper.now, rows)


def heard(answer: dict[str, Any], look: Look | None = None) -> Evidence:
    return Evidence(1, Confirmed(answer), look)


def only(paper: Paper) -> Step:
    return paper.step("only")


# -- the same evidence again ----------------------------------------------------------------------


def test_a_contradiction_is_not_decided_by_one_side_of_it_shown_again():
    paper = sent()
    told(paper, heard(strangers("X-9"), shown(paper, event=Event.UNREACHABLE)))
    seen = Evidence(look=shown(paper, ours("C-1")))
    assert told(paper, seen) == [Event.IN_DOUBT]
    assert told(paper, seen) == []
    assert told(paper, heard(strangers("X-9"))) == []
    assert only(paper).state is StepState.IN_DOUBT
    assert only(paper).asked == 1


def test_a_person_decides_a_contradiction():
    paper = sent()
    told(paper, heard(strangers("X-9"), shown(paper, event=Event.UNREACHABLE)))
    told(paper, Evidence(look=shown(paper, ours("C-1"))))
    paper.write(Event.NOT_HAPPENED, only(paper), author="ada")
    paper.later(100)
    assert told(paper, Evidence(look=shown(paper, ours("C-1")))) == [Event.FOUND]


def test_an_acknowledgement_is_written_once():
    paper = sent()
    assert told(paper, heard(ours("C-1"))) == [Event.ACKNOWLEDGED]
    at = only(paper).attempts[0].answered_at
    paper.later(5)
    assert told(paper, heard(ours("C-1"))) == []
    assert only(paper).attempts[0].answered_at == at


def test_an_acknowledgement_that_came_to_be_doubted_does_not_withdraw_the_doubt_when_written_again():
    paper = sent()
    told(paper, heard(strangers("X-9"), shown(paper)))
    paper.later(100)
    paper.looked("only", Event.ABSENT)
    paper.follow()
    assert only(paper).state is StepState.IN_DOUBT
    again = heard(strangers("X-9"), shown(paper, event=Event.UNREACHABLE))
    assert told(paper, again) == [Event.UNREACHABLE]
    paper.later(1)
    assert told(paper, heard(strangers("X-9"), shown(paper))) == [Event.ABSENT]
    assert only(paper).state is StepState.IN_DOUBT


@pytest.mark.parametrize("event", [Event.UNREACHABLE, Event.ABSENT])
def test_a_look_that_showed_nothing_is_counted_once(event: Event):
    paper = sent()
    seen = Evidence(1, Unknown("no answer"), replace(shown(paper, event=event), fault="KeyError"))
    told(paper, seen)
    told(paper, seen)
    assert len(only(paper).looks) == 1


# -- whose it is ----------------------------------------------------------------------------------


ROWS = [[strangers("X-9"), ours("C-1")], [ours("C-1"), strangers("X-9")]]


@pytest.mark.parametrize("rows", ROWS)
def test_an_answer_is_not_ours_where_another_row_says_that_it_is(rows: Sequence[dict[str, Any]]):
    paper = sent()
    assert told(paper, heard(strangers("X-9"), shown(paper, *rows))) == [Event.IN_DOUBT]
    assert only(paper).result is None


@pytest.mark.parametrize("rows", ROWS)
def test_a_late_look_that_shows_our_key_beside_what_was_answered_raises_a_doubt(rows):
    paper = sent()
    told(paper, heard(strangers("X-9"), shown(paper, event=Event.UNREACHABLE)))
    assert told(paper, Evidence(look=shown(paper, *rows))) == [Event.IN_DOUBT]


def test_a_second_match_holds_the_plan_until_a_reviewer_lets_it_go_on():
    paper = sent()
    look = shown(paper, ours("C-1"), ours("C-2"))
    first = [Event.ACKNOWLEDGED, Event.VERIFIED, Event.CONTRADICTED]
    assert told(paper, heard(ours("C-1"), look)) == first
    assert (only(paper).state, only(paper).reference) == (StepState.DONE, "C-1")
    asked = only(paper).question
    told(paper, Evidence(look=look))
    assert only(paper).question == asked, "it is asked once"
    assert paper.due() == AskDoubt(ID)
    paper.write(Event.HAPPENED, only(paper), author="ada", payload={})
    told(paper, Evidence(look=look))
    assert (only(paper).question, only(paper).reference) == (None, "C-1")
    assert only(paper).beside == ("C-2",), "the receipt names it"
    assert paper.due() != AskDoubt(ID)


def test_two_that_show_our_key_are_in_doubt_until_a_person_names_one():
    paper = sent()
    look = shown(paper, ours("C-1"), ours("C-2"))
    assert told(paper, Evidence(look=look)) == [Event.IN_DOUBT, Event.CONTRADICTED]
    assert told(paper, heard(ours("C-1"))) == [], "a late answer does not decide it"
    assert told(paper, Evidence(look=look)) == []
    assert paper.due() == AskDoubt(ID)
    said = {"result": only(paper).matches["C-2"], "reference": "C-2"}
    paper.write(Event.HAPPENED, only(paper), author="ada", payload=said)
    assert told(paper, Evidence(look=look)) == [Event.VERIFIED], "it is asked once"
    assert (only(paper).state, only(paper).reference) == (StepState.DONE, "C-2")


def test_a_second_that_is_shown_later_is_put_to_a_person_before_anything_is_undone():
    paper = sent()
    told(paper, heard(ours("C-1"), shown(paper, ours("C-1"))))
    paper.closed()
    told(paper, Evidence(look=shown(paper, ours("C-1"), ours("C-2"))))
    assert paper.due() == AskDoubt(ID)
    assert set(only(paper).seconds) == {"C-2"}


def test_a_second_that_is_shown_late_is_in_doubt_where_the_step_had_ended():
    paper = sent()
    paper.later(60)
    paper.looked("only", Event.ABSENT)
    paper.write(Event.FAILED, only(paper))
    told(paper, Evidence(look=shown(paper, ours("C-1"), ours("C-2"))))
    assert only(paper).state is StepState.IN_DOUBT


def test_what_is_shown_alone_is_no_second_one_of_what_is_not_shown_any_more():
    paper = sent()
    told(paper, heard(ours("C-1"), shown(paper, ours("C-1"))))
    told(paper, Evidence(look=shown(paper, ours("C-2"))))
    assert only(paper).state is StepState.DONE
    assert only(paper).beside == ("C-2",)


def test_what_is_shown_once_the_effect_is_undone_is_told_and_left_alone():
    paper = sent()
    told(paper, heard(ours("C-1"), shown(paper, ours("C-1"))))
    paper.closed()
    paper.undone("only")
    told(paper, Evidence(look=shown(paper, ours("C-2"))))
    assert only(paper).state is StepState.UNDONE
    assert only(paper).beside == ("C-2",)
    assert only(paper).broken == {"settle"}
    assert open_steps(paper.plan) == {}


# -- what is built on -----------------------------------------------------------------------------


MISSED = [Event.ABSENT, Event.UNREACHABLE]


@pytest.mark.parametrize("event", MISSED)
def test_an_answer_without_a_key_is_built_on_once_a_look_up_shows_it(event: Event):
    paper = approved(CHARGE, ORDER, guarantees=PROBE)
    paper.claimed("charge")
    paper.answered("charge", Event.ACKNOWLEDGED, payload={"result": {"id": "C-1"}})
    paper.looked("charge", event)
    paper.later(5)
    assert paper.due() == LookFor(step_id("charge"))
    paper.looked("charge", Event.VERIFIED)
    assert paper.due() == Claim(step_id("order"), 1)


@pytest.mark.parametrize("event", MISSED)
def test_an_answer_under_a_key_is_built_on_and_not_undone_before_it_is_shown(event: Event):
    paper = approved(CHARGE, ORDER, guarantees=KEY_AND_PROBE)
    paper.claimed("charge")
    paper.answered("charge", Event.ACKNOWLEDGED, payload={"result": {"id": "C-1"}})
    paper.looked("charge", event)
    assert paper.due() == Claim(step_id("order"), 1)
    paper.closed()
    paper.later(5)
    assert not isinstance(paper.due(), ClaimUndo)


@pytest.mark.parametrize("event", MISSED)
def test_whoever_waits_to_be_shown_is_on_the_work_list(event: Event):
    paper = sent()
    told(paper, heard(ours("C-1"), shown(paper, event=event)))
    [row] = open_steps(paper.plan).values()
    assert row.due_at == only(paper).attempts[0].settle_at
