"""Write to and read from a user at a terminal, or a script through a pipe."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.panel import Panel as Box
from rich.status import Status
from rich.table import Table
from rich.text import Text

from daybook.app.output import PlainConsole
from daybook.state.money import CENTS, money_in
from daybook.state.panel import Panel
from daybook.state.plain import printable

_LONGEST_TAIL = 2_000
"""Characters of a text that are shown while it is streamed."""

_LONGEST_ECHO = 500
"""Characters that are echoed of a line; a pipe may hold any number."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

HELP = """\
Write what you want. Commands of the chat:
  an empty line  retries an interrupted turn
  stop           stops the current plan, also at a question
  help           shows this list
  quit, exit     end the chat, as Ctrl-D does; it can be continued
At a question: y approves, n [reason] rejects, e name=value edits and approves, d shows details.
Any other text of several words is sent to the assistant; the question stays open.
More: docs/index.md; phrases that the stand-in for a model understands: docs/stand_in.md."""


def render_answer(text: str) -> RenderableType:
    """Render an answer; what would show nothing as Markdown is shown as it is."""
    # Most commands show no answer, and Markdown is a tenth of what they would import.
    from markdown_it import MarkdownIt
    from rich.markdown import Markdown

    # A model may write a tool call as text. As HTML (`<function=...>`) and as a link reference
    # (`[TOOL_CALLS]: ...`) Markdown would show nothing of it.
    parser = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])
    shown = Markdown(text, hyperlinks=False)
    shown.parsed = parser.disable(["reference", "html_inline", "html_block"]).parse(text)
    parts = [token for block in shown.parsed for token in (block, *(block.children or ()))]
    return shown if any(token.content.strip() for token in parts) else Text(text)


def is_quit(line: str) -> bool:
    """Tell whether a line ends the chat."""
    return line.strip().casefold() in ("quit", "exit")


def is_help(line: str) -> bool:
    """Tell whether a line asks what the chat understands."""
    return line.strip().casefold() == "help"


def _whole(line: str) -> str:
    """Return a line whose bytes that are no text are shown as such: nobody could store them."""
    return line.encode(errors="surrogateescape").decode(errors="replace")


