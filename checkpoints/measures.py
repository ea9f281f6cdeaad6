"""What is measured over all threads of a tenant: how it stands now, and how long things took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from psycopg.rows import DictRow

from daybook.checkpoints.pool import Pool, each_of, rows_of
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.checkpoints.statements import statements

_SQL = statements("measures.sql")

_SILENCE = timedelta(seconds=30)
"""A worker that says nothing for longer is not alive; it says something every few seconds."""

LAG = timedelta(seconds=35)
"""How long a page of the ledger may take to be seen: longer than a transaction is allowed to."""

ATTEMPT_BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds."""

DECISION_BOUNDS = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14400.0, 86400.0)
"""Seconds."""


@dataclass(frozen=True)
class Standing:
    """How many there are of something, and how long the oldest has stood so, in seconds."""

    count: int
    oldest: float


@dataclass(frozen=True)
class Now:
    """How things stand.

    Attributes:
        steps: by tool and state; those that somebody has to look after.
        approvals: by the role that must decide.
        threads: by status.
        runners: at_work, silent, given_up.
        workers: that are alive.
        worker_silence: seconds since any worker said something; None where there never was one.
        jobs: by status: todo, doing.
    """

    steps: dict[tuple[str, str], Standing]
    approvals: dict[str, Standing]
    threads: dict[str, int]
    runners: dict[str, int]
    workers: int
    worker_silence: float | None
    jobs: dict[str, int]


@dataclass
class Durations:
    """A histogram: how often something took how long.

    Attributes:
        bounds: upper bounds of its buckets, in seconds; one more bucket is above them.
        times: how often, by bucket.
        seconds: all of them together.
    """

    bounds: Sequence[float]
    times: Counter[int] = field(default_factory=Counter)
    seconds: float = 0.0

    def cumulated(self) -> list[tuple[str, float]]:
        """Return how often it took at most so long, by bound; the last one is +Inf."""
        names = [*(repr(bound) for bound in self.bounds), "+Inf"]
        counts = [sum(self.times[i] for i in range(n + 1)) for n in range(len(names))]
        return [(name, float(count)) for name, count in zip(names, counts, strict=True)]


@dataclass
class Totals:
    """What has happened so far, up to `until` (UTC).

    Attributes:
        turns: received and turn_done.
        attempts: by tool and outcome.
        decisions: by what was decided.
    """

    until: datetime | None = None
    turns: Counter[str] = field(default_factory=Counter)
    attempts: dict[tuple[str, str], Durations] = field(default_factory=dict)
    decisions: dict[str, Durations] = field(default_factory=dict)


class Measures:
    """Measure one tenant's threads."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def now(self) -> Now:
        """Read how things stand."""
        steps, approvals, threads, jobs, [runners], [workers] = await each_of(
            self._pool,
            (_SQL["open_steps"], None),
            (_SQL["approvals"], None),
            (_SQL["threads"], None),
            (_SQL["jobs"], None),
            (_SQL["runners"], {"most_tries": MOST_TRIES}),
            (_SQL["workers"], {"silence": _SILENCE}),
        )
        return Now(
            steps={
                (row["tool"], row["state"]): Standing(row["steps"], row["oldest"]) for row in steps
            },
            approvals={
                row["decided_by"]: Standing(row["plans"], row["oldest"]) for row in approvals
            },
            threads={row["status"]: row["threads"] for row in threads},
            runners=dict(runners),
            workers=workers["alive"],
            worker_silence=workers["silent"],
            jobs={row["status"]: row["jobs"] for row in jobs},
        )

    async def bring_up(self, totals: Totals, lag: timedelta = LAG) -> None:
        """Add to the totals what has happened since they were brought up last.

        Args:
            lag: entries that are younger are left for the next time.
        """
        [row] = await rows_of(self._pool, _SQL["until"], {"lag": lag})
        about = {"after": totals.until, "until": row["until"]}
        turns, attempts, decisions = await each_of(
            self._pool,
            (_SQL["turns"], about),
            (_SQL["attempts"], {**about, "bounds": list(ATTEMPT_BOUNDS)}),
            (_SQL["decisions"], {**about, "bounds": list(DECISION_BOUNDS)}),
        )
        for row in turns:
            totals.turns[row["event"]] += row["turns"]
        for row in attempts:
            _add(totals.attempts, (row["tool"], row["name"]), ATTEMPT_BOUNDS, row)
        for row in decisions:
            _add(totals.decisions, row["name"], DECISION_BOUNDS, row)
        totals.until = about["until"]


def _add(totals: dict[Any, Durations], name: Any, bounds: Sequence[float], row: DictRow) -> None:
    durations = totals.setdefault(name, Durations(bounds))
    durations.times[row["bucket"]] += row["times"]
    durations.seconds += row["seconds"]
