"""Threads that real models decided: recorded runs of tau-bench retail, replayed on our nodes."""

from __future__ import annotations

import asyncio

from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Trajectory
from daybook.checkpoints.migrate import migrate
from daybook.checkpoints.postgres import open_postgres
from evals.tau_retail.chaos import name_of, open_arena
from evals.tau_retail.data import EXACT, Script, find, scripts_of
from evals.tau_retail.domain import retail_domain
from evals.tau_retail.judge import stratified
from evals.tau_retail.outside import open_ground

_AT_ONCE = 4


async def replay(count: int, seed: int) -> list[Trajectory]:
    """Replay runs that reached what their task wanted, and read what was done in them.

    Args:
        count: runs at most, chosen by who recorded them and by their writes.

    Raises:
        DaybookError: the recordings are not there.
    """
    data = find()
    reached = [one for one in scripts_of(data, EXACT) if one.gold is not None]
    chosen = stratified(reached, count, seed)
    domain, turns = retail_domain(data.tools, data.policy), asyncio.Semaphore(_AT_ONCE)
    async with open_ground(data) as ground:
        database = await ground.server.new_database("steps")
        await migrate(database)
        async with (
            open_arena(database, ground.retailer) as arena,
            open_postgres(
                database, tenant_id="default", stored_types=domain.restored_types
            ) as postgres,
        ):

            async def one(script: Script) -> Trajectory:
                async with turns:
                    await arena.trial(script)
                    return await read_trajectory(postgres, domain, name_of(script))

            return await asyncio.gather(*map(one, chosen))
