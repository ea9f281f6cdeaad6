"""Print what was measured, and whether it is what it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rich import box
from rich.console import Console
from rich.table import Table

from evals.scale.costs import Cost
from evals.scale.storms import Storm, middle

PAGES = ("the inbox", "the search", "daybook threads", "ledger --open", "/metrics", "doctor")
PAGE_MS, LOOK_MS, PURCHASE_TIMES, THREAD_BYTES, LOCK_MS = 200.0, 2.0, 1.1, 12_000, 100.0


@dataclass
class Report:
    """What was measured.

    Attributes:
        costs: by what is done, and by how many threads were open.
        purchases: of one in an empty database and of one beside so many, in turns.
        looks: milliseconds of the worker's look within Postgres, by how many threads.
        weights: bytes of a waiting thread, by table: of its rows and of its indexes.
        storms: by name.
        erasures: milliseconds for which each erased thread was locked at most.
    """

    costs: dict[str, dict[int, Cost]] = field(default_factory=dict)
    purchases: dict[int, tuple[Cost, Cost]] = field(default_factory=dict)
    looks: dict[int, float] = field(default_factory=dict)
    weights: dict[str, tuple[float, float]] = field(default_factory=dict)
    storms: dict[str, Storm] = field(default_factory=dict)
    erasures: list[float] = field(default_factory=list)

    def goals(self) -> list[tuple[bool, str]]:
        """Say of each goal whether it is reached."""
        said: list[tuple[bool, str]] = []
        if self.purchases:
            most = max(self.purchases)
            empty, full = self.purchases[most]
            times = full.cpu_ms / empty.cpu_ms if empty.cpu_ms else 0.0
            said.append(
                (
                    times <= PURCHASE_TIMES,
                    f"a purchase beside {most:,} takes {times:.2f} times the processor's time of "
                    f"one in an empty database ({full.ms / empty.ms:.2f} times its time), "
                    f"at most {PURCHASE_TIMES}",
                )
            )
            said.append(
                (
                    self.looks[most] <= LOOK_MS,
                    f"the worker's look takes {self.looks[most]:.2f} ms of Postgres beside "
                    f"{most:,}, at most {LOOK_MS:.0f}",
                )
            )
            for name in PAGES:
                ms = self.costs[name][most].ms
                said.append(
                    (ms <= PAGE_MS, f"{name}: {ms:.0f} ms beside {most:,}, at most {PAGE_MS:.0f}")
                )
        if self.weights:
            rows = sum(weight[0] for weight in self.weights.values())
            said.append(
                (
                    rows <= THREAD_BYTES,
                    f"a waiting thread takes {rows:,.0f} bytes without its indexes, "
                    f"at most {THREAD_BYTES:,}",
                )
            )
        for name, storm in self.storms.items():
            said.append((not storm.left, f"{name}: {storm.left} of {storm.threads:,} not finished"))
        if self.erasures:
            longest = max(self.erasures)
            said.append(
                (
                    longest <= LOCK_MS,
                    f"an erased thread was locked for {longest:.0f} ms at most, "
                    f"at most {LOCK_MS:.0f}",
                )
            )
        return said

    @property
    def is_reached(self) -> bool:
        """Tell whether every goal is."""
        return all(reached for reached, _ in self.goals())


def show(report: Report, console: Console) -> None:
    """Print the tables, and the goals."""
    if report.purchases:
        console.print(_costs(report))
    if report.weights:
        console.print(_weights(report.weights))
    if report.storms:
        console.print(_storms(report.storms))
    for reached, words in report.goals():
        console.print(f"{'reached' if reached else 'MISSED '}  {words}", markup=False)


def _costs(report: Report) -> Table:
    sizes = sorted(report.purchases)
    table = Table(box=box.MARKDOWN)
    table.add_column("ms (of them processor), beside", no_wrap=True)
    for size in sizes:
        table.add_column(f"{size:,}", justify="right", no_wrap=True)
    table.add_column("times", justify="right")
    empties = [report.purchases[size][0] for size in sizes]
    table.add_row("a purchase in an empty database, in turns", *map(_cost, empties), "")
    purchases = {size: report.purchases[size][1] for size in sizes}
    for name, costs in {"a purchase": purchases, **report.costs}.items():
        first, last = costs[sizes[0]], costs[sizes[-1]]
        times = f"{last.ms / first.ms:.1f}" if first.ms else ""
        table.add_row(name, *(_cost(costs[size]) for size in sizes), times)
    looks = [f"{report.looks[size]:.2f}" for size in sizes]
    table.add_row("the look, within Postgres", *looks, "")
    return table


def _cost(cost: Cost) -> str:
    return f"{cost.ms:,.1f} ({cost.cpu_ms:,.1f})"


def _weights(weights: Mapping[str, tuple[float, float]]) -> Table:
    table = Table(box=box.MARKDOWN)
    table.add_column("bytes of a waiting thread", no_wrap=True)
    for title in ("rows", "indexes"):
        table.add_column(title, justify="right")
    for name, (rows, indexes) in weights.items():
        table.add_row(name, f"{rows:,.0f}", f"{indexes:,.0f}")
    totals = [sum(weight[side] for weight in weights.values()) for side in (0, 1)]
    table.add_row("all", *(f"{total:,.0f}" for total in totals))
    return table


def _storms(storms: Mapping[str, Storm]) -> Table:
    table = Table(box=box.MARKDOWN)
    table.add_column("storm", no_wrap=True)
    for title in (
        "threads",
        "left",
        "seconds",
        "a second",
        "out of order",
        "chat before, ms",
        "during",
    ):
        table.add_column(title, justify="right")
    for name, storm in storms.items():
        done = storm.threads - storm.left
        table.add_row(
            name,
            f"{storm.threads:,}",
            f"{storm.left:,}",
            f"{storm.seconds:.0f}",
            f"{done / storm.seconds:.1f}",
            "-" if storm.apart is None else f"{storm.apart} places",
            _times(storm.before),
            _times(storm.during),
        )
    return table


def _times(taken: Sequence[float]) -> str:
    return f"{middle(taken):,.0f}, at most {max(taken, default=0):,.0f}"
