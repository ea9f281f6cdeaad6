"""Questions about a step in doubt, and every shape of answer that is read."""

from dataclasses import replace

import pytest
from pydantic import TypeAdapter, ValidationError

from daybook.state.ledger.recovery import Event
from daybook.state.people.policy import Needs
from daybook.state.people.questions.approvals import (
    Answer,
    DoubtAnswer,
    doubt_answers,
    doubt_request,
    unclear,
    verdict,
)
from tests.unit.paper import ONLY, RESERVE, approved


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("it happened", ("happened", "")),
        ("It happened ch_1", ("happened", "ch_1")),
        ("  it happened: CH_1. ", ("happened", "CH_1")),
        ("it did not happen", ("not_happened", "")),
        ("It did not.", ("not_happened", "")),
        ("undo", ("undo", "")),
        ("Undo ch_1", ("undo", "ch_1")),
    ],
)
def test_a_persons_word_on_a_step_in_doubt_is_read(said: str, meant: tuple[str, str]):
    assert verdict(said) == meant


@pytest.mark.parametrize(
    "said",
    [
        *("", "yes", "no", "approve", "happened", "maybe it happened", "do not undo"),
        *("undoubtedly it happened", "it happenedly", "undone already"),
    ],
)
def test_a_word_that_says_none_of_the_three_is_refused(said: str):
    with pytest.raises(ValueError, match="it did not happen"):
        verdict(said)


@pytest.mark.parametrize(
    "given",
    [
        {"decisions": [{"type": "respond", "message": "it happened"}]},
        {"decisions": [{"type": "response", "args": "it happened"}]},
        [{"type": "response", "args": "it happened"}],
    ],
    ids=["langchain", "inbox", "inbox list"],
)
def test_every_shape_of_an_answer_to_a_doubt_is_read(given: object):
    answer = TypeAdapter(DoubtAnswer).validate_python(given)
    assert answer.decisions[0].message == "it happened"


@pytest.mark.parametrize(
    "given",
    [
        {"decisions": []},
        {"decisions": "it happened"},
        {"decisions": [{"type": "respond", "message": "undo"}] * 2},
    ],
)
def test_what_is_no_answer_to_a_doubt_is_refused(given: object):
    with pytest.raises(ValidationError):
        TypeAdapter(DoubtAnswer).validate_python(given)
    assert Answer.model_validate({"type": "ignore", "args": None}).type == "reject", "alone"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"type": "respond", "message": "hm"}, "neither that it happened nor that it did not"),
        ({"type": "respond", "message": ""}, "neither that it happened nor that it did not"),
        ({"type": "approve"}, "neither that it happened nor that it did not"),
        ({"type": "respond", "message": "it happened"}, ""),
        ({"type": "reject", "message": "it did not happen"}, ""),
    ],
)
def test_what_an_answer_to_a_doubt_lacks_is_said_in_plain_words(given: dict[str, str], why: str):
    paper = approved(ONLY)
    paper.attempted("only", Event.UNANSWERED)
    paper.write(Event.IN_DOUBT, paper.step("only"), detail={"reason": "no proof"})
    located = paper.plan.find(paper.step("only").step_id)
    answer = doubt_answers(located[1]).model_validate({"decisions": [given]})
    said = unclear(answer, *located)
    assert why in said
    assert said.endswith(".") is bool(why)


def test_the_question_about_a_doubt_shows_all_the_evidence():
    paper = approved(replace(ONLY, args={"amount": 5}))
    paper.attempted("only", Event.UNANSWERED)
    paper.looked("only", Event.ABSENT)
    paper.write(Event.IN_DOUBT, paper.step("only"), detail={"reason": "no proof"})
    request = doubt_request(*paper.plan.find(paper.step("only").step_id), Needs(), "it was done")
    at = paper.now.isoformat()
    assert request["action_requests"][0]["args"] == {
        "step": "op/0/only/1",
        "tool": "only",
        "arguments": {"amount": 5},
        "attempts": [{"number": 1, "at": at, "answer": "unanswered"}],
        "looked": [f"{at} absent"],
        "why": "no proof",
    }
    fields = {
        "why": "no proof",
        "called with": "amount 5",
        "attempts": f"attempt 1 at {paper.now:%Y-%m-%d %H:%M:%S} UTC: no answer",
        "looked up": f"at {paper.now:%Y-%m-%d %H:%M:%S} UTC: absent",
        "tool": "only",
        "key": "op/0/only/1",
    }
    assert request["action_requests"][0]["arguments"] == fields
    asked = {"action": "Nobody can tell whether it was done (only)", "args": fields}
    assert request["action_request"] == asked
    assert request["in_doubt"] == "op/0/only/1"
    assert request["review_configs"][0]["allowed_decisions"] == ["respond", "reject"]


def test_the_question_about_a_stuck_undo_is_about_the_undo_and_takes_no_wish():
    paper = approved(replace(RESERVE, pivot=True))
    paper.done("reserve", id="h")
    paper.closed()
    paper.undo_claimed("reserve")
    failed = {"reason": "it was sold", "final": True}
    paper.write(Event.UNDO_FAILED, paper.step("reserve"), attempt=1, detail=failed)
    paper.follow()
    located = paper.plan.find(paper.step("reserve").step_id)
    asked = doubt_request(*located, Needs(), "it was given back")["action_requests"][0][
        "description"
    ]
    assert asked.startswith(
        "Nobody can tell whether it was given back (release, the undo of reserve). What do you "
    )
    assert "undo REFERENCE" not in asked
    wish = {"decisions": [{"type": "respond", "message": "undo"}]}
    answer = doubt_answers(located[1]).model_validate(wish)
    assert unclear(answer, *located).startswith("It cannot be undone.")
