"""Lessons: the form of their codes, and where they are shown."""

import pytest

from daybook.state.errors import ToolChanged, ToolRefused
from daybook.state.prompt.lessons import Lesson, applicable, error_code


def a_lesson(tool: str = "book", flow: str = "looking", count: int = 3, people: int = 2) -> Lesson:
    return Lesson(tool=tool, flow=flow, error="out_of_stock", count=count, people=people)


def test_a_refusal_has_the_code_that_it_is_given_or_that_of_its_type():
    assert ToolRefused("Only 2 of BOOT-1 are in stock.", code="out_of_stock").code == "out_of_stock"
    assert ToolRefused("no").code == "refused"
    assert ToolChanged("its schema", "http://mcp").code == "tool_changed"


@pytest.mark.parametrize("code", ["refused", "card_declined", "smtp_550", "Out_Of_Stock"])
def test_a_code_is_kept(code: str):
    assert error_code(code, "other") == code.lower()


@pytest.mark.parametrize(
    "code",
    [
        *("Only 2 are in stock", "ada's card", "BOOT-001", "order_10001", "ada@example.com"),
        *("-32602", "a__b", "a\n", "a" * 51, "", None, 404),
    ],
)
def test_what_has_not_the_form_of_a_code_is_not_kept(code: object):
    assert error_code(code, "other") == "other"


def test_lessons_are_shown_where_they_apply_the_most_frequent_first():
    here = [a_lesson(count=count) for count in (4, 7, 3, 7)]
    others = [a_lesson("pay"), a_lesson(flow="waiting"), a_lesson(count=2), a_lesson(people=1)]
    shown = applicable([*others, *here], "looking", {"book", "find"})
    assert [one.count for one in shown] == [7, 7, 4]
