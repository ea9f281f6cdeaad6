"""The names of threads and runs in addresses: of a UUID's many spellings, the server's own.

The server takes any spelling and means one thread, and what compares names sees as many. A thread
that was begun in a terminal by another spelling is called so, and its page stays where it is.
"""

from __future__ import annotations

from urllib.parse import quote

from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.sign_in import owner_of
from daybook.state.errors import DaybookError
from daybook.state.people.named import thread_named


class Spelling:
    """Write UUIDs in the paths of requests in their one form."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] in ("http", "websocket"):
            parts = scope["path"].split("/")
            named = [thread_named(part) for part in parts]
            if named != parts and not await _is_kept(parts):
                path = "/".join(named)
                scope = {**scope, "path": path, "raw_path": quote(path).encode()}
        await self._app(scope, receive, send)


async def _is_kept(parts: list[str]) -> bool:
    """Tell whether a page is about a thread that is called exactly so."""
    if parts[:3] != ["", "console", "threads"] or len(parts) < 4:
        return False
    try:
        return await owner_of(parts[3]) is not None
    except DaybookError:
        return False
