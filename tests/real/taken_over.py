"""Go on where a process was killed, as soon as Postgres has seen that it is dead."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy
from tests.purchases import PATIENCE

T = TypeVar("T")


async def taken_over(go_on: Callable[[], Awaitable[T]]) -> T:
    """Go on; until Postgres has seen it, whoever was killed is taken for one at work."""
    async with SYSTEM.timeout(PATIENCE):
        while True:
            try:
                return await go_on()
            except ThreadBusy:
                await SYSTEM.sleep(0.02)
