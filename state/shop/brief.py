"""The brief: what the interviewer found out, in typed slots. Only this is handed over."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from daybook.state.money import Money
from daybook.state.people.privacy import redacted
from daybook.state.shop.cart import Frozen

MOST_MUST_HAVES = 6

REQUIRED = ("goal", "category")
"""Slots without which a search would be wide."""


def _plain(text: str) -> str:
    """Bring a slot's text to one line in which a semicolon ends no slot."""
    return " ".join(str(redacted(text)).replace(";", ",").split())


Goal = Annotated[str, Field(max_length=160), AfterValidator(_plain)]
Slug = Annotated[str, Field(max_length=60, pattern=r"^[a-z0-9-]*$")]
Words = Annotated[str, Field(max_length=60), AfterValidator(_plain)]


class Wish(Frozen):
    """What the person asked for instead, in the turn in which they broke the interview off."""

    text: Words = Field(description="in a few words")
    turn_id: str = Field(description="it is past when the turn is")


class Brief(Frozen):
    """What is looked for, and for whom."""

    goal: Goal = Field(default="", description="what the person wants to come to")
    category: Slug = Field(default="", description="slug of a category, such as hiking-boots")
    max_price: int | None = Field(default=None, gt=0, description="integer cents, for one piece")
    size: Words = Field(default="", description="as the person says it")
    for_whom: Words = Field(default="", description="who uses it, if somebody else")
    must_have: tuple[Words, ...] = Field(
        default=(), max_length=MOST_MUST_HAVES, description="what it must be or have"
    )
    wish: Wish | None = Field(
        default=None, title="Wish", description="asked for instead, in that turn"
    )

    @property
    def missing(self) -> tuple[str, ...]:
        """Name the required slots that are empty."""
        return tuple(name for name in REQUIRED if not getattr(self, name))


def noted(brief: Brief, **slots: Any) -> Brief:
    """Return the brief with some slots filled again; None leaves a slot as it is."""
    given = {name: value for name, value in slots.items() if value is not None}
    return Brief.model_validate({**brief.model_dump(), **given})


def described(brief: Brief, currency: str, turn_id: str = "") -> str:
    """Write the slots that are filled as one line.

    Args:
        currency: ISO 4217 code of its price.
        turn_id: the turn in progress, to which a wish belongs or not.
    """
    price = Money(amount=brief.max_price, currency=currency) if brief.max_price else None
    wish = brief.wish if brief.wish is not None and brief.wish.turn_id == turn_id else None
    slots = (
        f"goal={brief.goal}" if brief.goal else "",
        f"category={brief.category}" if brief.category else "",
        f"max {price}" if price else "",
        f"size {brief.size}" if brief.size else "",
        f"for {brief.for_whom}" if brief.for_whom else "",
        f"must have {', '.join(brief.must_have)}" if brief.must_have else "",
        f"wants now={wish.text}" if wish else "",
    )
    return "; ".join(slot for slot in slots if slot)
