"""Show what the machine learnt from failures, and retire what is of no use."""

from __future__ import annotations

from datetime import UTC

from rich import box
from rich.table import Table
from rich.text import Text

from daybook.app.conversations.terminal import Terminal
from daybook.checkpoints.people.lessons import KeptLesson
from daybook.graph.database import open_database
from daybook.graph.settings.environment import Settings
from daybook.state.errors import DaybookError


async def show(settings: Settings, terminal: Terminal) -> None:
    """Print all lessons: what failed where, how often, and whether showing it helped."""
    async with open_database(settings) as postgres:
        lessons = await postgres.lessons.all()
    if not lessons:
        terminal.note("Nothing was learnt yet: no call was refused or declined.")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in (
        "Tool",
        "Flow",
        "Error",
        "Count",
        "People",
        "Helped/missed",
        "Shown",
        "Last thread",
    ):
        table.add_column(heading, overflow="fold")
    for kept in lessons:
        lesson = kept.lesson
        cells = (
            lesson.tool,
            lesson.flow,
            lesson.error,
            str(lesson.count),
            str(lesson.people),
            f"{lesson.helped}/{lesson.missed}",
            _stands(kept),
            kept.evidence[-1].thread_id if kept.evidence else "",
        )
        table.add_row(*map(Text, cells))
    terminal.table(table)


async def drop(settings: Settings, terminal: Terminal, tool: str, error: str | None) -> None:
    """Retire the lessons of a tool, or the one of an error; they are kept and not shown any more.

    Raises:
        DaybookError: there is no such lesson, or it was retired before.
    """
    async with open_database(settings) as postgres:
        retired = await postgres.lessons.retire(tool, error)
    if not retired:
        of = f" of the error {error!r}" if error is not None else ""
        raise DaybookError(
            f"No lesson of {tool}{of} is shown. Nothing was changed; see `daybook lessons`."
        )
    for name, flow, kind in retired:
        terminal.note(f"Retired: {name} at {flow}: {kind}")


def _stands(kept: KeptLesson) -> str:
    if kept.retired_at is not None:
        return f"retired {kept.retired_at.astimezone(UTC).date().isoformat()}"
    return "where it applies" if kept.lesson.is_learnt else "not yet"
