"""Print what a storm left."""

from __future__ import annotations

import os
import statistics
from collections.abc import Mapping, Sequence
from datetime import timedelta

from rich import box
from rich.console import Console
from rich.table import Table

from evals.storm.audit import Account, Times
from evals.storm.course import Asked, Found

_SHOWN = 5


def show(asked: Asked, found: Found, console: Console) -> None:
    """Print the figures as tables, and what is not as it should be."""
    keys = "ignores" if asked.ignores_keys else "honours"
    load = os.getloadavg()[0]
    console.print(
        f"The shop {keys} idempotency keys. {os.cpu_count()} cores; {load:.0f} processes at a time "
        "wanted them in the last minute."
    )
    console.print(_plans(found))
    console.print(_effects(found.account))
    console.print(_times(found.times))
    console.print(
        f"{found.times.again} runs were struck again before they went on; not counted twice."
    )
    for name, wrong in _wrong(found.account).items():
        for line in wrong[:_SHOWN]:
            console.print(f"{name}: {line}", markup=False)
    for line in found.faults:
        console.print(line, markup=False)
    console.print("Exact." if found.is_exact else "NOT exact.")


def _plans(found: Found) -> Table:
    account = found.account
    counted = {
        **found.counts,
        "approved": account.approved,
        "placed": account.placed,
        "undone": account.undone,
        "cancelled": account.cancelled,
    }
    return _row({name: f"{count:,}" for name, count in counted.items()})


def _effects(account: Account) -> Table:
    return _row(
        {
            "effects expected": f"{account.expected:,}",
            "found": f"{account.found:,}",
            "duplicates": str(len(account.duplicates)),
            "lost": str(len(account.lost)),
            "not in the ledger": str(len(account.unknown)),
            "holds left": str(account.holds_left),
            "steps left open": str(len(account.open_steps)),
        }
    )


def _row(cells: Mapping[str, str]) -> Table:
    table = Table(box=box.MARKDOWN)
    for heading in cells:
        table.add_column(heading, justify="right")
    table.add_row(*cells.values())
    return table


def _times(times: Times) -> Table:
    table = Table(box=box.MARKDOWN)
    for heading in ("from the strike to the step that goes on", "runs", "median", "max"):
        table.add_column(heading, justify="left" if heading.startswith("from") else "right")
    rows: tuple[tuple[str, Sequence[timedelta]], ...] = (
        ("killed one at a time in a charge, nothing else under way", times.alone),
        ("the same, without keys: gone on with, once budget and D were over", times.alone_proved),
        ("killed, not sent or sent under a key: told by the lock", times.killed),
        ("suspended, the same: told by the lease (10 s)", times.suspended),
        ("cut off in a step that only a probe or a person can settle: first look", times.looked),
        ("the same: gone on with, once budget and D were over", times.proved),
        ("whatever it was, with Postgres away meanwhile", times.outage),
    )
    for what, taken in rows:
        seconds = [one.total_seconds() for one in taken]
        median = f"{statistics.median(seconds):.2f} s" if seconds else "-"
        table.add_row(what, str(len(seconds)), median, f"{max(seconds):.2f} s" if seconds else "-")
    return table


def _wrong(account: Account) -> dict[str, list[str]]:
    return {
        "duplicate": account.duplicates,
        "lost": account.lost,
        "not in the ledger": account.unknown,
        "left open": account.open_steps,
        "broken": account.broken,
    }
