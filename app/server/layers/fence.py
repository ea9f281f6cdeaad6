"""What stands before all routes of the server: it closes those that are not served.

`langgraph dev` has routes for its own tests and for Studio's deploy button that ask nobody who they
are: one prints any thread, one empties the registry, one starts a program. Every app that
langgraph.json names under "http" carries this middleware, and app.py's own does nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.app.server.quotas import LEAVING

_CLOSED = frozenset({"internal", "deploy"})

_WITHOUT_THREAD = (
    ["runs"],
    *(["runs", way] for way in ("stream", "wait", "batch", "crons")),
)
"""Ways to run without a thread.

A thread that the server makes for one run keeps nothing, and where many are made at once, runs are
left of them that wait for ever.
"""

NO_THREAD = (
    "A run needs a thread, which keeps what it does: make one by POST /threads, and run on it by "
    "POST /threads/{thread_id}/runs."
)

_LONGEST_BODY = 4_000_000


class Fence:
    """Close what asks nobody who they are, and note what a request would write into a new thread.

    A thread that is born with state is told only after it was made that this was refused; noted
    here, `daybook.app.server.auth` refuses it before.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        path = [part for part in scope["path"].split("/") if part]
        if path and path[0].lower() in _CLOSED:
            closed = JSONResponse({"detail": "There is nothing here."}, status_code=404)
            return await closed(scope, receive, send)
        if scope["type"] == "http" and scope["method"] == "POST":
            if path in _WITHOUT_THREAD:
                refused = JSONResponse({"detail": f"{NO_THREAD} Nothing was done."}, 422)
                return await refused(scope, receive, send)
            if path == ["threads"]:
                messages = await _whole(receive)
                scope["daybook.supersteps"] = _has_supersteps(messages)
                receive = _again(messages, receive)
        leaving: list[Callable[[], None]] = []
        scope[LEAVING] = leaving
        try:
            await self._app(scope, receive, send)
        finally:
            for left in leaving:
                left()


async def _whole(receive: Receive) -> list[Message]:
    """Read a body to its end, or to where it is too long to be looked at."""
    messages: list[Message] = []
    length = 0
    while length <= _LONGEST_BODY:
        message = await receive()
        messages.append(message)
        length += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    return messages


def _has_supersteps(messages: Sequence[Message]) -> bool:
    try:
        body = json.loads(b"".join(message.get("body", b"") for message in messages))
    except (ValueError, RecursionError):
        return False
    return isinstance(body, dict) and bool(body.get("supersteps"))


def _again(messages: Sequence[Message], receive: Receive) -> Receive:
    """Give what was read once more, then what follows it."""
    waiting = list(messages)

    async def next_message() -> Message:
        return waiting.pop(0) if waiting else await receive()

    return next_message


app = Starlette(middleware=[Middleware(Fence)])
