"""The other side as it really is: what was done, what keys it remembers, what is on the wire.

Values alone: a slot is one step of one generation, in plan order, generation after generation.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from daybook.state.effects.guarantees import Guarantees
from evals.protocol.books import Written
from evals.protocol.entries import Looked

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


class Worker(NamedTuple):
    """Hold where a worker stands and what only it knows.

    Attributes:
        does: idle, decided, sending, waiting, heard, seen, telling (what it heard and saw, once
            more), undoing or undid.
        answer: what it heard.
        ref: the effect that it heard of, or that it undoes.
        shown: what it saw when it looked, `age` ticks ago.
        sent: how many attempts there were when it looked; -1 where that does not count.
    """

    does: str = "idle"
    slot: int = 0
    attempt: int = 0
    answer: str = ""
    ref: int = 0
    shown: Looked = ()
    age: int = 0
    sent: int = -1


IDLE = Worker()


class World(NamedTuple):
    """Hold one state of everything.

    Attributes:
        books: a plan for each generation, oldest first.
        workers: in no order.
        wire: requests that were sent and have not landed.
        undos: undos that were sent and have not landed: slot and attempt.
        slots: the other side.
        clicks: answers to questions of doubt that are still to arrive a second time.
        cancelled: somebody closed the first plan from outside.
        odd: how often something odd may still be shown.
        repeats: how often a page may still be written twice.
    """

    books: tuple[int, ...]
    workers: tuple[Worker, ...]
    wire: tuple[Request, ...]
    undos: tuple[tuple[int, int], ...]
    slots: tuple[Slot, ...]
    clicks: tuple[tuple[int, str], ...] = ()
    cancelled: bool = False
    odd: int = 0
    repeats: int = 0


class Happened(NamedTuple):
    """Hold what happened, the world after it, and what was written about which plan."""

    what: tuple[Any, ...]
    world: World
    book: int = 0
    written: Written = ()


def put(slots: tuple[Slot, ...], slot: int, after: Slot) -> tuple[Slot, ...]:
    """Return the slots with another one in a place."""
    return (*slots[:slot], after, *slots[slot + 1 :])
