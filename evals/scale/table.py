"""Print what was measured, and whether it is what it should be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.console import Console

from evals.report import Goal, print_goals, table
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

    def goals(self) -> Iterator[Goal]:
        """Yield the goals."""
        if self.purchases:
            most = max(self.purchases)
            empty, full = self.purchases[most]
            times = full.cpu_ms / empty.cpu_ms if empty.cpu_ms else 0.0
            yield Goal(
                f"a purchase beside {most:,}, in processor's time of one in an empty database",
                f"{times:.2f} times ({full.ms / empty.ms:.2f} its time), at most {PURCHASE_TIMES}",
                times <= PURCHASE_TIMES,
            )
            yield _ms(f"the worker's look in Postgres beside {most:,}", self.looks[most], LOOK_MS)
            for name in PAGES:
                yield _ms(f"{name} beside {most:,}", self.costs[name][most].ms, PAGE_MS)
        if self.weights:
            rows = sum(weight[0] for weight in self.weights.values())
            seen = f"{rows:,.0f}, at most {THREAD_BYTES:,}"
            yield Goal("bytes of a waiting thread without its indexes", seen, rows <= THREAD_BYTES)
        for name, storm in self.storms.items():
            seen = f"{storm.left} of {storm.threads:,} not finished"
            yield Goal(name, seen, not storm.left)
        if self.erasures:
            yield _ms("an erased thread was locked for at most", max(self.erasures), LOCK_MS)


def _ms(what: str, measured: float, limit: float) -> Goal:
    return Goal(what, f"{measured:,.2f} ms, at most {limit:,.0f}", measured <= limit)


def show(report: Report, to: Console) -> bool:
    """Print the tables and the goals; tell whether every goal is reached."""
    sizes = sorted(report.purchases)
    heads = ("ms (of them processor), beside", *(f"{size:,}" for size in sizes), "times")
    to.print(table(heads, _costs(report, sizes)))
    if report.weights:
        rows, indexes = (sum(weight[n] for weight in report.weights.values()) for n in (0, 1))
        weights = {**report.weights, "all": (rows, indexes)}
        sizes_of = [(name, round(kept), round(more)) for name, (kept, more) in weights.items()]
        to.print(table(("bytes of a waiting thread", "rows", "indexes"), sizes_of))
    if report.storms:
        titles = ("storm", "threads", "left", "seconds", "a second", "out of order")
        storms = (_storm(name, storm) for name, storm in report.storms.items())
        to.print(table((*titles, "chat before, ms", "during"), storms))
    return print_goals(list(report.goals()), to)


def _costs(report: Report, sizes: Sequence[int]) -> Iterator[tuple[object, ...]]:
    empties = [report.purchases[size][0] for size in sizes]
    yield ("a purchase in an empty database, in turns", *map(_cost, empties), "")
    purchases = {size: report.purchases[size][1] for size in sizes}
    for name, costs in {"a purchase": purchases, **report.costs}.items():
        first, last = costs[sizes[0]], costs[sizes[-1]]
        times = f"{last.ms / first.ms:.1f}" if first.ms else ""
        yield (name, *(_cost(costs[size]) for size in sizes), times)
    yield ("the look, within Postgres", *(f"{report.looks[size]:.2f}" for size in sizes), "")


def _cost(cost: Cost) -> str:
    return f"{cost.ms:,.1f} ({cost.cpu_ms:,.1f})"


def _storm(name: str, storm: Storm) -> tuple[object, ...]:
    return (
        name,
        storm.threads,
        storm.left,
        f"{storm.seconds:.0f}",
        f"{(storm.threads - storm.left) / storm.seconds:.1f}",
        "-" if storm.apart is None else f"{storm.apart} places",
        *(
            f"{middle(one):,.0f}, at most {max(one, default=0):,.0f}"
            for one in (storm.before, storm.during)
        ),
    )
