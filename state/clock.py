"""The only module that reads the time and waits.

Everything that depends on time is given a `Clock`; in SQL `daybook_now()` stands for it. So tests
move time, and whoever reads another clock is told so by the linter.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any


class Clock:
    """The clock of this machine; what replaces it is a subclass."""

    def now(self) -> datetime:
        """Return the present time, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds that run on while the process or the machine is suspended."""
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)

    def timeout(self, seconds: float | None) -> asyncio.Timeout:
        """Cancel the block when it has taken some seconds; None for no limit.

        Its `expired()` tells this limit from a TimeoutError that the block raised itself.

        Raises:
            TimeoutError: on leaving the block, where it was cancelled.
        """
        return asyncio.timeout(seconds)

    async def ended(self, task: asyncio.Task[Any], seconds: float) -> bool:
        """Wait until a task ends, for some seconds at most; tell whether it did. It goes on."""
        with suppress(TimeoutError):
            async with self.timeout(seconds):
                await asyncio.wait({task})
        return task.done()

    def block(self, seconds: float) -> None:
        """Wait for some seconds where nothing else is to go on in this thread."""
        time.sleep(seconds)

    def on_the_machine(self, moment: float) -> float:
        """Return when a moment of `monotonic` comes by the machine's own clock, in seconds.

        For a process of its own, which has no other clock.
        """
        return moment


SYSTEM = Clock()
