"""Measurements over all threads of a tenant: current state and durations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from psycopg.rows import DictRow

from daybook.checkpoints.pool import Pool, each_of, rows_of
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.checkpoints.statements import statements

_SQL = statements("measures.sql")

_SILENCE = timedelta(seconds=30)
"""A worker that is silent for longer is not alive; it reports every few seconds."""

LAG = timedelta(seconds=35)
"""How long a page of the ledger may take to be seen: longer than a transaction is allowed to."""

_ATTEMPT_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_DECISION_SECONDS = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14400.0, 86400.0)


class Now(NamedTuple):
    """How things stand: the rows of the statements of measures.sql."""

    steps: list[DictRow]
    approvals: list[DictRow]
    threads: list[DictRow]
    jobs: list[DictRow]
    runners: list[DictRow]
    workers: list[DictRow]
    notifications: list[DictRow]


async def measured_now(pool: Pool) -> Now:
    """Read how things stand."""
    found = await each_of(
        pool,
        (_SQL["open_steps"], None),
        (_SQL["approvals"], None),
        (_SQL["threads"], None),
        (_SQL["jobs"], None),
        (_SQL["runners"], {"most_tries": MOST_TRIES}),
        (_SQL["workers"], {"silence": _SILENCE}),
        (_SQL["notifications"], None),
    )
    return Now(*found)


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
        decisions: by no tool and what was decided.
        usage: of models, by their name and whether it is estimated: calls, input, cached, output.
    """

    until: datetime | None = None
    turns: Counter[str] = field(default_factory=Counter)
    attempts: dict[tuple[str, str], Durations] = field(default_factory=dict)
    decisions: dict[tuple[str, str], Durations] = field(default_factory=dict)
    usage: dict[tuple[str, bool], Counter[str]] = field(default_factory=dict)

    async def bring_up(self, pool: Pool, lag: timedelta) -> None:
        """Add what has happened since it was brought up last.

        Args:
            lag: entries that are younger are left for the next time.
        """
        [row] = await rows_of(pool, _SQL["until"], {"lag": lag})
        about: dict[str, Any] = {"after": self.until, "until": row["until"]}
        turns, usage, attempts, decisions = await each_of(
            pool,
            (_SQL["turns"], about),
            (_SQL["usage"], about),
            (_SQL["attempts"], {**about, "bounds": list(_ATTEMPT_SECONDS)}),
            (_SQL["decisions"], {**about, "bounds": list(_DECISION_SECONDS)}),
        )
        for row in turns:
            self.turns[row["event"]] += row["turns"]
        for row in usage:
            counts = self.usage.setdefault((row["model"], row["is_estimated"]), Counter())
            counts.update({name: row[name] for name in ("calls", "input", "cached", "output")})
        for totals, bounds, rows in (
            (self.attempts, _ATTEMPT_SECONDS, attempts),
            (self.decisions, _DECISION_SECONDS, decisions),
        ):
            for row in rows:
                durations = totals.setdefault((row["tool"], row["name"]), Durations(bounds))
                durations.times[row["bucket"]] += row["times"]
                durations.seconds += row["seconds"]
        self.until = about["until"]
