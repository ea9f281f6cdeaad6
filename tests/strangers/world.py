"""What cells share: the services, a database for each of their agents, forks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.checkpoints.postgres import Postgres, open_postgres
from evals.crash.shop import open_server
from evals.forking import Forks, open_forks
from tests.strangers.services.stranger import Stranger
from tests.strangers.services.world import open_strangers

BUDGET = 1.0
"""Seconds that an attempt may take in these runs."""

LATE = BUDGET + 0.2
"""Seconds after which a late effect is done: its caller has given up."""


@dataclass(frozen=True)
class World:
    """Hold what cells run on.

    Attributes:
        url: below it each service has its name.
        databases: URL of the database of each service's agent.
        postgres: the same, opened.
    """

    url: str
    services: dict[str, Stranger]
    databases: dict[str, str]
    postgres: dict[str, Postgres]
    forks: Forks


@asynccontextmanager
async def open_world(folder: Path, wanted: Collection[str]) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    async with AsyncExitStack() as stack:
        url, services = stack.enter_context(open_strangers())
        server = await stack.enter_async_context(open_server(folder))
        databases = {name: await server.new_database(f"of_{name}") for name in wanted}
        postgres = {
            name: await stack.enter_async_context(
                open_postgres(database, tenant_id="default", stored_types=())
            )
            for name, database in databases.items()
        }
        forks = await stack.enter_async_context(open_forks("tests.strangers.player"))
        yield World(url, services, databases, postgres, forks)
