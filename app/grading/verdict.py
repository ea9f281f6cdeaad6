"""What a step is judged to be, and a thread with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

from daybook.app.grading.steps.trajectory import Step

Score: TypeAlias = Literal[1, 0, -1]


class Check(StrEnum):
    """What is looked at; each is a module of `daybook.app.grading.checks`."""

    ALLOWED = "allowed"
    VALID = "valid"
    GROUNDED = "grounded"
    FRESH = "fresh"
    APPROVED = "approved"
    DUPLICATE = "duplicate"
    REPEATED = "repeated"
    NEEDED = "needed"
    DECLARED = "declared"
    SAID = "said"
    ASKED = "asked"


@dataclass(frozen=True)
class Finding:
    """Say what a check found wrong with a step.

    Attributes:
        why: in words, for people.
        is_wrong: it makes the step wrong; else the step was for nothing, and did no harm.
    """

    check: Check
    why: str
    is_wrong: bool = True


@dataclass(frozen=True)
class Verdict:
    """Say what a step is judged to be.

    Attributes:
        step: its key.
        score: 1 where it did what was to be done; -1 where a finding makes it wrong; 0 where it did
            neither harm nor good, is built on a wrong step, or cannot be judged.
        findings: what the checks found, in their order.
        tainted_by: keys of the wrong or tainted steps whose result, handle or change it is built
            on.
        why: why it is scored so, in one line.
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


@dataclass(frozen=True)
class Grade:
    """The verdicts on a thread's steps.

    Attributes:
        steps: those that were judged, in order.
        verdicts: one for each step, in the same order.
        root_cause: key of the first wrong step, or None.
        wasted_tokens: of the prompts of decisions all of whose calls were wrong or tainted.
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
        for verdict in self.verdicts:
            if verdict.step == key:
                return verdict
        raise KeyError(key)

    @property
    def judged(self) -> Sequence[tuple[Step, Verdict]]:
        """Return the steps with their verdicts, in order."""
        return list(zip(self.steps, self.verdicts, strict=True))
