"""The real Postgres of a simulator, and a life's sessions: statements go one at a time.

A statement takes virtual time on its way there and back, and none in between. One that waits for a
lock is put aside, and looked at again when another one has ended: so how fast Postgres is decides
nothing.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import shutil
import signal
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.waiting import Ready, Wait

from daybook.checkpoints.embedded.postgres import EmbeddedPostgres
from daybook.checkpoints.migrate import migrate
from daybook.domain import embedded_postgres
from daybook.state.clock import SYSTEM
from evals.sim.judge import SQL
from evals.sim.loop import OWNER, Owner

DAWN = datetime(2031, 5, 6, 8, tzinfo=UTC)
"""When every simulated day begins."""

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "shared_buffers": "64MB",
    "checkpoint_timeout": "1h",
    "max_wal_size": "2GB",
}
"""Nothing here outlives its simulator. A commit still is in the kernel's hands, and outlives the
server's immediate end."""

_CLOCK = """
create or replace function daybook_now() returns timestamptz
    language sql volatile parallel safe security definer
    as $$ select pg_read_file('{file}')::timestamptz $$
"""
"""A file is written in a microsecond, where a statement takes a hundred."""

_TEMPLATE = "sim_template"


class Server:
    """One Postgres with a template; each life gets a copy of it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._clock = home / "clock"
        self._clock.write_text("")
        os.chmod(home, 0o755)
        self._fd = os.open(self._clock, os.O_WRONLY)
        self.tell(0.0)
        self._running: EmbeddedPostgres = embedded_postgres(home)
        self._prepare()
        self._conn = self._connected()
        self._count = 0

    def _connected(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._url("postgres"), autocommit=True, prepare_threshold=None)

    def _url(self, name: str) -> str:
        # What the judge asks finds Daybook's tables by their names; Daybook sets its own path.
        options = "-csearch_path=daybook,public"
        return make_conninfo(self._running.url, dbname=name, options=options)

    def _prepare(self) -> None:
        with self._connected() as conn:
            for name, value in _SETTINGS.items():
                conn.execute(f"alter system set {name} = '{value}'")
            conn.execute(f"create database {_TEMPLATE}")
        self._end_now()
        self._running = embedded_postgres(self._home)
        asyncio.run(migrate(self._url(_TEMPLATE)))
        with psycopg.connect(self._url(_TEMPLATE), autocommit=True) as conn:
            conn.execute(_CLOCK.format(file=self._clock))
            conn.execute(SQL["triggers"])

    # -- time -------------------------------------------------------------------------------------

    def tell(self, seconds: float) -> None:
        """Let the server's clock show a virtual time."""
        at = DAWN + timedelta(seconds=seconds)
        os.pwrite(self._fd, at.isoformat(" ", "microseconds").encode(), 0)

    # -- databases --------------------------------------------------------------------------------

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield the URL of a database for one life."""
        self._count += 1
        name = f"life_{self._count}"
        self._conn.execute(f"create database {name} template {_TEMPLATE} strategy file_copy")
        try:
            yield self._url(name)
        finally:
            self._conn.execute(f"drop database {name} with (force)")

    # -- sessions ---------------------------------------------------------------------------------

    def is_blocked(self, pid: int) -> bool:
        """Tell whether a session waits for a lock that another one holds."""
        found = self._conn.execute("select cardinality(pg_blocking_pids(%s)) > 0", (pid,))
        row = found.fetchone()
        return bool(row and row[0])

    def end(self, pid: int) -> None:
        """End a session."""
        self._conn.execute("select pg_terminate_backend(%s, 5000)", (pid,))

    def wait_until_ended(self, pids: list[int]) -> None:
        """Wait until sessions have ended, but for those that wait for a lock."""
        until = SYSTEM.monotonic() + 20
        while True:
            rows = self._conn.execute(
                "select 1 from pg_stat_activity where pid = any(%s)"
                " and cardinality(pg_blocking_pids(pid)) = 0 limit 1",
                (pids,),
            ).fetchall()
            if not rows:
                return
            assert SYSTEM.monotonic() < until, "the sessions of a dead process go on"
            SYSTEM.block(0.0005)

    def cut_all(self, database: str) -> None:
        """End all sessions of processes in a database, and wait until they have."""
        self._conn.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = %s and application_name like 'daybook-%%'",
            (database,),
        )

    def restart(self) -> None:
        """End the server at once, as a crash would, and start it again."""
        self._conn.close()
        self._end_now()
        self._running = embedded_postgres(self._home)
        self._conn = self._connected()

    def _end_now(self) -> None:
        pid = int((self._home / "postgres/data/postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)
        self._running.close()
        with suppress(ProcessLookupError):
            while True:
                os.kill(pid, 0)
                SYSTEM.block(0.002)

    def close(self) -> None:
        """End the server."""
        self._conn.close()
        self._end_now()
        os.close(self._fd)


@contextmanager
def open_server() -> Iterator[Server]:
    """Start a server in memory where there is room, and leave nothing of it."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    home = Path(tempfile.mkdtemp(prefix="daybook-sim-", dir=folder))
    try:
        server = Server(home)
        try:
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)


