"""The application of one process: it answers from its first moment on, at first with 503.

Aegra is imported, and what it needs is opened, while the process listens already. A client that
comes meanwhile is told to come back; it does not wait at a closed port.
"""

from __future__ import annotations

import asyncio
import logging
import os
from importlib import import_module
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.state.clock import SYSTEM

_APP = ("aegra_api.main", "app")
_AFTER_S = 2
_PAUSE_S = 2.0

_NOT_YET = "This server is starting. Nothing was done; come back in 2 seconds."

_LOG = logging.getLogger(__name__)


class Starting:
    """Start an application in the background, and hand it requests when it has started."""

    def __init__(self) -> None:
        self._app: ASGIApp | None = None
        self._ending = asyncio.Event()
        self._life: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] == "lifespan":
            return await self._lifespan(scope, receive, send)
        if self._app is not None:
            return await self._app(scope, receive, send)
        if scope["type"] == "websocket":
            return await send({"type": "websocket.close", "code": 1013, "reason": _NOT_YET})
        headers = {"Retry-After": str(_AFTER_S)}
        await JSONResponse({"detail": _NOT_YET}, 503, headers)(scope, receive, send)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        self._life = asyncio.create_task(self._live(scope))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self._ending.set()
        if self._app is None:
            self._life.cancel()
        await asyncio.gather(self._life, return_exceptions=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _live(self, scope: Scope) -> None:
        """Run the application's own life; where it cannot start, end the process, which is new."""
        try:
            module, name = _APP
            app = getattr(await asyncio.to_thread(import_module, module), name)
            async with app.state.opened():
                await self._run(app, scope)
        except Exception:
            _LOG.exception("the server cannot start")
            # Whoever keeps it running starts another one, not at once: its database may be away.
            await SYSTEM.sleep(_PAUSE_S)
            os._exit(1)

    async def _run(self, app: ASGIApp, scope: Scope) -> None:
        is_asked = False

        async def receive() -> Message:
            nonlocal is_asked
            if is_asked:
                await self._ending.wait()
                return {"type": "lifespan.shutdown"}
            is_asked = True
            return {"type": "lifespan.startup"}

        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                self._app = app
            elif message["type"].endswith(".failed"):
                raise RuntimeError(message.get("message") or "the application did not start")

        own: dict[str, Any] = {**scope, "app": app}
        await app(own, receive, send)


app = Starting()
