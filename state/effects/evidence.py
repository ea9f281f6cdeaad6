"""Judge what an attempt and a lookup show: is the effect ours, and is it only one?

Pure, and the one place where an effect is told from another. A result is ours when it was shown
under our key, what it shows is what was approved, and no other step of the tenant holds its
reference. A look-up that shows a second effect under our key goes to a reviewer, and no machine
undoes it: a step whose own effect is proved stays done meanwhile, and any other is in doubt.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any, TypeAlias

from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import Naming, shows
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step

Result: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Look:
    """What a look-up showed: absent, unreachable, or all that match the reference.

    Attributes:
        began_at: UTC.
        fault: type of the error that the look-up itself failed with; "" if nobody answered.
        in_hand: the provider has accepted it, and decides later.
        why: nothing came of it, in the words of the provider, which has decided.
        detail: how it shows that.
    """

    event: Event
    began_at: datetime
    matches: Sequence[Result] = ()
    fault: str = ""
    in_hand: bool = False
    why: str = ""
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Evidence:
    """What is to be written down of a step: an attempt's outcome, a look, or both."""

    attempt: int | None = None
    outcome: Outcome | None = None
    look: Look | None = None

    @property
    def confirmed_result(self) -> Result | None:
        """Return the result of an attempt that was confirmed."""
        return self.outcome.result if isinstance(self.outcome, Confirmed) else None

    @property
    def rows(self) -> Sequence[Result]:
        """Return all that the look-up showed."""
        return self.look.matches if self.look is not None else ()


@dataclass(frozen=True)
class Judgement:
    """What the evidence comes to.

    Attributes:
        result: of the effect that is ours; None if nothing is shown to be.
        reference: what names it.
        is_shown: our own look-up shows it.
        beside: references of what is shown beside it and cannot be said to be its effect.
        doubt: why nothing can be said; "" if something can.
        shown: what a person may vouch for, where that is what is in doubt.
        matches: all that the look-up shows, by reference, where a reviewer is to name one of them.
        seconds: what is shown under our key beside an effect that is proved, by reference.
        is_contested: only a person withdraws that doubt: what was answered is not what is shown, or
            more than one effect is shown under our key.
        broken: promise of the service that this contradicts, to a sentence.
    """

    result: Result | None = None
    reference: str | None = None
    is_shown: bool = False
    beside: tuple[str, ...] = ()
    doubt: str = ""
    shown: Result | None = None
    matches: Mapping[str, Result] = field(default_factory=dict)
    seconds: Mapping[str, Result] = field(default_factory=dict)
    is_contested: bool = False
    broken: Mapping[str, str] = field(default_factory=dict)


BOUND = frozenset({StepState.DONE, StepState.UNDOING, StepState.UNDONE, StepState.STUCK})
"""States in which a step has its effect, and whatever else is shown stands beside it."""

_UNDOING = BOUND - {StepState.DONE}

_NAMELESS = "a row that does not say which effect it is"


def judge(
    step: Step, seen: Evidence, named: Naming | None, held: Mapping[str, str], promised: Guarantees
) -> Judgement:
    """Judge what was shown of a step.

    Args:
        named: names the effect that a result shows; None for a tool that declares no reference.
        held: references that the ledger holds for other steps of the same tool, with those steps.
        promised: what is declared of the service.
    """
    if seen.confirmed_result is None and not seen.rows:
        return Judgement()
    if named is None:
        return _of_the_answer(step, seen)
    rows: dict[str, Result] = {}
    nameless = False
    for row in seen.rows:
        reference = named(row)
        nameless |= reference is None
        if reference is not None:
            rows.setdefault(reference, row)
    every = _Every(step, seen.confirmed_result, rows, nameless, named, held, promised)
    return every.beside_the_bound() if step.state in BOUND else every.first()


def references(seen: Evidence, named: Naming | None) -> set[str]:
    """Return the references that are shown."""
    if named is None:
        return set()
    results = [*seen.rows, *([seen.confirmed_result] if seen.confirmed_result is not None else [])]
    return {name for result in results if (name := named(result)) is not None}


def _of_the_answer(step: Step, seen: Evidence) -> Judgement:
    """Judge the answer of a tool that cannot be looked up and names nothing."""
    if step.state in BOUND or seen.confirmed_result is None:
        return Judgement()
    if wrong := differs(step.evidence, seen.confirmed_result):
        return Judgement(doubt=_unexpected(step, wrong), shown=seen.confirmed_result)
    return Judgement(result=seen.confirmed_result)


