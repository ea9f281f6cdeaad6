"""What people can do: answer, answer once more, cancel, want it again."""

from __future__ import annotations

from collections.abc import Iterator

from daybook.state.ledger.next_move import AskDoubt, Over
from daybook.state.ledger.plan import Action
from daybook.state.ledger.recovery import StepState
from daybook.state.ledger.step import Step
from daybook.state.people.questions.approvals import doubt_answers
from evals.protocol.books import Written
from evals.protocol.entries import cancelled, word
from evals.protocol.ground import Ground
from evals.protocol.outside import Slot
from evals.protocol.shown import id_of
from evals.protocol.world import Happened, World, put


class People:
    """Tell what a person can do next."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.case, self.rules = ground.case, ground.rules
        self.books, self.width = ground.books, ground.width

    def next(self, world: World) -> Iterator[Happened]:
        """Yield everything that a person can do."""
        for gen, _ in enumerate(world.books):
            yield from self._answers(world, gen)
        for click in world.clicks:
            yield self._arrives_again(world, click)
        if self.case.cancels and not world.cancelled:
            plan = self.books.plans[world.books[0]]
            action = plan.actions[0]
            if not (plan.over or action.closing or action.pivot_done):
                closed, written = self.ground.wrote(world, 0, "cancel", cancelled)
                yield Happened(("is cancelled",), closed._replace(cancelled=True), 0, written)
        if len(world.books) < len(self.case.attempts):
            plan = self.books.plans[world.books[-1]]
            if plan.over and all(self.rules.may_follow(step.state) for step in plan.steps):
                books = (
                    *world.books,
                    self.books.opened(self.ground.approved(len(world.books) + 1)),
                )
                yield Happened(("is wanted again",), world._replace(books=books))

    def asked(self, world: World, gen: int) -> int | None:
        """Return the slot that a person is asked about."""
        due = self.books.due(world.books[gen])
        if isinstance(due, AskDoubt):
            return self.ground.slot_of(world, gen, due.step_id)
        if isinstance(due, Over):
            for place, step in enumerate(self.books.plans[world.books[gen]].steps):
                if step.question:
                    return gen * self.width + place
        return None

    def _answers(self, world: World, gen: int) -> Iterator[Happened]:
        """Let a person answer with the truth, which is known when nothing is on its way."""
        slot = self.asked(world, gen)
        if slot is None or self.ground.may_land(world, slot):
            return
        step, done = self.ground.step(world, slot), world.slots[slot].done
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
        return self.ground.wrote(
            world, slot, ("said", said_, stands), word(slot % self.width, said_, stands)
        )

    def _arrives_again(self, world: World, click: tuple[int, str]) -> Happened:
        """Let an answer arrive when another question may wait: it names its own one, or none."""
        slot, said_ = click
        gone = world._replace(clicks=())
        step = self.ground.step(world, slot)
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
