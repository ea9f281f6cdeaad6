"""What every answer says to a browser, whatever answered: keep nothing, guess nothing, no frame."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

_KEPT_NOWHERE = ("application/json", "text/event-stream")


class SafeHeaders:
    """Add these headers to answers that do not say otherwise themselves, as the console's do."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""

        async def said(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in ALWAYS.items():
                    headers.setdefault(name, value)
                if headers.get("content-type", "").startswith(_KEPT_NOWHERE):
                    # Of people: in no cache, of a browser or on the way.
                    headers["Cache-Control"] = "no-store"
            await send(message)

        await self._app(scope, receive, said)
