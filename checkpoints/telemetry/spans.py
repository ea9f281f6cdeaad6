"""Spans on their way out of a run, and the store that keeps them.

A run puts spans down and goes on; they are delivered soon after, and at once where somebody looks
at them by way of this process. Nothing that fails here reaches the run.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Sequence

from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Pool, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM, Clock
from daybook.state.telemetry.spans import Sink, Span, SpanKind, Trace, packed, unpacked

_LOG = logging.getLogger(__name__)
_SQL = statements("spans.sql")

_SOON = 2.0
"""Seconds after which spans are delivered, of all runs together."""

_PATIENCE = 2.0
"""Seconds for which a connection is waited for; and what is sent elsewhere, when all ends."""

_KEPT_WITHIN = 1.0
"""Seconds that our own table may take, which somebody may have locked."""

_MOST_WAITING = 10_000
"""Spans; what comes beyond is lost, and counted."""

MOST_TURNS = 50
"""Turns of a thread whose spans are kept."""


class Spans:
    """Keep and find the spans of one tenant's threads."""

    name = "postgres"

    def __init__(self, pool: Pool, tenant_id: str, clock: Clock = SYSTEM) -> None:
        self._pool, self._clock = pool, clock
        self._tenant_id = tenant_id

    async def deliver(self, spans: Sequence[Span]) -> None:
        """Keep spans, and of each thread those of its last turns alone.

        Raises:
            psycopg.Error, PoolTimeout, TimeoutError: they are not kept.
        """
        by_turn: defaultdict[tuple[str, str], list[Span]] = defaultdict(list)
        for span in spans:
            by_turn[span.trace.thread_id, span.trace.turn_id].append(span)
        async with (
            self._pool.connection(_PATIENCE) as conn,
            self._clock.timeout(_KEPT_WITHIN),
            conn.pipeline(),
        ):
            for (thread_id, turn_id), of_turn in by_turn.items():
                about = {"thread_id": thread_id, "turn_id": turn_id, "most": MOST_TURNS}
                body = Jsonb([packed(span) for span in of_turn])
                await conn.execute(_SQL["keep"], {**about, "spans": body})
                if any(span.kind is SpanKind.TURN and span.ended for span in of_turn):
                    await conn.execute(_SQL["merge"], about)
                    await conn.execute(_SQL["bound"], about)

    async def close(self) -> None:
        """Close nothing: the pool is not its own."""

    async def of_thread(self, thread_id: str) -> list[Span]:
        """Return the spans of a thread; one that was kept twice as it was kept last."""
        rows = await rows_of(self._pool, _SQL["of_thread"], {"thread_id": thread_id})
        found: dict[tuple[str, str], Span] = {}
        for row in rows:
            trace = Trace(self._tenant_id, thread_id, row["turn_id"])
            for kept in row["spans"]:
                found[row["turn_id"], kept["id"]] = unpacked(trace, kept)
        return list(found.values())


class Outbox:
    """Deliver spans to sinks beside the runs that put them down.

    Attributes:
        lost: spans that were not delivered, by the name of the sink.
    """

    def __init__(self, store: Sink | None, clock: Clock = SYSTEM) -> None:
        self.lost: Counter[str] = Counter()
        self._store, self._clock = store, clock
        self._others: list[Sink] = []
        self._waiting: list[Span] = []
        self._delivering = asyncio.Lock()
        self._later: asyncio.Task[None] | None = None
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._unsent: Counter[str] = Counter()
        self._failed: set[str] = set()

    @property
    def is_on(self) -> bool:
        """Tell whether anybody takes spans."""
        return self._store is not None or bool(self._others)

    @property
    def is_sent(self) -> bool:
        """Tell whether spans are sent elsewhere."""
        return bool(self._others)

    def add(self, sink: Sink) -> None:
        """Deliver to a sink too, from now on; it is closed with this."""
        self._others.append(sink)

    def put(self, span: Span) -> None:
        """Take a span; it is delivered soon."""
        if not self.is_on:
            return
        if len(self._waiting) >= _MOST_WAITING:
            self.lost["waiting"] += 1
            return
        self._waiting.append(span)
        if self._later is None or self._later.done():
            self._later = asyncio.create_task(self._soon())

    async def flush(self) -> None:
        """Keep what waits; sending it elsewhere goes on by itself."""
        async with self._delivering:
            batch, self._waiting = self._waiting, []
            if not batch:
                return
            for sink in self._others:
                if self._unsent[sink.name] + len(batch) > _MOST_WAITING:
                    self.lost[sink.name] += len(batch)
                    continue
                self._unsent[sink.name] += len(batch)
                before = self._sending.get(sink.name)
                self._sending[sink.name] = asyncio.create_task(self._deliver(sink, batch, before))
            if self._store is not None:
                await self._deliver(self._store, batch, None)

    async def close(self) -> None:
        """Deliver what is left, as far as it goes within a short time, and close the sinks."""
        if self._later is not None:
            self._later.cancel()
            await asyncio.gather(self._later, return_exceptions=True)
        await self.flush()
        for sink in self._others:
            if sink.name in self._sending:
                await self._clock.ended(self._sending[sink.name], _PATIENCE)
            try:
                # What it still tries to send ends with it.
                async with self._clock.timeout(_PATIENCE):
                    await sink.close()
            except Exception as error:
                self._told(sink, error)

    async def _soon(self) -> None:
        await self._clock.sleep(_SOON)
        # Shielded: what is on its way when all ends is not lost.
        await asyncio.shield(self.flush())

    async def _deliver(
        self, sink: Sink, batch: Sequence[Span], before: asyncio.Task[None] | None
    ) -> None:
        """Deliver a batch, after the one before: a turn begins before it ends."""
        if before is not None:
            await asyncio.wait([before])
        try:
            await sink.deliver(batch)
        except Exception as error:
            self.lost[sink.name] += len(batch)
            self._told(sink, error)
        finally:
            self._unsent[sink.name] -= len(batch)

    def _told(self, sink: Sink, error: Exception) -> None:
        """Log a failure once: a sink that is away fails for each batch."""
        if sink.name not in self._failed:
            self._failed.add(sink.name)
            _LOG.warning(
                "spans are not delivered to %s (%s); runs go on without, and it is not said again",
                sink.name,
                type(error).__name__,
            )
