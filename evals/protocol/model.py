"""Everything that can happen next: workers, the wire, people, the clock."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import TypeAdapter

from daybook.domain import Action
from daybook.state.ledger.next_action import AskDoubt, Over
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.people.questions.approvals import doubt_answers
from evals.protocol.books import Written
from evals.protocol.entries import ACK, DOOR, NO, REFUSED, cancelled, id_of, word
from evals.protocol.workers import Workers
from evals.protocol.world import (
    DECLINED,
    IDLE,
    Ground,
    Happened,
    Request,
    Slot,
    Worker,
    World,
    declined,
    may_still_land,
    older,
    performed,
    put,
    undone,
)


class People(Ground):
    """Tell what a person can do next."""

    def said(self, world: World) -> Iterator[Happened]:
        """Yield everything that a person can do."""
        for gen, _ in enumerate(world.books):
            yield from self._answers(world, gen)
        for click in world.clicks:
            yield self._arrives_again(world, click)
        if self.case.cancels and not world.cancelled:
            plan = self.books.plans[world.books[0]]
            action = plan.actions[0]
            if not (plan.over or action.closing or action.pivot_done):
                closed, written = self.wrote(world, 0, "cancel", cancelled)
                yield Happened(("is cancelled",), closed._replace(cancelled=True), 0, written)
        if len(world.books) < len(self.case.attempts):
            plan = self.books.plans[world.books[-1]]
            if plan.over and all(self.rules.may_follow(step.state) for step in plan.steps):
                books = (*world.books, self.books.opened(self.approved(len(world.books) + 1)))
                yield Happened(("is wanted again",), world._replace(books=books))

    def asked(self, world: World, gen: int) -> int | None:
        """Return the slot that a person is asked about."""
        due = self.books.due(world.books[gen])
        if isinstance(due, AskDoubt):
            return self.slot_of(world, gen, due.step_id)
        if isinstance(due, Over):
            for place, step in enumerate(self.books.plans[world.books[gen]].steps):
                if step.question:
                    return gen * self.width + place
        return None

    def _answers(self, world: World, gen: int) -> Iterator[Happened]:
        """Let a person answer with the truth, which is known when nothing is on its way."""
        slot = self.asked(world, gen)
        if slot is None or self.may_land(world, slot):
            return
        step, done = self.step(world, slot), world.slots[slot].done
        if step.state is StepState.STUCK:
            slots = put(world.slots, slot, Slot((), world.slots[slot].key))
            # Who says "undo" then wants it undone: it is not.
            by_hand = world._replace(slots=slots)
            answers = [("happened", by_hand), ("not_happened", world), ("undo", world)]
        elif done:
            answers = [("happened", world), ("undo", world)]
        else:
            answers = [("not_happened", world)]
        action = self.books.plans[world.books[gen]].actions[0]
        for said_, before in answers:
            if not self._fits(action, step, said_, step.question):
                continue
            after, written = self._said(before, slot, said_, done)
            click = (slot, said_)
            yield Happened(("a person says", slot, said_), after, gen, written)
            if self.case.clicks and not world.clicks:
                yield Happened(
                    ("a person says, twice", slot, said_),
                    after._replace(clicks=(click,)),
                    gen,
                    written,
                )

    def _said(
        self, world: World, slot: int, said_: str, done: tuple[int, ...]
    ) -> tuple[World, Written]:
        stands = id_of(slot, self.width, done[0]) if done else None
        return self.wrote(
            world, slot, ("said", said_, stands), word(slot % self.width, said_, stands)
        )

    def _arrives_again(self, world: World, click: tuple[int, str]) -> Happened:
        """Let an answer arrive when another question may wait: it names its own one, or none."""
        slot, said_ = click
        gone = world._replace(clicks=())
        step = self.step(world, slot)
        action = self.books.plans[world.books[slot // self.width]].actions[0]
        what = ("the answer arrives again", slot, said_)
        if step.question is None or not self._fits(action, step, said_, None):
            return Happened((*what, "and is refused"), gone)
        done = world.slots[slot].done
        after, written = self._said(gone, slot, said_, done)
        return Happened(what, after, slot // self.width, written)

    def _fits(self, action: Action, step: Step, said_: str, question: str | None) -> bool:
        words = {"happened": "it happened", "not_happened": "it did not", "undo": "undo"}[said_]
        given = {"decisions": [{"type": "respond", "message": words}], "approval_id": question}
        answer = TypeAdapter(doubt_answers(step)).validate_python(given)
        return not self.rules.unclear(answer, action, step)


class Wire(Ground):
    """Tell what can become of requests and undos that were sent."""

    def arrived(self, world: World) -> Iterator[Happened]:
        """Yield everything that can become of what was sent."""
        for request in world.wire:
            yield from self._lands(world, request)
        for slot, attempt in world.undos:
            yield self._undo_lands(world, slot, attempt)

    def _lands(self, world: World, request: Request) -> Iterator[Happened]:
        slot, attempt, _ = request
        wire = tuple(one for one in world.wire if one != request)
        gone = world._replace(wire=wire)
        yield Happened(("is lost", slot, attempt), gone)
        guarantees = self.of_slot(slot)
        after, answer = performed(world.slots[slot], attempt, guarantees)
        verdicts = [(after, (ACK if answer else NO, answer))]
        if (refusing := declined(world.slots[slot], guarantees)) is not None:
            verdicts.append((refusing, (NO, DECLINED)))
        if self.case.doors:
            verdicts.append((world.slots[slot], (DOOR, DECLINED)))
        for slot_after, reply in verdicts:
            landed = gone._replace(slots=put(world.slots, slot, slot_after))
            yield Happened(("lands", slot, attempt, *reply), landed)
            for number, worker in enumerate(world.workers):
                if worker == Worker("waiting", slot, attempt):
                    heard = Worker("heard", slot, attempt, *reply)
                    yield self.now(
                        landed, number, heard, ("lands, is heard", slot, attempt, *reply)
                    )

    def _undo_lands(self, world: World, slot: int, attempt: int) -> Happened:
        undos = tuple(one for one in world.undos if one != (slot, attempt))
        slots = put(world.slots, slot, undone(world.slots[slot], attempt))
        if not self.rules.undo_names_generation:
            slots = tuple(
                undone(s, attempt) if i % self.width == slot % self.width else s
                for i, s in enumerate(slots)
            )
        what = ("an undo lands", slot, attempt)
        return Happened(what, world._replace(undos=undos, slots=slots))


LATE = 2
"""Ticks after which whoever has not written its evidence again has died."""


class Clock(Ground):
    """Let time go by, a tick at a time."""

    def later(self, world: World) -> World | None:
        """Let a tick go by, unless something must land or be lost before."""
        for request in world.wire:
            slot = world.slots[request.slot]
            if not (self.case.lies or may_still_land(request, slot, self.of_slot(request.slot))):
                return None
        bounds = [self.of_slot(request.slot) for request in world.wire]
        oldest = [9 if g.honours_key or (g.settle and not self.case.lies) else 2 for g in bounds]
        wire = tuple(
            request._replace(age=min(request.age + 1, limit))
            for request, limit in zip(world.wire, oldest, strict=True)
        )
        return world._replace(
            books=tuple(self.books.later(book) for book in world.books),
            workers=tuple(sorted(map(self._older, world.workers))),
            wire=tuple(sorted(wire)),
            slots=tuple(older(slot) for slot in world.slots),
        )

    def _older(self, worker: Worker) -> Worker:
        match worker.does:
            case "sending":
                return Worker("heard", worker.slot, worker.attempt, REFUSED)
            case "waiting":
                return IDLE
            case "telling":
                return worker._replace(age=worker.age + 1) if worker.age < LATE else IDLE
            case "seen" if not worker.shown:
                return (
                    worker._replace(age=worker.age + 1) if worker.age < self.case.stalls else IDLE
                )
            case _:
                return worker


class Model(Workers, Wire, People, Clock):
    """Tell what can happen next in a case."""

    def first(self) -> World:
        """Return the world in which the first plan has just been approved."""
        return World(
            books=(self.books.opened(self.approved(1)),),
            workers=(IDLE,) * self.case.workers,
            wire=(),
            undos=(),
            slots=(Slot(),) * (self.width * len(self.case.attempts)),
            odd=self.case.odd,
            repeats=self.case.repeats,
        )

    def next(self, world: World) -> Iterator[Happened]:
        """Yield everything that can happen."""
        yield from self.worked(world)
        yield from self.arrived(world)
        yield from self.said(world)
        if (later := self.later(world)) is not None:
            yield Happened(("a tick",), later)

    def is_at_rest(self, world: World) -> bool:
        """Tell whether nothing is left to do and nothing can arrive any more."""
        return (
            not world.wire
            and not world.undos
            and all(worker == IDLE for worker in world.workers)
            and all(isinstance(self.books.due(book), Over) for book in world.books)
            and all(self.asked(world, gen) is None for gen, _ in enumerate(world.books))
        )
