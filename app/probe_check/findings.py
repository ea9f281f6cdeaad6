"""Compare the declared guarantees of an effect with what a sandbox showed. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias

from daybook.state.effects.evidence import BOUND, Evidence, Look, Result, differs, judge
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome
from daybook.state.effects.reference import Naming, shows
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step

Moment: TypeAlias = Literal["first", "again", "late"]
"""After the first request, after an equal one, or at the end."""

Seen: TypeAlias = tuple[bool | None, str]
"""Whether a guarantee was observed to hold (None: not observed), and what was observed."""


class Verdict(StrEnum):
    """What was seen of one guarantee."""

    HELD = "held"
    NOT_HELD = "NOT held"
    NOT_SEEN = "not observed"
    UNDECLARED = "not declared"


class Finding(NamedTuple):
    """What is declared under one name, and what was seen of it."""

    what: str
    declared: str
    verdict: Verdict
    seen: str


@dataclass
class Trial:
    """Everything observed under one key, judged as the ledger's steps are judged.

    Attributes:
        owners: reference to the key under which it was first seen; shared by all trials.
        moments: reference to the moment at which it was first seen, for this key.
        doubts: why a runner would ask a reviewer, and whether that is about the reference.
        shown: moment to the seconds until a lookup showed the effect.
    """

    step: Step
    named: Naming | None
    promised: Guarantees
    owners: dict[str, str]
    moments: dict[str, Moment] = field(default_factory=dict)
    rows: dict[str, Result] = field(default_factory=dict)
    sent: dict[Moment, Outcome] = field(default_factory=dict)
    looks: list[Look] = field(default_factory=list)
    doubts: dict[str, bool] = field(default_factory=dict)
    shown: dict[Moment, float] = field(default_factory=dict)

    def observe(
        self, moment: Moment, outcome: Outcome | None, look: Look | None, after: float = 0.0
    ) -> None:
        """Record an answer and a lookup, and judge them."""
        step, key = self.step, self.step.step_id
        matches = look.matches if look is not None else ()
        shown = [(self.name(row), row) for row in matches]
        answered = [self.name(outcome.result)] if isinstance(outcome, Confirmed) else []
        for name in filter(None, [*answered, *(name for name, _ in shown)]):
            if self.owners.setdefault(name, key) == key:
                self.moments.setdefault(name, moment)
        self.rows |= {name: row for name, row in shown if name in self.moments}
        if any(one[0] == two[0] and one[1] != two[1] for one in shown for two in shown):
            self.doubts["one lookup shows two effects with the same reference"] = True
        self.sent |= {moment: outcome} if outcome is not None else {}
        self.looks += [look] if look is not None else []
        held = {name: other for name, other in self.owners.items() if other != key}
        judged = judge(step, Evidence(1, outcome, look), self.named, held, self.promised)
        if judged.doubt and not (judged.matches and step.state in BOUND):
            # One that shows a result is about `evidence` or `owner`.
            self.doubts[judged.doubt] = judged.shown is None
        if judged.result is not None and step.state not in BOUND:
            step.state, step.result = StepState.DONE, judged.result
            step.reference = judged.reference
        step.is_shown |= judged.is_shown
        if judged.is_shown or (judged.doubt and shown):
            self.shown.setdefault(moment, after)

    def name(self, result: Result) -> str:
        """Return the reference that a result shows, or ""."""
        return (self.named(result) if self.named is not None else None) or ""

    def extra(self, *moments: Moment) -> list[str]:
        """Return the references first seen at some moments, beside the effect itself."""
        bound = self.step.reference
        return [name for name, at in self.moments.items() if at in moments and name != bound]

    @property
    def may_be_done(self) -> bool:
        """Tell whether anything may have been done under this key."""
        return any(not isinstance(one, Declined | NotSent) for one in self.sent.values())


@dataclass
class Trials:
    """The trials: sent twice under one key, sent under a second key, and a key that is never sent.

    Attributes:
        undos: what came of each undo, and whether the effect is undone.
        left: what may still stand at the service, in words.
    """

    first: Trial
    second: Trial
    unused: Trial
    undos: list[tuple[Outcome, bool]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


def findings(trials: Trials) -> list[Finding]:
    """Return a finding for each thing declared; the look-up's alone if nothing was done."""
    first, promised = trials.first, trials.first.promised
    found: list[tuple[str, str | bool | timedelta | None, Seen]] = [
        ("probe", promised.provable, _probe(trials)),
        ("reference", first.named is not None, _reference(trials)),
        ("evidence", ", ".join(first.step.evidence), _evidence(first)),
        ("settle", promised.settle, _settle(trials)),
        ("honours_key", promised.honours_key, _repeated(first)),
        ("undo", first.step.undo, _undo(trials)),
    ]
    return [_finding(*one) for one in (found if first.may_be_done else found[:1])]


