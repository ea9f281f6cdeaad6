"""Show the demo: on a terminal of any width, or as plain lines through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from daybook.state.money import in_units
from evals.demo.sides import Record, Side

_WIDEST = 100

_MEANS = {
    "intended": "the step, its arguments and its key",
    "attempted": "claimed: it may be sent once",
    "acknowledged": "the shop answered",
    "found": "looked up by its key: it happened, so it is not sent again",
    "verified": "looked up by its key: it exists once",
}

Rows = Iterable[Sequence[str]]


class Screen:
    """Print what happens, step by step, and then what it came to."""

    def __init__(self) -> None:
        wide = Console().width if sys.stdout.isatty() else _WIDEST
        self._console = Console(highlight=False, width=min(wide, _WIDEST))

    def title(self, *lines: str) -> None:
        """Begin the demo."""
        for line in lines:
            self._console.print(Text(line))

    def part(self, text: str) -> None:
        """Begin a part."""
        self._console.print()
        self._console.rule(Text(text, style="bold"), align="left", style="dim", characters="─")

    def tell(self, line: str) -> None:
        """Print one line of what happens: a command from the margin on, all else indented."""
        style, left = ("bold", 0) if line.startswith("$") else ("", 2)
        style = "bold red" if line.startswith("!") else style
        text = Text(line.strip(), style=style)
        self._console.print(Padding(text, (0, 0, 0, left), expand=False))

    def sides(self, daybook: Side, loop: Side) -> None:
        """Show what both came to, side by side."""
        both = (daybook, loop)
        shown: list[tuple[str, list[Any]]] = [
            ("charges at the shop", [one.record.count("charge") for one in both]),
            ("orders", [one.record.count("order") for one in both]),
            ("emails", [one.record.count("mail") for one in both]),
            ("holds left", [one.record.holds_left for one in both]),
            ("model calls", [f"{one.calls} ({one.calls_before} before the kill)" for one in both]),
            ("repeated model calls", [one.repeated for one in both]),
            ("the customer paid", [f"{in_units(one.record.charged)} USD" for one in both]),
            ("order finished", ["yes" if one.is_finished else "no" for one in both]),
        ]
        rows = [(name, *map(str, cells)) for name, cells in shown]
        self._table(("", "Daybook", "Loop over a message list"), rows, justify="right")

    def charge(self, entries: Sequence[Mapping[str, Any]], killed_at: datetime) -> None:
        """Show the ledger's entries about the charge, with the moment of death between them."""
        rows = []
        for entry in entries:
            result = (entry["payload"] or {}).get("result", {})
            means = _MEANS.get(entry["event"], "")
            means += f" ({result['charge_id']})" if "charge_id" in result else ""
            by = entry["worker"] or entry["author"] or ""
            rows.append((entry["at"], str(entry["seq"]), entry["event"], by, means))
        rows.append((killed_at, "", "SIGKILL", "", "the reply had arrived but was not recorded"))
        key = f"{entries[0]['op']}/{entries[0]['gen']}" if entries else ""
        self._console.print(Text(f"step and idempotency key: {key}"))
        self._table(
            ("entry", "UTC", "event", "by", ""),
            [(number, _clock(at), *rest) for at, number, *rest in sorted(rows)],
        )

    def records(self, daybook: Record, loop: Record) -> None:
        """Show what each shop recorded itself."""
        rows = []
        for name, record in (("Daybook", daybook), ("the loop", loop)):
            for at, one in enumerate(record.effects):
                about = (one["effect"], _short(one["reference"]), _about(one))
                rows.append((name if at == 0 else "", *about))
        self._table(("at the shop of", "effect", "reference", ""), rows)

    def verdict(self, claims: Mapping[str, bool]) -> None:
        """Show what holds of what the demo says."""
        for said, holds in claims.items():
            line = Table.grid(padding=(0, 1))
            line.add_row("✓" if holds else Text("✗", style="bold red"), said)
            self._console.print(line)

    def _table(self, titles: Sequence[str], rows: Rows, justify: str = "left") -> None:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for at, title in enumerate(titles):
            side: Any = justify if at else "left"
            is_fixed = title not in ("", "reference")
            table.add_column(title, justify=side, overflow="fold", no_wrap=is_fixed)
        for row in rows:
            table.add_row(*row)
        self._console.print(table)


def _clock(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%H:%M:%S.%f")[:-3]


def _short(reference: str) -> str:
    """Leave out the middle of ids that are long."""
    return "/".join(p if len(p) <= 24 else f"{p[:8]}…" for p in reference.split("/"))


def _about(effect: Mapping[str, Any]) -> str:
    detail = effect["detail"]
    match effect["effect"]:
        case "charge":
            return f"{in_units(detail['amount'])} {detail['currency']} ({detail['charge_id']})"
        case "reserve":
            return f"{detail['quantity']} x {detail['sku']}"
        case "order":
            return str(detail["order_id"])
        case _:
            return str(detail.get("subject", ""))
