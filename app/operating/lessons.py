"""List the lessons that were counted from failed calls, and retire them."""

from __future__ import annotations

from datetime import UTC

from rich import box
from rich.table import Table
from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError
from daybook.state.prompt.lessons import Lesson

_HEADINGS = ("Tool", "Flow", "Error", "Count", "Users", "Helped/missed", "Shown")


async def show(settings: Settings, terminal: Terminal) -> None:
    """Print all lessons: the failure, its count, and what showing it changed."""
    async with open_database(settings) as postgres:
        lessons = await postgres.lessons.all()
    if not lessons:
        terminal.note("There are no lessons: no call was refused or declined.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in _HEADINGS:
        table.add_column(heading, overflow="fold")
    for one in lessons:
        rates = f"{one.helped}/{one.missed}"
        cells = (one.tool, one.flow, one.error, str(one.count), str(one.people), rates, _shown(one))
        table.add_row(*map(Text, cells))
    terminal.table(table)


async def drop(settings: Settings, terminal: Terminal, tool: str, error: str | None) -> None:
    """Retire the lessons of a tool, or those of one error: they are kept and no longer shown.

    Raises:
        DaybookError: there is no such lesson, or it was retired before.
    """
    async with open_database(settings) as postgres:
        retired = await postgres.lessons.retire(tool, error)
    if not retired:
        of = f" of the error {error!r}" if error is not None else ""
        raise DaybookError(
            f"There is no lesson of {tool}{of} to retire. Nothing was changed; list them with "
            "`daybook lessons`."
        )
    for one in retired:
        terminal.note(f"Retired: {one.tool} at {one.flow}: {one.error}")


def _shown(lesson: Lesson) -> str:
    if lesson.retired_at is not None:
        return f"retired {lesson.retired_at.astimezone(UTC).date().isoformat()}"
    return "yes" if lesson.is_learnt else "not yet"
