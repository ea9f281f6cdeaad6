"""Routes of a domain, for callers that sign what they send instead of signing in (webhooks).

They come before all layers that read: those rewrite what looks like a card in a body, which would
break its signature. An address that sends too much without a good signature is refused for a while.
"""

from __future__ import annotations

import logging

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.denials import denied
from daybook.app.server.quotas import quotas
from daybook.app.server.refusals import refusal
from daybook.graph.routes import MOST_BYTES, Answered, Arrived
from daybook.graph.serve import route_to
from daybook.state.errors import DaybookError, TooMany

_UNSIGNED = 401

_LOG = logging.getLogger(__name__)


class DomainRoutes:
    """Answer at the paths of the open domains; let all else through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        found = route_to(scope["path"]) if scope["type"] == "http" else None
        if found is None:
            return await self._app(scope, receive, send)
        route, resources = found
        try:
            quotas().check_unsigned(scope)
        except TooMany as error:
            return await refusal(error)(scope, receive, send)
        request = Request(scope, receive)
        body = await _body(request)
        if body is None:
            answered = Answered(413)
        else:
            headers = {name.lower(): value for name, value in request.headers.items()}
            arrived = Arrived(request.method, str(request.url), headers, body)
            answered = await route(resources, arrived)
        if answered.status == _UNSIGNED:
            quotas().count_unsigned(scope)
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
