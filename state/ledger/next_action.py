"""Decide what to do next about a plan, from the ledger alone.

Pure: from what the ledger holds, what the services guarantee, and the database's clock. The same
decision is taken again under the thread's lock before anything is written, so a move that another
process has overtaken is not made. The model is never asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from daybook.state.effects.guarantees import NO_GUARANTEES, Guarantees, Patience
from daybook.state.ledger.decision import decision
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import RECOVERY, Event, Remedy, StepState
from daybook.state.ledger.step import Attempt, LookUp, Step


@dataclass(frozen=True)
class AskApproval:
    """Put the plan to a person (or wait for the answer)."""


@dataclass(frozen=True)
class AskDoubt:
    """Put one step in doubt to a person, with the evidence."""

    step_id: str


@dataclass(frozen=True)
class Claim:
    """Claim and send attempt `number` of a step."""

    step_id: str
    number: int


@dataclass(frozen=True)
class ClaimUndo:
    """Claim and send attempt `number` of the undo of a step."""

    step_id: str
    number: int


@dataclass(frozen=True)
class LookFor:
    """Ask the provider whether the effect of a step exists."""

    step_id: str


@dataclass(frozen=True)
class Wait:
    """Wait until a time (UTC) because absence proves nothing before, or for a backoff."""

    until: datetime
    why: str


@dataclass(frozen=True)
class Write:
    """Write entries that follow from what is known; no call is needed."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class End:
    """End the plan: all its actions are over."""


@dataclass(frozen=True)
class Over:
    """Nothing is left to do."""


NextAction: TypeAlias = (
    AskApproval | AskDoubt | Claim | ClaimUndo | LookFor | Wait | Write | End | Over
)


def next_action(
    plan: Plan, guarantees: Mapping[str, Guarantees], patience: Patience, now: datetime
) -> NextAction:
    """Decide what is done next about a plan.

    Args:
        plan: what the ledger holds.
        guarantees: by tool name; a tool that is missing guarantees nothing.
        patience: budgets and backoff.
        now: the database's clock, UTC.

    """
    if plan.over and not any(_is_late(action, step) for action, step in plan.located):
        return Over()
    waiting: NextAction | None = None
    for action in plan.actions:
        move = _Settlement(plan, action, guarantees, patience, now).next()
        if isinstance(move, Wait):
            # A step that must wait holds back its own action only.
            waiting = move if waiting is None else waiting
        elif move is not None:
            return move
    if waiting is not None:
        return waiting
    return Over() if plan.over else End()


def _is_late(action: Action, step: Step) -> bool:
    """Tell whether something of a step may be left to do although its plan is over.

    An undo, and what is sent again because a person said that it did not happen.
    """
    return action.closing or step.state is StepState.UNKNOWN


_NO_ANSWER = "it was sent repeatedly, and no answer says what happened"