_AT_ONCE_MS, _AGAIN_MS = 20, 5
"""How long a statement is waited for before it is asked whether it is blocked, and between asks."""

_LOCK_TIMEOUT_S, _TRULY_MS = 2.0, 8_000
"""For a lock Postgres waits by its own clock: when virtual time is over, it is let do so.

A busy machine may tell of it seconds late.
"""

_MOST_S = 30.0
"""A session that is in one transaction for longer is ended by Postgres (`open_postgres`)."""


class Sessions:
    """The sessions of a life's processes: whose they are, and how the server knows them.

    Attributes:
        statements: how many were executed.
        blocked: how many of them waited for a lock.
    """

    def __init__(self, server: Server, chance: random.Random) -> None:
        self.server = server
        self._chance = chance
        self._of_fd: dict[int, tuple[Owner | None, int]] = {}
        self._pid: dict[int, int] = {}
        self._all: list[Any] = []
        self._aside: dict[int, asyncio.Future[None]] = {}
        self.moment: Callable[[], None] = lambda: None
        self.statements = 0
        self.blocked = 0

    async def on_the_way(self) -> None:
        """Take the time that a statement, or its answer, takes on its way."""
        await SYSTEM.sleep(self._chance.uniform(0.0001, 0.002))

    def seen(self, fd: int) -> None:
        """Note whose connection uses a descriptor now."""
        self._of_fd[fd] = OWNER.get(), os.fstat(fd).st_ino

    def opened(self, conn: psycopg.AsyncConnection[Any]) -> None:
        """Note a connection."""
        self._pid[conn.fileno()] = conn.info.backend_pid
        self._all.append(conn)

    def closed(self, pid: int) -> None:
        """Wait until the server has seen that a connection was closed."""
        self.server.wait_until_ended([pid])
        self.look_again()

    # -- locks ------------------------------------------------------------------------------------

    async def is_ready(self, fd: int) -> None:
        """Wait until a statement's answer is there."""
        if self._answers(fd):
            return
        self.blocked += 1
        free = asyncio.get_running_loop().create_future()
        self._aside[fd] = free
        try:
            async with SYSTEM.timeout(_LOCK_TIMEOUT_S):
                await free
        except TimeoutError:
            poll = select.poll()
            poll.register(fd, select.POLLIN)
            if poll.poll(_TRULY_MS):
                return
            await self._is_late(fd, poll)
        finally:
            self._aside.pop(fd, None)

    async def _is_late(self, fd: int, poll: select.poll) -> None:
        free = asyncio.get_running_loop().create_future()
        self._aside[fd] = free
        with suppress(TimeoutError):
            async with SYSTEM.timeout(_MOST_S - _LOCK_TIMEOUT_S):
                await free
                return
        self.server.end(self._pid[fd])
        poll.poll()

    def _answers(self, fd: int) -> bool:
        """Wait for an answer, for as long as it takes; False where it waits for a lock."""
        poll, patience = select.poll(), _AT_ONCE_MS
        poll.register(fd, select.POLLIN)
        while not poll.poll(patience):
            patience = _AGAIN_MS
            pid = self._pid.get(fd)
            if pid is not None and self.server.is_blocked(pid):
                return False
        return True

    def look_again(self) -> None:
        """Look again at the statements that waited for a lock."""
        for fd, free in list(self._aside.items()):
            if not free.done() and self._answers(fd):
                free.set_result(None)

    # -- death ------------------------------------------------------------------------------------

    def cut(self, owner: Owner) -> None:
        """Close the connections of a dead process as its kernel would, and wait for the server."""
        pids = []
        for fd, (whose, inode) in list(self._of_fd.items()):
            if whose is not owner:
                continue
            with suppress(OSError):
                # Behind a restart the number may be that of somebody else's socket.
                if os.fstat(fd).st_ino == inode:
                    with socket.socket(fileno=os.dup(fd)) as copy:
                        copy.shutdown(socket.SHUT_RDWR)
            if fd in self._pid:
                pids.append(self._pid.pop(fd))
            if (free := self._aside.pop(fd, None)) is not None:
                free.cancel()
            del self._of_fd[fd]
        self.server.wait_until_ended(pids)
        self.look_again()

    def close(self) -> None:
        """Give back all that is still open."""
        for conn in self._all:
            conn.pgconn.finish()


