"""Open the database of a domain."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.pool import AnyPool
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.settings.environment import Settings
from daybook.state.agent import STORED_TYPES
from daybook.state.errors import ConfigurationError
from daybook.state.extras import from_extra
from daybook.state.fault_points import arm, die_at, tool_at

if TYPE_CHECKING:
    from daybook.tools.domain import Domain


def open_database(settings: Settings) -> AbstractAsyncContextManager[Postgres]:
    """Open the database for what needs no domain: ledger, tokens, rules, memory.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
    """
    return open_database_for(settings, STORED_TYPES)


@asynccontextmanager
async def open_database_of(
    domain: Domain, settings: Settings, beside: Sequence[type] = ()
) -> AsyncIterator[Postgres]:
    """Open the configured database, else the embedded one, for a domain's state.

    Its tables are migrated first; it is closed when the block ends.

    Args:
        beside: models and enums in checkpoints of other graphs on the same server.

    Raises:
        ConfigurationError: DAYBOOK_DIE_AT names no tool of the domain.
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
    """
    if settings.die_at is not None:
        _refuse_an_unknown_tool(domain, settings.die_at)
    async with open_database_for(settings, [*domain.restored_types, *beside]) as postgres:
        yield postgres


@asynccontextmanager
async def open_database_for(
    settings: Settings, stored_types: Sequence[type], pool: AnyPool | None = None
) -> AsyncIterator[Postgres]:
    """Open the database that the settings name, else the embedded one.

    Args:
        stored_types: what a checkpoint restores as models and enums.
        pool: an application's own, which is used instead of what the settings name.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
        DatabaseUnavailable: the database cannot be reached.
        NotInstalled: traces are to be exported, and the extra `otel` is not installed.
    """
    if settings.die_at is not None:
        arm(die_at(settings.die_at))
    async with AsyncExitStack() as stack:
        where: str | AnyPool = (
            await stack.enter_async_context(server_of(settings)) if pool is None else pool
        )
        postgres = await stack.enter_async_context(
            open_postgres(
                where,
                tenant_id=settings.tenant,
                stored_types=stored_types,
                key=settings.aes_key,
                older_keys=settings.older_aes_keys,
                is_pooled=settings.is_pooled,
                schema=settings.schema,
                ignores_timeline=settings.ignores_timeline,
                marks=settings.marks,
            )
        )
        if settings.exports_otlp or settings.exports_langsmith:
            await stack.enter_async_context(_exporting(settings))
        yield postgres


@asynccontextmanager
async def server_of(settings: Settings) -> AsyncIterator[str]:
    """Yield the URL of the database that the settings name, else of the embedded one.

    Raises:
        EmbeddedPostgresError: the embedded Postgres did not start.
    """
    if settings.database_url is not None:
        yield settings.database_url
        return
    server = await asyncio.to_thread(embedded_postgres, settings.home)
    try:
        yield server.url
    finally:
        server.close()


def _exporting(settings: Settings) -> AbstractAsyncContextManager[None]:
    with from_extra():
        from daybook.graph.telemetry import exporting
    return exporting(settings)


def _refuse_an_unknown_tool(domain: Domain, die_at: str) -> None:
    """Refuse a fault point that would never be reached.

    Raises:
        ConfigurationError: it is about the call of a tool that the domain does not have.
    """
    tool, known = tool_at(die_at), domain.registry.effects
    if tool is not None and tool not in known:
        raise ConfigurationError(
            f"DAYBOOK_DIE_AT names an unknown tool: {tool}. Nothing was started; the tools are "
            f"{', '.join(sorted(known))}."
        )
