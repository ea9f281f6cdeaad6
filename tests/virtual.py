"""Virtual time for tests: an event loop that jumps, and the clocks that follow it.

Time moves on only when nothing is runnable and nobody outside is asked: while a statement is with
Postgres it stands still, however busy the machine is. Between the parts of a test nothing is real
but Postgres: the shop listens on a network in memory, in the same loop.
"""

from __future__ import annotations

import asyncio
import itertools
import mmap
import selectors
from collections.abc import Callable, Coroutine, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import httpx
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.demo.shop.connection import Line
from daybook.state.clock import Clock
from daybook.state.effects.deadline import Deadline
from daybook.tools.services.child_process.child import SenderSays
from evals.sim import senders
from evals.sim.loop import OWNER, Owner, context_of
from evals.sim.network import Network
from tests.beside import Gate

DAWN = datetime(2031, 5, 6, 8, tzinfo=UTC)
"""When each test begins."""

_BLOCKED_S = 0.05
"""Real seconds after which it is asked whether what is waited for waits for a lock."""

_SILENT_S = 120.0
"""Real seconds of silence after which nobody will answer any more."""

_ANSWER_S = 0.0002
"""What an answer from outside takes, in virtual seconds: what comes after it is later."""

_MICROSECONDS = "%020d"

DATABASE_CLOCK = """
create or replace function daybook_now() returns timestamptz
    language sql volatile parallel safe security definer
    as $$ select timestamptz 'epoch' + pg_read_file('{file}')::bigint * interval '1 microsecond' $$
"""


class _Selector(selectors.EpollSelector):
    """Select as the loop's time has it: what would be waited for is jumped over."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout <= 0:
            return super().select(0)
        found: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if found:
            return found
        silent = 0.0
        while self.loop.is_asking or timeout is None:
            if found := super().select(_BLOCKED_S):
                self.loop.jump(_ANSWER_S)
                return found
            if timeout is not None and self.loop.is_held():
                break
            silent += _BLOCKED_S
            assert silent < _SILENT_S, "nobody answers, and nobody here has anything to do"
        self.loop.jump(timeout)
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is virtual.

    Attributes:
        tell: is told the time, in seconds, whenever it has moved.
        network: in memory, with all that listens in this loop.
        is_blocked: tells whether all that is asked of Postgres waits for locks, which may be held
            for as long as somebody here sleeps.
    """

    def __init__(self) -> None:
        self._virtual = 0.0
        self._asked: set[int] = set()
        self._calls: WeakKeyDictionary[Any, Owner | None] = WeakKeyDictionary()
        self._jobs = 0
        self.tell: Callable[[float], None] = lambda now: None
        self.network = Network(self)
        self._ports = itertools.count(601)
        self.is_blocked: Callable[[], bool] = lambda: not self._asked
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Return the virtual time, in seconds since the loop was made."""
        return self._virtual

    def jump(self, seconds: float) -> None:
        """Let time pass."""
        self._virtual += seconds
        self.tell(self._virtual)

    @property
    def is_asking(self) -> bool:
        """Tell whether somebody outside is asked: Postgres, a thread, or over a socket."""
        return bool(self._asked or self._jobs or self._is_talking())

    def is_held(self) -> bool:
        """Tell whether all who are asked hold their answers back."""
        return not self._jobs and not self._is_talking() and self.is_blocked()

    def _is_talking(self) -> bool:
        """Tell whether somebody at a socket is waited for who does not hold the answer back."""
        asking = {
            call.get_extra_info("sockname")[1] for call in list(self._calls) if call.is_reading()
        }
        return not asking <= Gate.held()

    def hang_up(self, owner: Owner) -> None:
        """Break off the calls of an owner that has ended."""
        self.network.drop(owner)
        for call, whose in list(self._calls.items()):
            if whose is owner:
                call.abort()

    def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:
        """Wait for an answer; transports wait by a way of their own, which is not seen here."""
        self._asked.add(fd if isinstance(fd, int) else fd.fileno())
        super().add_reader(fd, callback, *args)

    def remove_reader(self, fd: Any) -> bool:
        """Wait for it no more."""
        self._asked.discard(fd if isinstance(fd, int) else fd.fileno())
        return super().remove_reader(fd)

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        """Call it in a thread, for which time stands still; the shop's own is not needed here."""
        if executor is not None:
            done: asyncio.Future[Any] = self.create_future()
            try:
                done.set_result(func(*args))
            except Exception as error:
                done.set_exception(error)
            return done
        job = super().run_in_executor(executor, func, *args)
        self._jobs += 1
        job.add_done_callback(self._answered)
        return job

    def _answered(self, _: object) -> None:
        self._jobs -= 1

    async def create_server(
        self, protocol_factory: Any, host: Any = None, port: Any = None, **more: Any
    ) -> Any:  # type: ignore[override]
        """Listen in memory, or on a socket that is given or encrypted."""
        if more.get("sock") or more.get("ssl"):
            return await super().create_server(protocol_factory, host, port, **more)
        return Listening(self.network, host, port or next(self._ports), protocol_factory)

    async def create_connection(
        self, protocol_factory: Any, host: Any = None, port: Any = None, **more: Any
    ) -> Any:  # type: ignore[override]
        """Connect to what listens in memory, or over a socket."""
        if self._is_in_memory(host, port):
            return await self.network.dial(protocol_factory, host, port)
        call, protocol = await super().create_connection(protocol_factory, host, port, **more)
        self._calls[call] = OWNER.get()
        return call, protocol

    async def getaddrinfo(self, host: Any, port: Any, **more: Any) -> Any:
        """Find an address; what listens in memory has its name for one."""
        if self._is_in_memory(host, port):
            return [(2, 1, 6, "", (host, port))]
        return await super().getaddrinfo(host, port, **more)

    def _is_in_memory(self, host: Any, port: Any) -> bool:
        if host in ("shop", b"shop"):
            return True
        return host in ("127.0.0.1", b"127.0.0.1") and 600 < int(port or 0) < 1024

    def close(self) -> None:
        """Close it, and its network."""
        if not self.is_closed():
            self.network.close()
        super().close()


