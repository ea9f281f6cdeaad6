"""Time for servers of tests that answer in threads, beside the loop that asks them.

Where the loop's time is virtual it stands still while somebody waits for such a server, but for
one that holds its answer back: here it says so.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import ClassVar, TypeVar
from weakref import WeakSet

from daybook.state.clock import SYSTEM, Clock
from daybook.testing import http, provider
from daybook.testing.http import Handler, Service

P = TypeVar("P", bound=provider.Provider)

_ASKING = threading.local()


class Answering(Handler):
    """Answer over one connection, in a thread that knows whose it is."""

    def setup(self) -> None:
        """Note the port of whoever asks."""
        _ASKING.port = self.client_address[1]
        super().setup()


class Gate(threading.Event):
    """What answers are held back by, until it is set."""

    _all: ClassVar[WeakSet[Gate]] = WeakSet()

    def __init__(self) -> None:
        super().__init__()
        self._held: Counter[int] = Counter()
        self._all.add(self)

    def wait(self, timeout: float | None = None) -> bool:
        """Hold an answer back."""
        port = _ASKING.port
        with self._cond:  # type: ignore[attr-defined]
            self._held[port] += 1
        try:
            return super().wait(timeout)
        finally:
            with self._cond:  # type: ignore[attr-defined]
                self._held[port] -= 1

    @classmethod
    def held(cls) -> set[int]:
        """Return the ports of those whose answers are held back now.

        Who has hung up meanwhile is among them: that his answer is held says nothing of others'.
        """
        gates = [gate for gate in cls._all if not gate.is_set()]
        return {port for gate in gates for port, held in list(gate._held.items()) if held}


class Time(provider.Time):
    """The time of the loop that asks.

    Attributes:
        loop: whose time is virtual; None where it is the system's.
        clock: tells it.
    """

    loop: asyncio.AbstractEventLoop | None = None
    clock: Clock = SYSTEM

    def now(self) -> float:
        """Return the time, in seconds since 1970."""
        return (self.clock.now() - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()

    def block(self, seconds: float) -> None:
        """Hold an answer back for so long."""
        gate = Gate()
        self.later(seconds, gate.set)
        gate.wait()

    def later(self, seconds: float, act: Callable[[], object]) -> None:
        """Do something after so many seconds, in a thread or in the loop."""
        if self.loop is None:
            threading.Timer(seconds, act).start()
        else:
            self.loop.call_soon_threadsafe(self.loop.call_later, seconds, act)


TIME = Time()
provider.Provider.time, provider.Provider.gate = TIME, Gate


@contextmanager
def served(services: Mapping[str, Service]) -> Iterator[str]:
    """Serve services in a thread, beside a loop whose time may be virtual."""
    with http.serve(services, Answering) as url:
        yield url


@contextmanager
def serving(service: P) -> Iterator[P]:
    """Serve one provider, which knows its `url`; let what it holds back go in the end."""
    with served({"it": service}) as url:
        service.url = f"{url}/it"
        try:
            yield service
        finally:
            service.go_on.set()
