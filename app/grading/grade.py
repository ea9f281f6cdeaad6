"""Grade the steps of a thread: which are right, for nothing or wrong, and the wasted tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from daybook.app.grading.checks import Finding, findings
from daybook.app.grading.trajectory import Outcome, Step, Trajectory

Score: TypeAlias = Literal[1, 0, -1]

SCORES: Mapping[Score, str] = {1: "right", 0: "for nothing", -1: "wrong"}
"""The scores by name, in the order of tables."""

_FOR_NOTHING: Mapping[Outcome, str] = {
    "refused": "It was refused.",
    "asked": "A question to the user came first.",
    "failed": "It failed.",
    "undone": "It was undone.",
    "void": "It was never sent.",
    "in_doubt": "Whether it happened is in doubt.",
    "open": "It is not finished.",
    "erased": "Its data was erased: it cannot be judged.",
}


@dataclass(frozen=True)
class Verdict:
    """The verdict on a step.

    Attributes:
        step: its key.
        score: 1 for a right step; -1 where a finding makes it wrong; 0 where it did neither harm
            nor good, or cannot be judged.
        findings: of the checks, in their order.
        why: the reason for the score, in one line.
    """

    step: str
    score: Score
    findings: tuple[Finding, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Grade:
    """The verdicts on a thread's steps.

    Attributes:
        judged: the steps in order, each with its verdict.
        wasted_tokens: of the prompts of decisions whose steps were all wrong.
        tokens: of the prompts of all decisions.
        notes: what could not be judged, in plain sentences.
    """

    thread_id: str
    judged: tuple[tuple[Step, Verdict], ...] = ()
    wasted_tokens: int = 0
    tokens: int = 0
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """Return the verdicts, in order."""
        return [verdict for _, verdict in self.judged]

    @property
    def first_wrong(self) -> tuple[Step, Verdict] | None:
        """Return the first wrong step and its verdict, or None."""
        return next((one for one in self.judged if one[1].score == -1), None)

    def of(self, key: str) -> Verdict:
        """Return the verdict on a step.

        Raises:
            KeyError: it has no such step.
        """
        return {verdict.step: verdict for verdict in self.verdicts}[key]

    def as_json(self) -> dict[str, Any]:
        """Return the grade as a JSON object."""
        wrong = self.first_wrong
        return {
            "thread": self.thread_id,
            "verdicts": [
                {**asdict(verdict), "entry": step.seq, "tool": step.tool}
                for step, verdict in self.judged
            ],
            "first_wrong": None if wrong is None else wrong[0].key,
            "wasted_tokens": self.wasted_tokens,
            "tokens": self.tokens,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """Return the number of steps by score, as a sentence."""
        counts = Counter(verdict.score for verdict in self.verdicts)
        named = ", ".join(f"{counts[score]} {name}" for score, name in SCORES.items())
        return f"{len(self.judged)} {'step' if len(self.judged) == 1 else 'steps'}: {named}."


def grade(trajectory: Trajectory) -> Grade:
    """Return one verdict for each step."""
    judged = tuple((step, _verdict(trajectory, step)) for step in trajectory.judged)
    early = sum(step.outcome in ("open", "in_doubt") for step, _ in judged)
    note = f"Steps not finished: {early}. Until then they count as for nothing."
    return Grade(
        thread_id=trajectory.thread_id,
        judged=judged,
        wasted_tokens=_wasted_tokens(trajectory, judged),
        tokens=sum(decision.tokens for decision in trajectory.decisions),
        notes=(*trajectory.notes, *([note] if early else [])),
    )


def grade_proposal(trajectory: Trajectory, decided: int) -> tuple[Verdict, ...]:
    """Return a verdict for each call of a decision that is only proposed, by its ledger entry."""
    # What was proposed has no outcome yet: none counts against it.
    return tuple(
        _verdict(trajectory, step, is_proposed=True)
        for step in trajectory.steps
        if step.decided == decided
    )


def _verdict(trajectory: Trajectory, step: Step, *, is_proposed: bool = False) -> Verdict:
    found = findings(trajectory, step) if step.outcome != "erased" else ()
    if found:
        # The first that makes it wrong gives the reason.
        worst = min(found, key=lambda finding: not finding.is_wrong)
        return Verdict(step.key, -1 if worst.is_wrong else 0, found, worst.why)
    if step.outcome in _FOR_NOTHING and not is_proposed:
        return Verdict(step.key, 0, found, _FOR_NOTHING[step.outcome])
    return Verdict(step.key, 1)


def _wasted_tokens(trajectory: Trajectory, judged: Sequence[tuple[Step, Verdict]]) -> int:
    """Return the tokens of the decisions whose steps are all wrong."""
    scores: dict[int, set[Score]] = {}
    for step, verdict in judged:
        if not step.parent:
            scores.setdefault(step.decided, set()).add(verdict.score)
    return sum(one.tokens for one in trajectory.decisions if scores.get(one.seq) == {-1})
