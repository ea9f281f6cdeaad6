"""Prometheus metrics: at /metrics of the server, and by `daybook metrics`.

Read from Postgres when they are asked for: every process tells the same of the whole database, so
scrape one of them.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

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
from daybook.checkpoints.measures import LAG, Now, Totals, measured_now
from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database
from daybook.graph.serve import all_at_work
from daybook.graph.settings.environment import Settings
from daybook.graph.settings.limits import policy_in
from daybook.state.errors import ChainBroken, LedgerError, NotSignedIn
from daybook.state.ledger.recovery import TERMINAL, StepState
from daybook.state.people.budget import Budget, Standing, standing_of
from daybook.state.people.policy import Policy
from daybook.state.people.rules import DeclaredTool
from daybook.state.session import ROLES

_CHECKED_AT_ONCE = 20
"""Threads whose chains are checked at each scrape, one after the other through all of them."""

_STATUSES = ("active", "waiting", "idle", "closed")

_TAKEN = frozenset(
    {
        *(StepState.UNKNOWN, StepState.IN_DOUBT, StepState.DONE),
        *(StepState.UNDOING, StepState.STUCK),
    }
)


async def metrics(request: Request) -> Response:
    """Return Prometheus metrics to operators, and to local requests as long as no token exists."""
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


async def print_metrics(settings: Settings) -> None:
    """Measure once, check every chain, and print it: for a textfile collector."""
    async with open_database(settings) as postgres:
        scraper = Scraper(postgres, timedelta(0), policy_in(settings.policy))
        registry = await scraper.scrape(most=None)
    tell(generate_latest(registry).decode().removesuffix("\n"))


_scrapers: list[Scraper] = []


def _scraper() -> Scraper:
    """Return what measures the database that the server has open."""
    first = all_at_work()[0]().postgres
    if not _scrapers or _scrapers[-1].postgres is not first:
        policy = Policy()
        for one in all_at_work():
            policy = policy.before(one().policy.before(one.domain.policy))
        _scrapers[:] = [Scraper(first, policy=policy)]
    return _scrapers[-1]


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

    def __init__(
        self, postgres: Postgres, lag: timedelta = LAG, policy: Policy | None = None
    ) -> None:
        self.postgres, self._lag, self._policy = postgres, lag, policy or Policy()
        self._totals = Totals()
        self._check = ChainCheck()
        self._lock = asyncio.Lock()

    async def scrape(self, most: int | None = _CHECKED_AT_ONCE) -> CollectorRegistry:
        """Measure; check the chains of so many threads more, or of all that are left."""
        pool = self.postgres.pool
        async with self._lock:
            await self._check.go_on(self.postgres, most)
            await self._totals.bring_up(pool, self._lag)
            now, declared = await measured_now(pool), await self.postgres.rules.declared()
            budgets = self._policy.budgets
            used = await self.postgres.usage.used_by_all((one.per, one.days) for one in budgets)
        stand = [
            (one, [standing_of(one, self._policy.prices, calls) for calls in by.values()])
            for one, by in zip(budgets, used, strict=True)
        ]
        registry = CollectorRegistry(auto_describe=False)
        registry.register(
            _Measured(
                [
                    *_of_steps(now, declared),
                    *_of_people_and_processes(now),
                    *_of_the_past(self._totals, declared),
                    *_of_models(self._totals, stand),
                    *_of_chains(self._check),
                ]
            )
        )
        return registry


class _Measured(Collector):
    """Give what was measured to Prometheus' own writer."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        return self._families


def _gauge(
    name: str, about: str, labels: Sequence[str], samples: Iterable[tuple[Sequence[str], float]]
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"daybook_{name}", about, labels=labels)
    for values, number in samples:
        family.add_metric(values, number)
    return family


def _programs(tool: str, declared: Sequence[DeclaredTool]) -> str:
    """Return the program that has declared a tool, or several."""
    return "+".join(one.program for one in declared if one.tool == tool)


def _of_steps(now: Now, declared: Sequence[DeclaredTool]) -> Iterator[Metric]:
    kinds = {one.tool: one.about["kind"] for one in declared if one.is_effect}
    states = [state.value for state in StepState if state not in TERMINAL]
    counts = {(tool, state): 0 for tool in kinds for state in states}
    counts |= {(row["tool"], row["state"]): row["steps"] for row in now.steps}
    yield _gauge(
        "open_steps",
        "Open steps; in_doubt and stuck need a reviewer.",
        ("domain", "tool", "state"),
        (((_programs(tool, declared), tool, s), counts[tool, s]) for tool, s in sorted(counts)),
    )
    yield _gauge(
        "open_step_oldest_age_seconds",
        "How long the oldest open step has been in its state.",
        ("state",),
        (
            ((s,), max((row["oldest"] for row in now.steps if row["state"] == s), default=0))
            for s in states
        ),
    )
    yield _gauge(
        "holds_open",
        "Holds of open plans, which must be used or released.",
        ("domain", "tool"),
        (
            ((_programs(tool, declared), tool), sum(counts.get((tool, s), 0) for s in _TAKEN))
            for tool, kind in sorted(kinds.items())
            if kind == "hybrid"
        ),
    )


