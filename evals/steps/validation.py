"""Put faults into right trajectories, one at a time, look for each with the checks, and tell."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console

from daybook import open_postgres
from daybook.app.grading.grade import Grade, Trajectory, grade
from daybook.app.grading.history import read_trajectory
from daybook.checkpoints.migrate import migrate
from evals.report import table
from evals.steps.faults import FAULTS, Fault, Mutant, mutants
from evals.tau_retail.chaos import name_of, open_arena
from evals.tau_retail.data import EXACT, Script, find, scripts_of
from evals.tau_retail.domain import retail_domain
from evals.tau_retail.judge import stratified
from evals.tau_retail.outside import open_ground

RECALL = 0.95
"""The share of the faults of a class that must be found."""

ALARMS = 0.02
"""The share of right steps on which the checks may find something."""

_MOST = 3
"""Mutants of one trajectory for each class of faults."""

_AT_ONCE = 4
_EXAMPLES = 10


async def replay(count: int, seed: int) -> list[Trajectory]:
    """Replay runs that reached what their task wanted, and read what was done in them.

    Args:
        count: runs at most, chosen by who recorded them and by their writes.

    Raises:
        DaybookError: the recordings are not there.
    """
    data = find()
    reached = [one for one in scripts_of(data, EXACT) if one.gold is not None]
    domain, turns = retail_domain(data.tools, data.policy), asyncio.Semaphore(_AT_ONCE)
    stored = domain.restored_types
    async with open_ground(data) as ground:
        database = await ground.server.new_database("steps")
        await migrate(database)
        async with open_postgres(database, tenant_id="default", stored_types=stored) as postgres:
            with open_arena(database, ground.retailer) as arena:

                async def one(script: Script) -> Trajectory:
                    async with turns:
                        await arena.trial(script)
                        return await read_trajectory(postgres, domain, name_of(script))

                return await asyncio.gather(*map(one, stratified(reached, count, seed)))


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
    def share(self) -> float:
        """Return the share; 0 where there were none."""
        return self.hits / self.of if self.of else 0.0

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
    found: Rate = field(default_factory=Rate)
    alarms: Rate = field(default_factory=Rate)

    @property
    def precision(self) -> float:
        """Return the share of what was found that is a fault; 0 where nothing was found."""
        findings = self.found.hits + self.alarms.hits
        return self.found.hits / findings if findings else 0.0

    @property
    def is_kept(self) -> bool:
        """Tell whether the thresholds are kept; a class without a place keeps none."""
        return self.found.share >= RECALL and self.alarms.share <= ALARMS


def validate(
    trajectories: Sequence[Trajectory], positions: Mapping[str, frozenset[str]], seed: int
) -> list[Row]:
    """Put every class of faults into right trajectories, and look for them.

    Args:
        positions: flow position to the tools that are offered there.
    """
    grades = [grade(trajectory) for trajectory in trajectories]
    rows = [Row(fault) for fault in FAULTS]
    for row in rows:
        for number, (trajectory, clean) in enumerate(zip(trajectories, grades, strict=True)):
            # By its number: an id differs in every run, and the same seed draws the same faults.
            chance = random.Random(f"{seed} {row.fault.name} {number}")
            for mutant in mutants(row.fault, trajectory, positions, chance, _MOST):
                _look(row, mutant, clean)
    return rows


def alarms_on(grades: Sequence[Grade]) -> Rate:
    """Count the findings on trajectories that are right.

    A step that came to nothing (refused, failed, rejected by the approver) is no right step.
    """
    rate = Rate()
    for graded in grades:
        for step, _, findings, _ in graded.verdicts:
            if step.outcome == "done":
                why = "; ".join(one.why for one in findings)
                rate.count(bool(why), f"{step.key} {step.tool}: {why}" if why else "")
    return rate


def _look(row: Row, mutant: Mutant, clean: Grade) -> None:
    before = {(one.step.key, found.check) for one in clean.verdicts for found in one.findings}
    for step, score, findings, _ in grade(mutant.trajectory).verdicts:
        described = f"{mutant.trajectory.thread_id} {step.key} {step.tool} {dict(step.args)}"
        if step.key == mutant.faulty:
            is_found = row.fault.check in {one.check for one in findings} and score < 1
            row.found.count(is_found, "" if is_found else described)
            continue
        # What was put in with the fault, such as the question before a call, is no alarm.
        is_put_in = step.key.rstrip("<>") != step.key
        new = [one.why for one in findings if (step.key, one.check) not in before and not is_put_in]
        row.alarms.count(bool(new), f"{described}: {new[0]}" if new else "")


def show_verdicts(grades: Sequence[Grade], to: Console) -> None:
    """Print how many steps are right, for nothing and wrong."""
    verdicts = [verdict for graded in grades for verdict in graded.verdicts]
    scores = Counter(verdict.score for verdict in verdicts)
    wasted, tokens = (sum(g.wasted_tokens for g in grades), sum(g.tokens for g in grades))
    to.print(
        f"{len(grades):,} threads, {len(verdicts):,} steps: {scores[1]:,} right (+1), "
        f"{scores[0]:,} neither (0), {scores[-1]:,} wrong (-1); "
        f"{wasted:,} of {tokens:,} prompt tokens wasted."
    )


def show_validation(rows: Sequence[Row], clean: Rate, to: Console) -> bool:
    """Print recall and precision for each class of faults; return whether thresholds are kept.

    Args:
        clean: findings on the trajectories without a fault.
    """
    to.print(f"Without a fault: findings on {clean.hits:,} of {clean.of:,} steps.")
    lines = [
        (
            *(row.fault.name, row.fault.check, row.found.of, row.found.hits),
            f"{row.found.share:.3f}",
            f"{row.alarms.hits} of {row.alarms.of:,}",
            f"{row.precision:.3f}",
            "" if row.is_kept else "MISSED",
        )
        for row in rows
        if row.found.of
    ]
    to.print(
        table(("fault", "check", "put in", "found", "recall", "alarms", "precision", ""), lines)
    )
    for name, rate in [("without a fault", clean), *((r.fault.name, r.found) for r in rows)]:
        for example in rate.examples:
            to.print(f"  {name}: {example}", soft_wrap=True, markup=False)
    return clean.share <= ALARMS and all(row.is_kept for row in rows)
