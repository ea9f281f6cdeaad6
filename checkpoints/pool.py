"""Connections to one database: our pool or an adopter's, set up for our schema while used.

Statements name our tables without their schema. So every connection gets our `search_path`, role
and limits first. Those of our own pool keep them; one that an adopter's pool lends is given back
with the settings that it came with.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from psycopg import AsyncConnection, AsyncCursor, Error, OperationalError, sql
from psycopg.postgres import types
from psycopg.pq import Format, TransactionStatus
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from daybook.checkpoints.encryption import Cipher
from daybook.checkpoints.reach import lost

T = TypeVar("T")

Conn = AsyncConnection[DictRow]

AnyPool = AsyncConnectionPool[Any]

_Selector = getattr(selectors, "PollSelector", selectors.SelectSelector)

_JSONB = types["jsonb"].oid
_FORMATS = (Format.TEXT, Format.BINARY)

_ATTRIBUTES = ("row_factory", "cursor_factory", "prepare_threshold")

_CONFIGURE = """
select name, current_setting(name, true) as was, set_config(name, value, false)
from unnest(%(names)s::text[], %(values)s::text[]) it (name, value)
"""

_KNOWS_TRANSACTION_TIMEOUT = 170_000

_LIMIT = "30s"
"""How long a transaction may take. A claim of a limited tool locks its rule for all threads: not
for longer, also where its process is suspended there. What it claimed is rolled back, and was not
sent."""


@dataclass(frozen=True)
class Place:
    """Where in a database the tables are, and as whom they are used.

    Attributes:
        role: None if the application's role cannot be had: then as the user of the connection.
        cipher: encrypts and decrypts what is confidential; None leaves it as it is stored.
    """

    schema: str
    tenant_id: str
    role: str | None = None
    cipher: Cipher | None = None

    def settings(self, version: int) -> dict[str, str]:
        """Return what a session of a server of this version is set to."""
        names = {
            "search_path": search_path(self.schema),
            "daybook.tenant": self.tenant_id,
            "row_security": "on",
            # A page locks first and reads in a later statement, which must see what was committed
            # meanwhile.
            "default_transaction_isolation": "read committed",
            "default_transaction_read_only": "off",
            "client_encoding": "UTF8",
            "DateStyle": "ISO, YMD",
            "IntervalStyle": "postgres",
            "TimeZone": "UTC",
            # Statements here are short, and Postgres guesses some of them to be long: to compile
            # such a one takes longer than to run it.
            "jit": "off",
            "idle_in_transaction_session_timeout": _LIMIT,
        }
        if version >= _KNOWS_TRANSACTION_TIMEOUT:
            # The older limit is not kept after a pipeline.
            names["transaction_timeout"] = _LIMIT
        return names | ({"role": self.role} if self.role else {})


def search_path(schema: str) -> str:
    """Return the search path that finds our tables and nothing of anybody else's."""
    return f"{sql.Identifier(schema).as_string(None)}, pg_temp"


async def configure(conn: AsyncConnection[Any], place: Place) -> dict[str, str]:
    """Set a session to a place, and return what its settings were."""
    names = place.settings(conn.info.server_version)
    about = {"names": [*names], "values": [*names.values()]}
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(_CONFIGURE, about)
        was = {row["name"]: row["was"] or "" for row in await cursor.fetchall()}
    if place.cipher is not None:
        place.cipher.use(conn)
    return was


class Pool:
    """Lend connections that are set to a place.

    Attributes:
        source: the pool that they come from: they are set to the place already, or an adopter's.
    """

    def __init__(self, source: AnyPool, place: Place, *, is_adopted: bool = False) -> None:
        self.source = source
        self.place = place
        self._is_adopted = is_adopted

    @asynccontextmanager
    async def connection(self, seconds: float | None = None) -> AsyncIterator[Conn]:
        """Lend a connection for the length of the block.

        Args:
            seconds: how long one is waited for; as long as the pool waits where it is not said.

        Raises:
            DatabaseUnavailable: none can be had, or this one was lost.
        """
        async with _lent(self.source, seconds) as conn:
            if not self._is_adopted:
                yield conn
                return
            async with _as_ours(conn, self.place):
                yield conn

    async def check(self) -> None:
        """Throw away the idle connections that an end of the server has broken."""
        await self.source.check()


@asynccontextmanager
async def connected(where: str | AnyPool) -> AsyncIterator[Conn]:
    """Yield a connection as it is, with autocommit and with mappings as rows: as the owner.

    Args:
        where: a libpq URL; or a pool, which gets it back as it was.
    """
    if isinstance(where, str):
        async with await AsyncConnection.connect(
            where, autocommit=True, row_factory=dict_row, prepare_threshold=None
        ) as conn:
            yield conn
        return
    async with _lent(where) as conn, _as_ours(conn):
        yield conn


