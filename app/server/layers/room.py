"""How many runs with a client that waits this process takes in at a time: more are told to wait.

A run that is taken in is worked at to its end. One that is refused has not begun: nothing of it is
cut short by a client that will not wait any longer.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from functools import cached_property
from heapq import heappop, heappush

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from daybook.app.server.inside import is_inside
from daybook.app.server.quotas import seconds_of
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import TooMany

_WAITS = frozenset({"stream", "wait"})

_SOON, _LATEST = 2, 30
"""Seconds after which somebody is to come back: a turn takes less than two where nobody waits."""

_LATELY = 60.0
"""Seconds of which the runs that ended tell the pace."""


class Pace:
    """How fast runs end, and how many who were told to come back are still to do so."""

    def __init__(self) -> None:
        self._ends: deque[float] = deque(maxlen=100)
        self._coming: list[float] = []

    def ended(self, now: float) -> None:
        """Count a run that ended; monotonic seconds."""
        self._ends.append(now)

    def wait(self, now: float) -> int:
        """Return the seconds after which one more is to come back.

        That is when all who are to come before had their turn, so about as many ask as can be let
        in: with two seconds for everybody, 400 who waited cost more than those who were served.
        """
        while self._coming and self._coming[0] <= now:
            heappop(self._coming)
        while self._ends and self._ends[0] < now - _LATELY:
            self._ends.popleft()
        seconds = _SOON
        if self._ends:
            each = (now - self._ends[0]) / len(self._ends)
            seconds = max(_SOON, min(_LATEST, math.ceil(each * (len(self._coming) + 1))))
        if seconds < _LATEST:
            heappush(self._coming, now + seconds)
        return seconds


class Room:
    """Refuse runs for which there is no room.

    Args:
        most: reads how many there is room for.
    """

    def __init__(
        self,
        app: ASGIApp,
        most: Callable[[], int] = lambda: settings_from().runs_open,
        clock: Clock = SYSTEM,
    ) -> None:
        self._app, self._read_most, self._clock = app, most, clock
        self._open, self._pace = 0, Pace()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request, websocket or lifespan."""
        if not _is_awaited_run(scope):
            return await self._app(scope, receive, send)
        if self._open >= self._most:
            wait = self._pace.wait(self._clock.monotonic())
            refusal = TooMany(f"This server is at work on {self._most} runs, and full", wait)
            answer = JSONResponse({"detail": str(refusal)}, 429, seconds_of(refusal))
            return await answer(scope, receive, send)
        self._open += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open -= 1
            self._pace.ended(self._clock.monotonic())

    @cached_property
    def _most(self) -> int:
        return self._read_most()


def _is_awaited_run(scope: Scope) -> bool:
    """Tell a run whose client waits for it: a person's, not one of the server's own pages."""
    if scope["type"] != "http" or scope["method"] != "POST" or is_inside(scope):
        return False
    parts = [part for part in scope["path"].split("/") if part]
    return len(parts) == 4 and parts[::2] == ["threads", "runs"] and parts[3] in _WAITS
