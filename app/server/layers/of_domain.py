"""What a domain hears from others than its people: before anybody signs in, byte for byte.

It comes before all layers that read: they rewrite what looks like a card in a body, which would
break its signature. An address from which too much comes that nobody signed is not heard for a
while.
"""

from __future__ import annotations

import logging

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.denials import denied
from daybook.app.server.quotas import quotas, seconds_of
from daybook.graph.routes import MOST_BYTES, Answered, Arrived
from daybook.graph.serve import route_to
from daybook.state.errors import DaybookError, TooMany

_UNSIGNED = 401

_LOG = logging.getLogger(__name__)


class OfDomain:
    """Answer at the paths that an open domain hears at; let all else through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        found = route_to(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            return await self._app(scope, receive, send)
        route, resources = found
        try:
            quotas().check_stranger(scope)
        except TooMany as refusal:
            answer = JSONResponse({"detail": str(refusal)}, 429, seconds_of(refusal))
            return await answer(scope, receive, send)
        request = Request(scope, receive)
        body = await _body(request)
        if body is None:
            answered = Answered(413)
        else:
            headers = {name.lower(): value for name, value in request.headers.items()}
            arrived = Arrived(request.method, str(request.url), headers, body)
            answered = await route(resources, arrived)
        if answered.status == _UNSIGNED:
            quotas().stranger_refused(scope)
            denied("what is told by nobody who is known")
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
        # What was heard is kept; a worker takes it up again.
        _LOG.warning("what was heard is not taken up yet: %s", error)
