"""How well the checks find faults: put into clean trajectories, one at a time, and looked for."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from daybook.app.grading.checks import OF_ANSWERS
from daybook.app.grading.grading import grade
from daybook.app.grading.steps.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Grade
from evals.steps.faults.classes import FAULTS
from evals.steps.faults.fault import Fault, Ground, Mutant, mutants
from evals.steps.faults.mistaken import MISTAKEN

DETECTED = 0.95
"""Share of the faults of a class that must be found."""

ALARMS = 0.02
"""Share of right steps on which a check may find something."""

_MOST = 3
"""Places of one trajectory into which a fault of a class is put, each time one."""

_SHOWN = 5


@dataclass
class Rate:
    """Count how many of how many.

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
        if example and len(self.examples) < _SHOWN:
            self.examples.append(example)


@dataclass(frozen=True)
class Row:
    """What came of one class of faults.

    Attributes:
        detected: faults that the check found, at the step where they were put in.
        alarms: of the steps of clean trajectories at which the same check looks, those on which it
            found something.
        beside: of the other steps of the mutants, those on which any check found something that it
            does not find without the fault, and that are not tainted by it. That a step before the
            faulty one is no longer needed is true: a fault takes a use away.
    """

    fault: Fault
    detected: Rate
    alarms: Rate
    beside: Rate

    @property
    def is_found(self) -> bool:
        """Tell whether enough of the faults were found; of a class without a place none were."""
        return (self.detected.share or 0.0) >= DETECTED

    @property
    def is_quiet(self) -> bool:
        """Tell whether the checks say little enough of right steps."""
        return (self.alarms.share or 0.0) <= ALARMS and (self.beside.share or 0.0) <= ALARMS


def validated(
    trajectories: Sequence[Trajectory],
    positions: Mapping[str, frozenset[str]],
    seed: int,
    most: int = _MOST,
    faults: Sequence[Fault] = (*FAULTS, *MISTAKEN),
) -> list[Row]:
    """Put every class of faults into clean trajectories, and look for them.

    Args:
        positions: flow position to the tools that are offered there.
        most: places of one trajectory into which a fault of a class is put.
    """
    grades = [grade(trajectory) for trajectory in trajectories]
    alarms = {check: _alarms(grades, check) for check in Check}
    rows = []
    for fault in faults:
        detected, beside = Rate(), Rate()
        for number, (trajectory, clean) in enumerate(zip(trajectories, grades, strict=True)):
            donors = [
                step
                for other in trajectories
                if other.thread_id != trajectory.thread_id
                for step in other.steps
            ]
            # By its place: an id differs in every run, and the same seed draws the same faults.
            chance = random.Random(f"{seed} {fault.name} {number}")
            for mutant in mutants(fault, Ground(trajectory, positions, donors), chance, most):
                _look(fault, mutant, clean, detected, beside)
        tainting = alarms[Check.ALLOWED] if fault.check is None else alarms[fault.check]
        rows.append(Row(fault, detected, tainting, beside))
    return rows


def _look(fault: Fault, mutant: Mutant, clean: Grade, detected: Rate, beside: Rate) -> None:
    graded = grade(mutant.trajectory)
    is_found = _is_found(fault, mutant, graded, clean)
    detected.count(is_found, "" if is_found else _told(mutant, mutant.faulty))
    before = {(verdict.step, one.check) for verdict in clean.verdicts for one in verdict.findings}
    is_behind = False
    for step, verdict in graded.judged:
        is_behind = is_behind or step.key == mutant.faulty
        if step.key in (mutant.faulty, mutant.tainted) or verdict.is_tainted:
            continue
        new = [
            one
            for one in verdict.findings
            if (step.key, one.check) not in before and (is_behind or one.check is not Check.NEEDED)
        ]
        beside.count(bool(new), f"{_told(mutant, step.key)}: {new[0].why}" if new else "")


def _is_found(fault: Fault, mutant: Mutant, graded: Grade, clean: Grade) -> bool:
    if fault.check is not None:
        found = {one.check for one in graded.of(mutant.faulty).findings}
        return fault.check in found and graded.of(mutant.faulty).score < 1
    # Tainted, and not wrong; and it is known where it began, but for false alarms before it.
    built_on_it = graded.of(mutant.tainted)
    alarms = [one.step for one in clean.verdicts if one.score == -1]
    wrong = [one.step for one in graded.verdicts if one.score == -1 and one.step not in alarms]
    return (
        wrong[:1] == [mutant.faulty]
        and mutant.faulty in built_on_it.tainted_by
        and built_on_it.score == 0
    )


def _alarms(grades: Sequence[Grade], check: Check) -> Rate:
    rate = Rate()
    for graded in grades:
        for step, verdict in graded.judged:
            if (step.kind == "answer") != (check in OF_ANSWERS):
                # It cannot find anything there.
                continue
            found = [one for one in verdict.findings if one.check is check]
            rate.count(bool(found), f"{_named(graded, step)}: {found[0].why}" if found else "")
    return rate


def _named(graded: Grade, step: Step) -> str:
    return f"{graded.thread_id} {step.key} {step.tool}"


def _told(mutant: Mutant, key: str) -> str:
    step = mutant.trajectory.step(key)
    return f"{mutant.trajectory.thread_id} {key} {step.tool} {dict(step.args)}"
