"""The threads of a tenant: whose they are and whether anybody waits for anybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from checkpoints.statements import statements

_SQL = statements("ledger.sql")


@dataclass(frozen=True)
class Thread:
    """Hold one row of `thread`.

    Attributes:
        status: active (a turn is under way), waiting (for a person), idle, closed.
        last_activity: UTC.
    """

    thread_id: str
    status: str
    created_at: datetime
    last_activity: datetime


class Threads:
    """Find threads. Their status is kept by the ledger's entries."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[DictRow]]) -> None:
        self._pool = pool

    async def owner(self, thread_id: str) -> str | None:
        """Return whose thread it is; None for one that nobody has begun."""
        async with self._pool.connection() as conn:
            row = await (await conn.execute(_SQL["owner"], {"thread_id": thread_id})).fetchone()
            return row["user_id"] if row else None

    async def of_user(self, user_id: str) -> list[Thread]:
        """Return a person's threads, newest activity first."""
        async with self._pool.connection() as conn:
            cursor = await conn.execute(_SQL["threads_of_user"], {"user_id": user_id})
            return [Thread(**row) for row in await cursor.fetchall()]
