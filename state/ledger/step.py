"""Steps and attempts, folded from the entries about one effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from daybook.state.effects.arguments import restored
from daybook.state.effects.bind import Binding
from daybook.state.effects.keys import digest, step_id
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event, StepState, transition


@dataclass
class Attempt:
    """One right to send once, and the outcome.

    Attributes:
        answer: acknowledged, refused, declined or unanswered; None while nothing is known.

    """

    number: int
    at: datetime
    deadline_at: datetime
    settle_at: datetime
    answer: Event | None = None
    answered_at: datetime | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Tell whether the request may have been done."""
        return self.answer in (None, Event.UNANSWERED)

    @property
    def may_be_done(self) -> bool:
        """Tell whether an undo may have been done: it was neither refused nor kept from leaving."""
        return self.answer is not Event.UNDO_FAILED or not self.detail.get("refused")


@dataclass
class LookUp:
    """What a probe saw: absent, or that it could not look.

    Attributes:
        began_at: UTC; absence counts only if every attempt had settled before the look began.
        is_fault: it could not look because of a fault of its own, not because nobody answered.
        in_hand: the provider said that it has accepted it, and decides later.
        why: why nothing came of it, where the provider said that it has decided so.
        detail: how it showed that.

    """

    event: Event
    began_at: datetime
    seq: int
    is_fault: bool = False
    in_hand: bool = False
    why: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Step:
    """One generation of one business operation.

    Attributes:
        args: arguments as they were decided, those bound to earlier results left out.
        binds: arguments that are taken from results of earlier steps when the step is claimed.
        bound: what those results gave when it was first claimed; it is sent again as it was. None
            before that.
        preconditions: what was observed when the intent was written.
        evidence: what the provider must show afterwards.
        pivot: once this step is done, its action is never compensated.
        undo: the tool that undoes it, or None.
        money: the argument that holds the cents it moves, and that of the currency, or a currency.
        reference: what names its effect, in the form that its tool declares.
        is_shown: our own look-up has shown the effect, or a person vouches for it.
        beside: references of what was shown beside the effect and cannot be said to be it.
        broken: promises of the service that were seen not to hold.
        shown: what the provider showed where it was not what was expected.
        matches: by reference, what a look-up showed where a reviewer was asked which one is ours.
        seconds: by reference, what a look-up showed under our key beside this effect, which is
            proved, until a reviewer has said that the plan goes on.
        is_contested: only a person can tell: an answer and a look-up name different effects, or a
            look-up shows more than one under our key.
        asked: how often it was put to a reviewer.

    """

    op: str
    gen: int
    name: str
    tool: str
    args: Mapping[str, Any]
    binds: Mapping[str, Binding]
    preconditions: Mapping[str, Any]
    evidence: Mapping[str, Any]
    pivot: bool
    undo: str | None
    intended_at: datetime
    money: tuple[str, str] | None = None
    state: StepState = StepState.INTENDED
    bound: Mapping[str, Any] | None = None
    attempts: list[Attempt] = field(default_factory=list)
    undos: list[Attempt] = field(default_factory=list)
    looks: list[LookUp] = field(default_factory=list)
    result: Mapping[str, Any] | None = None
    reference: str | None = None
    is_shown: bool = False
    beside: tuple[str, ...] = ()
    broken: frozenset[str] = frozenset()
    shown: dict[str, Any] | None = None
    matches: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seconds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_contested: bool = False
    asked: int = 0
    reason: str = ""
    last_seq: int = 0

    @property
    def step_id(self) -> str:
        """Name the step; this is its idempotency key too."""
        return step_id(self.op, self.gen)

    @property
    def args_hash(self) -> str:
        """Hash what was approved: tool, arguments and where the bound ones come from."""
        binds = {name: bind.model_dump(mode="json") for name, bind in self.binds.items()}
        return digest({"tool": self.tool, "args": self.args, "binds": binds})

    @property
    def question(self) -> str | None:
        """Name the question that waits for a person, or None; each time it is another one."""
        in_question = self.state in (StepState.IN_DOUBT, StepState.STUCK) or bool(self.seconds)
        return f"{self.step_id}?{self.asked}" if in_question else None

    @property
    def is_in_hand(self) -> bool:
        """Tell whether the provider says that it has accepted it and decides later."""
        if self.looks:
            return self.looks[-1].in_hand
        return bool(self.attempts and self.attempts[-1].detail.get("in_hand"))

    @property
    def is_decided_there(self) -> bool:
        """Tell whether the provider has accepted it, or says that nothing came of it.

        What it decided is not asked for again: absence says then that it came to nothing.
        """
        return any(one.in_hand or one.why for one in self.looks) or any(
            one.detail.get("in_hand") for one in self.attempts
        )

    def apply(self, entry: Entry) -> None:
        """Let one entry about this step happen.

        Raises:
            IllegalTransition: the recovery table does not allow it.
        """
        before, self.state = self.state, transition(self.state, entry.event)
        self.last_seq = entry.seq
        _EFFECTS.get(entry.event, _keep_reason)(self, entry, before, _dated(entry))


