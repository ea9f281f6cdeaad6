"""Compare what an effect declares with what was observed of it at a sandbox. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from daybook.state.effects.evidence import BOUND, Evidence, Judgement, Look, Result, differs, judge
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, NotSent, Outcome, Unknown
from daybook.state.effects.reference import Naming, shows
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.tools.services.classify import is_reused
from daybook.tools.services.contract import Compared

Moment: TypeAlias = Literal["first", "again", "other", "late"]
"""After the first request, an equal one, one with other arguments, or at the end."""

Seen: TypeAlias = tuple[bool | None, str]
"""Whether a guarantee was seen to hold, None if that was not seen; and what was observed."""


class Verdict(StrEnum):
    """What was seen of one guarantee."""

    HELD = "held"
    NOT_HELD = "NOT held"
    NOT_SEEN = "not seen"
    UNDECLARED = "not declared"


@dataclass(frozen=True)
class Finding:
    """What is declared under one name, and what was seen of it."""

    what: str
    declared: str
    verdict: Verdict
    seen: str


@dataclass(frozen=True)
class Observation:
    """One answer, one lookup `after` so many seconds, or both."""

    moment: Moment
    outcome: Outcome | None
    look: Look | None
    after: float
    judged: Judgement


@dataclass
class Trial:
    """Everything observed under one key, judged as the ledger's steps are judged.

    Attributes:
        held: references of other trials' effects, with their keys.
        moments: when each effect of this key was first seen, by reference.
        rows: what lookups showed, by reference.
        doubts: why a runner would stop here and ask a reviewer.
        broken: guarantees that were contradicted, with what was seen.
        is_pending: a request was sent and its answer is not recorded yet.
    """

    step: Step
    named: Naming | None
    promised: Guarantees
    held: Mapping[str, str] = field(default_factory=dict)
    moments: dict[str, Moment] = field(default_factory=dict)
    rows: dict[str, Result] = field(default_factory=dict)
    seen: list[Observation] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    is_pending: bool = False

    def observe(
        self, moment: Moment, outcome: Outcome | None, look: Look | None, after: float = 0.0
    ) -> None:
        """Record an answer and a lookup, and judge them."""
        step, rows = self.step, look.matches if look is not None else ()
        answers = [outcome.result] if isinstance(outcome, Confirmed) else []
        shown = [(self.name(row), row) for row in rows]
        for name in [*map(self.name, answers), *(name for name, _ in shown)]:
            if name and name not in self.held:
                self.moments.setdefault(name, moment)
        if any(one[0] == two[0] and one[1] != two[1] for one in shown for two in shown):
            self.doubts.append("one lookup shows different effects with the same reference")
        self.rows |= {name: row for name, row in shown if name in self.moments}
        # The effects of other arguments say nothing about the first request.
        mine = [row for name, row in shown if self.moments.get(name) != "other"]
        judged, mine_look = Judgement(), replace(look, matches=mine) if look is not None else None
        if moment != "other":
            evidence = Evidence(1, outcome, mine_look)
            judged = judge(step, evidence, self.named, self.held, self.promised)
        self.doubts += [judged.doubt] if judged.doubt else []
        self.broken |= judged.broken
        if judged.result is not None and step.state not in BOUND:
            step.state, step.result = StepState.DONE, judged.result
            step.reference = judged.reference
        step.is_shown |= judged.is_shown
        self.seen.append(Observation(moment, outcome, look, after, judged))

    def name(self, result: Result) -> str:
        """Return the reference that a result shows, or ""."""
        return (self.named(result) if self.named is not None else None) or ""

    def outcomes(self, *moments: Moment) -> list[Outcome]:
        """Return the outcomes of some moments, or of all, in order."""
        seen = [one for one in self.seen if not moments or one.moment in moments]
        return [one.outcome for one in seen if one.outcome is not None]

    def extra(self, *moments: Moment) -> list[str]:
        """Return the references first seen at some moments, beside the effect itself."""
        bound = self.step.reference
        return [name for name, at in self.moments.items() if at in moments and name != bound]


@dataclass
class Trials:
    """What is declared of an effect, and all that was tried.

    Attributes:
        expected: what a result must show, by its source: `evidence` and `owner`.
        unused: lookups of keys that were never sent.
        second: equal arguments under another key.
        undos: outcomes of an undo and its repetition, each with whether it counts as undone.
        undo_names: references of these undos; None if the tool declares none.
        is_undo_shown: whether a lookup shows it, where only that prevents a second undo.
    """

    first: Trial
    expected: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    compares: Compared = "unsaid"
    unused: list[Look] = field(default_factory=list)
    second: Trial | None = None
    declined: Trial | None = None
    undos: list[tuple[Outcome, bool]] = field(default_factory=list)
    undo_names: set[str] | None = None
    is_undo_shown: bool | None = None

    @property
    def all(self) -> list[Trial]:
        """Return the trials that were made."""
        return [one for one in (self.first, self.second, self.declined) if one is not None]

    @property
    def is_done(self) -> bool:
        """Tell whether the effect may have happened at all."""
        return any(map(may_have_happened, self.first.outcomes()))


def may_have_happened(outcome: Outcome) -> bool:
    """Tell whether an effect may have come of a request."""
    return not isinstance(outcome, Declined | NotSent) and not is_reused(outcome)


def findings(trials: Trials) -> list[Finding]:
    """Return a finding for each thing declared; less if nothing was done."""
    first, promised = trials.first, trials.first.promised
    if not first.outcomes():
        return [_finding("probe", promised.provable, _probe(trials))]
    outcome, compares = first.outcomes()[0], trials.compares.replace("unsaid", "")
    answer: Seen = (True if isinstance(outcome, Confirmed) else None, describe(outcome))
    if not trials.is_done:
        return [_finding("answer", True, answer)]
    expected = {
        what: (", ".join(one), _expected(one, first)) for what, one in trials.expected.items()
    }
    found: dict[str, tuple[str | bool | timedelta | None, Seen]] = {
        "answer": (True, answer),
        "reference": (first.named is not None, _reference(trials)),
        **expected,
        "probe": (promised.provable, _probe(trials)),
        "settle": (promised.settle, _settle(trials)),
        "honours_key": (promised.honours_key, _repeated(first, "other")),
        "late_sender": (promised.late_sender == "harmless", _repeated(first)),
        "compares": (compares, _compares(trials)),
        "stores_failures": (promised.stores_failures, _stores_failures(trials)),
        "undo": (first.step.undo, _undo(trials)),
        "retention": (
            promised.honours_key and promised.retention,
            (None, "nobody waited until keys expire"),
        ),
    }
    return [_finding(what, *one) for what, one in found.items()]


def _finding(what: str, declared: str | bool | timedelta | None, seen: Seen) -> Finding:
    is_declared, (holds, observed) = declared not in (None, False, ""), seen
    said = "yes" if declared is True else str(declared) if is_declared else "no"
    verdict = Verdict.HELD if holds else Verdict.NOT_HELD
    if holds is None or not is_declared:
        verdict = Verdict.NOT_SEEN if holds is None else Verdict.UNDECLARED
    return Finding(what, said, verdict, observed)


def _reference(trials: Trials) -> Seen:
    first, name = trials.first, trials.first.step.reference
    # A doubt that shows a result is about `evidence` or `owner`.
    others = {one.judged.doubt for one in first.seen if one.judged.shown is not None}
    doubts = [why for why in first.doubts if why not in others]
    if trials.second is not None and "reference" in trials.second.broken:
        doubts.append(f"equal arguments under another key: {trials.second.broken['reference']}")
    if doubts or first.named is None:
        return False, doubts[0] if doubts else "nothing tells one effect from another"
    return True if name else None, name or "no result shows one"


def _expected(wanted: Mapping[str, Any], first: Trial) -> Seen:
    shown = [("answer", one.result) for one in first.outcomes()[:1] if isinstance(one, Confirmed)]
    shown += [
        ("lookup", row)
        for name, row in first.rows.items()
        if name not in first.extra("again", "other", "late")
    ]
    for place, result in shown:
        if wrong := differs(wanted, result):
            return False, f"the {place} shows {wrong}, expected {dict(wanted)}"
    if not wanted:
        return False, "nothing is compared, so that a wrong amount or user is not noticed"
    return True if shown else None, " and ".join(place for place, _ in shown) or "nothing was shown"


def _probe(trials: Trials) -> Seen:
    first, name = trials.first, trials.first.step.reference
    looks = [one.look for one in first.seen if one.look is not None]
    if faults := [look.fault for look in [*trials.unused, *looks] if look.fault]:
        return False, f"it fails ({faults[0]})"
    if any(look.matches for look in trials.unused):
        return False, "it shows effects under a key never used: it must filter by ctx.key"
    if extra := first.extra("first"):
        return False, f"after one request it shows {', '.join(extra)} beside {name}"
    if not first.promised.provable or name not in first.rows:
        return None if first.promised.provable else False, "it showed nothing"
    is_keyed = shows(first.rows[name], first.step.step_id)
    return True, f"{name} alone" + ("" if is_keyed else ", without its key: no duplicate is undone")


def _settle(trials: Trials) -> Seen:
    looks = [one for one in trials.first.seen if one.moment == "first" and one.look is not None]
    if late := [name for trial in trials.all for name in trial.extra("late")]:
        return False, f"{', '.join(late)} appeared at the end: declare a longer one, or none"
    for one in looks:
        if one.judged.is_shown or one.judged.doubt:
            return True, f"shown after {one.after:.1f} s"
    is_asked = any(one.look and one.look.event is Event.ABSENT for one in looks)
    holds = False if is_asked and isinstance(trials.first.outcomes()[0], Confirmed) else None
    return holds, f"not shown after {looks[-1].after:.1f} s" if looks else "nothing was looked up"


def _repeated(first: Trial, *others: Moment) -> Seen:
    """Say whether what was sent twice under one key was done once."""
    name, expected, again = first.step.reference, first.step.evidence, first.outcomes("again")
    more = first.extra("again", "late")
    more = [one for one in more if not differs(expected, first.rows.get(one, expected))]
    if more := [*more, *first.extra(*others)]:
        return False, f"one key, several effects: {', '.join([name or 'unnamed', *more])}"
    if not again or name is None or first.doubts:
        return None, "it was not sent again" if not again else "no reference tells"
    # A request rejected before its key was looked at says nothing of keys.
    is_rejected = isinstance(again[0], NotSent) or getattr(again[0], "at_the_door", False)
    is_shown = any(one.moment == "late" and one.judged.is_shown for one in first.seen)
    is_named = isinstance(again[0], Confirmed) and first.name(again[0].result) == name
    holds = True if is_named or (is_shown and not is_rejected) else None
    return holds, f"sent again: {describe(again[0])}; {name} alone"


def _compares(trials: Trials) -> Seen:
    """Say how the service takes other arguments under a key that was used."""
    first, declared, other = trials.first, trials.compares, trials.first.outcomes("other")
    if not other or not first.step.reference:
        return None, "not tried: give --other" if not other else "no reference tells"
    if extra := first.extra("other"):
        return False, f"other arguments under the same key did another effect: {', '.join(extra)}"
    if isinstance(other[0], Confirmed) and first.name(other[0].result) == first.step.reference:
        return declared == "key", 'other arguments returned the first effect: compares="key"'
    if is_reused(other[0]):
        return declared == "key_and_body", 'other arguments were refused: compares="key_and_body"'
    return None, f"{describe(other[0])}; if it means a used key, add its code to `key_reused`"


def _stores_failures(trials: Trials) -> Seen:
    """Say whether a decline is stored under its key."""
    outcomes = trials.declined.outcomes() if trials.declined is not None else []
    seen = "; then ".join(map(describe, outcomes)) or "not tried: give --declined"
    codes = [one.code for one in outcomes if isinstance(one, Declined) and not one.at_the_door]
    if codes and any(isinstance(one, Confirmed) for one in outcomes[1:]):
        return False, seen
    # A key that takes no other arguments does not show whether its decline is stored.
    return True if len(codes) == 3 and len(set(codes)) == 1 else None, seen


def _undo(trials: Trials) -> Seen:
    outcomes, names = [outcome for outcome, _ in trials.undos], trials.undo_names
    seen = "; again: ".join(map(describe, outcomes)) or "nothing was undone"
    if not trials.first.step.undo or not all(is_undone for _, is_undone in trials.undos):
        is_wrong = not outcomes or isinstance(outcomes[-1], Declined)
        return False if is_wrong else None, seen
    if trials.is_undo_shown is False:
        return False, f"{seen}; its lookup does not show it, so it would be undone again"
    if names is not None and len(names) > 1:
        return False, f"undone twice: {', '.join(sorted(names))}"
    is_known = bool(trials.is_undo_shown) or names is not None
    is_known |= not all(isinstance(one, Confirmed) for one in outcomes)
    return True if outcomes and is_known else None, seen


def describe(outcome: Outcome) -> str:
    """Describe an outcome in the service's own words."""
    match outcome:
        case Confirmed():
            return "confirmed"
        case Declined(code=code, message=message):
            return f"declined ({code}): {message.rstrip('.')}"
        case NotSent(reason=reason) | Unknown(reason=reason):
            kind = "unknown" if isinstance(outcome, Unknown) else "not done"
            return f"{kind}: {reason.rstrip('.')}"
