"""What a world is read by, and written in: a case, its rules and its books."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from daybook.state.effects.guarantees import Guarantees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from evals.protocol.books import PATIENCE, Books, Rules, Written
from evals.protocol.cases import Case
from evals.protocol.entries import BY_OTHERS, EVIDENCE, effect_of
from evals.protocol.parts import opening
from evals.protocol.world import Happened, Worker, World


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
