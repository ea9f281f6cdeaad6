"""What a run of the bench measures, and how far it runs."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evals.bench.contenders import System
from evals.bench.world import Kind

MARKS = (10, 50, 200)
"""Step counts at which the live bytes are taken, besides the end of a run."""

_WINDOW = 50


@dataclass(frozen=True)
class Course:
    """Say how far to run.

    Attributes:
        turns: of each thread, two at least.
        per_turn: steps in one turn of the person.
        warm_up: turns in other threads before anything is measured.
        purchases: how many are bought to learn what one costs.
    """

    turns: int = 20
    per_turn: int = 10
    warm_up: int = 2
    purchases: int = 20

    @property
    def steps(self) -> int:
        """Return the steps of each thread."""
        return self.turns * self.per_turn

    @property
    def marks(self) -> list[int]:
        """Return two or more step counts, ends of turns all, at which live bytes are taken."""
        halfway = self.turns // 2 * self.per_turn
        fixed = {mark for mark in MARKS if mark < self.steps and mark % self.per_turn == 0}
        return sorted((fixed or {halfway}) | {self.steps})

    @property
    def window(self) -> int:
        """Return how many steps at the beginning, and at the end, the medians are of."""
        return min(_WINDOW, self.steps // 2)

    @property
    def window_turns(self) -> int:
        """Return how many turns these steps fill, one at least."""
        return max(1, self.window // self.per_turn)


@dataclass
class Figures:
    """What was measured of one contender.

    Attributes:
        step_ms: of each step, from the model's decision to its next one.
        rest_ms: of each turn, what is before the first decision and after the last.
        cpu_ms: of each turn, processor time of this process; a loaded machine changes it little.
        super_steps: of each step, from decision to decision.
        commits: writing commits of each turn.
        transactions: committed in the whole run, reads included.
        live: step count to live bytes by table.
    """

    system: System
    kind: Kind
    step_ms: list[float] = field(default_factory=list)
    rest_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    super_steps: list[int] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)
    transactions: int = 0
    live: dict[int, Mapping[str, int]] = field(default_factory=dict)

    def early_ms(self, course: Course) -> float:
        """Return the median step of the first window."""
        return statistics.median(self.step_ms[: course.window])

    def late_ms(self, course: Course) -> float:
        """Return the median step of the last window."""
        return statistics.median(self.step_ms[-course.window :])

    def late_rest_ms(self, course: Course) -> float:
        """Return the median rest of a turn in the last window."""
        return statistics.median(self.rest_ms[-course.window_turns :])

    def early_rest_ms(self, course: Course) -> float:
        """Return the median rest of a turn in the first window."""
        return statistics.median(self.rest_ms[: course.window_turns])

    def late_cpu_ms(self, course: Course) -> float:
        """Return the median processor time per step in the last window, with the turn's share."""
        return statistics.median(self.cpu_ms[-course.window_turns :]) / course.per_turn

    def commits_per_step(self, course: Course) -> float:
        """Return the median of writing commits per step, with the turn's share."""
        return statistics.median(self.commits) / course.per_turn

    def live_per_step(self, mark: int) -> float:
        """Return the live bytes per step at a step count."""
        return sum(self.live[mark].values()) / mark


@dataclass(frozen=True)
class Report:
    """All figures of a run.

    Attributes:
        sync_ms: what it costs to make 8 kB durable where the database stands, before and after.
        round_trip_ms: what the smallest query costs.
        purchase_ms: processor time of the serving process for one purchase.
        durable_ms: of an automatic write as a step of DBOS; None where that is not installed.
    """

    course: Course
    figures: Sequence[Figures]
    sync_ms: tuple[float, float]
    round_trip_ms: float
    purchase_ms: float
    durable_ms: float | None = None

    def of(self, system: System, kind: Kind) -> Figures:
        """Return the figures of one contender."""
        return next(f for f in self.figures if (f.system, f.kind) == (system, kind))
