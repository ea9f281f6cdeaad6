"""The output of commands: printable text only, whoever wrote it.

The only place in `daybook.app` that writes to a terminal, a file or a pipe (a test sees to it).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from daybook.state.plain import plain_json, printable

FULL = (
    "The output could not be written: no space left on the device. Earlier results are kept; "
    "`daybook threads` lists the state of each conversation."
)


class PlainConsole(Console):
    """A rich console that takes text as text: no markup, no emoji codes, no links, no controls."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render what may be made of anybody's text; only rich's own controls are left."""
        for text, style, control in super().render(renderable, options):
            if control:
                yield Segment(text, style, control)
            else:
                yield Segment(printable(text), style and style.update_link(None))


def tell(text: str) -> None:
    """Write lines of text."""
    print(printable(text))


def tell_aside(text: str) -> None:
    """Write lines of text beside what a command writes, where a pipe does not take them."""
    print(printable(text), file=sys.stderr)


def tell_json(text: str) -> None:
    """Write JSON; what is not seen stands in it as escapes, so that nothing is lost."""
    print(plain_json(text))


def day(at: datetime) -> str:
    """Write the day of an instant in UTC."""
    return at.astimezone(UTC).date().isoformat()


def minute(at: datetime) -> str:
    """Write an instant in UTC, to the minute."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M")


def open_streams() -> bool:
    """Open what this process was started without, and tell whether standard output was closed."""
    was_closed = sys.stdout is None
    # Else Python has None there, and the next file or connection gets its number.
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY))
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    return was_closed


def flush() -> str | None:
    """Write out what is left of standard output.

    Returns:
        What to say where that fails, nothing if its reader has gone (`| head`) and knows; None
        where all is written.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        # Else the interpreter says it once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return "" if isinstance(error, BrokenPipeError) else FULL
    return None
