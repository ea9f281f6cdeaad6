"""What must hold in every state and on every page, for every class of tool (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.next_action import AskDoubt, Over
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.ledger.work_list import open_steps
from evals.protocol.books import Rules, said
from evals.protocol.cases import Case
from evals.protocol.entries import BY_OTHERS, EVIDENCE, effect_of, is_ours
from evals.protocol.model import Model
from evals.protocol.world import Happened, World


class Promise(Model):
    """Hold a model against what is promised.

    Attributes:
        truths: whether an effect stood, by plan and place of the step: all that was possible while
            the ledger held this plan.
        taken: moves of the recovery table that were made.
    """

    def __init__(self, case: Case, rules: Rules | None = None) -> None:
        super().__init__(case, rules)
        self.truths: dict[tuple[int, int], set[bool]] = {}
        self.taken: set[tuple[StepState, Event]] = set()
        self._called: set[int] = set()

    def is_asking(self, world: World) -> bool:
        """Tell whether a person is asked about a step in doubt."""
        return any(isinstance(self.books.due(book), AskDoubt) for book in world.books)

    def wrong_state(self, world: World) -> str | None:
        """Say what a state breaks: an effect that stands twice, or one that is not as is known."""
        for place, part in enumerate(self.case.parts):
            # Every generation of an operation is the same operation.
            if sum(len(slot.done) for slot in world.slots[place :: self.width]) > 1:
                return f"{part.name} was done twice"
        for gen, book in enumerate(world.books):
            plan = self.books.plans[book]
            for place, step in enumerate(plan.steps):
                slot = gen * self.width + place
                done, lands = world.slots[slot].done, self.may_land(world, slot)
                self.truths.setdefault((book, place), set()).add(bool(done))
                if self.is_taken(world, slot):
                    if why := self._built_on(plan, place):
                        return why
                elif not _is_true(step, self.known(world, slot), done, lands):
                    more = " and may still land" if lands else ""
                    return f"{step.name} is {step.state}, and stands {len(done)} times{more}"
            if plan.over and not plan.succeeded and self.is_at_rest(world):
                left = [s.name for s in plan.steps if s.state is StepState.DONE and s.undo]
                if left:
                    return f"{left[0]} stands, and its plan did not succeed"
            if book not in self._called and (why := self._uncalled(book)):
                return why
        return None

    def is_taken(self, world: World, slot: int) -> bool:
        """Tell whether the ledger takes another one's effect for that of a slot."""
        known = self.known(world, slot)
        return known is not None and not is_ours(known)

    def _built_on(self, plan: Plan, place: int) -> str | None:
        """Say where something was built on another one's effect that could be looked up.

        What was answered under a key is believed until something is to be undone.
        """
        step, promised = plan.steps[place], self.promised[place]
        if promised.honours_key and promised.provable:
            return None
        later = any(one.attempts for one in plan.steps[place + 1 :])
        return f"{step.name} is another one's, and is built on" if plan.succeeded or later else None

    def _uncalled(self, book: int) -> str | None:
        """Say where nobody would come for what is due: the work list is what calls them."""
        self._called.add(book)
        plan, due = self.books.plans[book], self.books.due(book)
        rows = open_steps(plan).values()
        if isinstance(due, AskDoubt):
            asks = any(row.state in (StepState.IN_DOUBT, StepState.STUCK) for row in rows)
            return None if asks else "nobody is asked what is to be asked"
        if isinstance(due, Over) or any(row.due_at is not None for row in rows):
            return None
        return f"nobody comes for {said(due)}"

    def wrong_page(self, before: World, happened: Happened) -> str | None:
        """Say what a page breaks that was written just now."""
        if not happened.written:
            return None
        plan = self.books.plans[before.books[happened.book]]
        action, after = plan.actions[0], happened.world
        base = happened.book * self.width
        if after.books[happened.book] in self.unlike:
            return "the same evidence, written again, changes something"
        for event, place, entry in happened.written:
            if place is None:
                continue
            step = plan.steps[place]
            self.taken.add((step.state, event))
            if why := self.not_ours(before, base + place, entry):
                return why
            landing = [
                plan.steps[later].name
                for later in range(place, self.width)
                if self.may_land(after, base + later)
            ]
            match event:
                case Event.ATTEMPTED if action.closing and not step.attempts:
                    return f"{step.name} was begun after closing"
                case Event.ATTEMPTED if action.decision != "approved":
                    return f"{step.name} was begun without a decision"
                case Event.UNDO_ATTEMPTED if landing:
                    return f"{step.name} is undone while {landing[0]} may still land"
                case Event.FAILED if self.may_land(after, base + place):
                    return f"{step.name} is called failed while it may still land"
        return None

    def not_ours(self, before: World, slot: int, entry: Entry) -> str | None:
        """Say where what is not ours is undone, or taken for what was in doubt."""
        step, done = self.step(before, slot), before.slots[slot].done
        shows_two = len(done) > 1 and entry.detail.get("matches", 0) > 1
        seconds = step.seconds or step.beside or (entry.payload or {}).get("seconds")
        match entry.event:
            case Event.FOUND | Event.VERIFIED if (
                shows_two and not (step.matches or seconds) and step.state in _UNDECIDED
            ):
                return f"which of two is {step.name} was not asked"
            case Event.UNDO_ATTEMPTED if step.result and not _ours(slot, step.result):
                return f"another one's effect is undone for {step.name}"
            case Event.ACKNOWLEDGED | Event.FOUND if step.state in _UNPROVED:
                result = (entry.payload or {})["result"]
                if result.get("owner") != EVIDENCE["owner"] or str(result["id"]) in BY_OTHERS:
                    return f"{step.name} is taken for what was not approved, or is another step's"
        return None


def _ours(slot: int, result: Mapping[str, Any] | None) -> bool:
    effect = effect_of(slot, result)
    return effect is not None and is_ours(effect)


def _is_true(step: Step, effect: int | None, done: tuple[int, ...], lands: bool) -> bool:
    """Tell whether what is known of a step is so.

    Args:
        effect: what the ledger takes for it.
        done: its effects that stand.
        lands: something that was sent may still have an effect.
    """
    known = () if effect is None else (effect,)
    match step.state:
        case StepState.INTENDED | StepState.VOID | StepState.NEGATIVE | StepState.UNDONE:
            return not done and not lands
        case StepState.DONE:
            return done == known and not lands
        case StepState.UNDOING | StepState.STUCK:
            return done in ((), known) and not lands
        case _:
            return True


_UNPROVED = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)
_UNDECIDED = (*_UNPROVED, StepState.DONE)

_S, _E = StepState, Event

VERIFIED_INSTEAD = frozenset(
    {(state, _E.FOUND) for state in (_S.DONE, _S.UNDOING, _S.UNDONE, _S.STUCK)}
)
"""What a look finds beside a known effect is written as verified."""

TOO_LATE = frozenset({(_S.NEGATIVE, _E.FOUND)})
"""A step that ended and yet was done: D is true."""

BROKEN_PROMISES = VERIFIED_INSTEAD | TOO_LATE
"""Moves of the recovery table that nothing leads to while what docs/protocol.md assumes holds."""
