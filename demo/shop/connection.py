"""The connection of a caller: watched for its end, or cut."""

import asyncio
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


class Line:
    """Stand for the TCP connection of a caller: see it go, or cut it.

    `gone` is set when the connection is lost, whoever closed it.
    """

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self._transport: asyncio.Transport | None = None

    def carry(self, transport: asyncio.Transport) -> None:
        """Bind the line to the transport of its connection."""
        self._transport = transport

    async def cut(self) -> None:
        """Close the connection at once; return when it is gone."""
        if self._transport is not None:
            self._transport.abort()
            await self.gone.wait()


class LineProtocol(H11Protocol):
    """Serve HTTP as uvicorn does, and hand each request the line that it came on.

    ASGI has no word for "close without a response", which is what a crashed service looks like.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        self._line = Line()
        super().__init__(config, server_state, {**app_state, "line": self._line}, _loop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Remember the transport; the line can be cut from here on."""
        super().connection_made(transport)
        self._line.carry(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell those who wait on the line that it is gone."""
        super().connection_lost(exc)
        self._line.gone.set()


class Severed(Response):
    """Answer with no byte at all: the connection is closed instead."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Cut the line that the request came on."""
        line: Line = scope["state"]["line"]
        # uvicorn answers 500 for a silent application, unless it has seen the connection go.
        await line.cut()
