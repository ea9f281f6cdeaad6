"""Put faults into right trajectories, one at a time, look for each with the checks, and tell."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich.console import Console

from daybook import open_postgres
from daybook.app.grading.checks import Check
from daybook.app.grading.grade import Grade, Verdict, grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Trajectory
from daybook.checkpoints.migrate import migrate
from evals.report import table
from evals.steps.faults import FAULTS, Fault, Mutant, mutants
from evals.tau_retail.chaos import name_of, open_arena
from evals.tau_retail.data import EXACT, Script, find, scripts_of
from evals.tau_retail.domain import retail_domain
from evals.tau_retail.judge import stratified
from evals.tau_retail.outside import open_ground

_AT_ONCE = 4


async def replay(count: int, seed: int) -> list[Trajectory]:
    """Replay runs that reached what their task wanted, and read what was done in them.

    Args:
        count: runs at most, chosen by who recorded them and by their writes.

    Raises:
        DaybookError: the recordings are not there.
    """
    data = find()
    reached = [one for one in scripts_of(data, EXACT) if one.gold is not None]
    chosen = stratified(reached, count, seed)
    domain, turns = retail_domain(data.tools, data.policy), asyncio.Semaphore(_AT_ONCE)
    async with open_ground(data) as ground:
        database = await ground.server.new_database("steps")
        await migrate(database)
        async with (
            open_arena(database, ground.retailer) as arena,
            open_postgres(
                database, tenant_id="default", stored_types=domain.restored_types
            ) as postgres,
        ):

            async def one(script: Script) -> Trajectory:
                async with turns:
                    await arena.trial(script)
                    return await read_trajectory(postgres, domain, name_of(script))

            return await asyncio.gather(*map(one, chosen))


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


_MISSED = "MISSED"


def show_verdicts(grades: Sequence[Grade], console: Console) -> None:
    """Print how many steps are right, for nothing and wrong, and the findings of each check."""
    verdicts = [verdict for graded in grades for verdict in graded.verdicts]
    scores = Counter(verdict.score for verdict in verdicts)
    wasted = sum(graded.wasted_tokens for graded in grades)
    tokens = sum(graded.tokens for graded in grades)
    console.print(
        f"{len(grades):,} threads, {len(verdicts):,} steps: {scores[1]:,} right (+1), "
        f"{scores[0]:,} neither (0), {scores[-1]:,} wrong (-1); "
        f"{wasted:,} of {tokens:,} prompt tokens wasted."
    )
    rows = []
    for check in Check:
        found = [
            (verdict, one) for verdict in verdicts for one in verdict.findings if one.check is check
        ]
        wrong = sum(one.is_wrong for _, one in found)
        example = f"{found[0][0].step}: {found[0][1].why}" if found else ""
        rows.append((check.value, wrong, len(found) - wrong, example[:90]))
    console.print(table(("check", "wrong", "doubtful", "an example"), rows))


def show_validation(
    name: str, rows: Sequence[Row], clean: Rate, console: Console, *, is_right: bool = True
) -> bool:
    """Print recall and precision for each class of faults; return whether thresholds are kept.

    Args:
        clean: findings on the trajectories without a fault.
        is_right: the trajectories are known to be right. Otherwise findings on them are shown and
            count for nothing, and a class may have no place in them.
    """
    console.print(
        f"\n{name}: at least {RECALL:.0%} of the faults of each class must be found, with findings "
        f"on at most {ALARMS:.0%} of the right steps.\n"
        f"Without a fault: findings on {clean.hits:,} of {clean.of:,} steps."
    )
    titles = ("fault", "check", "put in", "found", "recall", "alarms", "precision", "")
    lines = []
    is_kept = not is_right or (clean.share or 0.0) <= ALARMS
    for row in rows:
        has_place = bool(row.found.of)
        mark = ("" if row.is_kept else _MISSED) if has_place else "no place"
        is_kept = is_kept and (not mark or (not has_place and not is_right))
        line = (
            row.fault.name,
            row.fault.check.value,
            row.found.of,
            row.found.hits,
            _share(row.found.share),
            f"{row.alarms.hits} of {row.alarms.of:,}",
            _share(row.precision),
            mark,
        )
        lines.append(line)
    console.print(table(titles, lines))
    for example in clean.examples:
        console.print(f"  without a fault: {example}", soft_wrap=True, markup=False)
    for row in rows:
        for example in (*row.found.examples, *row.alarms.examples):
            console.print(f"  {row.fault.name}: {example}", soft_wrap=True, markup=False)
    return is_kept


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"
