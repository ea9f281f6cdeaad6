"""Metrics in the form of Prometheus: at /metrics of the server, and by `daybook metrics`.

Read from Postgres when they are asked for: every process tells the same of the whole database, so
scrape one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from daybook.app.output import tell
from daybook.app.server.refusals import REFUSALS, denied, refusal
from daybook.app.server.sign_in import signed_in
from daybook.checkpoints.measures import LAG, Measures, Now, Totals
from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database
from daybook.graph.serve import all_at_work
from daybook.graph.settings.environment import Settings
from daybook.state.errors import ChainBroken, LedgerError, NotSignedIn
from daybook.state.ledger.recovery import TERMINAL, StepState
from daybook.state.people.rules import DeclaredTool
from daybook.state.session import ROLES

_CHECKED_AT_ONCE = 20
"""Threads whose chains are checked at each scrape, one after the other through all of them."""

_STATUSES = ("active", "waiting", "idle", "closed")


@dataclass
class ChainCheck:
    """What is known of the chains so far.

    Attributes:
        faults: thread to "chain" (an entry was changed) or "projection" (what is beside it).
        checked: threads, each time that one was.
        passed_at: UTC; when all threads had been checked last.
    """

    faults: dict[str, str] = field(default_factory=dict)
    checked: int = 0
    passed_at: datetime | None = None
    _left: AsyncIterator[str] | None = None

    async def go_on(self, postgres: Postgres, most: int | None) -> None:
        """Check so many threads more, or all that are left of this pass."""
        if self._left is None:
            self._left = postgres.ledger.thread_ids()
        count = 0
        while most is None or count < most:
            thread_id = await anext(self._left, None)
            if thread_id is None:
                self._left, self.passed_at = None, postgres.clock.now()
                return
            count += 1
            self.checked += 1
            try:
                await postgres.ledger.verify(thread_id)
                self.faults.pop(thread_id, None)
            except LedgerError as error:
                kind = "chain" if isinstance(error, ChainBroken) else "projection"
                self.faults[thread_id] = kind


class Scraper:
    """Measure a database for as long as a process lives: each time only what is new."""

    def __init__(self, postgres: Postgres, lag: timedelta = LAG) -> None:
        """Begin to measure.

        Args:
            lag: how long an entry may take to be seen.
        """
        self.postgres, self._lag = postgres, lag
        self._measures = Measures(postgres.pool)
        self._totals = Totals()
        self._check = ChainCheck()
        self._lock = asyncio.Lock()

    async def scrape(self, most: int | None = _CHECKED_AT_ONCE) -> CollectorRegistry:
        """Measure; check the chains of so many threads more, or of all that are left."""
        async with self._lock:
            await self._check.go_on(self.postgres, most)
            await self._measures.bring_up(self._totals, self._lag)
            now, declared = await self._measures.now(), await self.postgres.rules.declared()
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Measured(now, self._totals, self._check, declared))
        return registry


@dataclass(frozen=True, eq=False)
class _Measured(Collector):
    """Give what was measured to Prometheus' own writer."""

    now: Now
    totals: Totals
    check: ChainCheck
    declared: Sequence[DeclaredTool]

    def collect(self) -> Iterator[Metric]:
        yield from self._steps()
        yield from self._people()
        yield from self._processes()
        yield from self._past()
        yield from self._chains()

    def _steps(self) -> Iterator[Metric]:
        kinds = {one.tool: one.about["kind"] for one in self.declared if one.is_effect}
        steps = GaugeMetricFamily(
            "daybook_open_steps",
            "Steps that somebody has to look after: in_doubt and stuck wait for a person.",
            labels=("domain", "tool", "state"),
        )
        oldest = GaugeMetricFamily(
            "daybook_open_step_oldest_age_seconds",
            "How long the oldest open step has stood in its state.",
            labels=("state",),
        )
        holds = GaugeMetricFamily(
            "daybook_holds_open",
            "What was taken and must be given back or used: hybrids of plans that are not over.",
            labels=("domain", "tool"),
        )
        states = [state.value for state in StepState if state not in TERMINAL]
        counts = {key: standing.count for key, standing in self.now.steps.items()}
        known = {(tool, state) for tool in kinds for state in states}
        for tool, state in sorted(known | counts.keys()):
            steps.add_metric((self._of(tool), tool, state), counts.get((tool, state), 0))
        for state in states:
            ages = [s.oldest for (_, one), s in self.now.steps.items() if one == state]
            oldest.add_metric((state,), max(ages, default=0))
        for name, kind in sorted(kinds.items()):
            if kind == "hybrid":
                taken = [n for (tool, s), n in counts.items() if tool == name and s in _TAKEN]
                holds.add_metric((self._of(name), name), sum(taken))
        yield from (steps, oldest, holds)

    def _of(self, tool: str) -> str:
        """Return the program that has declared a tool, or several."""
        return "+".join(one.program for one in self.declared if one.tool == tool)

    def _people(self) -> Iterator[Metric]:
        waiting = GaugeMetricFamily(
            "daybook_approvals_waiting", "Plans that wait for a decision.", labels=("role",)
        )
        oldest = GaugeMetricFamily(
            "daybook_approval_oldest_age_seconds",
            "How long the oldest of them has waited.",
            labels=("role",),
        )
        for role in sorted({*ROLES, *self.now.approvals}):
            standing = self.now.approvals.get(role)
            waiting.add_metric((role,), standing.count if standing else 0)
            oldest.add_metric((role,), standing.oldest if standing else 0)
        threads = GaugeMetricFamily("daybook_threads", "Threads by status.", labels=("status",))
        for status in _STATUSES:
            threads.add_metric((status,), self.now.threads.get(status, 0))
        yield from (waiting, oldest, threads)

    def _processes(self) -> Iterator[Metric]:
        runners = GaugeMetricFamily(
            "daybook_runners",
            "Threads that are run: at_work, silent (to be taken over), given_up by the workers.",
            labels=("state",),
        )
        for state, count in sorted(self.now.runners.items()):
            runners.add_metric((state,), count)
        jobs = GaugeMetricFamily("daybook_jobs", "Jobs of the workers.", labels=("status",))
        for status in ("todo", "doing"):
            jobs.add_metric((status,), self.now.jobs.get(status, 0))
        yield from (runners, jobs)
        yield GaugeMetricFamily("daybook_workers", "Workers that are alive.", self.now.workers)
        if self.now.worker_silence is not None:
            yield GaugeMetricFamily(
                "daybook_worker_silence_seconds",
                "Time since any worker said something.",
                self.now.worker_silence,
            )

    def _past(self) -> Iterator[Metric]:
        turns = CounterMetricFamily("daybook_turns", "Turns begun and done.", labels=("event",))
        for event in ("received", "turn_done"):
            turns.add_metric((event,), self.totals.turns[event])
        attempts = HistogramMetricFamily(
            "daybook_effect_attempt_seconds",
            "From the claim of an attempt to what came of it.",
            labels=("domain", "tool", "outcome"),
        )
        for (tool, outcome), durations in sorted(self.totals.attempts.items()):
            names = (self._of(tool), tool, outcome)
            attempts.add_metric(names, durations.cumulated(), durations.seconds)
        decisions = HistogramMetricFamily(
            "daybook_approval_wait_seconds",
            "From a question for approval to its decision.",
            labels=("decision",),
        )
        for decision, durations in sorted(self.totals.decisions.items()):
            decisions.add_metric((decision,), durations.cumulated(), durations.seconds)
        yield from (turns, attempts, decisions)

    def _chains(self) -> Iterator[Metric]:
        faults = GaugeMetricFamily(
            "daybook_chain_faults",
            "Threads whose ledger does not verify: chain (changed), projection (beside it).",
            labels=("fault",),
        )
        for fault in ("chain", "projection"):
            faults.add_metric((fault,), list(self.check.faults.values()).count(fault))
        checked = CounterMetricFamily(
            "daybook_chain_threads_checked", "Threads whose ledger was checked."
        )
        checked.add_metric((), self.check.checked)
        yield from (faults, checked)
        if self.check.passed_at is not None:
            yield GaugeMetricFamily(
                "daybook_chain_passed_timestamp_seconds",
                "When all threads had been checked last.",
                self.check.passed_at.timestamp(),
            )


