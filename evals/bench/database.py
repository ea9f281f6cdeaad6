"""What Postgres itself says: transactions, writing commits, live bytes; and what a sync costs."""

from __future__ import annotations

import os
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import LiteralString

from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo

from daybook.state.clock import SYSTEM

TABLES = (
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
    "ledger_event",
    "ledger_payload",
    "read_call",
    "open_step",
    "thread",
    "thread_head",
)
"""Tables whose rows of a thread are counted, where the database has them."""

_NEXT_XID: LiteralString = "select pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
_TRANSACTIONS: LiteralString = """
select xact_commit from pg_stat_database where datname = current_database()
"""
_COLUMNS: LiteralString = """
select table_name, array_agg(column_name::text order by ordinal_position)
from information_schema.columns
where table_schema = 'public' and table_name = any(%s)
group by table_name
"""
_ROUNDS = 200


async def new_database(server_url: str, name: str) -> str:
    """Make an empty database and return its libpq URL."""
    async with await AsyncConnection.connect(server_url, autocommit=True) as conn:
        await conn.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    return make_conninfo(server_url, dbname=name)


async def writing_commits(conn: AsyncConnection) -> int:
    """Count the transactions of the server that were given an id, which are those that write.

    Exact at once and without a trace of its own, but for the whole server and with whatever
    autovacuum writes: take differences while nothing else runs.
    """
    return await _number(conn, _NEXT_XID)


async def transactions(url: str) -> int:
    """Count the committed transactions of a database, reads included (pg_stat_database).

    A connection reports up to a second late, or when it closes: close them first.
    """
    async with await AsyncConnection.connect(url, autocommit=True) as conn:
        return await _number(conn, _TRANSACTIONS)


async def live_bytes(url: str, thread_id: str) -> Mapping[str, int]:
    """Add up the rows of a thread by table: `pg_column_size` of every column.

    This is what is stored, TOAST compression included; row headers and indexes are left out.
    """
    async with await AsyncConnection.connect(url, autocommit=True) as conn:
        found = await (await conn.execute(_COLUMNS, (list(TABLES),))).fetchall()
        sizes: dict[str, int] = {}
        for table, columns in found:
            size = sql.SQL(" + ").join(
                sql.SQL("coalesce(pg_column_size({}), 0)").format(sql.Identifier(column))
                for column in columns
            )
            query = sql.SQL("select coalesce(sum({}), 0) from {} where thread_id = %s")
            cursor = await conn.execute(query.format(size, sql.Identifier(table)), (thread_id,))
            (total,) = await cursor.fetchone() or (0,)
            sizes[table] = int(total)
        return sizes


def sync_ms(folder: Path) -> float:
    """Measure what making 8 kB durable costs in a folder: median milliseconds of fdatasync."""
    path = folder / "sync-probe"
    block = b"\0" * 8192
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.write(file, block)
        os.fsync(file)
        taken = []
        for _ in range(_ROUNDS):
            began = SYSTEM.monotonic()
            os.pwrite(file, block, 0)
            os.fdatasync(file)
            taken.append(SYSTEM.monotonic() - began)
    finally:
        os.close(file)
        path.unlink()
    return statistics.median(taken) * 1000


async def round_trip_ms(conn: AsyncConnection) -> float:
    """Measure the smallest query: median milliseconds of `select 1`, prepared."""
    taken = []
    for _ in range(_ROUNDS):
        began = SYSTEM.monotonic()
        await conn.execute("select 1", prepare=True)
        taken.append(SYSTEM.monotonic() - began)
    return statistics.median(taken) * 1000


async def _number(conn: AsyncConnection, query: LiteralString) -> int:
    row = await (await conn.execute(query)).fetchone()
    assert row is not None
    return int(row[0])