class Terminal:
    """The console. Without a terminal it prints plain lines and echoes what it reads."""

    def __init__(self) -> None:
        self.interactive = sys.stdin.isatty()
        width = {} if sys.stdout.isatty() else {"width": 120}
        self._console = PlainConsole(**width)
        self._status: Status | None = None

    def read(self, prompt: str) -> str | None:
        """Read one line; None at the end of the input.

        Raises:
            KeyboardInterrupt: the person pressed Ctrl-C.
        """
        if not self.interactive:
            line = sys.stdin.readline()
            if not line:
                return None
            line = _whole(line)
            self._console.print(_brief(f"{prompt}{line.rstrip()}"), soft_wrap=True)
            return line.strip()
        # The event loop's own handler would only take note of Ctrl-C, and `input` go on waiting.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return _whole(input(printable(prompt))).strip()
        except EOFError:
            self._console.print()
            return None
        finally:
            signal.signal(signal.SIGINT, before)

    def message(self) -> str | None:
        """Read what is said to the assistant; None at the end of the chat.

        `help` is answered here.

        Raises:
            KeyboardInterrupt: the user pressed Ctrl-C.
        """
        while (line := self.read("> ")) is not None and is_help(line):
            self.note(HELP)
        return None if line is None or is_quit(line) else line

    def say(self, text: str) -> None:
        """Print what the assistant says."""
        if self.interactive:
            self._console.print(Box(render_answer(text), border_style="cyan", box=box.ROUNDED))
        else:
            self._console.print(text, soft_wrap=True)

    def receipt(self, text: str) -> None:
        """Print a receipt: what became of effects, as the machine states it."""
        if self.interactive:
            box_ = Box(render_answer(text), title="Receipt", title_align="left", box=box.ROUNDED)
            box_.border_style = "green"
            self._console.print(box_)
        else:
            self._console.print(f"Receipt:\n{text}", soft_wrap=True)

    def streams(self, text: str) -> None:
        """Show the model's text while it comes; it is printed whole when the run is over."""
        if self._status is not None:
            self._status.update(Text(printable(text[-_LONGEST_TAIL:])))

    def note(self, text: str) -> None:
        """Print what the program itself has to say."""
        self._console.print(text, style="dim", soft_wrap=not self.interactive)

    def hint(self, text: str) -> None:
        """Print what is to be copied: one line, however long it is."""
        self._console.print(text, style="dim", soft_wrap=True)

    def warn(self, text: str) -> None:
        """Print what went wrong."""
        self._console.print(text, style="bold red", soft_wrap=not self.interactive)

    def rows(self, columns: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> None:
        """Print rows of text as a table; as lines, where an id would be broken into two."""
        rows = list(rows)
        texts = [columns, *([str(cell) for cell in cells] for cells in rows)]
        width = sum(3 + max(map(len, column)) for column in zip(*texts, strict=True))
        if width > self._console.width and any(map(_UUID.fullmatch, chain(*texts))):
            for first, *cells in texts[1:]:
                named = zip(columns[1:], cells, strict=True)
                about = "; ".join(f"{name}: {cell}" for name, cell in named if cell)
                self._console.print(first, soft_wrap=True)
                self._console.print(f"  {about}", soft_wrap=not self.interactive)
            return
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in columns:
            table.add_column(name, overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
        self._console.print(table)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Show that work goes on: a line that changes on a terminal."""
        if not self.interactive:
            yield
            return
        with self._console.status("working", spinner="dots") as self._status:
            yield
        self._status = None

    def progress(self, line: str) -> None:
        """Show what is being done; through a pipe, only steps that act are lines."""
        if self._status is not None:
            self._status.update(Text(printable(line)))
        elif ":" in line or line.startswith("undoing"):
            self.note(f"  ... {line}")

    def panel(self, panel: Panel) -> None:
        """Show what a domain shows of its state, as a table."""
        if not panel.lines:
            if panel.empty:
                self.note(panel.empty)
            return
        table = Table(
            title=panel.title,
            box=box.SIMPLE_HEAD,
            title_justify="left",
            show_footer=bool(panel.total),
        )
        for place, column in enumerate(panel.columns):
            is_last = place == len(panel.columns) - 1
            table.add_column(
                column.name,
                justify="right" if column.kind == "number" else "left",
                style="dim" if column.kind == "id" else "bold" if is_last else None,
                footer=panel.total if is_last else "Total" if place == 0 else "",
            )
        for line in panel.lines:
            table.add_row(*line.cells)
        self._console.print(table)

    def plan(self, shown: Mapping[str, Any], note: str) -> None:
        """Show an action that waits for approval: what is done, and what it costs."""
        self._console.print()
        self._console.print(f"Approval needed: {shown['title']}", style="bold yellow")
        for line in shown["summary"]:
            self._console.print(f"  - {line}")
        if shown["total"]:
            self._console.print(f"Total: {shown['total']}", style="bold")
        if note:
            self.warn(note)

    def arguments(self, shown: Mapping[str, Any]) -> None:
        """Show the exact steps of an action that waits for approval, with all their arguments."""
        rows = [
            (
                str(number),
                step["tool"],
                "\n".join(_arguments(step["args"], step.get("money", ()), step.get("given", {}))),
            )
            for number, step in enumerate(shown["steps"], 1)
        ]
        self.rows(("#", "Step", "Arguments"), rows)

    def evidence(self, request: Mapping[str, Any]) -> None:
        """Show a step in doubt with all that is known about it."""
        self.warn(request["description"])
        for name, value in request["args"].items():
            self._console.print(f"  {name}: {_flat(value)}")


def _arguments(
    args: Mapping[str, Any], money: Sequence[str], marks: Mapping[str, str]
) -> Iterator[str]:
    """Write arguments one a line, money in units."""
    for name, value in args.items():
        is_cents = name == money[0] if money else name in CENTS
        cents = money_in(args, *(money or (name, "currency"))) if is_cents else None
        mark = f" ({marks[name]})" if name in marks else ""
        yield f"{name} = {cents or _flat(value)}{mark}"


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence):
        return "; ".join(_flat(item) for item in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_flat(item)}" for name, item in value.items())
    return str(value)


def _brief(line: str) -> str:
    return line if len(line) <= _LONGEST_ECHO else f"{line[:_LONGEST_ECHO]}..."