class Listening(asyncio.AbstractServer):
    """A server that listens in memory.

    Attributes:
        sockets: tell where.
    """

    def __init__(self, network: Network, host: str, port: int, factory: Any) -> None:
        self._network, self.name = network, (host, port)
        self.sockets = [self]
        network.listen(host, port, factory)

    def getsockname(self) -> tuple[str, int]:
        """Tell where it listens."""
        return self.name

    def close(self) -> None:
        """Listen no more."""
        self._network.leave(*self.name)

    async def wait_closed(self) -> None:
        """Wait for nothing: it is closed at once."""


class VirtualClock(Clock):
    """The clock of a process, by the loop's time."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def now(self) -> datetime:
        """Return the time, UTC."""
        return DAWN + timedelta(seconds=self._loop.time())

    def monotonic(self) -> float:
        """Return the loop's seconds."""
        return self._loop.time()


class DatabaseClock:
    """What `daybook_now()` reads in a database of virtual time: a file, which is mapped here.

    Time moves some hundred times in a test: telling so is as good as free.
    """

    def __init__(self, file: Path) -> None:
        file.write_text(_MICROSECONDS % 0)
        file.chmod(0o644)
        self.file = file
        with file.open("r+b") as opened:
            self._shown = mmap.mmap(opened.fileno(), 0)
        self.show(0.0)

    def show(self, seconds: float) -> None:
        """Show so many seconds after the beginning."""
        at = round((DAWN.timestamp() + seconds) * 1_000_000)
        self._shown[:] = (_MICROSECONDS % at).encode()

    def close(self) -> None:
        """Show nothing more."""
        self._shown.close()


def driven(work: Coroutine[Any, Any, Any]) -> Any:
    """Run to its end what waits for nobody, from where no other task may come between."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    work.close()
    raise AssertionError("it waits for somebody")


class AtOnce(httpx.BaseTransport):
    """Ask an application of this process, which answers before the call returns."""

    def __init__(self, app: ASGIApp) -> None:
        async def called(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, "state": {"line": Line()}}, receive, send)

        self._app = httpx.ASGITransport(called)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer to a request."""
        answer = driven(self._app.handle_async_request(request))
        content = driven(answer.aread())
        return httpx.Response(answer.status_code, headers=answer.headers, content=content)


class Sender:
    """In place of the child with a kill timer: it is ended at its deadline all the same."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    async def send(self, call: Mapping[str, Any], deadline: Deadline) -> SenderSays:
        """Send a call within its deadline, and say what came of it."""
        sender = senders._Sender(deadline.at)
        talking = self._loop.create_task(
            senders._PROTOCOLS[call["protocol"]](sender, call), context=context_of(sender)
        )
        try:
            if await deadline.clock.ended(talking, deadline.seconds):
                sender.answer = talking.result()
        except Exception as error:
            sender.why = type(error).__name__
        finally:
            talking.cancel()
            self._loop.hang_up(sender)
        return SenderSays(sender.began, sender.answer, sender.why)
