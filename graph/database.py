"""Open the database of a domain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from checkpoints.embedded import embedded_postgres
from checkpoints.postgres import Postgres, open_postgres
from graph.settings import Settings
from state.fault_points import arm, die_at
from tools.domain import Domain


@asynccontextmanager
async def open_database_of(domain: Domain, settings: Settings) -> AsyncIterator[Postgres]:
    """Open the database that the settings name, else the embedded one, for a domain's state.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
    """
    if settings.die_at is not None:
        arm(die_at(settings.die_at))
    async with AsyncExitStack() as stack:
        url = settings.database_url
        if url is None:
            server = await asyncio.to_thread(embedded_postgres, settings.home)
            stack.callback(server.close)
            url = server.url
        yield await stack.enter_async_context(
            open_postgres(url, tenant_id=settings.tenant, stored_types=domain.restored_types)
        )
