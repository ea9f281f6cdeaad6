"""A tiny real TCP server, whose conversations end with it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def tcp_server(
    talk: Talk, port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Yield the port of a server that holds one conversation for each connection.

    A connection is closed when its conversation ends. What fails in a conversation fails the test,
    except that the other side hung up.
    """
    talks: set[asyncio.Future[None]] = set()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        one = asyncio.ensure_future(talk(reader, writer))
        talks.add(one)
        await asyncio.wait({one})
        writer.close()

    server = await asyncio.start_server(accept, "127.0.0.1", port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for one in talks:
            one.cancel()
        ended = await asyncio.gather(*talks, return_exceptions=True)
    for end in ended:
        if isinstance(end, Exception) and not isinstance(end, ConnectionError):
            raise end
