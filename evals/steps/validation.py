"""Measure the checks: put faults into right trajectories, one at a time, and look for them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from daybook.app.grading.grade import Grade, Verdict, grade
from daybook.app.grading.trajectory import Trajectory
from evals.steps.faults import FAULTS, Fault, Mutant, mutants

RECALL = 0.95
"""The share of the faults of a class that must be found."""

ALARMS = 0.02
"""The share of right steps on which the checks may find something."""

_MOST = 3
"""Mutants of one trajectory for each class of faults."""

_EXAMPLES = 10


@dataclass
class Rate:
    """Hits of a number of trials.

    Attributes:
        examples: the first of those that should not be, in words.
    """

    hits: int = 0
    of: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def share(self) -> float | None:
        """Return the share; None where there were none."""
        return self.hits / self.of if self.of else None

    def count(self, is_hit: bool, example: str = "") -> None:
        """Count one."""
        self.of += 1
        self.hits += is_hit
        if example and len(self.examples) < _EXAMPLES:
            self.examples.append(example)


@dataclass(frozen=True)
class Row:
    """The result of one class of faults.

    Attributes:
        found: faults that their check found, at the step where they were put in.
        alarms: of the other steps of the mutants, those on which any check found something that it
            does not find without the fault.
    """

    fault: Fault
    found: Rate
    alarms: Rate

    @property
    def precision(self) -> float | None:
        """Return the share of what was found that is a fault; None where nothing was found."""
        findings = self.found.hits + self.alarms.hits
        return self.found.hits / findings if findings else None

    @property
    def is_kept(self) -> bool:
        """Tell whether the thresholds are kept; a class without a place keeps none."""
        return (self.found.share or 0.0) >= RECALL and (self.alarms.share or 0.0) <= ALARMS


def validate(
    trajectories: Sequence[Trajectory],
    positions: Mapping[str, frozenset[str]],
    seed: int,
    most: int = _MOST,
) -> list[Row]:
    """Put every class of faults into right trajectories, and look for them.

    Args:
        positions: flow position to the tools that are offered there.
        most: mutants of one trajectory for each class of faults.
    """
    grades = [grade(trajectory) for trajectory in trajectories]
    rows = []
    for fault in FAULTS:
        row = Row(fault, Rate(), Rate())
        for number, (trajectory, clean) in enumerate(zip(trajectories, grades, strict=True)):
            # By its number: an id differs in every run, and the same seed draws the same faults.
            chance = random.Random(f"{seed} {fault.name} {number}")
            for mutant in mutants(fault, trajectory, positions, chance, most):
                _look(row, mutant, clean)
        rows.append(row)
    return rows


def alarms_on(grades: Sequence[Grade]) -> Rate:
    """Count the findings on trajectories that are right.

    A step that came to nothing (refused, failed, rejected by the approver) is no right step.
    """
    rate = Rate()
    for graded in grades:
        for step, verdict in graded.judged:
            if step.outcome == "done":
                why = "; ".join(one.why for one in verdict.findings)
                rate.count(bool(why), f"{step.key} {step.tool}: {why}" if why else "")
    return rate


def _look(row: Row, mutant: Mutant, clean: Grade) -> None:
    graded = grade(mutant.trajectory)
    verdict = graded.of(mutant.faulty)
    is_found = row.fault.check in {one.check for one in verdict.findings} and verdict.score < 1
    row.found.count(is_found, "" if is_found else _described(mutant, mutant.faulty))
    before = {(verdict.step, one.check) for verdict in clean.verdicts for one in verdict.findings}
    for verdict in graded.verdicts:
        if verdict.step == mutant.faulty:
            continue
        new = [one for one in verdict.findings if (verdict.step, one.check) not in before]
        new = [] if _goes_with(mutant, verdict) else new
        row.alarms.count(
            bool(new), f"{_described(mutant, verdict.step)}: {new[0].why}" if new else ""
        )


def _goes_with(mutant: Mutant, verdict: Verdict) -> bool:
    """Tell whether a step was put in with the fault, such as the question before a call."""
    return verdict.step.rstrip("<>") != verdict.step


def _described(mutant: Mutant, key: str) -> str:
    step = mutant.trajectory.step(key)
    return f"{mutant.trajectory.thread_id} {key} {step.tool} {dict(step.args)}"
