"""Turns: how many runs work at a time, and how many of them one user may have."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast
from weakref import WeakValueDictionary


class Turns:
    """Let people work in turn: who came first is next, and nobody waits with more than their share.

    Args:
        together: places in all.
        each: places that one person may hold or wait for. So someone who asks for one thing waits
            for no more than these of someone who asks for a hundred.
    """

    def __init__(self, together: float = math.inf, each: float = math.inf) -> None:
        self._places, self._each = _semaphore(together), each
        # Else everybody who was ever here is remembered.
        self._shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, person: str) -> AsyncIterator[None]:
        """Wait for a place, and hold it within the block."""
        share = self._shares.setdefault(person, _semaphore(self._each))
        async with share, self._places:
            yield


def _semaphore(places: float) -> asyncio.Semaphore:
    """Make a semaphore, which counts down from infinity too."""
    return asyncio.Semaphore(cast("int", places))
