"""The verdicts: what the checks find in a step, its score, and the grade of a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from daybook.app.grading.trajectory import Step

Score: TypeAlias = Literal[1, 0, -1]


class Check(StrEnum):
    """The checks; each is a function of `daybook.app.grading.checks`."""

    OFFERED = "offered"
    ARGUMENTS = "arguments"
    INVENTED = "invented"
    STALE = "stale"
    APPROVAL = "approval"
    REPEATED = "repeated"
    EFFECT = "effect"
    CLAIM = "claim"


@dataclass(frozen=True)
class Finding:
    """What a check found in a step.

    Attributes:
        why: a sentence for people.
        is_wrong: it makes the step wrong; otherwise the step did neither harm nor good.
    """

    check: Check
    why: str
    is_wrong: bool = True


@dataclass(frozen=True)
class Verdict:
    """The verdict on a step.

    Attributes:
        step: its key.
        score: 1 for a right step; -1 where a finding makes it wrong; 0 where it did neither harm
            nor good, is built on a wrong step, or cannot be judged.
        findings: of the checks, in their order.
        tainted_by: keys of the wrong or tainted steps whose result or change it uses.
        why: the reason for the score, in one line.
    """

    step: str
    score: Score
    findings: tuple[Finding, ...] = ()
    tainted_by: tuple[str, ...] = ()
    why: str = ""

    @property
    def is_tainted(self) -> bool:
        """Tell whether it is built on a wrong step."""
        return bool(self.tainted_by)


COLUMNS = ("right", "for nothing", "tainted", "wrong")
"""The verdicts by name, in the order of tables."""


def verdict_name(verdict: Verdict) -> str:
    """Return a verdict by name, one of `COLUMNS`."""
    if verdict.score == -1:
        return "wrong"
    if verdict.is_tainted:
        return "tainted"
    return "right" if verdict.score == 1 else "for nothing"


@dataclass(frozen=True)
class Grade:
    """The verdicts on a thread's steps.

    Attributes:
        steps: those that were judged, in order.
        verdicts: one for each step, in the same order.
        root_cause: key of the first wrong step, or None.
        wasted_tokens: of the prompts of decisions whose steps were all wrong or tainted.
        tokens: of the prompts of all decisions.
        notes: what could not be judged, in plain sentences.
    """

    thread_id: str
    steps: tuple[Step, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    root_cause: str | None = None
    wasted_tokens: int = 0
    tokens: int = 0
    notes: tuple[str, ...] = ()

    def of(self, key: str) -> Verdict:
        """Return the verdict on a step.

        Raises:
            KeyError: it has no such step.
        """
        return {verdict.step: verdict for verdict in self.verdicts}[key]

    @property
    def judged(self) -> Sequence[tuple[Step, Verdict]]:
        """Return the steps with their verdicts, in order."""
        return list(zip(self.steps, self.verdicts, strict=True))
