"""The database of a ledger: opened on first use, once per event loop."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from contextvars import Context
from dataclasses import replace
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo
from psycopg_pool import AsyncConnectionPool, ConnectionPool

from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database_for
from daybook.graph.ledger.savers import LedgerSaver
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError, InputRefused

T = TypeVar("T")
_Opened = tuple[asyncio.Future[Postgres], asyncio.Task[None]]
"""A database, once it is open, and the task that keeps it so."""


_PLACE = frozenset(one.keyword.decode() for one in Conninfo.get_defaults())
"""What may be said of a server and its database."""

_of_parents: list[Any] = []

_of_servers: WeakKeyDictionary[Any, dict[Any, Postgres]] = WeakKeyDictionary()
"""By event loop, databases that a server's checkpointer has opened.

A server that is given files imports one for its graph and once more for its checkpointer: the
ledger that the graph has is not the one that was opened.
"""


class Database:
    """Open, hand out and close what a ledger stands on.

    Connections belong to an event loop, and there may be several: one run after the other by
    `asyncio.run`, and one of its own in a thread, for callers that have none.

    Args:
        given: a URL; an open database; a pool, of which its URL is taken; None for DATABASE_URL,
            or else the embedded Postgres.
    """

    def __init__(
        self,
        given: str | Postgres | AsyncConnectionPool[Any] | ConnectionPool[Any] | None,
        schema: str | None,
        stored_types: Sequence[type],
        program: str,
    ) -> None:
        self._given = given
        url = given if isinstance(given, str) else getattr(given, "conninfo", None)
        self._key, self._program = (url, schema, program), program
        self._schema: dict[str, Any] = {"schema": schema} if schema is not None else {}
        self._stored_types = stored_types
        self._begin()
        self._given_in = _loop_or_none() if isinstance(given, Postgres) else None
        self.saver = LedgerSaver(self.connect, self.run, program)

    def _begin(self) -> None:
        """Know of nothing that is open: neither does a process that was forked from another one."""
        self._pid = os.getpid()
        self._opened: WeakKeyDictionary[Any, _Opened] = WeakKeyDictionary()
        self._users: dict[Any, int] = {}
        self._own: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starts = threading.Lock()
        self._tasks: set[Any] = set()
        self._is_served = False

    async def open(self) -> None:
        """Open the database in this event loop, until everybody who opened it has closed it."""
        loop = asyncio.get_running_loop()
        self._users[loop] = self._users.get(loop, 0) + 1
        try:
            await self.connect()
        except BaseException:
            self._is_last(loop)
            raise

    def open_without_loop(self) -> None:
        """Do the same for a caller that has no event loop."""
        loop = self._loop_for_threads(opens=True)
        try:
            self.run(self.connect())
        except BaseException:
            self._is_last(loop)
            raise

    async def connect(self) -> Postgres:
        """Return the database of this event loop; one that nobody has opened stays open with it.

        Raises:
            ConfigurationError: a setting is wrong.
            EmbeddedPostgresError: the embedded Postgres did not start.
            DatabaseUnavailable: the database cannot be reached.
            LedgerRestored: it was restored, and not compared with the world since.
        """
        if isinstance(self._given, Postgres):
            return self._given
        self._forget_parent()
        loop = asyncio.get_running_loop()
        for ended in [one for one in self._users if one.is_closed()]:
            del self._users[ended]
        if loop not in self._opened:
            if (served := self._served()) is not None:
                return served
            if not self._users and not self.is_own_loop:
                self._users[loop] = 1
            ready: asyncio.Future[Postgres] = loop.create_future()
            # Not in the context of the node that calls first: it outlives that.
            keeper = loop.create_task(self._keep(ready), context=Context())
            self._opened[loop] = ready, keeper
        try:
            return await asyncio.shield(self._opened[loop][0])
        except Exception:
            # Else nobody could try again.
            self._opened.pop(loop, None)
            raise

    def current(self) -> Postgres:
        """Return the database of this event loop, which is open.

        Raises:
            InputRefused: it is not.
        """
        if isinstance(self._given, Postgres):
            return self._given
        opened = self._opened.get(_loop_or_none())
        if (opened is None or not opened[0].done()) and (served := self._served()) is not None:
            return served
        if opened is None or not opened[0].done():
            raise InputRefused(
                "The ledger is not open, or was closed during the call. What was sent is "
                "recorded. Open it around all runs, `async with ledger: ...`, and resume the "
                "thread."
            )
        return opened[0].result()

    def serve(self) -> None:
        """Let the same ledger of another copy of its module stand on what is open here."""
        loop = asyncio.get_running_loop()
        _of_servers.setdefault(loop, {})[self._key] = self.current()
        self._is_served = True

    def _served(self) -> Postgres | None:
        return _of_servers.get(_loop_or_none(), {}).get(self._key)

    def use(self, postgres: Postgres) -> None:
        """Stand on another open database from now on."""
        self._given, self._given_in = postgres, _loop_or_none()

    async def close(self) -> None:
        """Close what was opened here for this event loop, and for callers without one."""
        self._forget_parent()
        if not self._is_last(asyncio.get_running_loop()):
            return
        await self._disconnect()
        if not self._users:
            await asyncio.to_thread(self._end_own)

    def close_without_loop(self) -> None:
        """Do the same for a caller that has no event loop."""
        self._forget_parent()
        with self._starts:
            is_last = self._own is not None and self._is_last(self._own)
        if is_last:
            self._end_own()

    def _is_last(self, loop: asyncio.AbstractEventLoop) -> bool:
        """Forget one who opened the database; tell whether nobody else has it open."""
        self._users[loop] = self._users.get(loop, 1) - 1
        return not self._users[loop] and self._users.pop(loop) == 0

    async def _disconnect(self) -> None:
        if (opened := self._opened.pop(asyncio.get_running_loop(), None)) is not None:
            if self._is_served:
                _of_servers[asyncio.get_running_loop()].pop(self._key, None)
                self._is_served = False
            opened[1].cancel()
            await asyncio.gather(opened[1], return_exceptions=True)

    def _end_own(self) -> None:
        """End the event loop of callers without one, if it is theirs no longer."""
        with self._starts:
            own, thread = self._own, self._thread
            if own is None or thread is None or own in self._users:
                return
            asyncio.run_coroutine_threadsafe(self._end_all(), own).result()
            asyncio.run_coroutine_threadsafe(self._disconnect(), own).result()
            self._own = self._thread = None
            own.call_soon_threadsafe(own.stop)
            thread.join()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine for a caller that has no event loop, and wait for it."""
        loop = self._loop_for_threads()
        if loop is _loop_or_none():
            work.close()
            raise InputRefused(
                "This ledger was given a database that belongs to the calling event loop: await "
                "the effect, in an `async def` node. Nothing was done."
            )
        running = asyncio.run_coroutine_threadsafe(self._tracked(work), loop)
        try:
            return running.result()
        except CancelledError as error:
            raise InputRefused(
                "The ledger was closed during the call. What was sent is recorded; open it around "
                "all runs, `with ledger: ...`, and resume the thread."
            ) from error
        except BaseException:
            running.cancel()
            raise

    async def _tracked(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            return await work
        finally:
            self._tasks.discard(task)

    async def _end_all(self) -> None:
        """Cancel what still runs for callers without an event loop, and wait until it has ended.

        What has been sent is recorded first.
        """
        tasks = list(self._tasks)
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def is_own_loop(self) -> bool:
        """Tell whether what runs here is run for a caller without an event loop."""
        return self._own is not None and _loop_or_none() is self._own

    def _loop_for_threads(self, *, opens: bool = False) -> asyncio.AbstractEventLoop:
        if isinstance(self._given, Postgres):
            if self._given_in is None or not self._given_in.is_running():
                raise InputRefused(
                    "This ledger was given an open database whose event loop is not running, so a "
                    "synchronous caller cannot use it. Nothing was done; pass a URL."
                )
            return self._given_in
        self._forget_parent()
        with self._starts:
            if self._own is None:
                self._own = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=_serve, args=[self._own], name="daybook", daemon=True
                )
                self._thread.start()
            if opens:
                self._users[self._own] = self._users.get(self._own, 0) + 1
            return self._own

    def _forget_parent(self) -> None:
        """Begin anew in a process that was forked: threads and sessions are those of its parent."""
        if self._pid != os.getpid():
            # Kept, for nothing of it may be ended here.
            _of_parents.append((self._opened, self._own, self._tasks))
            self._begin()

    @asynccontextmanager
    async def open_database(self) -> AsyncIterator[Postgres]:
        """Open the database for the length of a block, whether it was restored or not."""
        settings = settings_from()
        given = self._given if isinstance(self._given, AsyncConnectionPool) else None
        # A pool belongs to the loop of the application.
        pool = None if self.is_own_loop else given
        url = _url(self._given) if pool is None else None
        known = settings.database_url if url is None else url
        named = replace(settings, database_url=known, **self._schema)
        async with open_database_for(named, self._stored_types, pool) as postgres:
            yield postgres

    async def _keep(self, ready: asyncio.Future[Postgres]) -> None:
        """Open the database and keep it open until this task is cancelled, as at the loop's end."""
        try:
            async with self.open_database() as postgres:
                await postgres.cluster.check(self._program)
                ready.set_result(postgres)
                await asyncio.get_running_loop().create_future()
        except Exception as error:
            if ready.done():
                raise
            ready.set_exception(error)


def _url(given: Any) -> str | None:
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, AsyncConnectionPool | ConnectionPool):
        about = given.kwargs if given.kwargs is not None else {}
        if isinstance(given.conninfo, str) and isinstance(about, Mapping):
            # Where the server is may stand there too, beside what connections are like.
            place = {name: one for name, one in about.items() if name in _PLACE}
            return make_conninfo(given.conninfo, **place)
    raise ConfigurationError(
        "A ledger takes a URL, an open database, or a psycopg pool whose conninfo or kwargs name "
        f"the database; it was given {type(given).__name__}. Nothing was opened."
    )


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


def _loop_or_none() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