@asynccontextmanager
async def connected_at(where: str | AnyPool, place: Place) -> AsyncIterator[Conn]:
    """Yield a connection, as `connected` does, that is set to a place."""
    if isinstance(where, str):
        async with connected(where) as conn:
            await configure(conn, place)
            yield conn
        return
    async with _lent(where) as conn, _as_ours(conn, place):
        yield conn


@asynccontextmanager
async def _lent(pool: AnyPool, seconds: float | None = None) -> AsyncIterator[Conn]:
    """Lend a connection that lives.

    Raises:
        DatabaseUnavailable: none can be had, or this one was lost.
    """
    try:
        conn = await _living(pool, seconds)
    except OperationalError as error:
        raise lost(error) from error
    try:
        async with conn:
            yield conn
    except OperationalError as error:
        if conn.closed:
            raise lost(error) from error
        raise
    finally:
        await to_its_end(pool.putconn(conn))


async def to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """Do something that must not be left half done, however often this task is cancelled meanwhile.

    A client that goes away has its request cancelled, by anyio again and again.

    Raises:
        CancelledError: the task was cancelled; it is done all the same.
    """
    task, cancelled = asyncio.ensure_future(work), None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if not task.cancelled():
                cancelled = error
        except Exception:
            # The task's own, raised below.
            break
    if cancelled is not None and not task.cancelled() and task.exception() is None:
        raise cancelled
    return task.result()


async def _living(pool: AnyPool, seconds: float | None) -> Conn:
    """Get a connection; one that the server ended while it was idle is thrown away.

    Such a one has something to be read; no other idle one has. So nothing is asked of the server.
    """
    while True:
        conn: Conn = await pool.getconn(seconds)
        if not _has_news(conn):
            return conn
        try:
            await AsyncConnectionPool.check_connection(conn)
            return conn
        except Error:
            await pool.putconn(conn)
        except BaseException:
            await pool.putconn(conn)
            raise


def _has_news(conn: AsyncConnection[Any]) -> bool:
    if conn.closed:
        return True
    with _Selector() as selector:
        selector.register(conn.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))


@asynccontextmanager
async def _as_ours(conn: Conn, place: Place | None = None) -> AsyncIterator[None]:
    """Let a connection behave as ours do for the length of the block, and then as before.

    Args:
        place: what its session is set to.
    """
    before = {name: getattr(conn, name) for name in _ATTRIBUTES}
    transactions = conn.autocommit, conn.isolation_level, conn.read_only, conn.deferrable
    loaders = [conn.adapters.get_loader(_JSONB, format) for format in _FORMATS]
    was: Mapping[str, str] = {}
    try:
        await _set_transactions(conn, True, None, None, None)
        conn.row_factory, conn.cursor_factory = dict_row, AsyncCursor
        # A statement that is prepared would be found again by whoever writes the same one.
        conn.prepare_threshold = None
        if place is not None:
            was = await configure(conn, place)
    except BaseException:
        # Nobody knows how far it came, and its owner must not get it back as ours.
        await conn.close()
        raise
    try:
        yield
    finally:
        try:
            await to_its_end(_reset(conn, was, transactions))
        finally:
            for name, value in before.items():
                setattr(conn, name, value)
            for loader in loaders:
                if loader is not None:
                    conn.adapters.register_loader(_JSONB, loader)


async def _set_transactions(
    conn: Conn, autocommit: bool, level: Any, read_only: bool | None, deferrable: bool | None
) -> None:
    await conn.set_isolation_level(level)
    await conn.set_read_only(read_only)
    await conn.set_deferrable(deferrable)
    await conn.set_autocommit(autocommit)


async def _reset(
    conn: Conn, was: Mapping[str, str], transactions: tuple[bool, Any, bool | None, bool | None]
) -> None:
    """Give a session what it had; one that does not take it is closed."""
    if conn.closed:
        return
    try:
        if conn.info.transaction_status is not TransactionStatus.IDLE:
            await conn.rollback()
        if was:
            # The role first, which was taken last.
            names = sorted(was, key=lambda name: name != "role")
            values = [was[name] for name in names]
            await conn.execute(_CONFIGURE, {"names": names, "values": values})
        await _set_transactions(conn, *transactions)
    except Error:
        await conn.close()


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


async def run_of(pool: Pool, statement: str, about: Mapping[str, Any] | None = None) -> int:
    """Run one statement by itself and return how many rows it was about."""
    async with pool.connection() as conn:
        return (await conn.execute(statement, about)).rowcount


async def each_of(
    pool: Pool,
    *asked: tuple[str, Mapping[str, Any] | None],
    before: Sequence[tuple[str, Mapping[str, Any]]] = (),
) -> list[list[DictRow]]:
    """Run statements in one round trip, one transaction, and return the rows of each.

    Args:
        before: statements that are run first and return nothing that is read.
    """
    async with pool.connection() as conn, conn.pipeline():
        for one in before:
            await conn.execute(*one)
        found = [await conn.execute(statement, about) for statement, about in asked]
        return [await one.fetchall() for one in found]
