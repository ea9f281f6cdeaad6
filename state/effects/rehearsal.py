"""One effect that is tried under a key of its own: what was answered and shown, and judged.

Pure: nothing is sent or written from here. What judges the steps of the ledger judges it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from daybook.state.clock import SYSTEM, Clock
from daybook.state.effects.evidence import BOUND, Evidence, Judgement, Look, Result, differs, judge
from daybook.state.effects.guarantees import Guarantees
from daybook.state.effects.outcome import Confirmed, Declined, Outcome
from daybook.state.effects.reference import Naming, shows
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Attempt, Step

Moment: TypeAlias = Literal["once", "again", "late"]
"""When something was seen: after it was sent once, after it was sent again, and at the end."""


@dataclass(frozen=True)
class Observed:
    """What was seen at once.

    Attributes:
        outcome: of what was sent; None where it was only looked up.
        look: None where it cannot be looked up.
        after: seconds from the last answer until the look-up began.
    """

    moment: Moment
    outcome: Outcome | None
    look: Look | None
    after: float
    judged: Judgement


@dataclass
class Rehearsal:
    """All that was seen under one key.

    Attributes:
        step: as a step of the ledger would stand.
        named: names the effect that a result shows; None for a tool that declares no reference.
        held: references of other effects, each with whose it is.
        rows: all that look-ups under its key showed, by reference.
        doubts: why a person would be asked, each once.
        is_beside: another request came before under the same key, whose effects are left aside.
        broken: promise to the sentence by which it is seen not to hold.
        clock: dates what was declined.
    """

    step: Step
    named: Naming | None
    promised: Guarantees
    held: dict[str, str] = field(default_factory=dict)
    seen: list[Observed] = field(default_factory=list)
    rows: dict[str, Result] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    broken: dict[str, str] = field(default_factory=dict)
    is_beside: bool = False
    clock: Clock = SYSTEM

    def about(self, args: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
        """Say what is sent next, and what its result must show; what is bound stays as it is."""
        if not self.is_bound:
            self.step.args, self.step.evidence = args, expected

    def observe(
        self, moment: Moment, outcome: Outcome | None, look: Look | None, after: float
    ) -> None:
        """Take what was seen, and judge it."""
        if look is not None and self.is_beside:
            look = replace(look, matches=[row for row in look.matches if self._may_be_ours(row)])
        evidence = Evidence(len(self.seen) + 1, outcome, look)
        judged = judge(self.step, evidence, self.named, self.held, self.promised)
        self.seen.append(Observed(moment, outcome, look, after, judged))
        if self.named is not None:
            named = ((self.named(row), row) for row in evidence.rows)
            self.rows.update((name, row) for name, row in named if name is not None)
        if judged.doubt and judged.doubt not in self.doubts:
            self.doubts.append(judged.doubt)
        self.broken = {**judged.broken, **self.broken}
        self._stand(outcome, judged)

    def _may_be_ours(self, row: Result) -> bool:
        name = self.named(row) if self.named is not None else None
        return name not in self.held and not differs(self.step.evidence, row)

    def _stand(self, outcome: Outcome | None, judged: Judgement) -> None:
        """Let the step stand as it would in the ledger."""
        step = self.step
        if isinstance(outcome, Declined):
            now = self.clock.now()
            door = {"at_the_door": True} if outcome.at_the_door else {}
            attempt = Attempt(len(step.attempts) + 1, now, now, now, Event.DECLINED, now, door)
            step.attempts.append(attempt)
            step.state = StepState.NEGATIVE if step.state is StepState.UNKNOWN else step.state
        if judged.result is not None and not self.is_bound:
            step.state, step.result, step.reference = (
                StepState.DONE,
                judged.result,
                judged.reference,
            )
        step.is_shown |= judged.is_shown
        step.counted |= frozenset(judged.new)

    def keeps_apart(self, other: Rehearsal) -> None:
        """Take nothing for a duplicate that was done for another request under the same key."""
        named = {other.step.reference} if other.is_bound else set()
        apart = {name for name in named | other.answered if name not in (None, self.step.reference)}
        self.held |= dict.fromkeys(apart, other.step.name)
        self.step.counted |= apart

    @property
    def is_bound(self) -> bool:
        """Tell whether an effect was found to be ours."""
        return self.step.state in BOUND

    @property
    def is_known(self) -> bool:
        """Tell whether looking once more may say nothing new: it is shown, or in doubt."""
        return self.step.is_shown or bool(self.doubts)

    @property
    def outcomes(self) -> list[Outcome]:
        """Return what came of all that was sent, in order."""
        return [one.outcome for one in self.seen if one.outcome is not None]

    def looks(self, *moments: Moment) -> list[Observed]:
        """Return the look-ups, of some moments or of all."""
        wanted = [one for one in self.seen if one.look is not None]
        return [one for one in wanted if not moments or one.moment in moments]

    def wanted(self, names: Iterable[str]) -> list[str]:
        """Keep of some references those that are not shown to be of another request."""
        expected = self.step.evidence
        return [one for one in names if not differs(expected, self.rows.get(one, expected))]

    def new(self, *moments: Moment) -> list[str]:
        """Return the references that stood beside the effect for the first time then."""
        return [name for one in self.seen if one.moment in moments for name in one.judged.new]

    def answers(self) -> Iterator[Result]:
        """Yield the results of all that was confirmed."""
        return (one.result for one in self.outcomes if isinstance(one, Confirmed))

    @property
    def names(self) -> set[str]:
        """Return all references that were answered or shown."""
        return {*self.rows, *self.answered}

    @property
    def answered(self) -> set[str]:
        """Return the references that were answered."""
        answered = map(self.named, self.answers()) if self.named is not None else ()
        return {name for name in answered if name is not None}

    def twins(self, *moments: Moment) -> list[str]:
        """Return what two rows of one look-up are named that are not the same row.

        Args:
            moments: at which it was seen first; all, where none is named.
        """
        if self.named is None:
            return []
        first: dict[str, Moment] = {}
        for one in self.looks():
            rows: dict[str, Result] = {}
            for row in one.look.matches if one.look is not None else ():
                name = self.named(row)
                if name is not None and rows.setdefault(name, row) != row:
                    first.setdefault(name, one.moment)
        return [name for name, moment in first.items() if not moments or moment in moments]

    @property
    def duplicates(self) -> list[Result]:
        """Return what a machine may undo beside the effect: shown under our key, and as wanted."""
        bound = self.step.reference
        if bound not in self.rows:
            return []
        return [
            row
            for name, row in self.rows.items()
            if name != bound
            and name not in self.held
            and shows(row, self.step.step_id)
            and not differs(self.step.evidence, row)
        ]
