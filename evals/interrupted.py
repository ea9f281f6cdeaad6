"""End a long command in order when a person or the machine interrupts it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


async def interruptible(done: Coroutine[Any, Any, None]) -> None:
    """Let the first signal end it in order, and later ones be nothing.

    Raises:
        asyncio.CancelledError: there was a signal.
    """
    loop, task = asyncio.get_running_loop(), asyncio.create_task(done)

    def stop() -> None:
        task.cancel()
        for one in _SIGNALS:
            loop.add_signal_handler(one, lambda: None)

    for one in _SIGNALS:
        loop.add_signal_handler(one, stop)
    await task
