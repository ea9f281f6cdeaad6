"""Open the database in which an agent's ledger stands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from checkpoints.embedded import embedded_postgres
from checkpoints.postgres import Postgres, open_postgres
from graph.settings import settings_from
from state.fault_points import arm, die_at


@asynccontextmanager
async def open_database(
    url: str | None = None, *, stored_types: Sequence[type] = ()
) -> AsyncIterator[Postgres]:
    """Open the database of the ledger, and bring its tables up to date.

    Args:
        url: a libpq URL; else DATABASE_URL, else an embedded Postgres in DAYBOOK_HOME.
        stored_types: models, dataclasses and enums of your own state, where `postgres.saver` is the
            agent's checkpointer: what is not named here comes back as plain data.

    Raises:
        ConfigurationError: a setting is wrong.
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
    """
    settings = settings_from()
    settings = replace(settings, database_url=url or settings.database_url)
    if settings.die_at is not None:
        arm(die_at(settings.die_at))
    async with AsyncExitStack() as stack:
        found = settings.database_url
        if found is None:
            server = await asyncio.to_thread(embedded_postgres, settings.home)
            stack.callback(server.close)
            found = server.url
        yield await stack.enter_async_context(
            open_postgres(
                found,
                tenant_id=settings.tenant,
                stored_types=stored_types,
                key=settings.aes_key,
            )
        )
