"""Turns: who works next, where only so many may work at a time and nobody may hold all places."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(eq=False)
class _Turn:
    person: str
    called: asyncio.Future[None]


class Turns:
    """Let people work in turn.

    Called next is whoever has the fewest places; among equals, who came first. So somebody who asks
    for one thing waits for nobody who asks for a hundred.

    Args:
        together: places in all.
        each: places that one person may have of them.
    """

    def __init__(self, together: float = math.inf, each: float = math.inf) -> None:
        self._together, self._each = together, each
        self._at_work: Counter[str] = Counter()
        self._waiting: list[_Turn] = []

    @asynccontextmanager
    async def turn(self, person: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it within the block."""
        turn = _Turn(person, asyncio.get_running_loop().create_future())
        self._waiting.append(turn)
        self._call()
        try:
            await turn.called
            yield
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)
            else:
                self._at_work[person] -= 1
                # Else everybody who was ever here is remembered.
                self._at_work += Counter()
            self._call()

    def _call(self) -> None:
        """Call those for whom there are places; who was cancelled takes none."""
        while self._at_work.total() < self._together:
            ready = [
                turn
                for turn in self._waiting
                if not turn.called.done() and self._at_work[turn.person] < self._each
            ]
            if not ready:
                return
            turn = min(ready, key=lambda one: self._at_work[one.person])
            self._waiting.remove(turn)
            self._at_work[turn.person] += 1
            turn.called.set_result(None)
