"""Take card numbers and secrets out of what clients send, before a server keeps it.

The graph does so at its own door; a server in front of it writes down what it was sent first.
"""

from __future__ import annotations

import json

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from state.privacy import redacted

_LONGEST_BODY = 4_000_000


class Redacting:
    """Redact the JSON bodies of requests; one that cannot be read is passed on as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            return await self._app(scope, receive, send)
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > _LONGEST_BODY:
                refused = JSONResponse({"detail": "That is too long. Nothing was done."}, 413)
                return await refused(scope, receive, send)
            if not message.get("more_body"):
                break
        body = _redacted(body)
        headers = MutableHeaders(scope=scope)
        headers["content-length"] = str(len(body))
        given: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def once_more() -> Message:
            return given.pop() if given else await receive()

        await self._app(scope, once_more, send)


def _redacted(body: bytes) -> bytes:
    try:
        given = json.loads(body)
        kept = redacted(given)
        return body if kept == given else json.dumps(kept).encode()
    except (ValueError, RecursionError):
        return body