_TAKEN = frozenset(
    {
        *(StepState.UNKNOWN, StepState.IN_DOUBT, StepState.DONE),
        *(StepState.UNDOING, StepState.STUCK),
    }
)


_scrapers: list[Scraper] = []


async def metrics(request: Request) -> Response:
    """Answer GET /metrics: to operators, and to this machine while no token was ever made."""
    try:
        person = await signed_in(request.scope)
        if person is not None and person.role != "operator":
            denied("metrics", person)
            return PlainTextResponse("Metrics are for operators. Nothing was read.", 403)
        registry = await _scraper().scrape()
    except REFUSALS as error:
        if isinstance(error, NotSignedIn):
            denied("metrics")
        return refusal(error)
    encode, content_type = choose_encoder(request.headers.get("accept", ""))
    return Response(encode(registry), media_type=content_type)


def _scraper() -> Scraper:
    """Return what measures the database that the server has open."""
    first = all_at_work()[0]().postgres
    if not _scrapers or _scrapers[-1].postgres is not first:
        _scrapers[:] = [Scraper(first)]
    return _scrapers[-1]


async def print_metrics(settings: Settings) -> None:
    """Measure once, check every chain, and print it: for a textfile collector."""
    async with open_database(settings) as postgres:
        registry = await Scraper(postgres, lag=timedelta(0)).scrape(most=None)
    tell(generate_latest(registry).decode().removesuffix("\n"))
