"""A network in memory: connections between protocols on one virtual loop.

Bytes arrive in order and late; a connection may be reset or fall silent, as `Weather` decides.
Each end's callbacks run in the context of whoever made it, so that they are its process's.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from daybook.state.clock import SYSTEM
from evals.sim.loop import OWNER, Owner, VirtualLoop

Factory = Callable[[], asyncio.BaseProtocol]


class Weather:
    """Decide how a network behaves: here it is fine, and nothing takes any time."""

    def delay(self) -> float:
        """Return how long the next piece takes, in seconds."""
        return 0.0

    def fate(self, port: int) -> str:
        """Say what becomes of the next piece that is written: "", "reset" or "silent"."""
        return ""


class Network:
    """What listens where, and the connections to it."""

    def __init__(self, loop: VirtualLoop, weather: Weather | None = None) -> None:
        self.loop = loop
        self.weather = weather or Weather()
        self.ends: list[End] = []
        self._listening: dict[tuple[str, int], tuple[Factory, Context]] = {}
        # A socket that is not readable, and one that is: httpcore asks the kernel whether an idle
        # connection was closed.
        self._quiet, self._quiet_end = os.pipe()
        self._gone = os.open(os.devnull, os.O_RDONLY)
        self._count = 0
        self.moment: Callable[[], None] = lambda: None
        loop.dial = self.dial

    def listen(self, host: str, port: int, factory: Factory) -> None:
        """Let a protocol take the connections to an address, in the present context."""
        self._listening[host, port] = factory, copy_context()

    def leave(self, host: str, port: int) -> None:
        """Let nobody listen at an address; who is connected stays so."""
        self._listening.pop((host, port), None)

    async def dial(
        self, factory: Factory, host: str | bytes, port: int, **_: Any
    ) -> tuple[asyncio.Transport, Any]:
        """Connect, as `loop.create_connection` does.

        Raises:
            ConnectionRefusedError: nobody listens there.
        """
        host = host.decode() if isinstance(host, bytes) else host
        await SYSTEM.sleep(self.weather.delay())
        listening = self._listening.get((host, port))
        if listening is None:
            raise ConnectionRefusedError(111, f"nobody listens at {host}:{port}")
        served, context = listening
        self._count += 1
        here = End(self, port, copy_context(), factory(), ("127.0.0.1", 50_000 + self._count))
        there = End(self, port, context, context.run(served), (host, port))
        here.peer, there.peer = there, here
        self.ends += [here, there]
        there.call(there.protocol.connection_made, there)
        here.protocol.connection_made(here)
        return here, here.protocol

    def drop(self, owner: Owner) -> None:
        """Close the connections of a dead process as its kernel would; what it had sent arrives."""
        for end in self.ends:
            if end.context.get(OWNER) is owner and not end.is_over:
                end._send(None)
                end.is_over = end._closing = True
        self.ends = [end for end in self.ends if not (end.is_over and end.peer.is_over)]

    def close(self) -> None:
        """Give the descriptors back."""
        for fd in (self._quiet, self._quiet_end, self._gone):
            os.close(fd)


class _Socket:
    """What a library asks of a socket: whether it is readable, by its number; and its peer."""

    family = socket.AF_INET

    def __init__(self, end: End) -> None:
        self._end = end

    def fileno(self) -> int:
        end, network = self._end, self._end.network
        is_readable = end.is_over or end._is_at_end or end._waiting
        return network._gone if is_readable else network._quiet

    def getpeername(self) -> tuple[str, int]:
        return self._end.peer.name

    def getsockname(self) -> tuple[str, int]:
        return self._end.name

    def setsockopt(self, *_: Any) -> None:
        pass


class End(asyncio.Transport):
    """One end of a connection."""

    peer: End

    def __init__(
        self,
        network: Network,
        port: int,
        context: Context,
        protocol: asyncio.BaseProtocol,
        name: tuple[str, int],
    ) -> None:
        super().__init__()
        self.network = network
        self.port = port
        self.context = context
        self.protocol: Any = protocol
        self.name = name
        self.is_over = False
        self._closing = False
        self._paused = False
        self._silent = False
        self._waiting: list[Any] = []
        self._on_the_way: deque[bytes | BaseException | None] = deque()
        self._is_at_end = False
        self._arrives = 0.0

    def call(self, act: Callable[..., Any], *args: Any) -> None:
        """Call something soon, as this end's process."""
        self.network.loop.call_soon(act, *args, context=self.context)

    # -- sending ----------------------------------------------------------------------------------

    def write(self, data: Any) -> None:
        """Send bytes, which arrive in order and late."""
        if self._closing or not data:
            return
        self.network.moment()
        if self.is_closing():
            return
        fate = self.network.weather.fate(self.port)
        if fate == "reset":
            self.abort()
        elif fate == "silent":
            self._silent = self.peer._silent = True
        self._send(bytes(data))

    def _send(self, what: bytes | BaseException | None) -> None:
        """Let a piece, the end of all (None), or an error arrive."""
        if self._silent:
            return
        loop = self.network.loop
        self._arrives = max(self._arrives, loop.time() + self.network.weather.delay())
        # Timers of the same moment come in any order; what is on the way stays in its own.
        self.peer._on_the_way.append(what)
        loop.call_at(self._arrives, self.peer._next_arrived, context=self.peer.context)

    def write_eof(self) -> None:
        """Say that nothing more comes."""
        self._send(None)

    def close(self) -> None:
        """Close when what was written has gone out."""
        if not self._closing:
            self._closing = True
            self._send(None)
            self.call(self._lost, None)

    def abort(self) -> None:
        """Close at once; the other side is told by a reset."""
        if not self.is_over:
            self._closing = True
            self._send(ConnectionResetError(104, "reset by the other side"))
            self.call(self._lost, None)

    # -- receiving --------------------------------------------------------------------------------

    def _next_arrived(self) -> None:
        self._arrived(self._on_the_way.popleft())

    def _arrived(self, what: bytes | BaseException | None) -> None:
        if self.is_over:
            return
        if self._paused:
            self._waiting.append(what)
        elif isinstance(what, BaseException):
            self._closing = True
            self._lost(what)
        elif what is None:
            self._is_at_end = True
            if not self.protocol.eof_received():
                self.close()
        elif not self._closing:
            self.protocol.data_received(what)

    def _lost(self, error: BaseException | None) -> None:
        if not self.is_over:
            self.is_over = True
            self.protocol.connection_lost(error)

    def pause_reading(self) -> None:
        """Let what arrives wait."""
        self._paused = True

    def resume_reading(self) -> None:
        """Take what has arrived, and what arrives."""
        self._paused = False
        waiting, self._waiting = self._waiting, []
        for what in waiting:
            self.call(self._arrived, what)

    # -- what else a transport is asked -----------------------------------------------------------

    def is_closing(self) -> bool:
        """Tell whether it is closed, or about to be."""
        return self._closing

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Do nothing: what is written is never held back."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Tell what libraries ask of a connection."""
        known = {"socket": _Socket(self), "peername": self.peer.name, "sockname": self.name}
        return known.get(name, default)
