"""One state of everything, and what happened to it."""

from __future__ import annotations

from typing import Any, NamedTuple

from evals.protocol.books import Written
from evals.protocol.entries import Looked
from evals.protocol.outside import Request, Slot


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
