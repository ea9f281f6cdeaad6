"""A tiny real TCP server, whose conversations end with it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from daybook.state.clock import SYSTEM

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

_STEPS = 3
"""Steps of the loop in which what was accepted is made a connection."""
_HUNG_UP = (ConnectionError, asyncio.IncompleteReadError)


@asynccontextmanager
async def tcp_server(
    talk: Talk, port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Yield the port of a server that holds one conversation for each connection.

    A connection is closed when its conversation ends. What fails in a conversation fails the test,
    except that the other side hung up.
    """
    talks: list[asyncio.Future[None]] = []

    # A plain function: it is called as a connection is made. A coroutine that is cancelled before
    # its first step closes nothing, and the socket outlives the loop.
    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        one = asyncio.ensure_future(talk(reader, writer))
        one.add_done_callback(lambda _: writer.close())
        talks.append(one)

    server = await asyncio.start_server(accept, "127.0.0.1", port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        # A server that is closed forgets what it was accepting, with its socket.
        for _ in range(_STEPS):
            await SYSTEM.sleep(0)
        server.close()
        for one in talks:
            one.cancel()
        ended = await asyncio.gather(*talks, return_exceptions=True)
    for end in ended:
        if isinstance(end, Exception) and not isinstance(end, _HUNG_UP):
            raise end
