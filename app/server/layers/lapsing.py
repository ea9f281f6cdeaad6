"""End what a token or a session has opened when it lapses: revoked, expired or signed out.

A request is let in once, and its answer may last for hours: streams of runs, pages that wait for
news, websockets. All that are open are looked at once a second, in one look, and each thing that a
websocket says once more before it is heard.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field

from psycopg import Error
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.inside import is_inside
from daybook.app.server.sign_in import credential_in, good
from daybook.checkpoints.people.sessions import Credential
from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError

_SECONDS = 1.0

_WHY = "What let you in is no longer good. Nothing more is told here; sign in anew."

_LAPSED, _UNKNOWN = 1008, 1013
"""Why a websocket is closed: against the rules; try again later."""

_LOG = logging.getLogger(__name__)


@dataclass(eq=False)
class _Open:
    """A request whose answer is not at its end.

    Attributes:
        is_over: set once its client was told so; nothing more reaches it, or is heard of it.
        kind: the media type of the answer, once that has begun.
    """

    credential: Credential
    scope: Scope
    send: Send
    is_over: asyncio.Event = field(default_factory=asyncio.Event)
    kind: bytes | None = None

    async def end(self, code: int = _LAPSED) -> None:
        """Tell the client that it is over."""
        if self.is_over.is_set():
            return
        self.is_over.set()
        with suppress(OSError, RuntimeError):
            if self.scope["type"] == "websocket":
                await self.send({"type": "websocket.close", "code": code, "reason": _WHY[:100]})
                return
            words = f'{{"error": "NotSignedIn", "message": "{_WHY}"}}'
            if self.kind is None:
                headers = [(b"content-type", b"application/json")]
                await self.send({"type": "http.response.start", "status": 401, "headers": headers})
            elif self.kind.startswith(b"text/event-stream"):
                words = f"\r\n\r\nevent: error\r\ndata: {words}\r\n\r\n"
            else:
                words = ""
            await self.send({"type": "http.response.body", "body": words.encode()})

    async def told(self, message: Message) -> None:
        """Pass on what the client is told, until it is over."""
        if self.is_over.is_set():
            return
        if message["type"] == "http.response.start":
            headers = dict(message.get("headers", ()))
            self.kind = headers.get(b"content-type", b"")
        await self.send(message)

    async def heard(self, receive: Receive) -> Message:
        """Wait for what the client says, or for its end."""
        said = asyncio.ensure_future(receive())
        over = asyncio.ensure_future(self.is_over.wait())
        try:
            await asyncio.wait({said, over}, return_when=asyncio.FIRST_COMPLETED)
            if not self.is_over.is_set():
                message = said.result()
                if message["type"] == "websocket.receive":
                    await self._look()
                if not self.is_over.is_set():
                    return message
        finally:
            said.cancel()
            over.cancel()
        if self.scope["type"] == "websocket":
            return {"type": "websocket.disconnect", "code": _LAPSED}
        return {"type": "http.disconnect"}

    async def _look(self) -> None:
        """See that what is said now is said by somebody who may."""
        try:
            if self.credential not in await good([self.credential]):
                await self.end()
        except DaybookError as error:
            _LOG.warning("who speaks cannot be looked up: %s", error)
            await self.end(_UNKNOWN)


class Lapsing:
    """Watch every request whose answer lasts, and end it when what let it in lapses."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: set[_Open] = set()
        self._watch: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] not in ("http", "websocket") or is_inside(scope):
            return await self._app(scope, receive, send)
        opened = _Open(credential_in(scope), scope, send)
        self._open.add(opened)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._run())
        try:
            await self._app(scope, lambda: opened.heard(receive), opened.told)
        finally:
            self._open.discard(opened)

    async def _run(self) -> None:
        """Look once a second while something is open."""
        while standing := set(self._open):
            await SYSTEM.sleep(_SECONDS)
            # Most are answered by then.
            if standing := standing & self._open:
                try:
                    await _look_at(standing)
                except (Error, DaybookError) as error:
                    # What is open stays open until the database is back; nothing new is let in.
                    _LOG.warning("it cannot be seen who may stay: %s", error)


async def _look_at(standing: set[_Open]) -> None:
    let_in = await good({one.credential for one in standing})
    for one in standing:
        if one.credential not in let_in:
            await one.end()
