"""The sessions of a life: statements are executed where they are sent, one at a time.

A statement takes virtual time on its way there and back, and none in between. One that waits for a
lock is put aside, and looked at again when another one has ended: so how fast Postgres is decides
nothing.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
from psycopg.waiting import Ready, Wait

from daybook.state.clock import SYSTEM
from evals.sim.loop import OWNER, Owner
from evals.sim.server import Server

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
