"""Go on with a stream of a run where it broke off before its end.

Aegra reads what a run has told so far, and listens to it after that: what is told in between is
lost to that stream, its end too where the run ends then. All of it is kept for a while, and told to
whoever comes back and names the last event that they had, as a browser's event source does. Here
that is done in a client's place: most fetch a stream, and take it as it comes.
"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_TIMES = 3
"""How often one stream is gone on with: a run that never says its end has none."""

_LAST = b"last-event-id"


class Rejoining:
    """Join a run again whose stream ends without an `end`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] != "http" or not scope["path"].endswith("/stream"):
            return await self._app(scope, receive, send)
        told = _Stream(send)
        await self._app(scope, receive, told)
        for _ in range(_TIMES):
            if not told.has_broken_off:
                break
            await self._app(_joining(scope, told.run, told.last), receive, told.go_on())
        await told.close()


class _Stream:
    """Pass on what is told, and hold its last message back until the run has said its end.

    Attributes:
        run: the path of the run; empty where no stream of one is told.
        last: the id of the last event.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self.run = self.last = ""
        self._line, self._has_end, self._is_over = b"", False, False
        self._is_another, self._is_heard = False, True

    @property
    def has_broken_off(self) -> bool:
        """Tell whether the stream is over, and the run did not say so."""
        return bool(self.run) and self._is_over and not self._has_end

    def go_on(self) -> _Stream:
        """Expect another answer, whose events belong to the same stream."""
        self._is_another, self._is_over, self._line = True, False, b""
        return self

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            await self._start(message)
        elif not self.run or message["type"] != "http.response.body":
            await self._send(message)
        elif self._is_heard:
            body = message.get("body", b"")
            self._read(body)
            self._is_over = not message.get("more_body", False)
            await self._send({"type": message["type"], "body": body, "more_body": True})

    async def close(self) -> None:
        """Send what was held back; nothing where the client is gone."""
        if self.run and (self._is_over or not self._is_heard):
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _start(self, message: Message) -> None:
        headers = Headers(raw=message["headers"])
        is_told = headers.get("content-type", "").startswith("text/event-stream")
        if self._is_another:
            # A refusal belongs to nobody's stream.
            self._is_heard = is_told and message["status"] == 200
            return
        if is_told:
            self.run = headers.get("content-location", "")
            self.last = f"{self.run.rpartition('/')[2]}_event_0"
        await self._send(message)

    def _read(self, body: bytes) -> None:
        *lines, self._line = (self._line + body).split(b"\n")
        for line in lines:
            name, _, value = line.strip().partition(b": ")
            if name == b"id":
                self.last = value.decode()
            elif name == b"event" and value == b"end":
                self._has_end = True


def _joining(scope: Scope, run: str, last: str) -> Scope:
    """Return the request of a client that comes back to a run."""
    path = f"{run}/stream"
    headers = [
        (name, value)
        for name, value in scope["headers"]
        if name not in (_LAST, b"content-length", b"content-type")
    ]
    return {
        **scope,
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [*headers, (_LAST, last.encode())],
    }
