"""Bring Aegra's own database to where its release needs it, once and before its processes start.

Each of them would do so by itself, and of two that do so at once the second fails. Run as
`python -m daybook.app.server.production.database` in their environment.
"""

from __future__ import annotations

import asyncio


async def main() -> None:
    """Run its migrations, and make its tables for threads and what it serves by default."""
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
    asyncio.run(main())
