"""Threads that real models decided: recorded runs of tau-bench retail, replay on our nodes."""

from __future__ import annotations

import asyncio

from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Trajectory
from evals.tau_retail.bench import Bench, name_of, open_bench
from evals.tau_retail.data import find
from evals.tau_retail.ground import open_ground
from evals.tau_retail.recordings import EXACT, scripts_of
from evals.tau_retail.sample import stratified
from evals.tau_retail.script import Script

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
    async with open_ground(data) as ground:
        database = await ground.server.new_database("steps")
        async with open_bench(data, database=database, retailer=ground.retailer) as bench:
            turns = asyncio.Semaphore(_AT_ONCE)
            return await asyncio.gather(*(_replay(bench, one, turns) for one in chosen))


async def _replay(bench: Bench, script: Script, turns: asyncio.Semaphore) -> Trajectory:
    async with turns:
        await bench.replay(script)
        postgres = bench.house.resources.postgres
        return await read_trajectory(postgres, bench.house.domain, name_of(script))
