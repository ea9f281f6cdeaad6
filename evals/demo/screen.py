"""Show the demo: on a terminal of any width, or as plain lines through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from daybook.state.money import in_units
from evals.demo.sides import Claim, Record, Side

_WIDEST = 100

_STYLES = {"$": "bold", ">": "cyan", "!": "bold red", " ": "dim"}

_MEANS = {
    "intended": "what is to be done, with which arguments, under which key",
    "attempted": "claimed: it may be sent, once",
    "acknowledged": "the shop answered",
    "found": "looked up under its key: it had happened, so it is not sent again",
    "verified": "looked up under its key: it is there, once",
}


class Screen:
    """Print what happens, step by step, and then what it came to."""

    def __init__(self) -> None:
        wide = Console().width if sys.stdout.isatty() else _WIDEST
        self._console = Console(highlight=False, width=min(wide, _WIDEST))

    def title(self, text: str, *lines: str) -> None:
        """Begin the demo."""
        self._console.print(Text(text, style="bold"))
        for line in lines:
            self._console.print(Text(line, style="dim"))

    def part(self, text: str) -> None:
        """Begin a part."""
        self._console.print()
        self._console.rule(Text(text, style="bold"), align="left", style="dim", characters="─")

    def tell(self, line: str) -> None:
        """Print one line of what happens; its first character says what it is."""
        style = _STYLES.get(line[:1], "") or ("green" if line.startswith("Your order") else "")
        self._console.print(
            Padding(Text(line.strip(), style=style), (0, 0, 0, _indent(line)), expand=False)
        )

    def sides(self, daybook: Side, loop: Side) -> None:
        """Show what both came to, side by side."""
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        table.add_column("")
        table.add_column("Daybook", justify="right")
        table.add_column("Loop over a message list", justify="right")
        for name, effect, meant in _COUNTED:
            ours, theirs = (side.record.count(effect) for side in (daybook, loop))
            table.add_row(name, _number(ours, meant), _number(theirs, meant))
        held = (side.record.holds_left for side in (daybook, loop))
        table.add_row("holds left", *(_number(count, 0) for count in held))
        table.add_row("model calls", _calls(daybook), _calls(loop))
        asked = (side.repeated for side in (daybook, loop))
        table.add_row("asked the same again", *(_number(count, 0) for count in asked))
        table.add_row("the customer paid", _paid(daybook.record), _paid(loop.record))
        table.add_row("order finished", _yes(daybook), _yes(loop))
        self._console.print(table)

    def charge(self, entries: Sequence[Mapping[str, Any]], killed_at: datetime) -> None:
        """Show the ledger's entries about the charge, with the moment of death between them."""
        table = _table("entry", "UTC", "event", "by", "")
        meant = "the reply had come, and was not recorded yet"
        rest = [("", _clock(killed_at), "SIGKILL", "", meant)]
        for entry in entries:
            if rest and entry["at"] > killed_at:
                table.add_row(*rest.pop(), style="bold red")
            result = (entry["payload"] or {}).get("result", {})
            means = _MEANS.get(entry["event"], "")
            means += f" ({result['charge_id']})" if "charge_id" in result else ""
            by = entry["worker"] or entry["author"] or ""
            table.add_row(str(entry["seq"]), _clock(entry["at"]), entry["event"], by, means)
        self._console.print(Text(f"step and idempotency key: {_key(entries)}", style="dim"))
        self._console.print(table)

    def records(self, daybook: Record, loop: Record) -> None:
        """Show what each shop recorded itself."""
        table = _table("at the shop of", "effect", "reference", "")
        for name, record in (("Daybook", daybook), ("the loop", loop)):
            charges = 0
            for one in record.effects:
                charges += one["effect"] == "charge"
                is_double = one["effect"] == "charge" and charges > 1
                style = "bold red" if is_double else ""
                reference = _short(one["reference"])
                table.add_row(name, one["effect"], reference, _about(one), style=style)
                name = ""
        self._console.print(table)

    def verdict(self, claims: Sequence[Claim]) -> None:
        """Show what holds of what the demo says."""
        for claim in claims:
            mark, style = ("✓", "green") if claim.holds else ("✗", "bold red")
            line = Table.grid(padding=(0, 1))
            line.add_row(Text(mark, style=style), claim.said)
            self._console.print(line)


_COUNTED = (
    ("charges at the shop", "charge", 1),
    ("orders", "order", 1),
    ("mails", "mail", 1),
)


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column not in ("", "reference"))
    return table


def _indent(line: str) -> int:
    return 0 if line[:1] == "$" else 2


def _number(count: int, meant: int) -> Text:
    return Text(str(count), style="green" if count == meant else "bold red")


def _calls(side: Side) -> str:
    return f"{side.calls} ({side.calls_before} before the kill)"


def _paid(record: Record) -> str:
    return f"{in_units(record.charged)} USD"


def _yes(side: Side) -> Text:
    finished = side.finished.code == 0 and side.record.count("order") > 0
    return Text("yes" if finished else "no", style="green" if finished else "bold red")


def _clock(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%H:%M:%S.%f")[:-3]


def _key(entries: Sequence[Mapping[str, Any]]) -> str:
    return f"{entries[0]['op']}/{entries[0]['gen']}" if entries else ""


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
