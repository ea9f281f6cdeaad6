"""Take card numbers and secrets out of what clients send, before a server keeps it.

The graph does so at its own door; a server in front of it writes down what it was sent first.
"""

from __future__ import annotations

import asyncio
import json
import string
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.inside import SECRET_HEADER
from daybook.app.server.sign_in import signed_in
from daybook.state.errors import DatabaseUnavailable, NotSignedIn
from daybook.state.people.privacy.redaction import redacted

T = TypeVar("T")
R = TypeVar("R")

_LONGEST_BODY = 1_000_000
"""Far more than the graph takes."""

_LONGEST_OF_ANYBODY = 200_000
"""Bytes that are read of somebody who is not known yet: the longest message, however written."""

_LONGEST_HEAD = 64_000
"""Bytes of an address with its headers."""

_SOON = 4_000
"""Bytes that are read so fast that nobody else has to wait; longer ones are read in a thread."""

_SIGN_IN = frozenset({b"authorization", b"cookie", b"x-api-key", SECRET_HEADER.encode()})
"""Headers that hold a secret to be let in by; the server keeps them nowhere."""

_PLAIN = string.punctuation.replace("%", "") + " "


class Redacting:
    """Redact addresses, headers, JSON bodies and what websockets say.

    What cannot be read as JSON is passed on as it is; what is nested too deep to be read is not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        length = _length_of_head(scope)
        if length > _LONGEST_HEAD and scope["type"] == "http":
            return await _refusal("The address and its headers are too long.", 431)(
                scope, receive, send
            )
        await _soon(_redact_head, scope, length)
        if scope["type"] == "websocket":
            return await self._app(scope, _hearing(receive), send)
        if scope["method"] not in ("POST", "PUT", "PATCH"):
            return await self._app(scope, receive, send)
        body, most = bytearray(), _LONGEST_OF_ANYBODY
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > most and most < _LONGEST_BODY and await _is_known(scope):
                most = _LONGEST_BODY
            if len(body) > most:
                return await _refusal("That is too long.", 413)(scope, receive, send)
            if not message.get("more_body"):
                break
        try:
            kept = await _soon(_redacted, bytes(body), len(body))
        except RecursionError:
            return await _refusal("That is nested too deep.", 400)(scope, receive, send)
        headers = MutableHeaders(scope=scope)
        headers["content-length"] = str(len(kept))
        given: list[Message] = [{"type": "http.request", "body": kept, "more_body": False}]

        async def once_more() -> Message:
            return given.pop() if given else await receive()

        await self._app(scope, once_more, send)


def _refusal(why: str, status: int) -> JSONResponse:
    return JSONResponse({"detail": f"{why} Nothing was done."}, status)


def _hearing(receive: Receive) -> Receive:
    """Redact what a websocket says; what is too long or too deep is no command any more."""

    async def next_message() -> Message:
        message = await receive()
        if not message.get("text"):
            return message
        said = str(message["text"]).encode()
        try:
            kept = b"null"
            if len(said) <= _LONGEST_BODY:
                kept = await _soon(_redacted, said, len(said))
        except RecursionError:
            kept = b"null"
        return {**message, "text": kept.decode()}

    return next_message


async def _is_known(scope: Scope) -> bool:
    """Tell whether somebody sends this who is let in."""
    try:
        await signed_in(scope)
    except (NotSignedIn, DatabaseUnavailable):
        return False
    return True


def _length_of_head(scope: Scope) -> int:
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    return len(scope["path"]) + len(scope.get("query_string", b"")) + headers


def _redact_head(scope: Scope) -> None:
    """Redact where a request goes, and its headers: they are written into logs.

    An address names nothing then.
    """
    _redact_address(scope)
    scope["headers"] = [(name, _header(name, value)) for name, value in scope["headers"]]


def _redact_address(scope: Scope) -> None:
    path, query = scope["path"], scope.get("query_string", b"").decode("latin-1")
    if (kept := redacted(path)) != path:
        scope["path"], scope["raw_path"] = kept, quote(kept).encode()
    fields = parse_qsl(query, keep_blank_values=True)
    shown = [(redacted(name), redacted(value)) for name, value in fields]
    if shown != fields:
        scope["query_string"] = urlencode(shown).encode()


def _header(name: bytes, value: bytes) -> bytes:
    """Redact the value of a header. It stays one: whoever looks for it must find it."""
    if name.lower() in _SIGN_IN:
        return value
    plain = unquote(value.decode("latin-1"))
    kept = redacted(plain)
    return value if kept == plain else quote(kept, safe=_PLAIN).encode()


async def _soon(redact: Callable[[T], R], given: T, length: int) -> R:
    """Redact what is given; what takes its time, where nobody waits for it."""
    return redact(given) if length <= _SOON else await asyncio.to_thread(redact, given)


def _redacted(body: bytes) -> bytes:
    """Redact JSON.

    Raises:
        RecursionError: it is nested too deep.
    """
    try:
        given: Any = json.loads(body)
    except ValueError:
        return body
    kept = redacted(given)
    return body if kept == given else json.dumps(kept).encode()