def intended(entry: Entry) -> Step:
    """Make the step that an intent begins.

    Raises:
        IllegalTransition: the entry is no intent.
    """
    transition(None, entry.event)
    assert entry.op is not None
    assert entry.gen is not None
    payload = entry.payload or {}
    return Step(
        op=entry.op,
        gen=entry.gen,
        name=entry.detail.get("name", entry.detail["tool"]),
        tool=entry.detail["tool"],
        args=restored(payload),
        binds={k: Binding.model_validate(v) for k, v in payload.get("binds", {}).items()},
        preconditions=payload.get("preconditions", {}),
        evidence=payload.get("evidence", {}),
        pivot=entry.detail.get("pivot", False),
        undo=entry.detail.get("undo"),
        money=tuple(entry.detail["money"]) if "money" in entry.detail else None,
        intended_at=_dated(entry),
        last_seq=entry.seq,
    )


def _dated(entry: Entry) -> datetime:
    assert entry.at is not None, "the ledger dates every entry"
    return entry.at


def _keep_reason(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    step.reason = entry.reason


def _attempt(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    assert entry.attempt is not None
    assert entry.deadline_at is not None
    assert entry.settle_at is not None
    kept = step.undos if entry.event is Event.UNDO_ATTEMPTED else step.attempts
    kept.append(Attempt(entry.attempt, at, entry.deadline_at, entry.settle_at))
    if entry.event is Event.ATTEMPTED and entry.payload:
        step.bound = restored(entry.payload)


def _answer(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    for attempt in step.attempts:
        # An acknowledgement outranks whatever was believed of the attempt before it; the first one
        # counts, for an attempt is answered once.
        if attempt.number == entry.attempt and (
            attempt.is_open
            or (entry.event is Event.ACKNOWLEDGED and attempt.answer is not Event.ACKNOWLEDGED)
        ):
            attempt.answer, attempt.answered_at = entry.event, at
            attempt.detail = {**entry.detail, **(entry.payload or {})}
    if entry.event is Event.DECLINED:
        _keep_reason(step, entry, before, at)


def _done(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    if entry.event is Event.ACKNOWLEDGED:
        _answer(step, entry, before, at)
    payload = entry.payload or {}
    if before in _WITHOUT_RESULT:
        step.result = payload.get("result", {})
        step.reference = payload.get("reference") or None
    if entry.event is not Event.ACKNOWLEDGED:
        step.is_shown = True
    step.beside = (*step.beside, *payload.get("beside", ()))
    if entry.event is Event.HAPPENED:
        # The reviewer was asked: from now on the receipt names them.
        step.beside, step.seconds = (*step.beside, *step.seconds), {}
    if seconds := payload.get("seconds"):
        step.seconds = {**step.seconds, **seconds}
        step.asked += 1
        shown = ", ".join([step.reference or "its effect", *step.seconds])
        step.reason = f"a look-up under its key shows {shown}: the first of them is this step's"


def _look(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    began = datetime.fromisoformat(entry.detail["began_at"])
    detail, payload = entry.detail, entry.payload or {}
    why, shown = payload.get("reason", ""), payload.get("detail", {})
    in_hand = bool(detail.get("in_hand"))
    step.looks.append(LookUp(entry.event, began, entry.seq, "fault" in detail, in_hand, why, shown))
    step.beside = (*step.beside, *payload.get("beside", ()))


def _undo_failed(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    for undo in step.undos:
        if undo.number == entry.attempt:
            undo.answer, undo.answered_at, undo.detail = Event.UNDO_FAILED, at, entry.detail
    _keep_reason(step, entry, before, at)


def _doubted(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    payload = entry.payload or {}
    step.shown, step.is_contested = payload.get("shown"), payload.get("is_contested", False)
    step.matches = payload.get("matches", {})
    if before is StepState.DONE:
        # What it was taken for is what is in doubt now: nothing is built on it, or undone.
        step.result, step.reference, step.is_shown = None, None, False
    _stuck(step, entry, before, at)


def _contradicted(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    step.broken = step.broken.union({entry.detail["promise"]})


def _stuck(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    step.asked += 1
    _keep_reason(step, entry, before, at)


def _denied(step: Step, entry: Entry, before: StepState, at: datetime) -> None:
    # A person's word that it did not happen settles every attempt that was open.
    for attempt in step.undos if before is StepState.STUCK else step.attempts:
        if attempt.is_open or before is StepState.STUCK:
            attempt.answer, attempt.answered_at = entry.event, at


_WITHOUT_RESULT = (StepState.UNKNOWN, StepState.IN_DOUBT, StepState.NEGATIVE)

_EFFECTS = {
    Event.ATTEMPTED: _attempt,
    Event.UNDO_ATTEMPTED: _attempt,
    Event.ACKNOWLEDGED: _done,
    Event.FOUND: _done,
    Event.HAPPENED: _done,
    Event.VERIFIED: _done,
    Event.UNANSWERED: _answer,
    Event.REFUSED: _answer,
    Event.DECLINED: _answer,
    Event.ABSENT: _look,
    Event.UNREACHABLE: _look,
    Event.UNDO_FAILED: _undo_failed,
    Event.NOT_HAPPENED: _denied,
    Event.IN_DOUBT: _doubted,
    Event.UNDO_STUCK: _stuck,
    Event.CONTRADICTED: _contradicted,
}
