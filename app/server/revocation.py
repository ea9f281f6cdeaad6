"""End the open requests of a token or session that is revoked, expired or signed out.

A request is let in once, and its answer may last for hours: streams of runs, live pages,
websockets. All credentials of open requests are checked once a second in one query, and that of a
websocket before each of its messages.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from dataclasses import dataclass, field

from psycopg import Error
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.inside import is_inside
from daybook.app.server.sign_in import credential_in, valid_credentials
from daybook.checkpoints.people.tokens import Credential
from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError

_SECONDS = 1.0

_WHY = "Your token or session is no longer valid. Sign in again."

_POLICY_VIOLATION, _TRY_AGAIN_LATER = 1008, 1013
"""The close codes of a websocket."""

_LOG = logging.getLogger(__name__)


@dataclass(eq=False)
class _OpenRequest:
    """A request whose answer is not at its end.

    Attributes:
        ended: set once its client was told so; nothing passes in either direction after that.
        media_type: of the answer, once that has begun.
    """

    credential: Credential
    scope: Scope
    client: Send
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    media_type: bytes | None = None

    async def end(self, code: int = _POLICY_VIOLATION) -> None:
        """Tell the client that it is over."""
        if self.ended.is_set():
            return
        self.ended.set()
        error = json.dumps({"error": "NotSignedIn", "message": _WHY})
        with suppress(OSError, RuntimeError):
            if self.scope["type"] == "websocket":
                return await self.client({"type": "websocket.close", "code": code, "reason": _WHY})
            if self.media_type is None:
                headers = [(b"content-type", b"application/json")]
                start = {"type": "http.response.start", "status": 401, "headers": headers}
                await self.client(start)
            elif self.media_type.startswith(b"text/event-stream"):
                error = f"\r\n\r\nevent: error\r\ndata: {error}\r\n\r\n"
            else:
                error = ""
            await self.client({"type": "http.response.body", "body": error.encode()})

    async def send(self, message: Message) -> None:
        """Pass a message to the client, until it is over."""
        if self.ended.is_set():
            return
        if message["type"] == "http.response.start":
            self.media_type = dict(message.get("headers", ())).get(b"content-type", b"")
        await self.client(message)

    async def receive(self, receive: Receive) -> Message:
        """Wait for a message of the client, or for the end."""
        message = asyncio.ensure_future(receive())
        ended = asyncio.ensure_future(self.ended.wait())
        try:
            await asyncio.wait({message, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not self.ended.is_set() and message.result()["type"] == "websocket.receive":
                await self._check()
            if not self.ended.is_set():
                return message.result()
        finally:
            message.cancel()
            ended.cancel()
        if self.scope["type"] == "websocket":
            return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}
        return {"type": "http.disconnect"}

    async def _check(self) -> None:
        try:
            if self.credential not in await valid_credentials([self.credential]):
                await self.end()
        except DaybookError as error:
            _LOG.warning("a credential cannot be checked: %s", error)
            await self.end(_TRY_AGAIN_LATER)


class Revocation:
    """Watch all open requests, and end those whose credential is no longer valid."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._open: set[_OpenRequest] = set()
        self._watch: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] not in ("http", "websocket") or is_inside(scope):
            return await self._app(scope, receive, send)
        request = _OpenRequest(credential_in(scope), scope, send)
        self._open.add(request)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._run())
        try:
            await self._app(scope, lambda: request.receive(receive), request.send)
        finally:
            self._open.discard(request)

    async def _run(self) -> None:
        """Check once a second while a request is open."""
        while before := set(self._open):
            await SYSTEM.sleep(_SECONDS)
            # Most are answered by then.
            standing = before & self._open
            try:
                valid = await valid_credentials({one.credential for one in standing})
            except (Error, DaybookError) as error:
                # Open requests stay open until the database is back; no new one is let in.
                _LOG.warning("credentials cannot be checked: %s", error)
                continue
            for one in standing:
                if one.credential not in valid:
                    await one.end()