@dataclass(frozen=True)
class _Every:
    step: Step
    answer: Result | None
    rows: Mapping[str, Result]
    nameless: bool
    named: Naming
    held: Mapping[str, str]
    promised: Guarantees

    # -- nothing is bound yet ---------------------------------------------------------------------

    def first(self) -> Judgement:
        """Find the effect of a step that has none so far."""
        if self.step.is_contested and self.step.state is StepState.IN_DOUBT:
            # Either side of a contradiction, shown once more, does not decide it.
            return self._doubt(self.step.reason)
        # An answer that shows nothing at all shows nothing else either: what is shown is judged.
        if self.answer and (wrong := differs(self.step.evidence, self.answer)):
            named = self.named(self.answer)
            return Judgement(doubt=_unexpected(self.step, wrong, named), shown=self.answer)
        if self.answer is None:
            return self._looked_up()
        reference = self.named(self.answer)
        if reference is None:
            return self._unnamed_answer()
        if self._is_shown(reference) or not (self.rows or self.nameless):
            return self._bound_to(reference, self.answer)
        others = ", ".join(sorted(self.rows)) or _NAMELESS
        return self._doubt(f"the answer names {reference}, and a look-up under our key {others}")

    def _unnamed_answer(self) -> Judgement:
        if len(self.rows) == 1 and not self.nameless:
            ((reference, row),) = self.rows.items()
            return self._bound_to(reference, {**(self.answer or {}), **row})
        return self._doubt("the answer does not say which effect it is about")

    def _looked_up(self) -> Judgement:
        if self.nameless:
            return self._doubt(f"a look-up under our key shows {_NAMELESS}")
        if len(self.rows) == 1:
            ((reference, row),) = self.rows.items()
            return self._bound_to(reference, row)
        ours = [name for name in self.rows if name in self._keyed and self._is_ours(name)]
        if len(ours) == 1 and not self._is_told_of(ours[0]):
            return self._bound_to(ours[0], self.rows[ours[0]])
        judged = self._several()
        if ours and not any(map(self._is_told_of, ours)):
            return replace(judged, is_contested=True, broken=self._broken_by_two(sorted(ours)))
        return judged

    def _bound_to(self, reference: str, result: Result) -> Judgement:
        """Bind the step to an effect, unless it is another step's or not what was approved."""
        if reference in self.held:
            why = f"{reference} is the effect of another step, {self.held[reference]}"
            broken = {"reference": f"it named {reference} for two operations"}
            return replace(self._doubt(why), broken=broken)
        for shown in (result, self.rows.get(reference)):
            if shown is not None and (wrong := differs(self.step.evidence, shown)):
                doubt = _unexpected(self.step, wrong, reference)
                return Judgement(doubt=doubt, shown=shown)
        is_shown = self._is_shown(reference)
        beside = self._beside(reference, {reference}, is_proved=is_shown)
        judged = replace(beside, result=result, reference=reference, is_shown=is_shown)
        return replace(judged, broken={**judged.broken, **self._broken_by_it(reference)})

    def _broken_by_it(self, reference: str) -> dict[str, str]:
        """Say which promise an effect breaks by being there."""
        step, promised = self.step, self.promised
        declined = any(
            one.answer is Event.DECLINED and not one.detail.get("at_the_door")
            for one in step.attempts
        )
        if declined and promised.stores_failures:
            return {
                "stores_failures": f"it refused a request for good, and then did it: {reference}"
            }
        was_absent = step.state is StepState.NEGATIVE and not declined
        if was_absent and promised.settle is not None:
            return {"settle": f"it did it later than it may: {reference}"}
        return {}

    # -- something is -----------------------------------------------------------------------------

    def beside_the_bound(self) -> Judgement:
        """Judge what is shown beside the effect of a step."""
        bound = self.step.reference or self.named(self.step.result or {})
        if bound is None:
            # A person said that it happened, and no more. Nothing is beside what has no name.
            return Judgement()
        is_shown = self._is_shown(bound)
        is_lost = bool(self.rows or self.nameless) and not is_shown and not self.step.is_shown
        if is_lost and self.step.state is StepState.DONE:
            others = ", ".join(sorted(self.rows)) or _NAMELESS
            why = f"the answer named {bound}, and a look-up under our key {others}"
            return replace(self._doubt(why), is_contested=True)
        # What a reviewer was asked about is not asked again.
        counted = {bound, *self.step.beside, *self.step.matches, *self.step.seconds}
        beside = self._beside(bound, counted, is_proved=is_shown or self.step.is_shown)
        return replace(beside, is_shown=is_shown)

    def _beside(self, bound: str, counted: Collection[str], *, is_proved: bool) -> Judgement:
        """Tell a second effect under our key, which a reviewer sees, from what is anybody's.

        Args:
            counted: references that are not new.
            is_proved: a look-up of ours shows the effect itself, now or before.
        """
        others = [name for name in self.rows if name not in counted]
        # Where the effect itself is undone, nothing is left of it to be shown.
        is_there = bound in self._keyed or (bound not in self.rows and self.step.state in _UNDOING)
        seconds = [
            name
            for name in others
            if is_proved
            and is_there
            and name in self._keyed
            and self._is_ours(name)
            # A capture, or a refund, that says our key too is no second one.
            and not self._is_told_of(name)
        ]
        beside = [*others]
        second = self.named(self.answer) if self.answer is not None else None
        if second is not None and second not in counted and second not in others:
            beside.append(second)
        if self.nameless and _NAMELESS not in counted:
            beside.append(_NAMELESS)
        broken: dict[str, str] = {}
        if seconds or (second is not None and second != bound):
            named = [bound, *seconds, *([second] if second not in (bound, None) else [])]
            broken = self._broken_by_two(named)
        if self.step.state in _UNDOING or self.promised.keys_hoped:
            return Judgement(beside=tuple(beside), broken=broken)
        beside = [name for name in beside if name not in seconds]
        asked = {name: self.rows[name] for name in seconds}
        return Judgement(beside=tuple(beside), seconds=asked, broken=broken)

    def _several(self) -> Judgement:
        """Put it to a reviewer which of the effects that are shown is the step's."""
        shown = ", ".join(sorted(self.rows))
        doubt = self._doubt(f"a look-up under our key shows {shown}; which is ours is not said")
        return replace(doubt, matches=self.rows)

    def _broken_by_two(self, references: Iterable[str]) -> dict[str, str]:
        if self.promised.keys_hoped:
            return {}
        names = ", ".join(references)
        if self.promised.honours_key:
            return {"honours_key": f"it did more than one effect under one key: {names}"}
        if self.promised.provable and self.promised.settle is not None:
            return {"settle": f"one of these came later than it may: {names}"}
        return {}

    # -- small words ------------------------------------------------------------------------------

    @cached_property
    def _keyed(self) -> set[str]:
        return {name for name, row in self.rows.items() if shows(row, self.step.step_id)}

    def _is_shown(self, reference: str) -> bool:
        """Tell whether an effect is shown, and not only beside one that says it is ours."""
        return reference in self.rows and (not self._keyed or reference in self._keyed)

    def _is_ours(self, reference: str) -> bool:
        return reference not in self.held and not differs(self.step.evidence, self.rows[reference])

    def _is_told_of(self, name: str) -> bool:
        """Tell whether a row and another speak of each other: one came of the other then."""
        others = [row for other, row in self.rows.items() if other != name]
        told = [row for row in (self.answer, self.step.result) if row and self.named(row) != name]
        known = {*self.rows, *([self.step.reference] if self.step.reference else [])} - {name}
        return any(shows(row, name) for row in [*others, *told]) or any(
            shows(self.rows[name], other) for other in known
        )

    def _doubt(self, why: str) -> Judgement:
        return Judgement(doubt=why)


