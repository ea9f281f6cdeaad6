"""Much at once: questions that expire at one instant, runs that a kill left behind, erasures."""

from __future__ import annotations

import asyncio
import statistics
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from daybook.checkpoints.people.erasure import Part, open_eraser
from daybook.checkpoints.people.retention import due, overdue
from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import arm
from evals.scale.ground import Crowd, Gone, Talk, dies_at_the_approval
from evals.servers import clean_environment

_WORKERS = 2
_CHATS_BEFORE = 10
_PAUSE_S = 1.0
_SOON = timedelta(seconds=1)
_AT_ONCE = 8

# A thread is finished at its last entry; how long it had stood still by then tells the order.
_FINISHED = """
select h.thread_id, e.at from thread_head h
join ledger_event e on e.thread_id = h.thread_id and e.seq = h.seq
where h.thread_id = any(%s) and h.open_plan is null
"""
_LEFT = (
    "select count(*) as left from thread_head where thread_id = any(%s) and open_plan is not null"
)
_KILLED = """
update runner set process = 'daybook-gone',
    lease_until = daybook_now() - interval '1 hour'
        + array_position(%(threads)s, thread_id) * interval '10 ms'
where thread_id = any(%(threads)s)
"""
_OLD = """
update thread set status = 'idle', last_activity = daybook_now() - interval '90 days'
where thread_id = any(%s)
"""


@dataclass(frozen=True)
class Storm:
    """What became of a storm.

    Attributes:
        threads, left: how many there were, and how many were not finished in time.
        seconds: until the last one that was.
        apart: by how many places at most a thread was finished out of the order in which they had
            waited; None where all had waited alike. Workers finish several at once.
        before, during: milliseconds of a person's turns.
    """

    threads: int
    left: int
    seconds: float
    apart: int | None
    before: Sequence[float]
    during: Sequence[float]


@dataclass(frozen=True)
class Place:
    """Where storms come: a crowd, its agent, and workers that are started when they do.

    Args:
        conn: to the agent's database, as its owner.
        environment: of the workers.
        patience: seconds after which a storm is given up.
    """

    crowd: Crowd
    opened: Opened
    conn: AsyncConnection[DictRow]
    environment: dict[str, str]
    patience: float

    async def expired(self, count: int) -> Storm:
        """Let so many questions expire at one instant."""
        talks = await self.crowd.come(count, SYSTEM.now() - _SOON)
        return await self._finished([one.thread_id for one in talks], is_ordered=False)

    async def left_behind(self, count: int) -> Storm:
        """Let so many runs die right after their approval, as a kill leaves them."""
        talks = await self.crowd.come(count)
        turns = asyncio.Semaphore(_AT_ONCE)

        async def dies(talk: Talk) -> None:
            async with turns:
                with suppress(Gone):
                    await talk.approve()

        arm(dies_at_the_approval)
        try:
            await asyncio.gather(*map(dies, talks))
        finally:
            arm(None)
        threads = [one.thread_id for one in talks]
        await self.conn.execute(_KILLED, {"threads": threads})
        return await self._finished(threads, is_ordered=True)

    async def _finished(self, threads: Sequence[str], *, is_ordered: bool) -> Storm:
        """Let workers finish threads while a person chats."""
        person = Talk(self.opened.graph, "chatter-000001")

        async def chat() -> float:
            return await _ms(lambda: person.say("show me hiking boots"))

        before, during = [await chat() for _ in range(_CHATS_BEFORE + 1)][1:], list[float]()
        began, left = SYSTEM.monotonic(), len(threads)
        async with _workers(self.environment):
            while left and SYSTEM.monotonic() - began < self.patience:
                during.append(await chat())
                await SYSTEM.sleep(_PAUSE_S)
                row = await (await self.conn.execute(_LEFT, (threads,))).fetchone()
                left = row["left"] if row else 0
            seconds = SYSTEM.monotonic() - began
        rows = await (await self.conn.execute(_FINISHED, (threads,))).fetchall()
        at = {row["thread_id"]: row["at"] for row in rows}
        order = sorted(at, key=lambda one: at[one])
        places = {thread: n for n, thread in enumerate(one for one in threads if one in at)}
        moved = [abs(place - places[thread]) for place, thread in enumerate(order)]
        apart = max(moved, default=0) if is_ordered else None
        return Storm(len(threads), left, seconds, apart, before, during)

    async def erased(self, count: int) -> list[float]:
        """Let so many conversations outlast their time; return how many ms each was locked."""
        threads = [one.thread_id for one in await self.crowd.come(count)]
        # Nothing of them is open any more.
        await self.conn.execute(
            "update thread_head set open_plan = null where thread_id = any(%s)", (threads,)
        )
        await self.conn.execute("delete from open_step where thread_id = any(%s)", (threads,))
        await self.conn.execute(_OLD, (threads,))
        keep = dict.fromkeys(Part, timedelta(days=30))
        taken: list[float] = []
        async with open_eraser(self.opened.resources.postgres) as eraser:
            async for held in overdue(eraser, keep):
                thread = held.thread_id
                taken.append(await _ms(lambda: eraser.erase(thread, lambda now: due(now, keep))))  # noqa: B023
        return taken


@asynccontextmanager
async def _workers(environment: dict[str, str]) -> AsyncIterator[None]:
    """Run `daybook worker` processes for the length of the block."""
    processes = [
        await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "daybook.app", "worker"),
            cwd=Path(__file__).parents[2],
            env=clean_environment(**environment),
            stdout=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
        for _ in range(_WORKERS)
    ]
    try:
        yield
    finally:
        for process in processes:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def _ms(act: Callable[[], Awaitable[object]]) -> float:
    began = SYSTEM.monotonic()
    await act()
    return (SYSTEM.monotonic() - began) * 1000


def middle(taken: Sequence[float]) -> float:
    """Return the median; 0 of none."""
    return statistics.median(taken) if taken else 0.0
