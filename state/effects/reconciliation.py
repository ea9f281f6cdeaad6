"""What to do if the ledger and a service disagree about a step.

A ledger that was restored from a backup is behind the world: what was done after the backup was
taken is done, and the ledger does not know. Everything here assumes that it may be behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from daybook.state.effects.evidence import BOUND
from daybook.state.ledger.plan import Action, Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step


class WorldRemedy(StrEnum):
    """What is done about a step on which ledger and service disagree."""

    RECORD = "found: recorded as evidence"
    CLAIM = "found, and sent by a claim that the ledger lost: recorded as attempted and found"
    DOUBT = "may have been sent by a claim that the ledger lost, and cannot be looked up: in doubt"
    UNDONE_SINCE = (
        "found, and so is an undo that the ledger does not have: check with the provider, and "
        "answer the question about it"
    )
    UNDONE = "its undo was found: recorded as undone"
    DOUBT_UNDO = (
        "its undo may have been sent by a claim that the ledger lost, and cannot be looked up: a "
        "reviewer is asked"
    )
    ASK_FIRST = (
        "found, but the approval is not in the ledger. Its question is withdrawn (with --apply); "
        "cancel or refund the effect manually, or keep it and tell the user"
    )
    UNDO_BY_HAND = "found, though the ledger ended it unsent: undo it manually, or keep it"
    SHARED = (
        "its effect is bound to another step too, and belongs to only one of them: compare both, "
        "and undo nothing before you know which"
    )
    FOREIGN = (
        "a look-up under its key shows another effect than the ledger: check with the provider, "
        "since the effect in the ledger may belong to someone else"
    )
    BESIDE = "the provider shows further effects that may not be ours: check with the provider"
    MISSING = "done in the ledger, but not shown by the provider: check with the provider"
    LOOK_LATER = "the provider does not answer: run this again"

    @property
    def is_for_a_person(self) -> bool:
        """Tell whether the ledger cannot take it: someone has to look."""
        return self not in _RECORDED


_RECORDED = frozenset(
    {
        *(WorldRemedy.RECORD, WorldRemedy.CLAIM, WorldRemedy.DOUBT),
        *(WorldRemedy.UNDONE, WorldRemedy.DOUBT_UNDO),
    }
)


@dataclass(frozen=True)
class WorldShows:
    """What can be known of a step from outside.

    Attributes:
        seen: found, absent or unreachable; None if it cannot be looked up.
        is_keyed: sent again under its key, it would still be recognised.
        is_shared: the ledger holds its effect for another step too.
        is_foreign: what is shown is not what the ledger holds.
        is_beside: more is shown than the ledger knows of, and cannot be said to be ours.
    """

    seen: Event | None
    is_keyed: bool
    is_shared: bool = False
    is_foreign: bool = False
    is_beside: bool = False


def reconciled(plan: Plan, action: Action, step: Step, look: WorldShows) -> WorldRemedy | None:
    """Decide what is done about a step; None if ledger and service agree, or recovery does it."""
    if look.is_shared:
        return WorldRemedy.SHARED
    if look.seen is Event.UNREACHABLE:
        return WorldRemedy.LOOK_LATER
    if step.state in BOUND and look.is_foreign:
        return WorldRemedy.FOREIGN
    if step.state in BOUND and look.is_beside:
        return WorldRemedy.BESIDE
    if look.seen is Event.FOUND:
        return _of_what_is_there(plan, action, step)
    if look.seen is Event.ABSENT:
        return WorldRemedy.MISSING if step.state is StepState.DONE else None
    return WorldRemedy.DOUBT if _may_be_sent(plan, action, step) and not look.is_keyed else None


def reconciled_undo(action: Action, step: Step, look: WorldShows) -> WorldRemedy | None:
    """Decide what is done about the undo of a step; None if recovery may send it."""
    if not action.closing or step.undo is None or step.state not in _UNDOES:
        return None
    match look.seen:
        case Event.FOUND:
            return WorldRemedy.UNDONE
        case Event.UNREACHABLE:
            return WorldRemedy.LOOK_LATER
        case Event.ABSENT:
            return None
    return None if look.is_keyed else WorldRemedy.DOUBT_UNDO


_UNDOES = (StepState.DONE, StepState.UNDOING)


def _may_be_sent(plan: Plan, action: Action, step: Step) -> bool:
    """Tell whether the machine would send a step, and so may have: nobody is asked before."""
    if step.state is StepState.UNKNOWN:
        # An attempt that is open is put to a reviewer when its time is over.
        return not any(one.is_open for one in step.attempts)
    return step.state is StepState.INTENDED and _is_due(plan, action, step)


def _of_what_is_there(plan: Plan, action: Action, step: Step) -> WorldRemedy | None:
    match step.state:
        case StepState.UNKNOWN | StepState.IN_DOUBT | StepState.NEGATIVE:
            return WorldRemedy.RECORD
        case StepState.INTENDED if _is_due(plan, action, step):
            return WorldRemedy.CLAIM
        case StepState.INTENDED if not plan.over and not plan.decided:
            return WorldRemedy.ASK_FIRST
        case StepState.INTENDED | StepState.VOID:
            return WorldRemedy.UNDO_BY_HAND
        case _:
            return None


def _is_due(plan: Plan, action: Action, step: Step) -> bool:
    """Tell whether the step is the next that its approved action would send."""
    earlier = action.steps[: action.steps.index(step)]
    return (
        not plan.over
        and plan.decided
        and plan.is_bound
        and action.is_approved
        and not action.closing
        and all(one.state is StepState.DONE for one in earlier)
    )
