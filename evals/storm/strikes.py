"""What happens to the workers and to the shop: at random, by a seed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import httpx
from psycopg import OperationalError
from psycopg_pool import PoolTimeout

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from evals.crash.shop import Server, Shop
from evals.storm.people import Person
from evals.storm.workers import Worker, Workers

Kind = Literal["alone", "killed", "suspended"]

_RUNS_OF = """
select r.thread_id, h.seq,
    coalesce((select array_agg(s.op) from open_step s
        where s.thread_id = r.thread_id and s.state in ('unknown', 'undoing')), '{}') as unknown
from runner r join thread_head h using (thread_id)
where r.process = %s and r.lease_until is not null"""

Run = tuple[str, int, tuple[str, ...]]
"""A thread, the last entry of its ledger, and its operations without an answer."""

_POLL_S = 0.05
_IN_FLIGHT_S = 3.0
"""Less than the budget of an attempt."""

_SUSPENDED_S = 13.0
"""Longer than a lease, so that others take over."""

_FAULTS: tuple[tuple[str, str, float], ...] = (
    ("holds", "slow", 0.4),
    ("charges", "slow", 0.8),
    ("orders", "slow", 0.8),
    ("charges", "drop", 0.1),
    ("orders", "drop", 0.1),
    ("holds", "refuse", 0.1),
    ("charges", "refuse", 0.1),
    ("refunds", "drop", 0.1),
    ("charges", "late", 0.5),
    ("mail", "slow", 0.5),
    ("lookups", "refuse", 0.1),
)


@dataclass(frozen=True)
class Struck:
    """One run that a strike cut off.

    Attributes:
        at: UTC.
        seq: the last entry of the thread's ledger then.
        unknown: the operations that were out there without an answer.
    """

    kind: Kind
    at: datetime
    thread_id: str
    seq: int
    unknown: tuple[str, ...]


class Storm:
    """Strike workers, Postgres and the shop's answers.

    Attributes:
        struck: the runs that were cut off.
        kills, suspensions: how many strikes there were.
        outages: from when to when Postgres was away, UTC.
    """

    def __init__(
        self, workers: Workers, server: Server, postgres: Postgres, shop: Shop, seed: int
    ) -> None:
        self._workers = workers
        self._server = server
        self._postgres = postgres
        self._shop = shop
        self._chance = random.Random(seed)
        self._waking: set[asyncio.Task[None]] = set()
        self.struck: list[Struck] = []
        self.outages: list[tuple[datetime, datetime]] = []
        self.kills = self.suspensions = 0

    async def strike_alone(self, person: Person, wanted: int, times: int) -> None:
        """Kill a worker in a charge, again and again, with nothing else under way.

        Args:
            wanted: workers that are up each time.
        """
        for _ in range(times):
            while len(self._workers.alive) < wanted:
                await self._workers.start()
            while len(self._workers.up) < wanted:
                await SYSTEM.sleep(_POLL_S)
            await self._shop.spoil("charges", "slow", "", seconds=_IN_FLIGHT_S)
            await person.buy()
            worker, runs = await self._in_a_charge()
            self._note("alone", await worker.kill(), runs)
            await person.is_at_rest()

    async def _in_a_charge(self) -> tuple[Worker, list[Run]]:
        while True:
            for worker in self._workers.up:
                runs = await self._runs_of(worker)
                if any(op.endswith("/charge") for _, _, unknown in runs for op in unknown):
                    return worker, runs
            await SYSTEM.sleep(_POLL_S)

    async def rage(self, wanted: int, seconds: float, tell: Callable[[str], None]) -> None:
        """Strike for some seconds; Postgres in the middle of them.

        Args:
            wanted: workers, of which one at least stays up at any time.
        """
        loop = asyncio.get_running_loop()
        over, middle = loop.time() + seconds, loop.time() + seconds / 2
        spoiling = asyncio.create_task(self._spoil())
        try:
            while loop.time() < over:
                await SYSTEM.sleep(self._chance.uniform(0.5, 3))
                if loop.time() > middle and not self.outages:
                    tell("Postgres is killed and started again")
                    began = SYSTEM.now()
                    self._server.kill()
                    await self._server.start()
                    self.outages.append((began, SYSTEM.now()))
                await self._strike(tell)
                if len(self._workers.alive) < wanted:
                    await self._workers.start()
        finally:
            spoiling.cancel()
            await asyncio.gather(spoiling, return_exceptions=True)

    async def calm(self, wanted: int) -> None:
        """Wake who is suspended, spoil nothing any more, and see that there are workers."""
        for task in self._waking:
            task.cancel()
        for worker in self._workers.alive:
            if worker.is_suspended:
                worker.wake()
        await self._shop.ask("DELETE", "/admin/faults")
        while len(self._workers.alive) < wanted:
            await self._workers.start()

    async def _strike(self, tell: Callable[[str], None]) -> None:
        up = self._workers.up
        if len(up) < 2:
            return
        worker = self._chance.choice(up)
        if self._chance.random() < 0.2:
            self.suspensions += 1
            at = worker.suspend()
            runs = await self._runs_of(worker)
            self._wake_later(worker)
            tell(f"suspended {worker.pid} in {len(runs)} runs")
            self._note("suspended", at, runs)
        else:
            self.kills += 1
            at = await worker.kill()
            runs = await self._runs_of(worker)
            tell(f"killed {worker.pid} in {len(runs)} runs")
            self._note("killed", at, runs)

    def _note(self, kind: Kind, at: datetime, runs: list[Run]) -> None:
        self.struck += [Struck(kind, at, *run) for run in runs]

    async def _runs_of(self, worker: Worker) -> list[Run]:
        with suppress(OperationalError, PoolTimeout):
            async with self._postgres.pool.connection() as conn:
                rows = await (await conn.execute(_RUNS_OF, (worker.sessions,))).fetchall()
            return [(row["thread_id"], row["seq"], tuple(row["unknown"])) for row in rows]
        return []

    def _wake_later(self, worker: Worker) -> None:
        async def wake() -> None:
            await SYSTEM.sleep(_SUSPENDED_S)
            with suppress(ProcessLookupError):
                worker.wake()

        task = asyncio.create_task(wake())
        self._waking.add(task)
        task.add_done_callback(self._waking.discard)

    async def _spoil(self) -> None:
        """Let the shop be unkind to whoever comes next."""
        while True:
            endpoint, mode, seconds = self._chance.choice(_FAULTS)
            with suppress(httpx.HTTPError):
                await self._shop.spoil(endpoint, mode, "", seconds=seconds)
            await SYSTEM.sleep(self._chance.uniform(0.05, 0.2))
