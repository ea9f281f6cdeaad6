"""What is made of a true answer that tells of something done: that it was not."""

import random

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, known

from evals.said.answers import Answer
from evals.said.mutations import mutated

ID = "db-79654302"


def of(*names: str, is_now: bool) -> Known:
    """Know of effects that were made, of an order with an id."""
    effects = [
        Effect(kind, "done", frozenset({ID}), is_now=is_now, line="it was done.", succeeded=True)
        for kind in KINDS[:6]
        if kind.name in names
    ]
    row = "DB-79654302 | placed | 178.95 USD | BOOT-004 x1"
    return known([row], [], effects=effects, kinds=KINDS[:6])


def denied(text: str, about: Known) -> list[str]:
    """Return what is made of an answer by saying of what was done that it was not."""
    made = mutated(Answer(text, about, True, "", ""), random.Random(7))
    return [one.text for one in made if one.way == "not done for done"]


@pytest.mark.parametrize(
    ("text", "about", "false"),
    [
        (
            "Your order is placed: order DB-79654302.",
            of("order", is_now=True),
            "Your order is not placed: order DB-79654302.",
        ),
        (
            "Order DB-79654302 cancelled.",
            of("cancel", is_now=True),
            "Order DB-79654302 not cancelled.",
        ),
        (
            "Your last order is DB-79654302, placed.",
            of("order", is_now=False),
            "Your last order is DB-79654302, not placed.",
        ),
        (
            "Your card has been charged.",
            of("charge", is_now=True),
            "Your card has not been charged.",
        ),
    ],
)
def test_what_was_done_is_said_not_to_be_and_found(text: str, about: Known, false: str):
    assert untrue_in(text, about) == []
    assert denied(text, about) == [false]
    assert untrue_in(false, about)


def test_of_what_was_done_before_and_is_not_named_nothing_is_made():
    # "The order is not placed" may be of the next one.
    assert denied("The order is placed.", of("order", is_now=False)) == []
