"""The application of one process: Aegra's, with the database and services of its runs.

Run as `python -m daybook.app.server.production.asgi`, it brings Aegra's tables to where its release
needs them, once and before the processes start: of two that do so at once the second fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any


def create_app() -> Any:
    """Return Aegra's application; it opens ours first, and closes it last."""
    from aegra_api.main import app

    from daybook.app.server.production.aegra import open_graphs

    lifespan_of_aegra = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(application: Any) -> AsyncIterator[Any]:
        # Before Aegra is started: from then on it takes up runs.
        async with open_graphs(), lifespan_of_aegra(application) as state:
            yield state

    app.router.lifespan_context = lifespan
    return app


async def migrate() -> None:
    """Run Aegra's migrations, and make its tables for threads and what it serves by default."""
    from aegra_api.core.database import db_manager
    from aegra_api.core.migrations import run_migrations_async
    from aegra_api.services.langgraph_service import get_langgraph_service

    await run_migrations_async()
    await db_manager.initialize()
    try:
        await get_langgraph_service().initialize()
    finally:
        await db_manager.close()


if __name__ == "__main__":
    asyncio.run(migrate())
