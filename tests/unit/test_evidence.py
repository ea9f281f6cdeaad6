"""Is it ours, and is it one effect? What an answer and a look-up come to, judged on paper."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from daybook.state.effects.evidence import Evidence, Judgement, Look, differs, entries_of, judge
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Unknown
from daybook.state.effects.reference import naming, reference_text
from daybook.state.ledger.next_action import AskDoubt
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.ledger.work_list import open_steps
from evals.protocol.parts import (
    ONLY,
    PROBE,
    START,
    STORED_KEY,
)
from tests.unit.paper import Paper, approved, step_id

KEY = step_id("only")
EXPECTED = {"amount": 5, "user_id": "ada"}
PART = replace(ONLY, undo="undo", evidence=EXPECTED)
NAMED = naming("id")


def effect(name: str, **more: Any) -> dict[str, Any]:
    """Make what shows an effect of ours, as it was approved."""
    return {"id": name, **EXPECTED, **more}


def row(name: str, **more: Any) -> dict[str, Any]:
    """Make a row of a look-up that says our key."""
    return effect(name, reference=KEY, **more)


def paper_of(guarantees: Guarantees = PROBE) -> Paper:
    """Make an approved step that was sent once."""
    paper = approved(PART, guarantees=guarantees)
    paper.claimed("only")
    return paper


def evidence(*, answer: Mapping[str, Any] | None = None, rows: Any = None) -> Evidence:
    """Make what was seen; rows of None: nobody looked."""
    looked = Event.FOUND if rows else Event.ABSENT
    look = None if rows is None else Look(looked, START, rows)
    return Evidence(1, Confirmed(answer) if answer is not None else None, look)


def judged(step: Step, seen: Evidence, guarantees: Guarantees = PROBE, **held: str) -> Judgement:
    return judge(step, seen, NAMED, held, guarantees)


def record(
    paper: Paper, seen: Evidence, guarantees: Guarantees = PROBE, **held: str
) -> list[Event]:
    """Write evidence down as the nodes do, and return what was written."""
    step = paper.step("only")
    written = []
    for entry in entries_of(paper.plan, step, seen, judged(step, seen, guarantees, **held)):
        paper.take(entry)
        written.append(entry.event)
    return written


# -- one effect ------------------------------------------------------------------------------------


def test_a_form_that_the_tool_declares_is_one_form():
    named = naming(lambda result: result["id"].upper())
    step = paper_of().step("only")
    seen = evidence(answer=effect("db-7"), rows=[row("DB-7")])
    assert judge(step, seen, named, {}, PROBE).beside == ()
    assert judge(step, seen, named, {}, PROBE).doubt == ""
    assert "DB-7" in judge(step, seen, NAMED, {}, PROBE).doubt


@pytest.mark.parametrize("rows", [[row("CH-1"), row("CH-1", status="captured")]])
def test_two_rows_of_one_reference_are_one_effect(rows: Any):
    came = judged(paper_of().step("only"), evidence(rows=rows))
    assert (came.reference, came.doubt) == ("CH-1", "")


# -- more than one ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "held"),
    [
        (effect("CH-2"), {}),
        (row("CH-2", amount=6), {}),
        (row("CH-2", user_id="ben"), {}),
        (row("CH-2"), {"CH-2": "another/step/1"}),
    ],
    ids=["without our key", "of another amount", "of somebody else", "of another step"],
)
def test_what_cannot_be_said_to_be_ours_is_told_and_never_undone(other: Any, held: dict[str, str]):
    paper = paper_of()
    seen = evidence(answer=effect("CH-1"), rows=[row("CH-1"), other])
    record(paper, seen, **held)
    step = paper.step("only")
    assert (step.state, step.beside) == (StepState.DONE, ("CH-2",))


@pytest.mark.parametrize(
    ("bound", "other"),
    [
        ({}, {"parent": "CH-1"}),
        ({}, {"of": {"charge": "CH-1"}}),
        ({"capture": "CH-2"}, {}),
        ({"transactions": [{"id": "CH-2"}]}, {}),
    ],
)
def test_rows_that_speak_of_each_other_are_no_duplicates(bound: Any, other: Any):
    rows = [row("CH-1", **bound), row("CH-2", **other)]
    came = judged(paper_of().step("only"), evidence(answer=effect("CH-1"), rows=rows))
    assert (came.reference, came.beside) == ("CH-1", ("CH-2",))
    assert came.broken == {}
    for shown in (rows, rows[::-1]):
        lost = judged(paper_of().step("only"), evidence(rows=shown))
        assert "which is ours is not said" in lost.doubt


def test_of_several_rows_without_an_answer_the_one_that_says_our_key_is_ours():
    came = judged(paper_of().step("only"), evidence(rows=[effect("CH-0"), row("CH-1")]))
    assert (came.reference, came.beside) == ("CH-1", ("CH-0",))
    neither = judged(paper_of().step("only"), evidence(rows=[effect("CH-0"), effect("CH-1")]))
    assert "which is ours is not said" in neither.doubt


def test_a_key_that_was_only_hoped_for_is_no_promise_that_is_broken():
    hoped = replace(STORED_KEY, keys_hoped=True)
    paper = paper_of(hoped)
    assert record(paper, evidence(answer=effect("CH-1")), hoped) == [Event.ACKNOWLEDGED]
    second = judged(paper.step("only"), evidence(answer=effect("CH-2")), hoped)
    assert (second.beside, second.broken) == (("CH-2",), {})
    assert judged(paper.step("only"), evidence(answer=effect("CH-2")), STORED_KEY).broken


# -- whose it is -----------------------------------------------------------------------------------


def test_an_answer_that_is_contradicted_later_is_in_doubt_then():
    paper = paper_of()
    assert record(paper, evidence(answer=effect("CH-9"), rows=[])) == [
        Event.ACKNOWLEDGED,
        Event.ABSENT,
    ]
    assert record(paper, evidence(rows=[row("CH-1")])) == [Event.IN_DOUBT]
    assert paper.step("only").result is None


def test_what_was_shown_once_is_not_doubted_by_a_look_up_that_misses_it():
    paper = paper_of()
    record(paper, evidence(answer=effect("CH-1"), rows=[row("CH-1")]))
    assert record(paper, evidence(rows=[])) == [Event.ABSENT]
    assert record(paper, evidence(rows=[effect("CH-7")])) == [Event.ABSENT]
    assert paper.step("only").beside == ("CH-7",)
    assert paper.step("only").state is StepState.DONE


# -- late, and again -------------------------------------------------------------------------------


def test_what_comes_after_its_absence_was_certain_breaks_the_promise_of_d():
    paper = paper_of()
    paper.later(60)
    paper.looked("only", Event.ABSENT)
    paper.write(Event.FAILED, paper.step("only"))
    assert record(paper, evidence(answer=effect("CH-1"))) == [
        Event.ACKNOWLEDGED,
        Event.CONTRADICTED,
    ]
    assert paper.step("only").broken == {"settle"}


def test_what_was_refused_for_good_and_is_done_breaks_the_promise_of_stored_failures():
    paper = paper_of(STORED_KEY)
    paper.answered("only", Event.DECLINED)
    paper.claimed("only")
    seen = evidence(answer=effect("CH-1"))
    assert Event.CONTRADICTED in record(paper, replace(seen, attempt=2), STORED_KEY)
    assert paper.step("only").broken == {"stores_failures"}


def test_late_evidence_that_does_not_fit_is_in_doubt_and_not_done():
    paper = paper_of()
    paper.later(60)
    paper.looked("only", Event.ABSENT)
    paper.write(Event.FAILED, paper.step("only"))
    assert record(paper, evidence(answer=effect("CH-1", user_id="ben"))) == [Event.IN_DOUBT]


def test_a_tool_that_declares_no_reference_has_what_it_was_answered():
    step = paper_of().step("only")
    assert judge(step, evidence(answer=effect("CH-1")), None, {}, PROBE).result == effect("CH-1")
    assert judge(step, evidence(answer={"id": "CH-1"}), None, {}, PROBE).doubt
    assert judge(step, Evidence(1, Unknown("no answer")), None, {}, PROBE) == Judgement()


def test_texts_are_compared_in_their_normal_form_and_nothing_else_is():
    assert differs({"title": "Ada  Lovelace "}, {"title": "Ada Lovelace"}) == {}
    assert differs({"amount": 1}, {"amount": True}) == {"amount": True}
    assert differs({"amount": 1}, {"amount": "1"}) == {"amount": "1"}


# -- written again -------------------------------------------------------------------------------


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
    paper = paper_of()
    told(paper, heard(effect("X-9"), shown(paper, event=Event.UNREACHABLE)))
    seen = Evidence(look=shown(paper, row("C-1")))
    assert told(paper, seen) == [Event.IN_DOUBT]
    assert told(paper, seen) == []
    assert told(paper, heard(effect("X-9"))) == []
    assert only(paper).state is StepState.IN_DOUBT
    assert only(paper).asked == 1


def test_a_person_decides_a_contradiction():
    paper = paper_of()
    told(paper, heard(effect("X-9"), shown(paper, event=Event.UNREACHABLE)))
    told(paper, Evidence(look=shown(paper, row("C-1"))))
    paper.write(Event.NOT_HAPPENED, only(paper), author="ada")
    paper.later(100)
    assert told(paper, Evidence(look=shown(paper, row("C-1")))) == [Event.FOUND]


def test_an_acknowledgement_is_written_once():
    paper = paper_of()
    assert told(paper, heard(row("C-1"))) == [Event.ACKNOWLEDGED]
    at = only(paper).attempts[0].answered_at
    paper.later(5)
    assert told(paper, heard(row("C-1"))) == []
    assert only(paper).attempts[0].answered_at == at


def test_an_acknowledgement_that_came_to_be_doubted_does_not_withdraw_the_doubt_when_written_again():
    paper = paper_of()
    told(paper, heard(effect("X-9"), shown(paper)))
    paper.later(100)
    paper.looked("only", Event.ABSENT)
    paper.follow()
    assert only(paper).state is StepState.IN_DOUBT
    again = heard(effect("X-9"), shown(paper, event=Event.UNREACHABLE))
    assert told(paper, again) == [Event.UNREACHABLE]
    paper.later(1)
    assert told(paper, heard(effect("X-9"), shown(paper))) == [Event.ABSENT]
    assert only(paper).state is StepState.IN_DOUBT


@pytest.mark.parametrize("event", [Event.UNREACHABLE, Event.ABSENT])
def test_a_look_that_showed_nothing_is_counted_once(event: Event):
    paper = paper_of()
    seen = Evidence(1, Unknown("no answer"), replace(shown(paper, event=event), fault="KeyError"))
    told(paper, seen)
    told(paper, seen)
    assert len(only(paper).looks) == 1


# -- whose it is ----------------------------------------------------------------------------------


ROWS = [[effect("X-9"), row("C-1")], [row("C-1"), effect("X-9")]]


@pytest.mark.parametrize("rows", ROWS)
def test_an_answer_is_not_ours_where_another_row_says_that_it_is(rows: Sequence[dict[str, Any]]):
    paper = paper_of()
    assert told(paper, heard(effect("X-9"), shown(paper, *rows))) == [Event.IN_DOUBT]
    assert only(paper).result is None


@pytest.mark.parametrize("rows", ROWS)
def test_a_late_look_that_shows_our_key_beside_what_was_answered_raises_a_doubt(rows):
    paper = paper_of()
    told(paper, heard(effect("X-9"), shown(paper, event=Event.UNREACHABLE)))
    assert told(paper, Evidence(look=shown(paper, *rows))) == [Event.IN_DOUBT]


def test_a_second_match_holds_the_plan_until_a_reviewer_lets_it_go_on():
    paper = paper_of()
    look = shown(paper, row("C-1"), row("C-2"))
    first = [Event.ACKNOWLEDGED, Event.VERIFIED, Event.CONTRADICTED]
    assert told(paper, heard(row("C-1"), look)) == first
    assert (only(paper).state, only(paper).reference) == (StepState.DONE, "C-1")
    asked = only(paper).question
    told(paper, Evidence(look=look))
    assert only(paper).question == asked, "it is asked once"
    assert paper.due() == AskDoubt(KEY)
    paper.write(Event.HAPPENED, only(paper), author="ada", payload={})
    told(paper, Evidence(look=look))
    assert (only(paper).question, only(paper).reference) == (None, "C-1")
    assert only(paper).beside == ("C-2",), "the receipt names it"
    assert paper.due() != AskDoubt(KEY)


def test_a_second_that_is_shown_later_is_put_to_a_person_before_anything_is_undone():
    paper = paper_of()
    told(paper, heard(row("C-1"), shown(paper, row("C-1"))))
    paper.closed()
    told(paper, Evidence(look=shown(paper, row("C-1"), row("C-2"))))
    assert paper.due() == AskDoubt(KEY)
    assert set(only(paper).seconds) == {"C-2"}


def test_a_second_that_is_shown_late_is_in_doubt_where_the_step_had_ended():
    paper = paper_of()
    paper.later(60)
    paper.looked("only", Event.ABSENT)
    paper.write(Event.FAILED, only(paper))
    told(paper, Evidence(look=shown(paper, row("C-1"), row("C-2"))))
    assert only(paper).state is StepState.IN_DOUBT


def test_what_is_shown_alone_is_no_second_one_of_what_is_not_shown_any_more():
    paper = paper_of()
    told(paper, heard(row("C-1"), shown(paper, row("C-1"))))
    told(paper, Evidence(look=shown(paper, row("C-2"))))
    assert only(paper).state is StepState.DONE
    assert only(paper).beside == ("C-2",)


def test_what_is_shown_once_the_effect_is_undone_is_told_and_left_alone():
    paper = paper_of()
    told(paper, heard(row("C-1"), shown(paper, row("C-1"))))
    paper.closed()
    paper.undone("only")
    told(paper, Evidence(look=shown(paper, row("C-2"))))
    assert only(paper).state is StepState.UNDONE
    assert only(paper).beside == ("C-2",)
    assert only(paper).broken == {"settle"}
    assert open_steps(paper.plan) == {}


@pytest.mark.parametrize(
    "reference", ['["abc', '["a",1]', '["a",null]', '["",' + "[" * 9_000, "[1]"]
)
def test_a_reference_that_only_begins_like_several_fields_is_shown_as_it_is(reference: str):
    assert reference_text(reference) == reference
