"""What every answer says to a browser, whatever answered: keep nothing, guess nothing, no frame."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ALWAYS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}

_KEPT_NOWHERE = ("application/json", "text/event-stream")


_LOG = logging.getLogger(__name__)

_FAILED = {
    "detail": "This could not be answered; what went wrong stands in the server's log. See how "
    "things stand before you try again."
}


class SafeHeaders:
    """Add these headers to answers that do not say otherwise themselves, as the console's do.

    What fails is answered here too: what stands outside of all layers says none of this.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        is_begun = False

        async def said(message: Message) -> None:
            nonlocal is_begun
            if message["type"] == "http.response.start":
                is_begun = True
                headers = MutableHeaders(scope=message)
                for name, value in ALWAYS.items():
                    headers.setdefault(name, value)
                is_public = headers.get("cache-control", "").startswith("public")
                if not is_public and headers.get("content-type", "").startswith(_KEPT_NOWHERE):
                    # Of people: in no cache, of a browser or on the way.
                    headers["Cache-Control"] = "no-store"
            await send(message)

        try:
            await self._app(scope, receive, said)
        except Exception:
            if scope["type"] != "http" or is_begun:
                raise
            # Raised on, it would end the connection, and whatever else its client asks by it.
            _LOG.exception("a request could not be answered")
            await JSONResponse(_FAILED, 500)(scope, receive, said)
