"""What the other side shows: an effect by its number, as the answers and rows that a tool returns.

An effect of a slot has the number of its attempt. Other numbers stand for what is not ours, or not
as it was approved; nothing but `judge` tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.reference import naming

NOBODYS, ANOTHERS, ANOTHER_OWNERS, NAMELESS, EARLIER = -1, -2, -3, -4, -5
"""A stranger's effect: one that fits and that nobody holds; one that another step holds; one that
shows another owner; one that does not say which it is; the first of the generation before."""

WRONGLY = 100
"""Added to an attempt: our effect, shown with another owner."""

EVIDENCE = {"owner": "ada"}
NAMED = naming("id")
BY_OTHERS = {"998": "op/of/another/1"}

_IDS = {NOBODYS: 999, ANOTHERS: 998, ANOTHER_OWNERS: 997}


def answer(slot: int, width: int, ref: int) -> dict[str, Any]:
    """Make the answer to a request: its status moves on before it is looked up."""
    return {**_effect(slot, width, ref), "status": "pending"}


def row(slot: int, width: int, ref: int, key: str) -> dict[str, Any]:
    """Make a row of a look-up; what is ours shows our key, where rows show keys ("" if not)."""
    ours = {"key": key} if key and is_ours(ref) else {}
    return {**_effect(slot, width, ref), **ours, "status": "captured"}


def _effect(slot: int, width: int, ref: int) -> dict[str, Any]:
    owner = "bob" if ref == ANOTHER_OWNERS or ref > WRONGLY else "ada"
    named = {} if ref == NAMELESS else {"id": id_of(slot, width, ref)}
    return {**named, "owner": owner}


def id_of(slot: int, width: int, ref: int) -> int:
    """Name an effect."""
    if ref == EARLIER:
        return id_of(slot - width, width, 1)
    return _IDS[ref] if ref < 0 else slot * 10 + ref % WRONGLY


def effect_of(slot: int, result: Mapping[str, Any] | None) -> int | None:
    """Return the effect of a slot that a result is of; NOBODYS where it is none of that slot."""
    if result is None:
        return None
    number = result.get("id", 0) - slot * 10
    return number if 0 < number < 10 else NOBODYS


def is_ours(ref: int) -> bool:
    """Tell whether it is an effect of the slot."""
    return ref > 0


def fits(ref: int) -> bool:
    """Tell whether its fields are as they were approved."""
    return ref != ANOTHER_OWNERS and ref < WRONGLY


def odd_answers(slot: int, width: int, attempt: int, promised: Guarantees) -> Iterator[int]:
    """Yield what an attempt may be answered with that is not ours, or not as approved.

    What fits, is held by nobody and cannot be looked up is believed: nothing tells it from ours.
    """
    yield from (ANOTHERS, ANOTHER_OWNERS, WRONGLY + attempt)
    if promised.provable:
        yield from (NOBODYS, NAMELESS)
    if promised.provable and slot >= width:
        yield EARLIER


def odd_rows(done: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield what a look-up under our key may show beside ours, or in its place.

    One row alone that fits and that nobody holds is believed: a look-up is by our key, or by a
    reference that we chose.
    """
    for ref in (ANOTHERS, ANOTHER_OWNERS, NAMELESS):
        yield (ref,)
        if done:
            yield (*done, ref)
    if done:
        yield (NOBODYS, *done)
