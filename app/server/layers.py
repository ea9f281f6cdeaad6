"""What every request passes first: closed routes, normalised ids, redaction."""

from __future__ import annotations

import logging
from contextlib import suppress
from urllib.parse import quote

import httpx
from psycopg import OperationalError
from starlette.background import BackgroundTask
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.inside import inside
from daybook.app.server.redaction import Redaction
from daybook.app.server.refusals import denied
from daybook.app.server.revocation import Revocation
from daybook.app.server.sign_in import owner_of, signed_in
from daybook.graph.serve import MOST_BYTES, Answered, Arrived, route_to
from daybook.state.errors import DaybookError
from daybook.state.session import Person, thread_named

_LOG = logging.getLogger(__name__)


class _Layer:
    """What stands around the server's application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app


class DomainRoutes(_Layer):
    """Answer at the paths of the open domains (webhooks); let all else through.

    Their callers sign what they send instead of signing in. They come before all layers that read:
    those redact bodies, which would break a signature.
    """

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
            try:
                answered = await route(resources, arrived)
            except (DaybookError, OperationalError) as error:
                # Who sends it sends it again.
                _LOG.warning("%s: %s", scope["path"], type(error).__name__)
                answered = Answered(503)
        if answered.status == 401:
            denied("a request without a valid signature")
        later = BackgroundTask(_done_later, answered) if answered.later is not None else None
        response = Response(answered.body, answered.status, answered.headers, background=later)
        await response(scope, receive, send)


async def _body(request: Request) -> bytes | None:
    """Read a body; None if it is too long."""
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
        _LOG.warning("an event is stored but not handled yet: %s", error)


_CLOSED = frozenset({"internal", "deploy"})

_WITHOUT_THREAD = (["runs"], *(["runs", way] for way in ("stream", "wait", "batch", "crons")))
"""Routes that run without a thread: its temporary thread stores nothing, and if many are created at
once, some runs wait forever."""

NO_THREAD = (
    "A run needs a thread, which stores its state: create one with POST /threads, then run it "
    "with POST /threads/{thread_id}/runs."
)


class Fence(_Layer):
    """Close the routes that ask for no sign-in, and runs without a thread.

    `langgraph dev` has routes for its own tests and for Studio's deploy button that ask for no
    token: one prints any thread, one empties the registry, one starts a program.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        path = [part for part in scope.get("path", "").split("/") if part]
        answer: JSONResponse | None = None
        if path and path[0].lower() in _CLOSED:
            denied("a route that is closed")
            answer = JSONResponse({"detail": "Not found."}, status_code=404)
        elif scope["type"] == "http" and scope["method"] == "POST" and path in _WITHOUT_THREAD:
            answer = JSONResponse({"detail": f"{NO_THREAD} Nothing was done."}, 422)
        await (self._app if answer is None else answer)(scope, receive, send)


class Paths(_Layer):
    """Write paths in one form, before anything compares or logs them.

    The server takes any spelling of a UUID and means one thread. A control character in a path
    would let a stranger write lines into the log: a path with one is quoted, and names nothing.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] in ("http", "websocket"):
            path = "/".join(thread_named(part) for part in scope["path"].split("/"))
            if not path.isprintable():
                path = quote(path)
            if path != scope["path"]:
                # In its place: the log of a server that is outside of this reads it afterwards.
                scope.update(path=path, raw_path=quote(path).encode())
        await self._app(scope, receive, send)


class ThreadSockets(_Layer):
    """Refuse a websocket on another person's thread before it is accepted (403).

    The server looks up the thread's user after that, closes the socket and logs a failure.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        parts = scope.get("path", "").split("/")
        if scope["type"] == "websocket" and len(parts) > 2 and parts[1] == "threads":
            thread_id = parts[2]
            try:
                person = await signed_in(scope)
                is_refused = person is not None and not await _may_read(person, thread_id)
            except DaybookError:
                person, is_refused = None, True
            if is_refused:
                denied("a websocket", person, thread_id)
                return await send({"type": "websocket.close"})
        await self._app(scope, receive, send)


async def _may_read(person: Person, thread_id: str) -> bool:
    """Tell whether a thread is this person's, or is nobody's yet; staff read all."""
    whose = await owner_of(thread_id)
    if whose is None:
        with suppress(httpx.HTTPStatusError):
            # The server's registry alone knows a thread that has not begun.
            whose = ((await inside().threads.get(thread_id))["metadata"] or {}).get("owner")
    return person.is_staff or whose in (None, person.user_id)


LAYERS = (
    Middleware(Paths),
    Middleware(DomainRoutes),
    Middleware(Fence),
    Middleware(ThreadSockets),
    Middleware(Redaction),
    Middleware(Revocation),
)
"""In the order in which a request meets them: paths before routes, routes before bodies."""
