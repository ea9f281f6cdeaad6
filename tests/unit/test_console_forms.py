"""Forms as answers: by the approval id, in the shape that the graph takes."""

from typing import Any

import pytest

from daybook.app.console.conversation.forms import answer_of
from daybook.state.errors import InputRefused

REQUEST: dict[str, Any] = {
    "name": "checkout",
    "args": {"card_id": "card_1", "count": 2, "gift": False},
}


def question(actions: int = 1) -> dict[str, Any]:
    """Make a question about so many actions."""
    return {"action_requests": [REQUEST] * actions, "approval_id": "p"}


def test_each_decision_is_read_in_the_order_of_the_actions():
    form = {
        "approval_id": "p",
        "decision-0": "approve",
        "decision-1": "reject",
        "message-1": " too dear ",
        "decision-2": "respond",
        "message-2": "take the other one",
    }
    assert answer_of(form, question(3)) == {
        "approval_id": "p",
        "decisions": [
            {"type": "approve"},
            {"type": "reject", "message": "too dear"},
            {"type": "respond", "message": "take the other one"},
        ],
    }


def test_an_edit_keeps_the_kinds_of_its_arguments_and_what_was_not_shown():
    form = {
        "approval_id": "p",
        "decision-0": "edit",
        "arg-0-card_id": " card_2 ",
        "arg-0-count": "3",
    }
    [decision] = answer_of(form, question())["decisions"]
    assert decision["edited_action"] == {
        "name": "checkout",
        "args": {"card_id": "card_2", "count": 3, "gift": False},
    }


def test_what_was_not_changed_in_the_form_stays_as_it_was_to_the_byte():
    args = {"note": "  two  words\n", "who": None, "count": 2}
    asked = {"action_requests": [{"name": "x", "args": args}], "approval_id": "p"}
    shown = {"arg-0-note": "two  words\r\n", "arg-0-who": "null", "arg-0-count": "3"}
    [decision] = answer_of({"approval_id": "p", "decision-0": "edit", **shown}, asked)["decisions"]
    assert decision["edited_action"]["args"] == {**args, "count": 3}


def test_a_form_is_read_as_the_schema_says():
    schema = {"properties": {"who": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}
    asked = {
        "action_requests": [{"name": "x", "args": {"who": None}}],
        "review_configs": [{"action_name": "x", "args_schema": schema}],
        "approval_id": "p",
    }
    form = {"approval_id": "p", "decision-0": "edit", "arg-0-who": "12"}
    [decision] = answer_of(form, asked)["decisions"]
    assert decision["edited_action"]["args"] == {"who": "12"}


def test_an_approval_takes_what_was_shown_and_nothing_that_was_typed_beside_it():
    asked = question()
    asked["action_requests"] = [{"name": "checkout", "args": {**REQUEST["args"], "note": "a\nb"}}]
    shown = {
        "approval_id": "p",
        "decision-0": "approve",
        "arg-0-card_id": "card_1",
        "arg-0-count": "2",
        "arg-0-gift": "false",
        "arg-0-note": "a\r\nb",
        "message-0": "",
    }
    assert answer_of(shown, asked)["decisions"] == [{"type": "approve"}]
    for typed in ({"arg-0-card_id": "card_2"}, {"arg-0-gift": "true"}, {"message-0": "in red"}):
        with pytest.raises(InputRefused, match="Nothing was done, and the question waits"):
            answer_of({**shown, **typed}, asked)


def test_an_answer_to_a_question_that_is_over_is_refused():
    for asked in (None, {**question(), "approval_id": "q"}):
        with pytest.raises(InputRefused, match="This question is over"):
            answer_of({"approval_id": "p", "decision-0": "approve"}, asked)


def test_what_is_left_out_or_cannot_be_read_is_refused():
    with pytest.raises(InputRefused, match="Nothing was decided about checkout"):
        answer_of({"approval_id": "p"}, question())
    form = {"approval_id": "p", "decision-0": "edit", "arg-0-count": "many"}
    with pytest.raises(InputRefused, match="many cannot be read"):
        answer_of(form, question())


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("happened", "it happened MAIL-1"),
        ("not_happened", "it did not happen"),
        ("undo", "undo MAIL-1"),
    ],
)
def test_a_word_on_a_step_in_doubt_is_one_response(word: str, message: str):
    form = {"approval_id": "s/1?1", "word": word, "reference": "MAIL-1"}
    asked = {"in_doubt": "s/1", "approval_id": "s/1?1"}
    answer = answer_of(form, asked)
    assert answer["decisions"] == [{"type": "respond", "message": message}]


def test_no_word_on_a_step_in_doubt_is_refused():
    with pytest.raises(InputRefused, match="Say what became of it"):
        answer_of({"approval_id": "s/1?1"}, {"in_doubt": "s/1", "approval_id": "s/1?1"})
