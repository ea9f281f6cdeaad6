"""The course of a storm: strikes one at a time, then all at once, then calm, then the account."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.graph.model.chosen import chosen_model
from daybook.graph.settings.environment import settings_from
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import arm
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.crash.server import Server, open_server
from evals.crash.shop import Shop
from evals.storm.audit import Account, Times, audit, times_of
from evals.storm.people import Person, leaves
from evals.storm.strikes import Storm
from evals.storm.workers import Workers

_CALM_S = 180.0
"""How long the workers may take to finish when the storm is over."""

_SETTLE_S = 2.0
"""The shop's settling time, as it is by default."""

_SHOWN_LINES = 60

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """What is asked for (see the command line)."""

    seconds: float
    threads: int
    workers: int
    alone: int
    seed: int
    ignores_keys: bool


@dataclass(frozen=True)
class Found:
    """What was found.

    Attributes:
        counts: how many of what there were, by name.
        faults: what went wrong beside the account.
    """

    counts: dict[str, int]
    account: Account
    times: Times
    faults: Sequence[str]

    @property
    def is_exact(self) -> bool:
        """Tell whether everything happened once, and nothing went wrong."""
        return self.account.is_exact and not self.faults


@dataclass(frozen=True)
class _World:
    server: Server
    postgres: Postgres
    shop: Shop
    workers: Workers
    people: Sequence[Person]


async def run(asked: Asked, folder: Path, tell: Tell) -> Found:
    """Let a storm rage over things of its own below a folder, and account for it.

    Args:
        tell: told what happens.
    """
    async with _opened(asked, folder) as world:
        storm = Storm(world.workers, world.server, world.postgres, world.shop, asked.seed)
        arm(leaves)
        try:
            await storm.strike_alone(world.people[0], asked.workers, asked.alone)
            tell(f"{asked.alone} workers were killed one at a time; now the storm")
            faults = await _raged(storm, world, asked, tell)
        finally:
            arm(None)
        codes = [await worker.stop() for worker in world.workers.alive]
        faults += [f"a worker ended with {code}" for code in codes if code]
        for worker in world.workers.all:
            faults += worker.errors[:_SHOWN_LINES]
        return Found(
            {
                "threads": asked.threads,
                "workers started": len(world.workers.all),
                "killed": storm.kills,
                "suspended": storm.suspensions,
                "Postgres killed": len(storm.outages),
                "jobs": sum(worker.jobs for worker in world.workers.all),
            },
            await audit(world.people, world.postgres, world.shop),
            await times_of(storm, world.postgres, honours_keys=not asked.ignores_keys),
            faults,
        )


async def _raged(storm: Storm, world: _World, asked: Asked, tell: Tell) -> list[str]:
    """Let people shop in a storm and to their end after it; return what went wrong."""
    over = asyncio.Event()
    shopping = [
        asyncio.create_task(person.shop_until(over, random.Random(f"{asked.seed} {person.user}")))
        for person in world.people
    ]
    try:
        await storm.rage(asked.workers, asked.seconds, tell)
        tell("the storm is over; what is left is finished")
        over.set()
        await storm.calm(asked.workers)
        async with SYSTEM.timeout(_CALM_S):
            await asyncio.gather(*shopping)
    except TimeoutError:
        return [f"not every thread was finished {_CALM_S:.0f} s after the storm"]
    finally:
        for task in shopping:
            task.cancel()
        await asyncio.gather(*shopping, return_exceptions=True)
    return []


@asynccontextmanager
async def _opened(asked: Asked, folder: Path) -> AsyncIterator[_World]:
    """Start everything; nothing of it outlives the block."""
    shop = Shop(folder / "shop", "blind" if asked.ignores_keys else "keyed")
    async with open_server(folder) as server:
        await shop.start()
        await shop.ask("PUT", "/admin/settings", settle_seconds=_SETTLE_S)
        services = await reach_shop(shop.url, shop.smtp_url)
        workers = Workers(
            {"DATABASE_URL": server.url, "SHOP_URL": shop.url, "SMTP_URL": shop.smtp_url}
        )
        try:
            async with (
                open_postgres(
                    server.url, tenant_id="default", stored_types=SHOP.restored_types, size=16
                ) as postgres,
                chosen_model(settings_from({"DAYBOOK_HOME": str(folder)}), SHOP) as model,
            ):
                resources = Resources(
                    postgres=postgres,
                    model=model,
                    services=services,
                    promises=services.guarantees,
                    world=services.shop_id,
                )
                graph = build(SHOP, lambda: resources, postgres.saver)
                people = [Person(one, graph, postgres, shop) for one in range(asked.threads)]
                yield _World(server, postgres, shop, workers, people)
        finally:
            await workers.close()
            await services.close()
            await shop.close()
