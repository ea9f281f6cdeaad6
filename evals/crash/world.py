"""What cells share: a database, a shop for each way to treat keys, a model, forks, workers."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.tools.shop.domain import SHOP
from evals.crash.script import Model
from evals.crash.shop import MODES, Mode, Server, Shop, open_server, open_shop
from evals.demo.processes import clean_environment
from evals.forking import PATIENCE, Forks, open_forks
from evals.model_server import serving

BUDGET = 1.0
"""Seconds that an attempt may take in these runs."""

_LOOK_S = 0.05

_IS_FINISHED = """
select r.lease_until is null and t.status <> 'active' as finished
from thread t join runner r using (thread_id)
where t.thread_id = %s
"""


@dataclass(frozen=True)
class World:
    """What cells run on.

    Attributes:
        database: the URL of the database.
        has_workers: whether `daybook worker` processes finish what died.
    """

    server: Server
    database: str
    postgres: Postgres
    shops: dict[Mode, Shop]
    model: Model
    model_url: str
    forks: Forks
    has_workers: bool = False

    async def finished(self, thread_id: str) -> None:
        """Wait until workers have taken a thread as far as it goes without a person.

        Raises:
            TimeoutError: they never do.
        """
        async with SYSTEM.timeout(PATIENCE):
            while True:
                async with self.postgres.pool.connection() as conn:
                    row = await (await conn.execute(_IS_FINISHED, (thread_id,))).fetchone()
                if row is not None and row["finished"]:
                    return
                await SYSTEM.sleep(_LOOK_S)


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    model = Model()
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"crash": model.reply}))
        server = await stack.enter_async_context(open_server(folder))
        yield World(
            server,
            server.url,
            await stack.enter_async_context(opened(server.url)),
            {
                mode: await stack.enter_async_context(open_shop(folder / mode, mode))
                for mode in MODES
            },
            model,
            models["crash"].url,
            await stack.enter_async_context(open_forks("evals.crash.player")),
        )


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Postgres]:
    """Open a database as the shop's agent does."""
    async with open_postgres(
        url, tenant_id="default", stored_types=SHOP.restored_types
    ) as postgres:
        yield postgres


@asynccontextmanager
async def open_workers(world: World, folder: Path) -> AsyncIterator[dict[Mode, World]]:
    """Run one `daybook worker` for each shop, on a database of its own each."""
    async with AsyncExitStack() as stack:
        worlds: dict[Mode, World] = {}
        for mode in MODES:
            url = await world.server.new_database(f"workers_{mode}")
            postgres = await stack.enter_async_context(opened(url))
            there = replace(world, database=url, postgres=postgres, has_workers=True)
            await stack.enter_async_context(_worker(there, mode, folder))
            worlds[mode] = there
        yield worlds


@asynccontextmanager
async def _worker(world: World, mode: Mode, folder: Path) -> AsyncIterator[None]:
    shop = world.shops[mode]
    with (folder / f"worker-{mode}.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
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
    try:
        yield
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()
