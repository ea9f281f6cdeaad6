"""Much at once: questions that expire at one instant, runs that a kill left behind, erasures."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from daybook.checkpoints.people.erasure import Part, open_eraser
from daybook.checkpoints.people.retention import due, overdue
from daybook.graph.serve import Opened
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import arm
from evals.scale.crowd import Crowd
from evals.scale.shopping import Gone, Talk, dies_at_the_approval
from evals.storm.workers import Workers

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


async def expired(
    crowd: Crowd,
    opened: Opened,
    conn: AsyncConnection[DictRow],
    workers: Workers,
    count: int,
    patience: float,
) -> Storm:
    """Let so many questions expire at one instant.

    Args:
        patience: seconds after which it is given up.
    """
    talks = await crowd.come(count, SYSTEM.now() - _SOON)
    threads = [one.thread_id for one in talks]
    return await _finished(threads, opened, conn, workers, patience, is_ordered=False)


async def left_behind(
    crowd: Crowd,
    opened: Opened,
    conn: AsyncConnection[DictRow],
    workers: Workers,
    count: int,
    patience: float,
) -> Storm:
    """Let so many runs die right after their approval, as a kill leaves them."""
    talks = await crowd.come(count)
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
    await conn.execute(_KILLED, {"threads": threads})
    return await _finished(threads, opened, conn, workers, patience, is_ordered=True)


async def _finished(
    threads: Sequence[str],
    opened: Opened,
    conn: AsyncConnection[DictRow],
    workers: Workers,
    patience: float,
    *,
    is_ordered: bool,
) -> Storm:
    """Let workers finish threads while a person chats."""
    person = Talk(opened.graph, "chatter-000001")
    chat: Callable[[], Awaitable[object]] = lambda: person.say("show me hiking boots")  # noqa: E731
    before = [await _ms(chat) for _ in range(_CHATS_BEFORE + 1)][1:]
    during: list[float] = []
    began = SYSTEM.monotonic()
    for _ in range(_WORKERS):
        await workers.start()
    left = len(threads)
    while left and SYSTEM.monotonic() - began < patience:
        during.append(await _ms(chat))
        await SYSTEM.sleep(_PAUSE_S)
        row = await (await conn.execute(_LEFT, (threads,))).fetchone()
        left = row["left"] if row else 0
    seconds = SYSTEM.monotonic() - began
    for worker in workers.up:
        await worker.stop()
    rows = await (await conn.execute(_FINISHED, (threads,))).fetchall()
    at = {row["thread_id"]: row["at"] for row in rows}
    order = sorted(at, key=lambda one: at[one])
    places = {thread: place for place, thread in enumerate(one for one in threads if one in at)}
    moved = [abs(place - places[thread]) for place, thread in enumerate(order)]
    apart = max(moved, default=0) if is_ordered else None
    return Storm(len(threads), left, seconds, apart, before, during)


async def erased(
    crowd: Crowd, opened: Opened, conn: AsyncConnection[DictRow], count: int
) -> list[float]:
    """Let so many conversations outlast their time; return how many ms each was locked."""
    threads = [one.thread_id for one in await crowd.come(count)]
    # Nothing of them is open any more.
    await conn.execute(
        "update thread_head set open_plan = null where thread_id = any(%s)", (threads,)
    )
    await conn.execute("delete from open_step where thread_id = any(%s)", (threads,))
    await conn.execute(_OLD, (threads,))
    keep = dict.fromkeys(Part, timedelta(days=30))
    taken: list[float] = []
    async with open_eraser(opened.resources.postgres) as eraser:
        async for held in overdue(eraser, keep):
            thread = held.thread_id
            taken.append(await _ms(lambda: eraser.erase(thread, lambda now: due(now, keep))))  # noqa: B023
    return taken


async def _ms(act: Callable[[], Awaitable[object]]) -> float:
    began = SYSTEM.monotonic()
    await act()
    return (SYSTEM.monotonic() - began) * 1000


def middle(taken: Sequence[float]) -> float:
    """Return the median; 0 of none."""
    return statistics.median(taken) if taken else 0.0
