"""What statements run on: connections whose rows are mappings, and a pool of them."""

from collections.abc import Mapping
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

Conn = AsyncConnection[DictRow]
Pool = AsyncConnectionPool[Conn]


async def rows_of(
    pool: Pool, statement: str, about: Mapping[str, Any] | None = None
) -> list[DictRow]:
    """Run one statement by itself and return its rows."""
    async with pool.connection() as conn:
        return await (await conn.execute(statement, about)).fetchall()


async def row_of(
    pool: Pool, statement: str, about: Mapping[str, Any] | None = None
) -> DictRow | None:
    """Run one statement by itself and return its first row, or None."""
    async with pool.connection() as conn:
        return await (await conn.execute(statement, about)).fetchone()
