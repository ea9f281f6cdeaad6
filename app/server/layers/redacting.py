"""Take card numbers and secrets out of what clients send, before a server keeps it.

The graph does so at its own door; a server in front of it writes down what it was sent first.

It takes a processor's time, and while a pattern is held against a text nobody else gets on. So what
is long is read of people who are let in alone, in a thread, one at a time, and by turns: whoever
sends much waits behind themselves.
"""

from __future__ import annotations

import asyncio
import json
import string
import weakref
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlencode

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.denials import denied
from daybook.app.server.inside import SECRET_HEADER
from daybook.app.server.quotas import address_of, seconds_of
from daybook.app.server.sign_in import credential_in, is_console, who_sends
from daybook.state.errors import DatabaseUnavailable, NotSignedIn, TooMany
from daybook.state.people.privacy import redacted

T = TypeVar("T")
R = TypeVar("R")

_LONGEST_BODY = 200_000
"""Bytes of a body, and of what a websocket says: the longest message, however it is written."""

_LONGEST_HEAD = 16_000
"""Bytes of an address with its headers."""

_LONG_BODY, _LONG_HEAD = 1_000, 4_000
"""Bytes that are read so fast that nobody else has to wait; of anybody no longer body is read."""

_SIGN_IN = frozenset({b"authorization", b"cookie", b"x-api-key", SECRET_HEADER.encode()})
"""Headers that hold a secret to be let in by; the server keeps them nowhere."""

_PLAIN = string.punctuation.replace("%", "") + " "


class Redacting:
    """Redact addresses, headers, JSON bodies and what websockets say.

    What cannot be read as JSON is passed on as it is; what is nested too deep to be read is not.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns = _Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        if (length := _length_of_head(scope)) > _LONGEST_HEAD:
            if scope["type"] == "websocket":
                return await send({"type": "websocket.close", "code": 1008})
            return await _refusal("The address and its headers are too long.", 431)(
                scope, receive, send
            )
        if length <= _LONG_HEAD:
            _redact_head(scope)
        else:
            await self._in_turn(address_of(scope), _redact_head, scope)
        if scope["type"] == "websocket":
            return await self._app(scope, self._hearing(scope, receive), send)
        # The console takes forms, bounded by its guard, and passes on what they say to the API.
        if scope["method"] not in ("POST", "PUT", "PATCH") or is_console(scope):
            return await self._app(scope, receive, send)
        body, who = bytearray(), None
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > _LONGEST_BODY:
                return await _refusal("That is too long.", 413)(scope, receive, send)
            if len(body) > _LONG_BODY and who is None:
                try:
                    who = await who_sends(scope)
                except (NotSignedIn, TooMany, DatabaseUnavailable) as refusal:
                    return await _not_read(refusal)(scope, receive, send)
            if not message.get("more_body"):
                break
        try:
            kept = await self._redacted(who, bytes(body))
        except RecursionError:
            return await _refusal("That is nested too deep.", 400)(scope, receive, send)
        headers = MutableHeaders(scope=scope)
        headers["content-length"] = str(len(kept))
        given: list[Message] = [{"type": "http.request", "body": kept, "more_body": False}]

        async def once_more() -> Message:
            return given.pop() if given else await receive()

        await self._app(scope, once_more, send)

    def _hearing(self, scope: Scope, receive: Receive) -> Receive:
        """Redact what a websocket says; what is no text, too long or too deep is no command."""
        # Nothing is heard of a websocket before it was let in.
        who = credential_in(scope)

        async def next_message() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            said = str(message.get("text") or "null").encode()
            kept = b"null"
            with suppress(RecursionError):
                if len(said) <= _LONGEST_BODY:
                    kept = await self._redacted(who, said)
            return {"type": message["type"], "text": kept.decode()}

        return next_message

    async def _redacted(self, who: Hashable, body: bytes) -> bytes:
        if len(body) <= _LONG_BODY:
            return _redacted(body)
        return await self._in_turn(who, _redacted, body)

    async def _in_turn(self, who: Hashable, redact: Callable[[T], R], given: T) -> R:
        """Redact what takes its time, where nobody waits for it."""
        async with self._turns.of(who), self._turns.one:
            return await asyncio.to_thread(redact, given)


class _Turns:
    """Who redacts next: each sender has one place in the line, however much they send.

    Attributes:
        one: is held by the one whose turn it is.
    """

    def __init__(self) -> None:
        self.one = asyncio.Lock()
        self._own: weakref.WeakValueDictionary[Hashable, asyncio.Lock] = (
            weakref.WeakValueDictionary()
        )

    def of(self, who: Hashable) -> asyncio.Lock:
        """Return what a sender's own things wait for, one behind the other."""
        own = self._own.get(who)
        if own is None:
            own = self._own[who] = asyncio.Lock()
        return own


def _refusal(why: str, status: int) -> JSONResponse:
    return JSONResponse({"detail": f"{why} Nothing was done."}, status)


def _not_read(why: NotSignedIn | TooMany | DatabaseUnavailable) -> JSONResponse:
    """Answer somebody of whom nothing long is read."""
    if isinstance(why, TooMany):
        return JSONResponse({"detail": str(why)}, 429, seconds_of(why))
    if isinstance(why, DatabaseUnavailable):
        return JSONResponse({"detail": str(why)}, 503)
    denied("to have something long read")
    return JSONResponse({"detail": str(why)}, 401)


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
