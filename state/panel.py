"""Panels: small tables beside the conversation, drawn by console and terminal.

A terminal prints them and the console draws them; neither knows what they are about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Column:
    """A column of a panel.

    Attributes:
        kind: how its cells are drawn: "text", an "id" that is used elsewhere, a "number" (aligned
            right), or the "state" of the row's item.
    """

    name: str
    kind: Literal["text", "id", "number", "state"] = "text"


@dataclass(frozen=True)
class Button:
    """A button that sends an event; no model is called.

    Attributes:
        words: its label.
        about: what it does, for screen readers.
        key: identifies the click: a second one with the same key changes nothing.
        event: the event for `Domain.apply`: `{"type": ...}`, without an id.
    """

    words: str
    about: str
    key: str
    event: Mapping[str, Any]


@dataclass(frozen=True)
class Link:
    """A link to an external page; its host is shown.

    Attributes:
        url: an http or https URL; any other is not drawn.
    """

    words: str
    url: str


@dataclass(frozen=True)
class Line:
    """One row of a panel: a cell for each column.

    Attributes:
        stands: its item still exists; otherwise it was taken back, and is drawn that way.
    """

    cells: tuple[str, ...]
    button: Button | None = None
    stands: bool = True


@dataclass(frozen=True)
class Panel:
    """A table that the console and the chat show.

    Attributes:
        total: the sum of the rows, below the last column; "" for none.
        empty: shown if there are no rows; "" then hides the panel.
        note: shown below the rows on a page; "" for none.
        links: shown below it on a page.
        told: a terminal prints it when it changes; otherwise only a page shows it.

    Example:
        >>> rooms = Panel("Rooms", (Column("Room"), Column("Seats", "number")))
        >>> rooms.lines
        ()
    """

    title: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...] = ()
    total: str = ""
    empty: str = ""
    note: str = ""
    links: tuple[Link, ...] = ()
    told: bool = True

    @property
    def summary(self) -> str:
        """Return the panel as a phrase: title, each line's id with its first number, total.

        Example:
            >>> rooms = Panel(
            ...     "Rooms",
            ...     (Column("Room", "id"), Column("Nights", "number")),
            ...     (Line(("Barn", "2")),),
            ...     total="190.00",
            ... )
            >>> rooms.summary
            'Rooms: 2 x Barn; total 190.00'
        """
        if not self.lines:
            return self.empty.rstrip(".")
        kinds = [column.kind for column in self.columns]
        at_id = kinds.index("id") if "id" in kinds else 0
        at_number = kinds.index("number") if "number" in kinds else None
        rows = [
            line.cells[at_id]
            if at_number is None
            else f"{line.cells[at_number]} x {line.cells[at_id]}"
            for line in self.lines
        ]
        total = f"; total {self.total}" if self.total else ""
        return f"{self.title}: {', '.join(rows)}{total}"