_playing: list[Sessions] = []


def playing(sessions: Sessions | None) -> None:
    """Let all statements be of these sessions, or of none."""
    _playing[:] = [sessions] if sessions is not None else []


_really, _connected_really = psycopg.waiting.wait_async, psycopg.waiting.wait_conn_async


async def wait(gen: Any, fileno: int, interval: float = 0.0, **more: Any) -> Any:
    """Drive a statement to its end, in place of psycopg's `wait_async`."""
    if not _playing:
        return await _really(gen, fileno, interval, **more)
    sessions = _playing[-1]
    sessions.statements += 1
    sessions.moment()
    await sessions.on_the_way()
    try:
        # No time passes while it is executed.
        sessions.server.tell(asyncio.get_running_loop().time())
        wanted = next(gen)
        while True:
            if wanted & Wait.W:
                ready = Ready.W
            else:
                await sessions.is_ready(fileno)
                ready = Ready.R
            wanted = gen.send(ready)
    except StopIteration as ended:
        result = ended.value
    finally:
        sessions.look_again()
        sessions.moment()
        await sessions.on_the_way()
    return result


async def wait_connected(gen: Any, interval: float = 0.0, **more: Any) -> Any:
    """Open a connection, in place of psycopg's `wait_conn_async`."""
    if not _playing:
        return await _connected_really(gen, interval, **more)
    sessions, poll = _playing[-1], select.poll()
    await sessions.on_the_way()
    try:
        fd, wanted = next(gen)
        while True:
            sessions.seen(fd)
            poll.register(fd, select.POLLOUT if wanted & Wait.W else select.POLLIN)
            poll.poll()
            poll.unregister(fd)
            fd, wanted = gen.send(Ready.W if wanted & Wait.W else Ready.R)
    except StopIteration as ended:
        result = ended.value
    await sessions.on_the_way()
    return result


def follow_connections() -> None:
    """Let every connection of a life be known to its sessions; once a process."""
    connection: Any = psycopg.AsyncConnection
    connect, close = connection.connect.__func__, connection.close

    async def connected(cls: Any, *args: Any, **kwargs: Any) -> Any:
        conn = await connect(cls, *args, **kwargs)
        if _playing:
            _playing[-1].opened(conn)
        return conn

    async def closed(self: Any) -> None:
        pid = None if self.closed else self.info.backend_pid
        await close(self)
        if _playing and pid is not None:
            _playing[-1].closed(pid)

    @asynccontextmanager
    async def one_by_one(self: Any) -> AsyncIterator[None]:
        yield

    connection.connect = classmethod(connected)
    # What a pipeline has sent is executed while its client does something else: nobody could tell
    # before or after what. Sent one by one, the same statements are of the same transaction.
    connection.pipeline = one_by_one
    pipeline: Any = psycopg.AsyncPipeline
    pipeline.is_supported = classmethod(lambda cls: False)
    connection.close = closed
