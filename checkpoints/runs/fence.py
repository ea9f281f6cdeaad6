"""Keep a runner that was taken over from what it still writes beside the ledger."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from psycopg import AsyncCursor, DatabaseError
from psycopg.rows import DictRow, dict_row

from daybook.checkpoints.pool import Pool
from daybook.checkpoints.statements import statements
from daybook.state.errors import TakenOver

_SQL = statements("runner.sql")

_OVERTAKEN = "DB001"


@asynccontextmanager
async def fenced(pool: Pool, thread_id: str, epoch: int) -> AsyncIterator[AsyncCursor[DictRow]]:
    """Open a cursor in one transaction with the look whether this is still the thread's epoch.

    Raises:
        TakenOver: another process runs the thread by now, or it was erased.
    """
    with refusing(thread_id):
        async with (
            pool.connection() as conn,
            conn.pipeline(),
            conn.transaction(),
            conn.cursor(binary=True, row_factory=dict_row) as cursor,
        ):
            await conn.execute(_SQL["fence"], {"thread_id": thread_id, "epoch": epoch})
            yield cursor


@contextmanager
def refusing(thread_id: str) -> Iterator[None]:
    """Tell by its name that the server refuses what a runner writes that was taken over.

    Raises:
        TakenOver: another process runs the thread by now, or it was erased.
    """
    try:
        yield
    except DatabaseError as error:
        if error.sqlstate != _OVERTAKEN:
            raise
        raise TakenOver(thread_id) from error
