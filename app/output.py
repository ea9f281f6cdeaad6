"""What commands write to people: text and nothing else, whoever wrote it first.

The only place in `daybook.app` that writes to a terminal, a file or a pipe (a test sees to it).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from daybook.state.plain import plain, plain_json


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
                yield Segment(plain(text), style and style.update_link(None))


def tell(text: str) -> None:
    """Write lines of text."""
    print(plain(text))


def tell_aside(text: str) -> None:
    """Write lines of text beside what a command writes, where a pipe does not take them."""
    print(plain(text), file=sys.stderr)


def tell_json(text: str) -> None:
    """Write JSON; what is not seen stands in it as escapes, so that nothing is lost."""
    print(plain_json(text))
