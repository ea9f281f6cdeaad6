"""What is learnt from failures: their classes, where a lesson is shown, when it is given up."""

from typing import Any

import pytest

from daybook.state.errors import ToolRefused
from daybook.state.people.facts import forgotten
from daybook.state.prompt.lessons import MOST_SHOWN, Lesson, applicable, error_key, line_of


def a_lesson(tool: str = "book", flow: str = "looking", count: int = 3, **more: Any) -> Lesson:
    about = {"error": f"no # at {count}", "people": 2, **more}
    return Lesson(tool=tool, flow=flow, advice="Ask first.", count=count, **about)


@pytest.mark.parametrize(
    ("sentence", "given", "key"),
    [
        ("Only 3 of BOOT-001 (Alpine Boot) are in stock.", {}, "only # of # are in stock"),
        ("Only 12 of SOCK-2 are in stock. Ask for less.", {}, "only # of # are in stock"),
        ("There is no order DB-10001 of yours.", {}, "there is no order # of yours"),
        ("There is no card my mums card.", {"card": "my mums card"}, "there is no card #"),
        ("There is no card 'my mums card'.", {}, "there is no card #"),
        ("Ada Lovelace has no card.", {}, "# has no card"),
        ("The arguments do not fit: quantity is wrong.", {}, "the arguments do not fit"),
        ("It isn't there", {}, "it isnt there"),
        ("charge card declined", {}, "charge card declined"),
        ("17 Quince Lane is too far", {"to": {"street": "17 quince lane"}}, "# is too far"),
        # What a sentence names of what was given, in another form or in part.
        ("There is no column diabetes.", {"sql": "select diabetes"}, "there is no column #"),
        ("Known of adas illness", {"subject": "Ada's illness"}, "# of #"),
        ("", {}, "#"),
    ],
)
def test_a_failure_is_named_by_its_class(sentence: str, given: dict[str, object], key: str):
    assert error_key(sentence, given) == key


@pytest.mark.parametrize("subject", ["my hiv status", "Ada's illness", "the divorce"])
def test_what_was_to_be_forgotten_is_no_lesson(subject: str):
    """A lesson is in the clear, of the whole tenant, and outlives its person."""
    with pytest.raises(ToolRefused) as refused:
        forgotten((), subject)
    key = error_key(str(refused.value), {"subject": subject})
    assert key == "nothing is known on # and nothing was forgotten"


def test_a_lesson_is_shown_where_it_applies_and_when_it_is_one():
    here = a_lesson()
    others = [
        a_lesson(tool="pay"),
        a_lesson(flow="waiting"),
        a_lesson(count=2),
        a_lesson(count=9, people=1),
        a_lesson(count=9, missed=3),
    ]
    assert applicable([*others, here], "looking", {"book", "find"}) == (here,)
    assert line_of(here) == "book: Ask first. (3 times)"


def test_no_more_than_a_few_are_shown_the_most_counted_first_then_the_newest():
    newest_first = [a_lesson(count=count) for count in (4, 7, 3, 7, 4)]
    shown = applicable(newest_first, "looking", {"book"})
    assert [one.count for one in shown] == [7, 7, 4]
    assert len(shown) == MOST_SHOWN


def test_a_lesson_that_does_not_help_is_given_up_and_one_that_does_is_kept():
    vain, useful = a_lesson(), a_lesson()
    for _ in range(3):
        assert not vain.is_useless
        vain = vain.failed(was_shown=True)
        useful = useful.failed(was_shown=True).heeded()
    assert vain.is_useless
    assert not useful.is_useless
    assert (useful.count, useful.helped, useful.missed) == (6, 3, 3)
    assert not a_lesson(count=100).is_useless
