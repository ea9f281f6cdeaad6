"""Real `daybook worker` processes, and waiting until they have finished a thread."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from evals.crash.shop import MODES, Mode
from evals.crash.world import World, opened
from evals.demo.processes import clean_environment
from evals.forking import PATIENCE

_LOOK_S = 0.05

_IS_FINISHED = """
select r.lease_until is null and t.status <> 'active' as finished
from thread t join runner r using (thread_id)
where t.thread_id = %s
"""


@asynccontextmanager
async def open_workers(world: World, folder: Path) -> AsyncIterator[dict[Mode, World]]:
    """Run one worker for each shop, on a database of its own each."""
    worlds: dict[Mode, World] = {}
    workers = []
    try:
        for mode in MODES:
            url = await world.server.new_database(f"workers_{mode}")
            async with opened(url):
                """It is migrated: a worker that starts waits for nothing."""
            workers.append(await _start(replace(world, database=url), mode, folder))
            worlds[mode] = replace(world, database=url, has_workers=True)
        async with (
            opened(worlds["keyed"].database) as keyed,
            opened(worlds["blind"].database) as blind,
        ):
            yield {
                "keyed": replace(worlds["keyed"], postgres=keyed),
                "blind": replace(worlds["blind"], postgres=blind),
            }
    finally:
        for worker in workers:
            if worker.returncode is None:
                worker.send_signal(signal.SIGTERM)
            await worker.wait()


async def _start(world: World, mode: Mode, folder: Path) -> asyncio.subprocess.Process:
    shop = world.shops[mode]
    with (folder / f"worker-{mode}.log").open("wb") as log:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "daybook.app", "worker", "--concurrency", "4"),
            cwd=Path(__file__).parents[2],
            env=clean_environment(
                DATABASE_URL=world.database,
                SHOP_URL=shop.url,
                SMTP_URL=shop.smtp_url,
                OPENAI_BASE_URL=world.model_url,
                OPENAI_MODEL="scripted",
            ),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


async def finished(postgres: Postgres, thread_id: str) -> None:
    """Wait until workers have taken a thread as far as it goes without a person.

    Raises:
        TimeoutError: they never do.
    """
    async with SYSTEM.timeout(PATIENCE):
        while not await _is_finished(postgres, thread_id):
            await SYSTEM.sleep(_LOOK_S)


async def _is_finished(postgres: Postgres, thread_id: str) -> bool:
    async with postgres.pool.connection() as conn:
        row = await (await conn.execute(_IS_FINISHED, (thread_id,))).fetchone()
    return row is not None and bool(row["finished"])
