"""Make or bring up the tables of a database, or print what that takes."""

from __future__ import annotations

from psycopg import Error, OperationalError

from daybook.app.conversations.terminal import Terminal
from daybook.app.output import tell
from daybook.checkpoints.migrate import migrate, script
from daybook.checkpoints.reach import bounded, not_allowed, unavailable
from daybook.graph.database import server_of
from daybook.graph.settings.environment import Settings


async def migration(settings: Settings, terminal: Terminal, *, prints: bool) -> None:
    """Migrate the database of the settings, or print the SQL that it takes."""
    async with server_of(settings) as url:
        try:
            if prints:
                tell(await script(bounded(url), settings.schema))
                return
            done = await migrate(bounded(url), schema=settings.schema)
        except OperationalError as error:
            raise unavailable(error) from error
        except Error as error:
            raise not_allowed(error, settings.schema) from error
    for name in done:
        terminal.note(f"Applied: {name}")
    if not done:
        terminal.note("Nothing was missing.")
