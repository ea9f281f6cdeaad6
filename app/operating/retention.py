"""Show how long what threads hold is kept, and what is due; erase it."""

from __future__ import annotations

from daybook.app.conversations.terminal import Terminal
from daybook.app.operating.forget import rows_of
from daybook.checkpoints.people.erasure import open_eraser, overdue, retain
from daybook.graph.database import open_database
from daybook.graph.settings.environment import KEEP_VARIABLES, Settings

_MEANING = (
    "Counted from a thread's last activity. Threads that are at work, wait for a person or hold "
    "something unsettled are left alone; a thread that loses anything is closed."
)


async def retention(settings: Settings, terminal: Terminal, *, applies: bool) -> None:
    """Print the periods and what is due.

    Args:
        applies: erase it.
    """
    for part, name in KEEP_VARIABLES.items():
        terminal.note(f"{part.value:<12} {settings.keep[part].days:>6} days  {name}")
    terminal.note(_MEANING)
    async with open_database(settings) as postgres:
        if applies:
            erased = await retain(postgres, settings.keep)
            terminal.note(f"Erased in {len(erased)} threads, {rows_of(erased)}.")
            return
        async with open_eraser(postgres) as eraser:
            due = [held async for held in overdue(eraser, settings.keep)]
    if not due:
        terminal.note("Nothing is due.")
        return
    terminal.note(
        f"Due in {len(due)} threads, {rows_of(due)}. Nothing was erased; `daybook retention "
        "--apply` does it."
    )