def _finding(what: str, declared: str | bool | timedelta | None, seen: Seen) -> Finding:
    said = "yes" if declared is True else str(declared) if declared not in (None, False) else ""
    verdict = Verdict.HELD if seen[0] else Verdict.NOT_HELD
    verdict = Verdict.NOT_SEEN if seen[0] is None else verdict if said else Verdict.UNDECLARED
    return Finding(what, said or "no", verdict, seen[1])


def _probe(trials: Trials) -> Seen:
    first, name = trials.first, trials.first.step.reference
    if faults := [look.fault for look in [*trials.unused.looks, *first.looks] if look.fault]:
        return False, f"the lookup fails ({faults[0]})"
    if any(look.matches for look in trials.unused.looks):
        return False, "it shows effects under a key never used: it must filter by ctx.key"
    if name and (extra := first.extra("first")):
        return False, f"after one request it shows {', '.join(extra)} besides {name}"
    if name not in first.rows:
        return None if first.promised.provable else False, "it did not show our effect"
    is_keyed = shows(first.rows[name], first.step.step_id)
    return True, f"{name} alone" + (
        "" if is_keyed else ", without its key: a second would not show"
    )


def _reference(trials: Trials) -> Seen:
    name = trials.first.step.reference
    # Equal arguments under another key are another effect, with another reference.
    doubts = (trials.first.doubts | trials.second.doubts).items()
    if doubt := next((why for why, is_about_reference in doubts if is_about_reference), ""):
        return False, doubt
    if trials.first.named is None:
        return False, "no declared reference distinguishes effects"
    return bool(name) or None, name or "no result contains one"


def _evidence(first: Trial) -> Seen:
    doubts = [why for why, is_about_reference in first.doubts.items() if not is_about_reference]
    if doubts or not first.step.evidence:
        return False, doubts[0] if doubts else "a wrong amount or user would not be noticed"
    return first.step.state in BOUND or None, f"expected: {dict(first.step.evidence)}"


def _settle(trials: Trials) -> Seen:
    first = trials.first
    if late := [*first.extra("late"), *trials.second.extra("late")]:
        return False, f"{', '.join(late)} appeared at the end: declare a longer max lag, or none"
    if "first" in first.shown:
        return True, f"shown after {first.shown['first']:.1f} s"
    is_confirmed = isinstance(first.sent.get("first"), Confirmed)
    is_missed = is_confirmed and any(look.event is Event.ABSENT for look in first.looks)
    return False if is_missed else None, "no lookup showed it in time"


def _repeated(first: Trial) -> Seen:
    """Say whether what was sent twice under one key was done once."""
    name, again = first.step.reference, first.sent.get("again")
    # An effect that shows other values is not of the equal request.
    rows = first.rows
    more = [
        one
        for one in first.extra("again", "late")
        if one not in rows or not differs(first.step.evidence, rows[one])
    ]
    if more:
        return False, f"one key, several effects: {', '.join([name or 'unnamed', *more])}"
    if again is None or name is None or first.doubts:
        return None, "no reference is known" if again else "it was not sent again"
    # A request rejected before its key was looked at says nothing of keys.
    is_rejected = isinstance(again, NotSent) or getattr(again, "at_the_door", False)
    is_same = "late" in first.shown and not is_rejected
    is_same |= isinstance(again, Confirmed) and first.name(again.result) == name
    return is_same or None, f"{name}; sent again: {again}"


def _undo(trials: Trials) -> Seen:
    if not trials.undos:
        return None if trials.first.step.undo else False, "nothing was undone"
    outcome, is_undone = min(trials.undos, key=lambda one: one[1])
    return is_undone or (False if isinstance(outcome, Declined) else None), f"{outcome}"
