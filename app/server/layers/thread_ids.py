"""Write the UUIDs in paths in their one form, before anything compares them.

The server takes any spelling of a UUID and means one thread. A thread that was begun in a terminal
under another spelling keeps its name in the console.
"""

from __future__ import annotations

from urllib.parse import quote

from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.sign_in import owner_of
from daybook.state.errors import DaybookError
from daybook.state.people.named import thread_named


class ThreadIds:
    """Normalise the UUIDs in the paths of requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if scope["type"] in ("http", "websocket"):
            parts = scope["path"].split("/")
            named = [thread_named(part) for part in parts]
            if named != parts and not await _is_name_of_thread(parts):
                path = "/".join(named)
                scope = {**scope, "path": path, "raw_path": quote(path).encode()}
        await self._app(scope, receive, send)


async def _is_name_of_thread(parts: list[str]) -> bool:
    """Tell whether a page of the console is about a thread with exactly this name."""
    if parts[:3] != ["", "console", "threads"] or len(parts) < 4:
        return False
    try:
        return await owner_of(parts[3]) is not None
    except DaybookError:
        return False
