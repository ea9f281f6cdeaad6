"""What every request passes before it is answered: closed routes, spelling of ids, redaction."""

from __future__ import annotations

import logging
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.redaction import Redaction
from daybook.app.server.refusals import denied
from daybook.app.server.revocation import Revocation
from daybook.graph.serve import MOST_BYTES, Answered, Arrived, route_to
from daybook.state.errors import DaybookError
from daybook.state.session import thread_named

_LOG = logging.getLogger(__name__)


class DomainRoutes:
    """Answer at the paths of the open domains (webhooks); let all else through.

    Their callers sign what they send instead of signing in. They come before all layers that read:
    those redact bodies, which would break a signature.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        found = route_to(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            return await self._app(scope, receive, send)
        route, resources = found
        request = Request(scope, receive)
        body = await _body(request)
        if body is None:
            answered = Answered(413)
        else:
            headers = {name.lower(): value for name, value in request.headers.items()}
            arrived = Arrived(request.method, str(request.url), headers, body)
            answered = await route(resources, arrived)
        if answered.status == 401:
            denied("a request without a good signature")
        later = BackgroundTask(_done_later, answered) if answered.later is not None else None
        response = Response(answered.body, answered.status, answered.headers, background=later)
        await response(scope, receive, send)


async def _body(request: Request) -> bytes | None:
    """Read a body; None where it is too long."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            return None
    return bytes(body)


async def _done_later(answered: Answered) -> None:
    assert answered.later is not None
    try:
        await answered.later()
    except DaybookError as error:
        # A worker takes it up again.
        _LOG.warning("an event is stored and not handled yet: %s", error)


_CLOSED = frozenset({"internal", "deploy"})

_WITHOUT_THREAD = (["runs"], *(["runs", way] for way in ("stream", "wait", "batch", "crons")))
"""Ways to run without a thread.

The thread that the server makes for such a run keeps nothing, and where many are made at once, runs
are left of them that wait for ever.
"""

NO_THREAD = (
    "A run needs a thread, which keeps what it does: make one by POST /threads, and run on it by "
    "POST /threads/{thread_id}/runs."
)


class Fence:
    """Close the routes that ask for no sign-in, and runs without a thread.

    `langgraph dev` has routes for its own tests and for Studio's deploy button that ask for no
    token: one prints any thread, one empties the registry, one starts a program.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        path = [part for part in scope.get("path", "").split("/") if part]
        answer: JSONResponse | None = None
        if path and path[0].lower() in _CLOSED:
            denied("a route that is closed")
            answer = JSONResponse({"detail": "There is nothing here."}, status_code=404)
        elif scope["type"] == "http" and scope["method"] == "POST" and path in _WITHOUT_THREAD:
            answer = JSONResponse({"detail": f"{NO_THREAD} Nothing was done."}, 422)
        await (self._app if answer is None else answer)(scope, receive, send)


class ThreadIds:
    """Write the UUIDs in paths in their one form, before anything compares them.

    The server takes any spelling of a UUID and means one thread.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] in ("http", "websocket"):
            parts = scope["path"].split("/")
            named = [thread_named(part) for part in parts]
            if named != parts:
                path = "/".join(named)
                scope = {**scope, "path": path, "raw_path": quote(path).encode()}
        await self._app(scope, receive, send)


LAYERS = (
    Middleware(DomainRoutes),
    Middleware(Fence),
    Middleware(ThreadIds),
    Middleware(Redaction),
    Middleware(Revocation),
)
"""In the order in which a request meets them: closed routes before ids, ids before bodies."""
