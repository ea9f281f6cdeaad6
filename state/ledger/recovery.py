"""The states of a step, what recovery does in each, and the moves between them (docs/protocol.md).

`RECOVERY` is run by `daybook.state.ledger.next_action`: every entry to `execute` looks its steps up
there. `TABLE` is run by `daybook.state.ledger.plan`: every entry that is read or written is checked
against it. docs/how_it_works.md shows the first, docs/protocol.md the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from daybook.state.errors import IllegalTransition


class StepState(StrEnum):
    """Where a step stands."""

    INTENDED = "intended"
    UNKNOWN = "unknown"
    IN_DOUBT = "in_doubt"
    DONE = "done"
    UNDOING = "undoing"
    STUCK = "stuck"
    UNDONE = "undone"
    NEGATIVE = "negative"
    VOID = "void"


TERMINAL = frozenset({StepState.UNDONE, StepState.NEGATIVE, StepState.VOID})
"""States after which the operation may be tried again under the next generation."""


class Event(StrEnum):
    """What can happen; one row of `ledger_event` each."""

    # a turn
    RECEIVED = "received"
    DECIDED = "decided"
    APPLIED = "applied"
    TURN_DONE = "turn_done"
    # a plan
    OPENED = "opened"
    APPROVAL = "approval"
    DECISION = "decision"
    CLOSING = "closing"
    SUCCEEDED = "succeeded"
    ENDED = "ended"
    # a step
    INTENDED = "intended"
    EXPIRED = "expired"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    CANCELLED = "cancelled"
    ATTEMPTED = "attempted"
    ACKNOWLEDGED = "acknowledged"
    FOUND = "found"
    VERIFIED = "verified"
    UNANSWERED = "unanswered"
    REFUSED = "refused"
    DECLINED = "declined"
    ABSENT = "absent"
    UNREACHABLE = "unreachable"
    FAILED = "failed"
    IN_DOUBT = "in_doubt"
    HAPPENED = "happened"
    NOT_HAPPENED = "not_happened"
    UNDO_ATTEMPTED = "undo_attempted"
    UNDO_FAILED = "undo_failed"
    UNDONE = "undone"
    UNDO_STUCK = "undo_stuck"
    CONTRADICTED = "contradicted"


VOIDING = frozenset(
    {Event.EXPIRED, Event.REJECTED, Event.WITHDRAWN, Event.SUPERSEDED, Event.CANCELLED}
)
"""Events that end a step which was never attempted; `cancelled` is a step of a closing action."""


class Remedy(StrEnum):
    """What recovery does about a step, whoever runs it and after whatever death."""

    RUN = "send it once approved; until then ask, or wait for the answer; void it on expiry"
    PROVE = "look it up; retry by key, or once absence is certain; else wait, or ask a reviewer"
    SETTLE = "look it up until absence is certain; else retry by key; else ask a reviewer"
    KEEP = "keep it; if it was not sent under a key, look it up first, if possible"
    CLOSE = "roll the action back: compensate the steps before it in reverse order"
    VOID = "void it: it was never sent"
    UNDO = "compensate it in reverse order, once no step is unknown and a lookup, if any, shows it"
    ASK = "ask a reviewer, with the evidence"
    TELL = "report it, and ask a reviewer after the turn; the plan does not wait"
    REST = "nothing"


@dataclass(frozen=True)
class Recovery:
    """What recovery does about a step that stands in a state.

    Attributes:
        known: what the ledger knows then: was it attempted, acknowledged, can it be proved?
        forward: while its action goes on.
        after_pivot: once the action's point of no return is behind it.
        closing: while its action is undone.
    """

    state: StepState
    known: str
    forward: Remedy
    after_pivot: Remedy
    closing: Remedy


_R = Remedy

RECOVERY: dict[StepState, Recovery] = {
    row.state: row
    for row in (
        Recovery(StepState.INTENDED, "not attempted", _R.RUN, _R.RUN, _R.VOID),
        Recovery(StepState.UNKNOWN, "attempted, outcome unknown", _R.PROVE, _R.PROVE, _R.SETTLE),
        Recovery(StepState.IN_DOUBT, "attempted, outcome not provable", _R.ASK, _R.TELL, _R.ASK),
        Recovery(StepState.DONE, "acknowledged, or found", _R.KEEP, _R.KEEP, _R.UNDO),
        Recovery(StepState.UNDOING, "its undo was sent", _R.CLOSE, _R.REST, _R.UNDO),
        Recovery(StepState.STUCK, "its undo was refused, or not provable", _R.ASK, _R.TELL, _R.ASK),
        Recovery(StepState.UNDONE, "its undo was acknowledged", _R.CLOSE, _R.REST, _R.REST),
        Recovery(StepState.NEGATIVE, "attempted, without effect", _R.CLOSE, _R.REST, _R.REST),
        Recovery(StepState.VOID, "never attempted", _R.CLOSE, _R.REST, _R.REST),
    )
}
"""What recovery does, for every state in which the ledger can hold a step."""


@dataclass(frozen=True)
class Row:
    """One legal move.

    Attributes:
        state: where the step stands; None is a step that the ledger does not hold yet.
        event: what happened.
        next: where the step stands then.
        guard: what must hold, checked under the thread's lock.

    """

    state: StepState | None
    event: Event
    next: StepState
    guard: str


_S, _E = StepState, Event
_EVIDENCE = "none: evidence is always recorded, even if it is late"
_LATE_PROOF = "the result is as expected; the question is withdrawn"


def _evidence(state: StepState, *events: Event) -> tuple[Row, ...]:
    return tuple(Row(state, event, state, _EVIDENCE) for event in events)


_REPLIES = (*(_E.UNANSWERED, _E.REFUSED, _E.DECLINED, _E.ABSENT, _E.UNREACHABLE), _E.CONTRADICTED)

_KNOWN = (_E.ACKNOWLEDGED, _E.FOUND, _E.VERIFIED)
"""What may be shown again of an effect that is known."""

TABLE: tuple[Row, ...] = (
    Row(None, _E.INTENDED, _S.INTENDED, "no other plan is open; the earlier generation is over"),
    Row(
        _S.INTENDED,
        _E.ATTEMPTED,
        _S.UNKNOWN,
        "plan open, approval in force for these exact arguments, preconditions hold, no hold "
        "expires before it can finish",
    ),
    *(Row(_S.INTENDED, event, _S.VOID, "no attempt") for event in sorted(VOIDING)),
    Row(_S.UNKNOWN, _E.ACKNOWLEDGED, _S.DONE, "the result is as expected"),
    Row(_S.UNKNOWN, _E.FOUND, _S.DONE, "the result is as expected"),
    *_evidence(_S.UNKNOWN, *_REPLIES),
    Row(
        _S.UNKNOWN,
        _E.ATTEMPTED,
        _S.UNKNOWN,
        "the key is within its retention, or the last attempt was refused, or absence is certain, "
        "or a reviewer said that it did not happen",
    ),
    Row(
        _S.UNKNOWN,
        _E.FAILED,
        _S.NEGATIVE,
        "no attempt is open, or failures are stored under the key, or the declined attempt was "
        "claimed after all earlier ones had settled, or absence is certain",
    ),
    Row(
        _S.UNKNOWN,
        _E.IN_DOUBT,
        _S.IN_DOUBT,
        "all attempts settled, no key, no conclusive lookup; or a result is not as expected, one "
        "of several, another step's, or of unproved origin; or nothing was proved for too long",
    ),
    Row(_S.IN_DOUBT, _E.ACKNOWLEDGED, _S.DONE, _LATE_PROOF),
    Row(_S.IN_DOUBT, _E.FOUND, _S.DONE, _LATE_PROOF),
    Row(_S.IN_DOUBT, _E.HAPPENED, _S.DONE, "still in doubt; author recorded"),
    Row(
        _S.DONE,
        _E.HAPPENED,
        _S.DONE,
        "a reviewer was asked about a second match under its key; author recorded",
    ),
    Row(_S.IN_DOUBT, _E.NOT_HAPPENED, _S.UNKNOWN, "still in doubt; author recorded"),
    *_evidence(_S.IN_DOUBT, *_REPLIES),
    *_evidence(_S.DONE, *_KNOWN, *_REPLIES),
    Row(
        _S.DONE,
        _E.IN_DOUBT,
        _S.IN_DOUBT,
        "its lookup does not show it: no later step uses it, and it is not compensated",
    ),
    Row(
        _S.DONE,
        _E.UNDO_ATTEMPTED,
        _S.UNDOING,
        "action closing, no step unknown, later steps undone, and its lookup, if any, shows it",
    ),
    *_evidence(_S.UNDOING, *_KNOWN, _E.UNDO_FAILED, *_REPLIES),
    Row(_S.UNDOING, _E.UNDO_ATTEMPTED, _S.UNDOING, "the previous undo had no answer"),
    Row(
        _S.UNDOING,
        _E.UNDONE,
        _S.UNDONE,
        "acknowledged, found, already undone, or not found once the forward step has settled",
    ),
    Row(_S.UNDOING, _E.UNDO_STUCK, _S.STUCK, "refused for good, or unproved for too long"),
    Row(_S.STUCK, _E.HAPPENED, _S.UNDONE, "still stuck; author recorded"),
    Row(_S.STUCK, _E.NOT_HAPPENED, _S.UNDOING, "still stuck; author recorded"),
    Row(_S.NEGATIVE, _E.ACKNOWLEDGED, _S.DONE, "a late reply outranks absence; it is compensated"),
    Row(_S.NEGATIVE, _E.FOUND, _S.DONE, "a late effect outranks absence; it is compensated"),
    Row(_S.NEGATIVE, _E.IN_DOUBT, _S.IN_DOUBT, "a late result that is not as expected"),
    *_evidence(_S.NEGATIVE, *_REPLIES),
    *_evidence(_S.UNDONE, *_KNOWN, *_REPLIES),
    *_evidence(_S.STUCK, *_KNOWN, *_REPLIES),
    *_evidence(_S.VOID, _E.SUPERSEDED),
)

_MOVES = {(row.state, row.event): row for row in TABLE}


def transition(state: StepState | None, event: Event) -> StepState:
    """Look up where an event takes a step.

    Raises:
        IllegalTransition: the table has no such row.

    """
    row = _MOVES.get((state, event))
    if row is None:
        where = "not in the ledger" if state is None else state.value
        raise IllegalTransition(
            f"A step that is {where} does not accept the event {event.value}. Nothing was "
            "written; read the step again, since another process changed it."
        )
    return row.next
