"""Conversations to be graded: what a person says, of seeded variety, and what should be called.

The stand-in decides in them, on the real graph. The calls that should be made are the
reference of `evals.steps.matching`; they are written from what is said and not from what the model
does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from evals.steps.matching import Expected

Answer: TypeAlias = Literal["approve", "reject"]


@dataclass(frozen=True)
class Line:
    """One thing that a person says.

    Attributes:
        calls: what should be called on it.
        answer: to a question for approval, if one comes.
        on_the_page: before it, the quantity of something in the cart is set on the shop's own page.
    """

    said: str
    calls: tuple[Expected, ...] = ()
    answer: Answer = "approve"
    on_the_page: int = 0


Part: TypeAlias = Callable[[random.Random], Sequence[Line]]

_GOODS = (
    *(("hiking boots", 150), ("two person tent", 400), ("warm jacket", 200), ("headlamps", 60)),
    *(("sleeping bag", 200), ("backpack", 180), ("trekking poles", 120), ("stoves", 90)),
    *(("water bottles", 45), ("wool socks", 30)),
)
_SKUS = ("BOOT-004", "BOOT-001", "SOCK-012", "TENT-001", "BOOT-002")
_FACTS = (
    ("my shoe size is 43", "shoe size"),
    ("my favourite colour is red", "favourite color"),
    ("my allergy is down", "allergy"),
    ("my budget is 900 dollars", "budget"),
    ("my material is wool", "material"),
)


def conversation(seed: int) -> list[Line]:
    """Write a conversation; of the same seed it is the same."""
    chance = random.Random(seed)
    parts: list[Part] = [_look, chance.choice((_fill, _name_one)), *chance.sample(_PARTS, 2)]
    if chance.random() < 0.7:
        parts.append(_buy)
        if chance.random() < 0.5:
            parts.append(chance.choice((_cancel, _ask_orders)))
    if chance.random() < 0.3:
        parts += [_look, _fill]
    return [line for part in parts for line in part(chance)]


def _call(tool: str, **args: Any) -> Expected:
    return Expected(tool, args)


def _look(chance: random.Random) -> Sequence[Line]:
    goods, most = chance.choice(_GOODS)
    most += chance.choice((0, 10, 20, 50))
    first = Line(
        f"{chance.choice(('show me', 'I need', 'find'))} {goods} under {most}",
        (_call("search_products", max_price=100 * most),),
    )
    more = chance.choice(
        (
            (),
            (Line("tell me about the first one", (_call("get_product"),)),),
            (Line("which of these has the best reviews", (_call("compare_reviews"),)),),
        )
    )
    return (first, *more)


def _fill(chance: random.Random) -> Sequence[Line]:
    return (Line("add the first one", (_call("add_to_cart"),)), *_changes(chance))


def _name_one(chance: random.Random) -> Sequence[Line]:
    sku = chance.choice(_SKUS)
    return (Line(f"add {sku}", (_call("add_to_cart", sku=sku),)), *_changes(chance))


def _changes(chance: random.Random) -> Sequence[Line]:
    return chance.choice(
        (
            (),
            (Line("make it 2", (_call("set_quantity", quantity=2),)),),
            (Line("what's in my cart", on_the_page=3),),
            (
                Line("remove it", (_call("remove_from_cart"),)),
                Line("add it again", (_call("add_to_cart"),)),
            ),
            (
                Line("add SOCK-002", (_call("add_to_cart", sku="SOCK-002"),)),
                Line("remove the socks", (_call("remove_from_cart", sku="SOCK-002"),)),
            ),
        )
    )


def _remember(chance: random.Random) -> Sequence[Line]:
    said, subject = chance.choice(_FACTS)
    lines = [Line(said, (_call("remember", subject=subject),))]
    if chance.random() < 0.4:
        lines.append(Line(f"forget my {subject}", (_call("forget", subject=subject),)))
    return lines


def _interview(chance: random.Random) -> Sequence[Line]:
    most = chance.choice((140, 180, 220))
    size = chance.choice((41, 43, 45))
    return (
        Line("help me choose", (_call("start_interview"),)),
        Line("a trip to Iceland", (_call("note_brief"),)),
        Line("waterproof boots", (_call("note_brief", category="hiking-boots"),)),
        Line(f"under {most}", (_call("note_brief", max_price=100 * most),)),
        Line(
            str(size),
            (
                _call("note_brief", size=str(size)),
                _call("hand_over"),
                _call("search_products", category="hiking-boots", max_price=100 * most),
            ),
        ),
    )


def _ask_cart(chance: random.Random) -> Sequence[Line]:
    # The cart stands in every prompt: it need not be read.
    return (Line(chance.choice(("what's in my cart", "show my cart"))),)


def _ask_widely(chance: random.Random) -> Sequence[Line]:
    """Ask for what needs a question first."""
    return (
        Line("find some gear", (_call("search_products"),)),
        Line("boots", (_call("search_products"),)),
    )


def _buy_much(chance: random.Random) -> Sequence[Line]:
    """Buy so much that a question comes first."""
    return (
        Line(
            f"add {chance.choice((11, 12, 14))} of BOOT-001",
            (_call("add_to_cart", sku="BOOT-001"),),
        ),
        Line("check out", (_call("checkout"),)),
        Line("yes", (_call("checkout"),)),
    )


def _chat(chance: random.Random) -> Sequence[Line]:
    return (Line(chance.choice(("hello", "help", "thanks"))),)


def _buy(chance: random.Random) -> Sequence[Line]:
    calls = (_call("checkout"),)
    if chance.random() < 0.2:
        return (Line("check out", calls, "reject"), Line("check out", calls))
    return (Line("check out", calls),)


def _cancel(chance: random.Random) -> Sequence[Line]:
    return (Line("cancel that order", (_call("cancel_order"),)),)


def _ask_orders(chance: random.Random) -> Sequence[Line]:
    return (Line("show my orders", (_call("list_orders"),)),)


_PARTS: tuple[Part, ...] = (
    _remember,
    _interview,
    _ask_cart,
    _ask_widely,
    _buy_much,
    _chat,
    _look,
)
