"""What stands before all routes of the server: it closes those that are not served.

`langgraph dev` has routes for its own tests and for Studio's deploy button that ask nobody who they
are: one prints any thread, one empties the registry, one starts a program. Every app that
langgraph.json names under "http" carries this middleware.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.denials import denied
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


class Fence:
    """Close what asks nobody who they are, and runs without a thread; know when a request ends."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        path = [part for part in scope["path"].split("/") if part]
        if path and path[0].lower() in _CLOSED:
            denied("a route that is closed")
            closed = JSONResponse({"detail": "There is nothing here."}, status_code=404)
            return await closed(scope, receive, send)
        if scope["type"] == "http" and scope["method"] == "POST" and path in _WITHOUT_THREAD:
            refused = JSONResponse({"detail": f"{NO_THREAD} Nothing was done."}, 422)
            return await refused(scope, receive, send)
        leaving: list[Callable[[], None]] = []
        scope[LEAVING] = leaving
        try:
            await self._app(scope, receive, send)
        finally:
            for left in leaving:
                left()