def _of_people_and_processes(now: Now) -> Iterator[Metric]:
    waiting = {row["decided_by"]: row for row in now.approvals}
    nobody: dict[str, Any] = {"plans": 0, "oldest": 0}
    roles = [(role, waiting.get(role, nobody)) for role in sorted({*ROLES, *waiting})]
    yield _gauge(
        "approvals_waiting",
        "Plans that wait for approval.",
        ("role",),
        (((role,), row["plans"]) for role, row in roles),
    )
    yield _gauge(
        "approval_oldest_age_seconds",
        "How long the oldest of these plans has waited.",
        ("role",),
        (((role,), row["oldest"]) for role, row in roles),
    )
    threads = {row["status"]: row["threads"] for row in now.threads}
    yield _gauge(
        "threads",
        "Threads by status.",
        ("status",),
        (((status,), threads.get(status, 0)) for status in _STATUSES),
    )
    undelivered = {row["state"]: row for row in now.notifications}
    none: dict[str, Any] = {"deliveries": 0, "oldest": 0}
    yield _gauge(
        "notifications",
        "Notifications that are due (pending) or were given up (dead).",
        ("state",),
        (((s,), undelivered.get(s, none)["deliveries"]) for s in ("pending", "dead")),
    )
    yield _gauge(
        "notification_oldest_age_seconds",
        "How long the oldest due notification has waited.",
        (),
        [((), undelivered.get("pending", none)["oldest"])],
    )
    [runners], [workers] = now.runners, now.workers
    yield _gauge(
        "runners",
        "Threads with a runner: at_work, silent (lease expired), given_up by the workers.",
        ("state",),
        (((state,), count) for state, count in sorted(runners.items())),
    )
    jobs = {row["status"]: row["jobs"] for row in now.jobs}
    yield _gauge(
        "jobs",
        "Jobs of the workers.",
        ("status",),
        (((status,), jobs.get(status, 0)) for status in ("todo", "doing")),
    )
    yield _gauge("workers", "Workers that are alive.", (), [((), workers["alive"])])
    if workers["silent"] is not None:
        silence = "Time since the last sign of life of any worker."
        yield _gauge("worker_silence_seconds", silence, (), [((), workers["silent"])])


def _of_the_past(totals: Totals, declared: Sequence[DeclaredTool]) -> Iterator[Metric]:
    turns = CounterMetricFamily("daybook_turns", "Turns started and finished.", labels=("event",))
    for event in ("received", "turn_done"):
        turns.add_metric((event,), totals.turns[event])
    attempts = HistogramMetricFamily(
        "daybook_effect_attempt_seconds",
        "From the claim of an attempt to its outcome.",
        labels=("domain", "tool", "outcome"),
    )
    for (tool, outcome), durations in sorted(totals.attempts.items()):
        names = (_programs(tool, declared), tool, outcome)
        attempts.add_metric(names, durations.cumulated(), durations.seconds)
    decisions = HistogramMetricFamily(
        "daybook_approval_wait_seconds",
        "From an approval request to its decision.",
        labels=("decision",),
    )
    for (_, decision), durations in sorted(totals.decisions.items()):
        decisions.add_metric((decision,), durations.cumulated(), durations.seconds)
    yield from (turns, attempts, decisions)


def _of_models(
    totals: Totals, stand: Sequence[tuple[Budget, Sequence[Standing]]]
) -> Iterator[Metric]:
    calls = CounterMetricFamily(
        "daybook_model_calls",
        "Model calls; usage says whether the provider reported the tokens.",
        labels=("model", "usage"),
    )
    tokens = CounterMetricFamily(
        "daybook_model_tokens",
        "Tokens used by models: input, cached (part of the input), output.",
        labels=("model", "kind"),
    )
    counts: dict[str, Counter[str]] = {}
    for (model, is_estimated), one in sorted(totals.usage.items()):
        calls.add_metric((model, "estimated" if is_estimated else "reported"), one["calls"])
        counts.setdefault(model, Counter()).update(one)
    for model, all_ in counts.items():
        for kind in ("input", "cached", "output"):
            tokens.add_metric((model, kind), all_[kind])
    yield from (calls, tokens)
    yield _gauge(
        "budget_used_ratio",
        "The highest share of a budget that any thread, user or tenant used.",
        ("budget",),
        (((one.name,), max((s.share for s in known), default=0)) for one, known in stand),
    )
    yield _gauge(
        "budgets_used_up",
        "Threads, users or tenants whose budget is used up (over), or nearly (warned).",
        ("budget", "state"),
        (
            sample
            for one, known in stand
            for sample in (
                ((one.name, "over"), sum(s.is_over for s in known)),
                ((one.name, "warned"), sum(s.warns and not s.is_over for s in known)),
            )
        ),
    )


def _of_chains(check: ChainCheck) -> Iterator[Metric]:
    faults = list(check.faults.values())
    yield _gauge(
        "chain_faults",
        "Threads whose ledger does not verify: chain (entries), projection (work list).",
        ("fault",),
        (((fault,), faults.count(fault)) for fault in ("chain", "projection")),
    )
    checked = CounterMetricFamily(
        "daybook_chain_threads_checked", "Threads whose ledger was verified."
    )
    checked.add_metric((), check.checked)
    yield checked
    if check.passed_at is not None:
        passed = "When all threads had last been verified."
        at = check.passed_at.timestamp()
        yield _gauge("chain_passed_timestamp_seconds", passed, (), [((), at)])
