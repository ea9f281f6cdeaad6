"""What workers can do: decide, claim, send, look, write down, undo, die.

A worker decides and claims in one step. In the code it decides without the lock first; what it does
under the lock is what is due then, so a claim that was decided long ago is one that is decided now.
(The mutant that does not decide again has a step in between.) A crash needs no step of its own
where the worker holds nothing that could still be told: then it is an idle worker, as is whoever
takes over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from daybook.state.ledger.next_action import Claim, ClaimUndo, End, LookFor, Write
from evals.protocol.books import JUST_BEFORE, NOW, TICK, Written
from evals.protocol.entries import (
    ACK,
    NAMED,
    NO,
    NOBODYS,
    REFUSED,
    Looked,
    Place,
    claim,
    evidence,
    odd_answers,
    odd_rows,
    recorded,
    undo_answered,
)
from evals.protocol.world import (
    IDLE,
    Ground,
    Happened,
    Request,
    Worker,
    World,
    performed,
    put,
    undone,
)


class Workers(Ground):
    """Tell what a worker can do next, by where it stands."""

    def worked(self, world: World) -> Iterator[Happened]:
        """Yield everything that a worker can do."""
        for number, worker in enumerate(world.workers):
            if number and worker == world.workers[number - 1]:
                continue
            yield from getattr(self, f"_{worker.does}")(world, number, worker)

    def _idle(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        for gen, book in enumerate(world.books):
            move = self.books.due(book)
            if isinstance(move, Claim) and not self.rules.decides_again:
                decided = Worker("decided", self.slot_of(world, gen, move.step_id), move.number)
                yield self.now(world, number, decided, ("decides", *decided[1:3]))
            else:
                yield from self._makes(world, number, gen, move)

    def _decided(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        due = Claim(self.step(world, worker.slot).step_id, worker.attempt)
        yield self._crash(world, number)
        yield from self._makes(world, number, worker.slot // self.width, due)

    def _makes(self, world: World, number: int, gen: int, move: Any) -> Iterator[Happened]:
        match move:
            case Claim(step_id=step_id, number=attempt):
                slot = self.slot_of(world, gen, step_id)
                if attempt > self.case.attempts[gen]:
                    yield self._goes_well(world, slot, attempt)
                    return
                moved, written = self.wrote(world, slot, ("claim", attempt), claim(move))
                worker = Worker("sending", slot, attempt)
                yield self.now(moved, number, worker, ("claims", slot, attempt), gen, written)
            case ClaimUndo(step_id=step_id, number=attempt):
                slot = self.slot_of(world, gen, step_id)
                ref = self.known(world, slot) or NOBODYS
                moved, written = self.wrote(world, slot, ("undo", attempt), claim(move))
                if attempt > self.case.undos:
                    slots = put(moved.slots, slot, undone(moved.slots[slot], ref))
                    moved, more = self.wrote(
                        moved._replace(slots=slots),
                        slot,
                        ("undone", attempt),
                        undo_answered(slot % self.width, attempt, done=True),
                    )
                    what = ("undoes and hears it", slot)
                    yield Happened(what, moved, gen, (*written, *more))
                    return
                worker = Worker("undoing", slot, attempt, ref=ref)
                yield self.now(moved, number, worker, ("claims the undo", slot), gen, written)
            case LookFor(step_id=step_id):
                yield from self._looks(world, number, self.slot_of(world, gen, step_id))
            case Write() | End():
                moved, written = self.wrote(world, gen * self.width, "what follows", lambda _: ())
                yield Happened(("writes what follows",), moved, gen, written)

    def _goes_well(self, world: World, slot: int, attempt: int) -> Happened:
        """Send an attempt beyond those that anything may happen to: it is done, and heard."""
        after, answer = performed(world.slots[slot], attempt, self.of_slot(slot))
        due = Claim(self.step(world, slot).step_id, attempt)
        world, written = self.wrote(world, slot, ("claim", attempt), claim(due))
        world = world._replace(slots=put(world.slots, slot, after))
        reply = (ACK if answer else NO, answer)
        looks = answer and self.of_slot(slot).provable
        world, more = self._record(
            world, slot, attempt, reply, after.done if looks else "not looked"
        )
        gen = slot // self.width
        return Happened(("claims, sends, hears", slot, attempt, *reply), world, gen, written + more)

    def _sending(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, *_ = worker
        yield self._crash(world, number)
        refused = Worker("heard", slot, attempt, REFUSED)
        yield self.now(world, number, refused, ("is refused", slot, attempt))
        sent = world._replace(wire=tuple(sorted((*world.wire, Request(slot, attempt, 0)))))
        waiting = Worker("waiting", slot, attempt)
        yield self.now(sent, number, waiting, ("sends", slot, attempt))

    def _waiting(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, *_ = worker
        yield self._crash(world, number)
        promised = self.of_slot(slot)
        if promised.provable:
            yield from self._looks(world, number, slot)
        if world.odd:
            odder = world._replace(odd=world.odd - 1)
            for ref in odd_answers(slot, self.width, attempt, promised):
                heard = Worker("heard", slot, attempt, ACK, ref)
                yield self.now(odder, number, heard, ("hears of another effect", slot, ref))

    def _heard(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, answer, ref, *_ = worker
        yield self._crash(world, number)
        if not (self.of_slot(slot).provable and answer == ACK):
            yield from self._recorded(world, number, worker, attempt, (answer, ref), "not looked")
            return
        for failed in self._failures():
            yield from self._recorded(world, number, worker, attempt, (answer, ref), failed)
        for shown, odd in self._shown(world, slot):
            after = world._replace(odd=odd)
            yield from self._recorded(after, number, worker, attempt, (answer, ref), shown)

    def _looks(self, world: World, number: int, slot: int) -> Iterator[Happened]:
        worker = world.workers[number]
        for failed in self._failures():
            yield from self._recorded(world, number, worker._replace(slot=slot), 0, None, failed)
        for shown, odd in self._shown(world, slot):
            # When a look began counts only where it shows that nothing is there.
            sent = -1 if shown else len(self.step(world, slot).attempts)
            seen = Worker("seen", slot, shown=shown, sent=sent)
            after = world._replace(odd=odd)
            yield self.now(after, number, seen, ("looks", slot, shown))

    def _failures(self) -> tuple[Looked, ...]:
        return ("unreachable", "faulty") if self.case.faults else ("unreachable",)

    def _shown(self, world: World, slot: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield what a look-up may show now, and how often something odd may be shown then."""
        done, odd = world.slots[slot].done, world.odd
        yield done, odd
        settling = any(one.settle_at >= NOW for one in self.step(world, slot).attempts)
        if self.case.late and done and settling:
            yield (), odd
        if odd:
            yield from ((shown, odd - 1) for shown in odd_rows(done))

    def _seen(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        yield self._crash(world, number)
        about = (0, None, worker.shown, worker.age, worker.sent)
        yield from self._recorded(world, number, worker, *about)

    def _recorded(
        self, world: World, number: int, worker: Worker, *evidence: Any
    ) -> Iterator[Happened]:
        """Write evidence down; the worker may not hear that it is, and then writes it again."""
        slot, what = worker.slot, ("records", worker.slot, *evidence)
        after, written = self._record(world, slot, *evidence)
        gen = slot // self.width
        yield self.now(after, number, IDLE, what, gen, written)
        if world.repeats and worker.does in ("heard", "seen"):
            unheard = after._replace(repeats=world.repeats - 1)
            again = worker if worker.does == "seen" else _telling(slot, *evidence)
            yield self.now(unheard, number, again, ("does not hear it", *what), gen, written)

    def _telling(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        yield self._crash(world, number)
        heard = (worker.answer, worker.ref)
        about = (worker.attempt, heard, worker.shown, worker.age)
        yield from self._recorded(world, number, worker, *about)

    def _record(
        self,
        world: World,
        slot: int,
        attempt: int,
        reply: tuple[str, int] | None,
        shown: Looked,
        age: int = 0,
        sent: int = -1,
    ) -> tuple[World, Written]:
        """Write down an answer and a look, as `daybook.nodes.effects.attempt` does.

        That there was no answer is not written: to everybody it is the same as no entry.
        """
        place, step = slot % self.width, self.step(world, slot)
        newer = 0 <= sent < len(step.attempts)
        began = NOW - TICK * age - (JUST_BEFORE if newer else TICK * 0)
        held = self.held(world, slot)
        key = step.step_id if self.case.shows_key else ""
        seen = evidence(Place(slot, self.width, key), attempt, reply, shown, began)
        named = NAMED if self.case.parts[place].undo or self.of_slot(slot).provable else None
        about = ("record", attempt, reply, shown, age, newer, *sorted(held))
        make = recorded(place, seen, named, held, self.of_slot(slot), self.rules.judge)
        after, written = self.wrote(world, slot, about, make)
        again, _ = self.wrote(after, slot, about, make)
        if again.books != after.books:
            self.unlike.add(after.books[slot // self.width])
        return after, written

    def _undoing(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, _, ref, *_ = worker
        yield self._crash(world, number)
        slots = put(world.slots, slot, undone(world.slots[slot], ref))
        for heard in ("done", "final"):
            after = world._replace(slots=slots) if heard == "done" else world
            told = Worker("undid", slot, attempt, heard)
            yield self.now(after, number, told, ("the undo is answered", slot, heard))
        if (slot, ref) not in world.undos:
            undos = tuple(sorted((*world.undos, (slot, ref))))
            what = ("sends the undo, hears nothing", slot)
            yield self.now(world._replace(undos=undos), number, IDLE, what)

    def _undid(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, heard, *_ = worker
        yield self._crash(world, number)
        make = undo_answered(slot % self.width, attempt, heard == "done")
        after, written = self.wrote(world, slot, (heard, attempt), make)
        what = ("records the undo", slot, heard)
        yield self.now(after, number, IDLE, what, slot // self.width, written)

    def _crash(self, world: World, number: int) -> Happened:
        return self.now(world, number, IDLE, ("dies", *world.workers[number]))


def _telling(slot: int, attempt: int, reply: tuple[str, int], shown: Looked) -> Worker:
    return Worker("telling", slot, attempt, *reply, shown)
