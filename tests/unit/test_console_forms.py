"""Forms as answers: by the approval id, in the shape that the graph takes."""

from typing import Any

import pytest

from daybook.app.console.pages import grouped
from daybook.app.console.questions import answer_of
from daybook.state.errors import InputRefused

REQUEST: dict[str, Any] = {
    "name": "checkout",
    "args": {"card_id": "card_1", "count": 2, "gift": False},
}


def question(actions: int = 1) -> dict[str, Any]:
    """Make a question about so many actions."""
    return {"action_requests": [REQUEST] * actions, "approval_id": "p"}


TEXT_OR_NULL = {"properties": {"who": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}


@pytest.mark.parametrize(
    ("args", "shown", "edited"),
    [
        (REQUEST["args"], {"card_id": " card_2 ", "count": "3"}, {"card_id": "card_2", "count": 3}),
        (
            {"note": "  two  words\n", "who": None, "count": 2},
            {"note": "two  words\r\n", "who": "null", "count": "3"},
            {"count": 3},
        ),
        ({"who": None}, {"who": "12"}, {"who": "12"}),
    ],
    ids=[
        "kinds, and what was not shown",
        "what was not changed, to the byte",
        "as the schema says",
    ],
)
def test_an_edit_changes_what_was_changed_in_the_form(args, shown, edited):
    schema = TEXT_OR_NULL if shown == {"who": "12"} else {}
    asked = {
        "action_requests": [{"name": "checkout", "args": args}],
        "review_configs": [{"action_name": "checkout", "args_schema": schema}],
        "approval_id": "p",
    }
    typed = {f"arg-0-{name}": value for name, value in shown.items()}
    [decision] = answer_of({"approval_id": "p", "decision-0": "edit", **typed}, asked)["decisions"]
    assert decision["edited_action"] == {"name": "checkout", "args": {**args, **edited}}


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
        with pytest.raises(InputRefused, match="the question is still open"):
            answer_of({**shown, **typed}, asked)


@pytest.mark.parametrize(
    ("form", "asked", "said"),
    [
        ({}, question(), "No answer was given for checkout"),
        ({"decision-0": "edit", "arg-0-count": "many"}, question(), "many is invalid"),
        ({"decision-0": "approve"}, None, "This question is closed"),
        ({"decision-0": "approve"}, {**question(), "approval_id": "q"}, "This question is closed"),
        ({}, {"in_doubt": "s/1", "approval_id": "p"}, "Choose what happened"),
    ],
)
def test_what_is_left_out_cannot_be_read_or_is_over_is_refused(form, asked, said: str):
    with pytest.raises(InputRefused, match=said):
        answer_of({"approval_id": "p", **form}, asked)


def test_money_in_a_text_has_separators_and_nothing_else_has():
    text = "Order 20261130 of 2026: 1187.10 USD, -12900 JPY, 1234567.890 KWD, SKU-1234.50"
    assert grouped(text) == (
        "Order 20261130 of 2026: 1,187.10 USD, -12,900 JPY, 1,234,567.890 KWD, SKU-1234.50"
    )
