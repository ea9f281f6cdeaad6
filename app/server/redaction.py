"""Remove card numbers and secrets from requests before the server stores them.

The graph does so for its own state; a server in front of it stores what it was sent first. Matching
patterns takes processor time, and holds the interpreter's lock: a long body is read in a thread,
one at a time.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.sign_in import is_console
from daybook.state.people.privacy import redacted

SUPERSTEPS = "daybook.supersteps"
"""The key of a request's scope which says that it would write state into the thread that it
creates; `daybook.app.server.auth` refuses it before the server creates the thread."""

_LONGEST_BODY = 200_000
"""The most bytes of a body or websocket message: the longest message in any encoding."""

_LONG_BODY = 1_000
"""A body of this many bytes is parsed quickly enough not to block other requests."""


class Redaction:
    """Redact JSON bodies and websocket messages.

    What cannot be read as JSON is passed on as it is; what is nested too deep to be read is not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] == "websocket":
            return await self._app(scope, self._redacted_messages(receive), send)
        # The console takes forms, bounded by its guard, and passes on what they say to the API.
        writes = scope["type"] == "http" and scope["method"] in ("POST", "PUT", "PATCH", "DELETE")
        if not writes or is_console(scope):
            return await self._app(scope, receive, send)
        body, has_more = bytearray(), True
        while has_more:
            message = await receive()
            body += message.get("body", b"")
            has_more = message.get("more_body", False)
            if len(body) > _LONGEST_BODY:
                return await _too_large("The body is too large.", 413)(scope, receive, send)
        try:
            given, kept = await self._redact(bytes(body))
        except RecursionError:
            return await _too_large("The body is nested too deeply.", 400)(scope, receive, send)
        if [part for part in scope["path"].split("/") if part] == ["threads"]:
            scope[SUPERSTEPS] = isinstance(given, dict) and bool(given.get("supersteps"))
        MutableHeaders(scope=scope)["content-length"] = str(len(kept))
        again: list[Message] = [{"type": "http.request", "body": kept, "more_body": False}]

        async def receive_again() -> Message:
            return again.pop() if again else await receive()

        await self._app(scope, receive_again, send)

    def _redacted_messages(self, receive: Receive) -> Receive:
        """Redact websocket messages; one that is no text, too long or too deep becomes `null`."""

        async def next_message() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            text = str(message.get("text") or "null").encode()
            kept = b"null"
            with suppress(RecursionError):
                if len(text) <= _LONGEST_BODY:
                    _, kept = await self._redact(text)
            return {"type": message["type"], "text": kept.decode()}

        return next_message

    async def _redact(self, body: bytes) -> tuple[Any, bytes]:
        """Return a body's value, and the body without secrets.

        Raises:
            RecursionError: it is nested too deep.
        """
        if len(body) <= _LONG_BODY:
            return _redacted(body)
        async with self._turn:
            return await asyncio.to_thread(_redacted, body)


def _redacted(body: bytes) -> tuple[Any, bytes]:
    try:
        given: Any = json.loads(body)
    except ValueError:
        return None, body
    kept = redacted(given)
    return given, body if kept == given else json.dumps(kept).encode()


def _too_large(why: str, status: int) -> JSONResponse:
    return JSONResponse({"detail": f"{why} Nothing was done."}, status)
