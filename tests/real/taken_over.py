"""Go on where a process was killed, as soon as Postgres has seen that it is dead."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from daybook.checkpoints.postgres import Postgres
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


async def fall_silent(postgres: Postgres) -> None:
    """Let a process be silent as one is that was suspended for longer than its leases last."""
    await postgres.locks.close()
    async with postgres.as_owner() as conn:
        await conn.execute(
            "update thread_lease set until = '-infinity' where process = %s", (postgres.process,)
        )