def entries_of(plan: Plan, step: Step, evidence: Evidence, judged: Judgement) -> Iterator[Entry]:
    """Write evidence down, as far as it says something that the ledger does not hold.

    Written again it changes nothing: a doubt that stands is not withdrawn by what raised it.
    """
    if judged.doubt and step.state in _MAY_BE_DOUBTED:
        more = _given(is_contested=judged.is_contested, matches=judged.matches)
        # `shown` is always there: it tells this doubt from one that waiting has come to.
        doubt = {"reason": judged.doubt, "shown": judged.shown, **more}
        yield plan.entry(Event.IN_DOUBT, step, attempt=evidence.attempt, payload=doubt)
    if not judged.doubt and evidence.outcome is not None and not _is_heard(step, evidence.attempt):
        yield _answered(plan, step, evidence, judged)
    look = evidence.look
    if not judged.doubt and look is not None and (judged.beside or not _is_seen(step, look)):
        yield _looked(plan, step, look, judged)
    for promise, why in judged.broken.items():
        if promise not in step.broken:
            detail = {"promise": promise}
            yield plan.entry(Event.CONTRADICTED, step, detail=detail, payload={"reason": why})


_MAY_BE_DOUBTED = frozenset({StepState.UNKNOWN, StepState.DONE, StepState.NEGATIVE})


