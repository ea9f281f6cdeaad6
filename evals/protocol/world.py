"""The other side as it really is; and what a world is read by and written in.

Values alone: a slot is one step of one generation, in plan order, generation after generation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from daybook import Guarantees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from evals.protocol.books import PATIENCE, Books, Rules, Written
from evals.protocol.cases import Case
from evals.protocol.entries import BY_OTHERS, EVIDENCE, Looked, effect_of
from evals.protocol.parts import opening

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


class Ground:
    """Read the worlds of a case, and write in its books.

    Attributes:
        unlike: plans that are another one once the evidence that made them is written again.
    """

    def __init__(self, case: Case, rules: Rules | None = None) -> None:
        self.case, self.rules = case, rules or Rules()
        patience = replace(PATIENCE, unproved=case.unproved)
        self.books = Books(case.guarantees, self.rules, patience)
        self.width = len(case.parts)
        self.unlike: set[int] = set()
        self.promised = [case.guarantees[part.name] for part in case.parts]

    def approved(self, gen: int) -> list[Entry]:
        """Make the entries that open and approve the plan of a generation."""
        plan = Plan(f"plan {gen}", "turn")
        opened = opening(plan, self.case.parts)
        opened = [_expecting(entry, gen) if entry.op else entry for entry in opened]
        bare = Books(self.case.guarantees, Rules())
        bound = bare.plans[bare.opened(opened)].binding_hash
        decided = {"decisions": ["approved"], "bound_to": bound}
        return [*opened, plan.entry(Event.DECISION, author="ada", detail=decided)]

    def of_slot(self, slot: int) -> Guarantees:
        """Return what is promised of a slot."""
        return self.promised[slot % self.width]

    def step(self, world: World, slot: int) -> Any:
        """Return the step of a slot."""
        return self.books.plans[world.books[slot // self.width]].steps[slot % self.width]

    def known(self, world: World, slot: int) -> int | None:
        """Return the effect that the ledger takes for that of a slot."""
        return effect_of(slot, self.step(world, slot).result)

    def held(self, world: World, slot: int) -> dict[str, str]:
        """Return the references that the ledger holds for other steps of the same tool."""
        others = range(slot % self.width, len(world.books) * self.width, self.width)
        steps = [self.step(world, other) for other in others if other != slot]
        return {**BY_OTHERS, **{s.reference: s.step_id for s in steps if s.reference}}

    def may_land(self, world: World, slot: int) -> bool:
        """Tell whether something that was claimed of a slot may still have an effect."""
        sending = any(worker[:2] == ("sending", slot) for worker in world.workers)
        wired = any(r.slot == slot for r in world.wire)
        return (sending or wired) and world.slots[slot].key is None

    def slot_of(self, world: World, gen: int, step_id: str) -> int:
        """Return the slot of a step."""
        steps = self.books.plans[world.books[gen]].steps
        place = next(i for i, step in enumerate(steps) if step.step_id == step_id)
        return gen * self.width + place

    def wrote(self, world: World, slot: int, about: Any, make: Any) -> tuple[World, Written]:
        """Write a page about a slot; return the world after it, and what was written."""
        gen = slot // self.width
        book, written = self.books.page(world.books[gen], (slot % self.width, about), make)
        books = tuple(book if i == gen else old for i, old in enumerate(world.books))
        return world._replace(books=books), written

    def now(
        self,
        world: World,
        number: int,
        worker: Worker,
        what: tuple[Any, ...],
        book: int = 0,
        written: Written = (),
    ) -> Happened:
        """Let a worker stand somewhere else now."""
        workers = [*world.workers]
        workers[number] = worker
        after = world._replace(workers=tuple(sorted(workers)))
        return Happened(what, after, book, written)


def _expecting(entry: Entry, gen: int) -> Entry:
    """Make an intent that of a generation, with what the other side must show."""
    return replace(entry, gen=gen, payload={**(entry.payload or {}), "evidence": EVIDENCE})
