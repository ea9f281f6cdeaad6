"""Where the contract tests keep their rows: one schema a test."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, LiteralString, TypeAlias

import psycopg
from langchain_core.runnables import RunnableConfig
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

Pool: TypeAlias = AsyncConnectionPool[psycopg.AsyncConnection[DictRow]]


@contextmanager
def fresh_schema(postgres_url: str) -> Iterator[str]:
    """Yield a URL whose connections see one new, empty schema; drop it afterwards."""
    name = f"contract_{uuid.uuid4().hex}"
    schema = sql.Identifier(name)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(schema))
        yield make_conninfo(postgres_url, options=f"-c search_path={name}")
        connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(schema))


def open_pool(url: str) -> Pool:
    """Return an unopened pool as Daybook uses it: autocommit, rows as dicts."""
    kwargs = {"autocommit": True, "row_factory": dict_row}
    return AsyncConnectionPool(url, min_size=1, max_size=5, kwargs=kwargs, open=False)


def thread_id(thread: RunnableConfig) -> str:
    """Return the id of the thread that a config names."""
    name: str = thread["configurable"]["thread_id"]
    return name


async def rows_of(pool: Pool, thread: RunnableConfig, query: LiteralString) -> list[DictRow]:
    """Run a query whose `%(thread_id)s` is this thread; return its rows."""
    async with pool.connection() as connection:
        cursor = await connection.execute(query, {"thread_id": thread_id(thread)})
        return await cursor.fetchall()


async def stored_rows(pool: Pool, thread: RunnableConfig) -> dict[str, list[dict[str, Any]]]:
    """Return every row that the saver's three tables hold of this thread."""
    return {
        "checkpoints": await rows_of(
            pool,
            thread,
            "SELECT * FROM checkpoints WHERE thread_id = %(thread_id)s"
            " ORDER BY checkpoint_ns, checkpoint_id",
        ),
        "checkpoint_blobs": await rows_of(
            pool,
            thread,
            "SELECT * FROM checkpoint_blobs WHERE thread_id = %(thread_id)s"
            " ORDER BY checkpoint_ns, channel, version",
        ),
        "checkpoint_writes": await rows_of(
            pool,
            thread,
            "SELECT * FROM checkpoint_writes WHERE thread_id = %(thread_id)s"
            " ORDER BY checkpoint_ns, checkpoint_id, task_id, idx",
        ),
    }