def _is_heard(step: Step, attempt: int | None) -> bool:
    """Tell whether the ledger holds that an attempt was acknowledged; it is answered once."""
    heard = [one for one in step.attempts if one.answer is Event.ACKNOWLEDGED]
    return any(one.number == attempt for one in heard)


def _is_seen(step: Step, look: Look) -> bool:
    """Tell whether the ledger holds a look that showed nothing."""
    return any(one.event is look.event and one.began_at == look.began_at for one in step.looks)


def _answered(plan: Plan, step: Step, evidence: Evidence, judged: Judgement) -> Entry:
    attempt = evidence.attempt
    match evidence.outcome:
        case Confirmed(result=result):
            kept = {"result": dict(judged.result or result), **_given(reference=judged.reference)}
            # What stands beside it is told with the look that shows it, where there is one.
            kept |= _beside(judged) if evidence.look is None else {}
            return plan.entry(Event.ACKNOWLEDGED, step, attempt=attempt, payload=kept)
        case Declined(code=code, message=message, detail=detail, at_the_door=at_the_door):
            payload = {"reason": message, "detail": dict(detail)}
            facts = {"code": code, **_given(at_the_door=at_the_door)}
            return plan.entry(Event.DECLINED, step, attempt=attempt, detail=facts, payload=payload)
        case NotSent(reason=reason):
            return plan.entry(Event.REFUSED, step, attempt=attempt, payload={"reason": reason})
        case Unknown(reason=reason, in_hand=in_hand):
            why, facts = {"reason": reason}, _given(in_hand=in_hand)
            return plan.entry(Event.UNANSWERED, step, attempt=attempt, detail=facts, payload=why)
        case None:
            raise AssertionError("there is an outcome")


def _looked(plan: Plan, step: Step, look: Look, judged: Judgement) -> Entry:
    """Write what a look-up showed beside what the ledger holds by now."""
    detail: dict[str, Any] = {"began_at": look.began_at.isoformat()}
    if look.event is Event.UNREACHABLE:
        detail |= _given(fault=look.fault, in_hand=look.in_hand)
        return plan.entry(Event.UNREACHABLE, step, detail=detail)
    detail |= _given(matches=len(look.matches))
    beside = _beside(judged)
    if step.state not in BOUND and judged.result is not None and judged.is_shown:
        found = {"result": dict(judged.result), **_given(reference=judged.reference), **beside}
        return plan.entry(Event.FOUND, step, detail=detail, payload=found)
    event = Event.VERIFIED if look.matches and judged.is_shown else Event.ABSENT
    said = {"reason": look.why, "detail": dict(look.detail)} if look.why else {}
    return plan.entry(event, step, detail=detail, payload={**beside, **said} or None)


def _beside(judged: Judgement) -> dict[str, Any]:
    return _given(beside=list(judged.beside), seconds=judged.seconds)


def _given(**about: Any) -> dict[str, Any]:
    """Leave out what says nothing."""
    return {name: value for name, value in about.items() if value}


def differs(evidence: Mapping[str, Any], result: Result) -> dict[str, Any]:
    """Return what a result shows otherwise than was expected, or does not show.

    Texts are compared in their normal form: a service may trim what it was sent.
    """
    return {
        name: result.get(name)
        for name, wanted in evidence.items()
        if not _is_same(result.get(name), wanted)
    }


def _is_same(shown: Any, wanted: Any) -> bool:
    if isinstance(shown, str) and isinstance(wanted, str):
        return shown.split() == wanted.split()
    # To Python a yes is a one.
    return bool(shown == wanted) and isinstance(shown, bool) == isinstance(wanted, bool)


def _unexpected(step: Step, wrong: Mapping[str, Any], reference: str | None = None) -> str:
    """Say what is wrong, and with what: a person who only says "it happened" means that."""
    of = f" of {reference}" if reference is not None else ""
    return f"expected {dict(step.evidence)}, the provider shows {dict(wrong)}{of}"
