"""The other side as it really is: what was done, what keys it remembers, what is on the wire.

Values alone: a slot is one step of one generation, in plan order, generation after generation.
"""

from __future__ import annotations

from typing import NamedTuple

from daybook.state.effects.guarantees import Guarantees

REMEMBERED = 4
"""Age of a key, in ticks, at which the service has forgotten it."""

DECLINED = 0
"""Kept under a key instead of the attempt that was performed."""


class Key(NamedTuple):
    """Hold what a service keeps under a key: the attempt it performed, or DECLINED."""

    answer: int
    age: int


class Slot(NamedTuple):
    """Hold what the other side did under one key.

    Attributes:
        done: attempts that were performed and that stand; an undone one is not among them.
    """

    done: tuple[int, ...] = ()
    key: Key | None = None


class Request(NamedTuple):
    """Hold an attempt that was sent and has not landed; its age in ticks since it was claimed."""

    slot: int
    attempt: int
    age: int


def performed(slot: Slot, attempt: int, guarantees: Guarantees) -> tuple[Slot, int]:
    """Let a request land that the service is willing to do; return what it answers."""
    if slot.key is not None:
        return slot, slot.key.answer
    key = Key(attempt, 0) if guarantees.honours_key else None
    return Slot((*slot.done, attempt), key), attempt


def declined(slot: Slot, guarantees: Guarantees) -> Slot | None:
    """Let a request land that the service declines; None where a key decides already."""
    if slot.key is not None:
        return None
    return slot._replace(key=Key(DECLINED, 0)) if guarantees.stores_failures else slot


def undone(slot: Slot, attempt: int) -> Slot:
    """Undo one effect, if it stands."""
    return slot._replace(done=tuple(one for one in slot.done if one != attempt))


def older(slot: Slot) -> Slot:
    """Let a tick go by; a key whose time is over is forgotten."""
    if slot.key is None:
        return slot
    age = slot.key.age + 1
    return slot._replace(key=slot.key._replace(age=age) if age < REMEMBERED else None)


def may_still_land(request: Request, slot: Slot, guarantees: Guarantees) -> bool:
    """Tell whether a request may land a tick later than now.

    D is true, and what is late without bound arrives before its key is forgotten: beyond that a
    service that forgets keys promises nothing.
    """
    if guarantees.settle is not None:
        return request.age < 1
    if guarantees.honours_key:
        return request.age < REMEMBERED - 1 and (slot.key is None or slot.key.age < REMEMBERED - 1)
    return True