@dataclass(frozen=True)
class _Settlement:
    plan: Plan
    action: Action
    guarantees: Mapping[str, Guarantees]
    patience: Patience
    now: datetime

    def next(self) -> NextAction | None:
        """Return the next move of the action; None when nothing is left to do."""
        return self._closing() if self.action.closing else self._forward()

    # -- forward ------------------------------------------------------------------------------

    def _forward(self) -> NextAction | None:
        for step in self.action.steps:
            move = self._forward_step(step)
            if move is not None:
                return move
        return None

    def _forward_step(self, step: Step) -> NextAction | None:
        if self.plan.over and not _is_late(self.action, step):
            return None
        row = RECOVERY[step.state]
        match row.after_pivot if self.action.pivot_done and not step.pivot else row.forward:
            case Remedy.RUN:
                return self._first_claim(step) if self.plan.decided else self._ask()
            case Remedy.PROVE:
                return self._unknown(step)
            case Remedy.ASK:
                return AskDoubt(step.step_id)
            case Remedy.KEEP if step.seconds:
                # Behind the pivot nothing waits for the reviewer.
                waits = step.pivot or not self.action.pivot_done
                return AskDoubt(step.step_id) if waits else None
            case Remedy.KEEP:
                return self._not_shown(step)
            case Remedy.CLOSE if step.state is StepState.VOID and not self.action.is_approved:
                return None
            case Remedy.CLOSE:
                return self._close(step.reason or f"{step.name} {step.state.value}")
            case _:
                return None

    def _ask(self) -> NextAction:
        """Ask about the plan, or end it because nobody answered in time."""
        plan = self.plan
        if plan.deadline is None or self.now < plan.deadline:
            return AskApproval()
        return Write(tuple(decision(plan, ["expired" for _ in plan.actions])))

    def _not_shown(self, step: Step) -> NextAction | None:
        """Look for what was answered, and no look-up has shown; None if it may be built on.

        An answer that names an id proves nothing of whose it is, unless it came under a key.
        """
        return None if self._guarantees(step).honours_key else self._prove_shown(step)

    def _prove_shown(self, step: Step) -> NextAction | None:
        """Look whether a done step is ours; None if it was shown, or cannot be looked up."""
        if step.is_shown or not self._guarantees(step).provable or not step.attempts:
            return None
        look = step.looks[-1] if step.looks else None
        if look is None:
            return LookFor(step.step_id)
        if look.event is Event.UNREACHABLE:
            return self._look_again(step, look)
        # Absence before the answer says nothing of what was answered.
        answered = [one.answered_at for one in step.attempts if one.answered_at is not None]
        settled_at = max([*answered, *(attempt.settle_at for attempt in step.attempts)])
        if look.began_at > settled_at:
            return self._doubt_answer(step)
        if self.now <= settled_at:
            return self._pause_until(settled_at, step, look)
        return LookFor(step.step_id)

    def _doubt_answer(self, step: Step) -> Write:
        # What it named is forgotten then, and whoever looks at the provider needs to know it. Of
        # the provider, so in the payload.
        named = step.reference or "something"
        why = {"reason": f"an answer said that {named} was done, and no look-up shows it"}
        return Write((self.plan.entry(Event.IN_DOUBT, step, payload=why),))

    def _pause_until(self, settled_at: datetime, step: Step, look: LookUp) -> NextAction:
        """Look again and again until it is shown or would be: most look-ups are late by little."""
        absent = sum(1 for one in step.looks if one.event is Event.ABSENT)
        until = min(look.began_at + self.patience.pause(absent), settled_at)
        if self.now <= until:
            return Wait(until, f"No lookup shows {step.name} yet")
        return LookFor(step.step_id)

    def _first_claim(self, step: Step) -> NextAction:
        if not self.action.is_approved or not self.plan.is_bound:
            return Write((self.plan.entry(Event.CANCELLED, step),))
        if self._is_abandoned():
            return self._close("Its approval expired before it was used", Event.EXPIRED)
        fault = self._hold_that_ends(step) or self._missing_argument(step)
        if fault and self.action.pivot_done:
            return Write((self.plan.entry(Event.CANCELLED, step, detail={"reason": fault}),))
        return self._close(fault) if fault else Claim(step.step_id, 1)

    def _is_abandoned(self) -> bool:
        """Tell whether the approval got too old to begin on; what follows the pivot is owed."""
        deadline = self.plan.deadline
        return deadline is not None and self.now >= deadline and not self.action.pivot_done

    def _too_late(self) -> str:
        return "Its approval expired before it was used" if self._is_abandoned() else ""

    def _altered(self) -> str:
        """Say that what was approved is not what stands in the database now, or nothing."""
        return "" if self.plan.is_bound else "It was changed after it was approved"

    def _hold_that_ends(self, step: Step) -> str:
        """Name a hold that would not outlast a new attempt of a step, or nothing."""
        needed = self.now + self.patience.budget + self._settle_after(step)
        for held in self.action.steps:
            ends = (held.result or {}).get("expires_at")
            counts = not self.action.pivot_done and held.state is StepState.DONE
            if counts and ends and datetime.fromisoformat(ends) <= needed:
                return f"The hold of {held.name} ends before {step.name} can finish"
        return ""

    def _missing_argument(self, step: Step) -> str:
        """Name an argument that no result gives (a person said "it happened" and no more)."""
        for name, binding in step.binds.items():
            try:
                binding.value(self.action.results)
            except KeyError:
                return f"The argument {name} of {step.name}, {binding}, is not known"
        return ""

    def _close(self, reason: str, ends_as: Event = Event.CANCELLED) -> Write:
        """Refuse forward claims from now on; steps that were never attempted end here."""
        which, why = {"action": self.action.position}, {"reason": reason}
        closing = self.plan.entry(Event.CLOSING, detail=which, payload=why)
        left = [s for s in self.action.steps if s.state is StepState.INTENDED]
        return Write((closing, *(self.plan.entry(ends_as, step) for step in left)))

    # -- unknown ------------------------------------------------------------------------------

    def _unknown(self, step: Step) -> NextAction:
        guarantees = self._guarantees(step)
        if self._is_negative(step, guarantees):
            return self._fail(step)
        open_attempts = [attempt for attempt in step.attempts if attempt.is_open]
        if not open_attempts:
            # Nothing of it is out there, so it is begun again: only what may be begun still.
            ends = self._altered() or self._too_late() or self._hold_that_ends(step)
            return self._fail(step, ends) if ends else self._again(step)
        if guarantees.provable:
            return self._look_or_act(step, guarantees, open_attempts)
        if self._key_holds(step, guarantees) and self.plan.is_bound:
            return self._push(step)
        return self._doubt_when_settled(step)

    def _push(self, step: Step) -> NextAction:
        """Send again under the key, until nothing could be proved by it for too long."""
        since = step.attempts[0].settle_at
        if len(step.attempts) >= self.patience.attempts and self._is_too_long(since):
            return self._doubt(step, _NO_ANSWER)
        return self._again(step)

    def _look_again(self, step: Step, look: LookUp) -> NextAction:
        """Look once more after a pause; what nobody can look up comes to a person in the end."""
        settled_at = max(attempt.settle_at for attempt in step.attempts)
        failures = self._unreachable_in_a_row(step)
        faults = sum(1 for one in step.looks[len(step.looks) - failures :] if one.is_fault)
        is_hopeless = faults >= self.patience.attempts and look.began_at > settled_at
        if look.in_hand:
            if self.now > settled_at + self.patience.in_hand:
                return self._doubt(step, "the provider has been processing it for too long")
            why = f"the provider is still processing {step.name}"
            return self._pause(look.began_at, failures, LookFor(step.step_id), why)
        if is_hopeless or self._is_too_long(settled_at):
            return self._doubt(step, "it cannot be looked up")
        return self._pause(look.began_at, failures, LookFor(step.step_id), "look-up failed")

    def _is_too_long(self, since: datetime) -> bool:
        return self.now > since + self.patience.unproved

    def _look_or_act(self, step: Step, guarantees: Guarantees, open_: list[Attempt]) -> NextAction:
        look = step.looks[-1] if step.looks else None
        if look is None or look.began_at < max(attempt.at for attempt in open_):
            return LookFor(step.step_id)
        if look.event is Event.UNREACHABLE:
            return self._look_again(step, look)
        keyed = self._key_holds(step, guarantees) and self.plan.is_bound
        gives_up = (
            self.action.closing
            or not self.plan.is_bound
            or len(step.attempts) >= self.patience.attempts
            or step.is_decided_there
        )
        if keyed and not gives_up:
            return self._again(step)
        if guarantees.settle is None:
            # Absence is never certain here: push under the key, and undo what it gives if closing.
            return self._push(step) if keyed else self._doubt_when_settled(step)
        settled_at = max(attempt.settle_at for attempt in step.attempts)
        if self.now <= settled_at:
            return Wait(settled_at, f"{step.name} may still be on its way")
        if look.began_at <= settled_at:
            return LookFor(step.step_id)
        return self._fail(step, self._altered()) if gives_up else self._again(step)

    def _is_negative(self, step: Step, guarantees: Guarantees) -> bool:
        declined = [a for a in step.attempts if a.answer is Event.DECLINED]
        if not declined:
            spent = len(step.attempts) >= self.patience.attempts or self.action.closing
            return spent and not any(attempt.is_open for attempt in step.attempts)
        settling = [attempt.settle_at for attempt in step.attempts if attempt.is_open]
        if not settling:
            return True
        final = [a for a in declined if not a.detail.get("at_the_door")]
        if not final:
            # Who was turned away was told nothing of what was sent before.
            return False
        # A decline that was forgotten with its key keeps nothing back that is sent after it.
        remembered = guarantees.remembers(step.attempts[0].at, max(settling))
        if guarantees.stores_failures and remembered:
            return True
        last = step.attempts[-1]
        earlier = [a.settle_at for a in step.attempts[:-1] if a.is_open]
        # Without a bound an earlier attempt may still land, and a decline is never final.
        bounded = guarantees.settle is not None or not earlier
        settled = all(last.at > settle_at for settle_at in earlier)
        return last in final and bounded and settled

    def _fail(self, step: Step, reason: str = "") -> Write:
        why = {"reason": reason or self._why_failed(step)}
        return Write((self.plan.entry(Event.FAILED, step, payload=why),))

    def _why_failed(self, step: Step) -> str:
        for attempt in reversed(step.attempts):
            if attempt.answer in (Event.DECLINED, Event.REFUSED) and "reason" in attempt.detail:
                return str(attempt.detail["reason"])
        if step.looks and step.looks[-1].why:
            return step.looks[-1].why
        return "The provider shows that it did not happen"

    def _again(self, step: Step) -> NextAction:
        """Send once more: after a pause where the last one was refused, else at once."""
        last, sent = step.attempts[-1], len(step.attempts)
        claim = Claim(step.step_id, last.number + 1)
        if last.answer is not Event.REFUSED and sent < self.patience.attempts:
            return claim
        since = last.answered_at or last.at
        return self._pause(since, sent, claim, f"{step.name} is tried again")

    def _key_holds(self, step: Step, guarantees: Guarantees) -> bool:
        """Tell whether a new attempt would end before the service forgets the key."""
        ends = self.now + self.patience.budget + self._settle_after(step)
        return guarantees.remembers(step.attempts[0].at, ends)

    def _doubt_when_settled(self, step: Step) -> NextAction:
        settled_at = max(attempt.settle_at for attempt in step.attempts)
        if self.now <= settled_at:
            return Wait(settled_at, f"{step.name} may still be on its way")
        said = [one.detail["reason"] for one in step.attempts if one.detail.get("reason")]
        if not said:
            return self._doubt(step, "no key and no conclusive lookup")
        # Of the provider, so in the payload.
        why = {"reason": f"no key and no conclusive lookup; the last attempt said: {said[-1]}"}
        return Write((self.plan.entry(Event.IN_DOUBT, step, payload=why),))

    def _doubt(self, step: Step, reason: str) -> Write:
        return Write((self.plan.entry(Event.IN_DOUBT, step, detail={"reason": reason}),))

    # -- closing ------------------------------------------------------------------------------

    def _closing(self) -> NextAction | None:
        # Before anything is undone: an undo that came first would do nothing, and then it lands.
        for step in self.action.steps:
            if step.seconds:
                return AskDoubt(step.step_id)
            match RECOVERY[step.state].closing:
                case Remedy.SETTLE:
                    return self._unknown(step)
                case Remedy.ASK:
                    return AskDoubt(step.step_id)
        for step in reversed(self.action.steps):
            match RECOVERY[step.state].closing:
                case Remedy.VOID:
                    return Write((self.plan.entry(Event.CANCELLED, step),))
                case Remedy.UNDO if step.state is StepState.UNDOING:
                    return self._undo_again(step)
                case Remedy.UNDO if step.undo is not None:
                    return self._prove_shown(step) or ClaimUndo(step.step_id, 1)
        return None

    def _undo_again(self, step: Step) -> NextAction:
        last = step.undos[-1]
        if last.answer is Event.UNDO_FAILED and last.detail.get("final"):
            return self._stuck(step, step.reason)
        # A person's word that it did not happen wants it sent once more.
        since = step.undos[0].settle_at
        is_spent = len(step.undos) >= self.patience.attempts and self._is_too_long(since)
        if is_spent and last.answer is not Event.NOT_HAPPENED:
            return self._stuck(step, _NO_ANSWER)
        failures = len(step.undos)
        return self._pause(
            last.answered_at or last.at,
            failures,
            ClaimUndo(step.step_id, last.number + 1),
            f"the undo of {step.name} is tried again",
        )

    def _stuck(self, step: Step, reason: str) -> Write:
        return Write((self.plan.entry(Event.UNDO_STUCK, step, payload={"reason": reason}),))

    # -- small words --------------------------------------------------------------------------

    def _pause(self, since: datetime, failures: int, then: NextAction, why: str) -> NextAction:
        until = since + self.patience.pause(failures)
        return Wait(until, why) if self.now < until else then

    def _unreachable_in_a_row(self, step: Step) -> int:
        count = 0
        for look in reversed(step.looks):
            if look.event is not Event.UNREACHABLE:
                break
            count += 1
        return count

    def _guarantees(self, step: Step) -> Guarantees:
        return self.guarantees.get(step.tool, NO_GUARANTEES)

    def _settle_after(self, step: Step) -> timedelta:
        return self.patience.settle_after(self._guarantees(step))
