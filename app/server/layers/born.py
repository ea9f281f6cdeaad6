"""Note what a request would write into a new thread, where its body has been read already.

A thread that is born with state is told only after it was made that this was refused; noted here,
`daybook.app.server.auth` refuses it before.
"""

from __future__ import annotations

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SUPERSTEPS = "daybook.supersteps"
"""Where a request's scope tells that it would write state into a thread that it makes."""


class Born:
    """Look into requests that make threads. Before it stands what reads bodies, and bounds them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] == "http" and scope["method"] == "POST":
            path = [part for part in scope["path"].split("/") if part]
            if path == ["threads"]:
                message = await receive()
                scope[SUPERSTEPS] = _has_supersteps(message.get("body", b""))
                receive = _again(message, receive)
        await self._app(scope, receive, send)


def _again(message: Message, receive: Receive) -> Receive:
    """Give what was read once more, then what follows it."""
    given = [message]

    async def next_message() -> Message:
        return given.pop() if given else await receive()

    return next_message


def _has_supersteps(body: bytes) -> bool:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and bool(said.get("supersteps"))
