"""The one pool of the server's process, and the saver on it."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool
from toy_calls import ReadCall, WriteCall

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]

_pools: list[Pool] = []


@asynccontextmanager
async def saver() -> AsyncIterator[AsyncPostgresSaver]:
    """Open the pool, make the tables, yield the saver that the server uses."""
    kwargs = {"autocommit": True, "row_factory": dict_row}
    pool: Pool = AsyncConnectionPool(os.environ["TOY_DATABASE_URL"], kwargs=kwargs, open=False)
    async with pool:
        _pools.append(pool)
        serde = JsonPlusSerializer(allowed_msgpack_modules=[ReadCall, WriteCall])
        postgres_saver = AsyncPostgresSaver(pool, serde=serde)
        await postgres_saver.setup()
        async with pool.connection() as connection:
            await connection.execute("CREATE TABLE note (thread_id text, topic text, what jsonb)")
        yield postgres_saver
        _pools.remove(pool)


async def note(config: RunnableConfig, topic: str, **what: Any) -> None:
    """Write down something that was seen in a run, through the pool of the saver."""
    [pool] = _pools
    async with pool.connection() as connection:
        await connection.execute(
            "INSERT INTO note VALUES (%s, %s, %s)",
            (str(config["configurable"]["thread_id"]), topic, Jsonb(what)),
        )
