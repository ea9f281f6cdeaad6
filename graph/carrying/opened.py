"""Open the database in which an agent's ledger stands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database_for
from daybook.graph.settings.environment import settings_from


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
    named = replace(settings, database_url=url or settings.database_url)
    async with open_database_for(named, stored_types) as postgres:
        yield postgres
