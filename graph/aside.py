"""Calls in a thread that nobody waits for: one that hangs keeps no process from its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


async def aside(call: Callable[[], T]) -> T:
    """Make a blocking call in a thread of its own.

    An event loop waits at its end for the threads of its pool, and so does the interpreter.

    Raises:
        Exception: whatever the call raises.
    """
    done: Future[T] = Future()
    # From here on whoever waits no longer cancels nothing: the call goes on and is not heard.
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    Thread(target=run, name="spans", daemon=True).start()
    return await asyncio.wrap_future(done)
