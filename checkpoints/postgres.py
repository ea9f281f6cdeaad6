"""One database: the pool, and what stands on it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from checkpoints.ledger import Ledger
from checkpoints.migrate import ROLE, migrate
from checkpoints.reads import Reads
from checkpoints.statements import statements
from checkpoints.thread_lock import ThreadLocks
from checkpoints.threads import Threads

_KEPT_OF_A_TURN = 16

_PRUNE = statements("prune.sql")["prune"]


class Postgres:
    """Hold one tenant's open database.

    Attributes:
        ledger, reads, threads: our tables.
        saver: LangGraph's checkpointer on the same pool.
        locks: one runner a thread.
        tenant_id: every row that is seen or written belongs to it.
    """

    def __init__(
        self,
        url: str,
        pool: AsyncConnectionPool[AsyncConnection[DictRow]],
        tenant_id: str,
        stored_types: Sequence[type],
    ) -> None:
        self.url = url
        self.tenant_id = tenant_id
        self.pool = pool
        self.ledger = Ledger(pool)
        self.reads = Reads(pool)
        self.threads = Threads(pool)
        self.locks = ThreadLocks(url)
        # A list makes the serializer strict: what is not named comes back as plain data.
        serde = JsonPlusSerializer(allowed_msgpack_modules=list(stored_types))
        self.saver = AsyncPostgresSaver(pool, serde=serde)

    async def prune(self, thread_id: str) -> None:
        """Delete the checkpoints of earlier turns but the last; under the thread's lock only.

        Of the turn that ended, the newest stay for time travel.
        """
        async with self.pool.connection() as conn:
            await conn.execute(_PRUNE, {"thread_id": thread_id, "keep": _KEPT_OF_A_TURN})


@asynccontextmanager
async def open_postgres(
    url: str, *, tenant_id: str, stored_types: Sequence[type], size: int = 8
) -> AsyncIterator[Postgres]:
    """Migrate a database and open it for one tenant.

    Args:
        url: a libpq URL; migrations run as its user, everything else as `daybook_app`.
        tenant_id: every row that is seen or written belongs to it (row-level security).
        stored_types: models and enums of the state that are restored from checkpoints.
        size: connections at most.

    Raises:
        psycopg.OperationalError: the database cannot be reached.
    """
    await migrate(url)

    async def configure(conn: AsyncConnection[Any]) -> None:
        await conn.execute(f"set role {ROLE}")
        await conn.execute("select set_config('daybook.tenant', %s, false)", (tenant_id,))

    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=size,
        open=False,
        configure=configure,
        kwargs={"autocommit": True, "row_factory": dict_row},
    )
    async with pool:
        postgres = Postgres(url, pool, tenant_id, stored_types)
        try:
            yield postgres
        finally:
            await postgres.locks.close()
