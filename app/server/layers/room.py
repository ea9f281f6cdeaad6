"""How many runs with a client that waits this process takes in at a time: more are told to wait.

A run that is taken in is worked at to its end. One that is refused has not begun: nothing of it is
cut short by a client that will not wait any longer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.inside import is_inside
from daybook.app.server.quotas import seconds_of
from daybook.graph.settings.environment import settings_from
from daybook.state.errors import TooMany

_WAITS = frozenset({"stream", "wait"})

_SOON = 2
"""Seconds after which there may be room: a turn takes less than one where nobody waits."""


class Room:
    """Refuse runs for which there is no room.

    Args:
        most: reads how many there is room for.
    """

    def __init__(
        self, app: ASGIApp, most: Callable[[], int] = lambda: settings_from().runs_open
    ) -> None:
        self._app, self._read_most = app, most
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if not _is_awaited_run(scope):
            return await self._app(scope, receive, send)
        if self._open >= self._most:
            refusal = TooMany(f"This server is at work on {self._most} runs, and full", _SOON)
            answer = JSONResponse({"detail": str(refusal)}, 429, seconds_of(refusal))
            return await answer(scope, receive, send)
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1

    @cached_property
    def _most(self) -> int:
        return self._read_most()


def _is_awaited_run(scope: Scope) -> bool:
    """Tell a run whose client waits for it: a person's, not one of the server's own pages."""
    if scope["type"] != "http" or scope["method"] != "POST" or is_inside(scope):
        return False
    parts = [part for part in scope["path"].split("/") if part]
    return len(parts) == 4 and parts[::2] == ["threads", "runs"] and parts[3] in _WAITS
