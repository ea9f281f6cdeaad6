"""Lessons: the form of their codes, and where they are shown."""

from typing import Any

import pytest

from daybook.state.errors import ChoiceNeeded, ToolBarred, ToolChanged, ToolRefused
from daybook.state.prompt.lessons import MOST_SHOWN, Lesson, applicable, error_code, line_of


def a_lesson(tool: str = "book", flow: str = "looking", count: int = 3, **more: Any) -> Lesson:
    about = {"error": "out_of_stock", "people": 2, **more}
    return Lesson(tool=tool, flow=flow, count=count, **about)


def test_a_refusal_has_the_code_that_it_is_given_or_that_of_its_type():
    assert ToolRefused("Only 2 of BOOT-1 are in stock.", code="out_of_stock").code == "out_of_stock"
    assert ToolRefused("no").code == "refused"
    assert ToolChanged("its schema", "http://mcp").code == "tool_changed"
    assert (ToolBarred("off").code, ChoiceNeeded({"card": ["a"]}).code) == (
        "barred",
        "choice_needed",
    )


@pytest.mark.parametrize("code", ["refused", "card_declined", "smtp_550", "Out_Of_Stock"])
def test_a_code_is_kept(code: str):
    assert error_code(code, "other") == code.lower()


@pytest.mark.parametrize(
    "code",
    [
        "Only 2 are in stock",
        "ada's card",
        "BOOT-001",
        "order_10001",
        "ada@example.com",
        "-32602",
        "a__b",
        "a\n",
        "a" * 51,
        "",
        None,
        404,
    ],
)
def test_what_has_not_the_form_of_a_code_is_not_kept(code: object):
    assert error_code(code, "other") == "other"


def test_a_lesson_is_shown_where_it_applies_and_when_it_is_learnt():
    here = a_lesson()
    others = [
        a_lesson(tool="pay"),
        a_lesson(flow="waiting"),
        a_lesson(count=2),
        a_lesson(count=9, people=1),
    ]
    assert applicable([*others, here], "looking", {"book", "find"}) == (here,)
    assert {"book", "3", "out_of_stock"} <= set(line_of(here).split())


def test_no_more_than_a_few_are_shown_the_most_counted_first_then_the_newest():
    newest_first = [a_lesson(count=count) for count in (4, 7, 3, 7, 4)]
    shown = applicable(newest_first, "looking", {"book"})
    assert [one.count for one in shown] == [7, 7, 4]
    assert len(shown) == MOST_SHOWN
