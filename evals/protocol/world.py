"""Everything that can happen next: workers, the wire, the other side, the clock, people.

A worker decides and claims in one step. In the code it decides without the lock first; what it does
under the lock is what is due then, so a claim that was decided long ago is one that is decided now.
(The mutant that does not decide again has a step in between.) A crash needs no step of its own
where the worker holds nothing that could still be told: then it is an idle worker, as is whoever
takes over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, NamedTuple

from daybook.state.effects.guarantees import Guarantees
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_move import (
    AskDoubt,
    Claim,
    ClaimUndo,
    End,
    LookFor,
    Over,
    UndoExtra,
    Write,
)
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.people.questions.approvals import doubt_answers
from evals.protocol.books import JUST_BEFORE, NOW, PATIENCE, TICK, Books, Rules, Written
from evals.protocol.entries import (
    ACK,
    DOOR,
    NO,
    REFUSED,
    Looked,
    Place,
    cancelled,
    claim,
    evidence,
    extra_undone,
    recorded,
    undo_answered,
    word,
)
from evals.protocol.outside import (
    DECLINED,
    Request,
    Slot,
    declined,
    may_still_land,
    older,
    performed,
    undone,
)
from evals.protocol.parts import Part, opening
from evals.protocol.shown import (
    BY_OTHERS,
    EVIDENCE,
    NAMED,
    NOBODYS,
    effect_of,
    id_of,
    odd_answers,
    odd_rows,
)


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

LATE = 2
"""Ticks after which whoever has not written its evidence again has died."""


@dataclass(frozen=True)
class Case:
    """Say what is searched.

    Attributes:
        parts: of the one action of each plan; tools have the names of the parts.
        guarantees: by tool.
        attempts: by generation, how many attempts of a step anything may happen to; beyond them
            all goes well, so that every path comes to an end.
        undos: likewise, of undos.
        workers: at most so many at once.
        cancels: the first plan may be closed from outside at any time.
        stalls: ticks for which a worker may sit on an absence that it saw; then it has died.
        clicks: a person's answer may arrive a second time, however late.
        lies: what is assumed of the other side does not hold: D is no bound.
        odd: how often something is shown that is not ours, or not as it was approved.
        shows_key: rows of a look-up show the key that an effect was made under.
        repeats: how often a page is committed whose worker never hears of it, and writes it again.
        late: a look-up may miss what was done until its attempt has settled.
        doors: requests may be turned away at the door, whatever is kept under their key.
        faults: a look-up may fail by a fault of its own too.
        unproved: after which a person is asked about what cannot be proved; far away unless given.
    """

    name: str
    parts: tuple[Part, ...]
    guarantees: dict[str, Guarantees]
    attempts: tuple[int, ...] = (2,)
    undos: int = 1
    workers: int = 2
    cancels: bool = True
    stalls: int = 2
    clicks: bool = False
    lies: bool = False
    odd: int = 0
    shows_key: bool = True
    repeats: int = 0
    late: bool = False
    doors: bool = False
    faults: bool = False
    unproved: timedelta = PATIENCE.unproved


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


class Model:
    """Tell what can happen next in a case.

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

    def approved(self, gen: int) -> list[Entry]:
        """Make the entries that open and approve the plan of a generation."""
        plan = Plan(f"plan {gen}", "turn")
        opened = opening(plan, self.case.parts)
        opened = [_expecting(entry, gen) if entry.op else entry for entry in opened]
        bare = Books(self.case.guarantees, Rules())
        bound = bare.plans[bare.opened(opened)].binding_hash
        decided = {"decisions": ["approved"], "bound_to": bound}
        return [*opened, plan.entry(Event.DECISION, author="ada", detail=decided)]

    # -- reading ----------------------------------------------------------------------------------

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

    def is_at_rest(self, world: World) -> bool:
        """Tell whether nothing is left to do and nothing can arrive any more."""
        return (
            not world.wire
            and not world.undos
            and all(worker == IDLE for worker in world.workers)
            and all(isinstance(self.books.due(book), Over) for book in world.books)
            and all(self._asked(world, gen) is None for gen, _ in enumerate(world.books))
        )

    def may_land(self, world: World, slot: int) -> bool:
        """Tell whether something that was claimed of a slot may still have an effect."""
        sending = any(worker[:2] == ("sending", slot) for worker in world.workers)
        wired = any(r.slot == slot for r in world.wire)
        return (sending or wired) and world.slots[slot].key is None

    # -- what can happen --------------------------------------------------------------------------

    def next(self, world: World) -> Iterator[Happened]:
        """Yield everything that can happen."""
        for number, worker in enumerate(world.workers):
            if number and worker == world.workers[number - 1]:
                continue
            yield from getattr(self, f"_{worker.does}")(world, number, worker)
        for request in world.wire:
            yield from self._lands(world, request)
        for slot, attempt in world.undos:
            yield self._undo_lands(world, slot, attempt)
        yield from self._people(world)
        if (later := self._tick(world)) is not None:
            yield Happened(("a tick",), later)

    # -- workers ----------------------------------------------------------------------------------

    def _idle(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        for gen, book in enumerate(world.books):
            move = self.books.due(book)
            if isinstance(move, Claim) and not self.rules.decides_again:
                decided = Worker("decided", self._slot(world, gen, move.step_id), move.number)
                yield self._now(world, number, decided, ("decides", *decided[1:3]))
            else:
                yield from self._makes(world, number, gen, move)

    def _decided(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        due = Claim(self.step(world, worker.slot).step_id, worker.attempt)
        yield self._crash(world, number)
        yield from self._makes(world, number, worker.slot // self.width, due)

    def _makes(self, world: World, number: int, gen: int, move: Any) -> Iterator[Happened]:
        match move:
            case Claim(step_id=step_id, number=attempt):
                slot = self._slot(world, gen, step_id)
                if attempt > self.case.attempts[gen]:
                    yield self._goes_well(world, slot, attempt)
                    return
                moved, written = self._wrote(world, slot, ("claim", attempt), claim(move))
                worker = Worker("sending", slot, attempt)
                yield self._now(moved, number, worker, ("claims", slot, attempt), gen, written)
            case ClaimUndo(step_id=step_id, number=attempt):
                slot = self._slot(world, gen, step_id)
                ref = self.known(world, slot) or NOBODYS
                moved, written = self._wrote(world, slot, ("undo", attempt), claim(move))
                if attempt > self.case.undos:
                    slots = _put(moved.slots, slot, undone(moved.slots[slot], ref))
                    moved, more = self._wrote(
                        moved._replace(slots=slots),
                        slot,
                        ("undone", attempt),
                        undo_answered(slot % self.width, attempt, done=True),
                    )
                    what = ("undoes and hears it", slot)
                    yield Happened(what, moved, gen, (*written, *more))
                    return
                worker = Worker("undoing", slot, attempt, ref=ref)
                yield self._now(moved, number, worker, ("claims the undo", slot), gen, written)
            case LookFor(step_id=step_id):
                yield from self._looks(world, number, self._slot(world, gen, step_id))
            case UndoExtra(step_id=step_id, match=match):
                slot = self._slot(world, gen, step_id)
                ref = effect_of(slot, match) or NOBODYS
                slots = _put(world.slots, slot, undone(world.slots[slot], ref))
                moved, written = self._wrote(
                    world._replace(slots=slots),
                    slot,
                    ("extra", ref),
                    extra_undone(slot % self.width),
                )
                yield Happened(("undoes a duplicate", slot, ref), moved, gen, written)
            case Write() | End():
                moved, written = self._wrote(world, gen * self.width, "what follows", lambda _: ())
                yield Happened(("writes what follows",), moved, gen, written)

    def _slot(self, world: World, gen: int, step_id: str) -> int:
        steps = self.books.plans[world.books[gen]].steps
        place = next(i for i, step in enumerate(steps) if step.step_id == step_id)
        return gen * self.width + place

    def _goes_well(self, world: World, slot: int, attempt: int) -> Happened:
        """Send an attempt beyond those that anything may happen to: it is done, and heard."""
        after, answer = performed(world.slots[slot], attempt, self.of_slot(slot))
        due = Claim(self.step(world, slot).step_id, attempt)
        world, written = self._wrote(world, slot, ("claim", attempt), claim(due))
        world = world._replace(slots=_put(world.slots, slot, after))
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
        yield self._now(world, number, refused, ("is refused", slot, attempt))
        sent = world._replace(wire=tuple(sorted((*world.wire, Request(slot, attempt, 0)))))
        waiting = Worker("waiting", slot, attempt)
        yield self._now(sent, number, waiting, ("sends", slot, attempt))

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
                yield self._now(odder, number, heard, ("hears of another effect", slot, ref))

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
            yield self._now(after, number, seen, ("looks", slot, shown))

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
        yield self._now(after, number, IDLE, what, gen, written)
        if world.repeats and worker.does in ("heard", "seen"):
            unheard = after._replace(repeats=world.repeats - 1)
            again = worker if worker.does == "seen" else _telling(slot, *evidence)
            yield self._now(unheard, number, again, ("does not hear it", *what), gen, written)

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
        """Write down an answer and a look, as `daybook.nodes.sending.record` does.

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
        after, written = self._wrote(world, slot, about, make)
        again, _ = self._wrote(after, slot, about, make)
        if again.books != after.books:
            self.unlike.add(after.books[slot // self.width])
        return after, written

    def _undoing(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, _, ref, *_ = worker
        yield self._crash(world, number)
        slots = _put(world.slots, slot, undone(world.slots[slot], ref))
        for heard in ("done", "final"):
            after = world._replace(slots=slots) if heard == "done" else world
            told = Worker("undid", slot, attempt, heard)
            yield self._now(after, number, told, ("the undo is answered", slot, heard))
        if (slot, ref) not in world.undos:
            undos = tuple(sorted((*world.undos, (slot, ref))))
            what = ("sends the undo, hears nothing", slot)
            yield self._now(world._replace(undos=undos), number, IDLE, what)

    def _undid(self, world: World, number: int, worker: Worker) -> Iterator[Happened]:
        _, slot, attempt, heard, *_ = worker
        yield self._crash(world, number)
        make = undo_answered(slot % self.width, attempt, heard == "done")
        after, written = self._wrote(world, slot, (heard, attempt), make)
        what = ("records the undo", slot, heard)
        yield self._now(after, number, IDLE, what, slot // self.width, written)

    # -- the other side ---------------------------------------------------------------------------

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
            landed = gone._replace(slots=_put(world.slots, slot, slot_after))
            yield Happened(("lands", slot, attempt, *reply), landed)
            for number, worker in enumerate(world.workers):
                if worker == Worker("waiting", slot, attempt):
                    heard = Worker("heard", slot, attempt, *reply)
                    yield self._now(
                        landed, number, heard, ("lands, is heard", slot, attempt, *reply)
                    )

    def _undo_lands(self, world: World, slot: int, attempt: int) -> Happened:
        undos = tuple(one for one in world.undos if one != (slot, attempt))
        slots = _put(world.slots, slot, undone(world.slots[slot], attempt))
        if not self.rules.undo_names_generation:
            slots = tuple(
                undone(s, attempt) if i % self.width == slot % self.width else s
                for i, s in enumerate(slots)
            )
        what = ("an undo lands", slot, attempt)
        return Happened(what, world._replace(undos=undos, slots=slots))

    def _tick(self, world: World) -> World | None:
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

    # -- people -----------------------------------------------------------------------------------

    def _people(self, world: World) -> Iterator[Happened]:
        for gen, _ in enumerate(world.books):
            yield from self._answers(world, gen)
        for click in world.clicks:
            yield self._arrives_again(world, click)
        if self.case.cancels and not world.cancelled:
            plan = self.books.plans[world.books[0]]
            action = plan.actions[0]
            if not (plan.over or action.closing or action.pivot_done):
                closed, written = self._wrote(world, 0, "cancel", cancelled)
                yield Happened(("is cancelled",), closed._replace(cancelled=True), 0, written)
        if len(world.books) < len(self.case.attempts):
            plan = self.books.plans[world.books[-1]]
            if plan.over and all(self.rules.may_follow(step.state) for step in plan.steps):
                books = (*world.books, self.books.opened(self.approved(len(world.books) + 1)))
                yield Happened(("is wanted again",), world._replace(books=books))

    def _asked(self, world: World, gen: int) -> int | None:
        """Return the slot that a person is asked about."""
        due = self.books.due(world.books[gen])
        if isinstance(due, AskDoubt):
            return self._slot(world, gen, due.step_id)
        if isinstance(due, Over):
            for place, step in enumerate(self.books.plans[world.books[gen]].steps):
                if step.question:
                    return gen * self.width + place
        return None

    def _answers(self, world: World, gen: int) -> Iterator[Happened]:
        """Let a person answer with the truth, which is known when nothing is on its way."""
        slot = self._asked(world, gen)
        if slot is None or self.may_land(world, slot):
            return
        step, done = self.step(world, slot), world.slots[slot].done
        if step.state is StepState.STUCK:
            slots = _put(world.slots, slot, Slot((), world.slots[slot].key))
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
        return self._wrote(
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
        answer = doubt_answers(step).model_validate(given)
        return not self.rules.unclear(answer, action, step)

    # -- small words ------------------------------------------------------------------------------

    def _wrote(self, world: World, slot: int, about: Any, make: Any) -> tuple[World, Written]:
        gen = slot // self.width
        book, written = self.books.page(world.books[gen], (slot % self.width, about), make)
        books = tuple(book if i == gen else old for i, old in enumerate(world.books))
        return world._replace(books=books), written

    def _now(
        self,
        world: World,
        number: int,
        worker: Worker,
        what: tuple[Any, ...],
        book: int = 0,
        written: Written = (),
    ) -> Happened:
        workers = [*world.workers]
        workers[number] = worker
        after = world._replace(workers=tuple(sorted(workers)))
        return Happened(what, after, book, written)

    def _crash(self, world: World, number: int) -> Happened:
        return self._now(world, number, IDLE, ("dies", *world.workers[number]))


def _expecting(entry: Entry, gen: int) -> Entry:
    """Make an intent that of a generation, with what the other side must show."""
    return replace(entry, gen=gen, payload={**(entry.payload or {}), "evidence": EVIDENCE})


def _telling(slot: int, attempt: int, reply: tuple[str, int], shown: Looked) -> Worker:
    return Worker("telling", slot, attempt, *reply, shown)


def _put(slots: tuple[Slot, ...], slot: int, after: Slot) -> tuple[Slot, ...]:
    return (*slots[:slot], after, *slots[slot + 1 :])
