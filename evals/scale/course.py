"""The course: threads come, what they cost is measured, then the storms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from evals.scale.copies import as_owner
from evals.scale.costs import (
    Server,
    acts,
    cost,
    look_in_server_ms,
    purchase,
    side_by_side,
    weights,
)
from evals.scale.ground import gathered, open_agent, open_ground
from evals.scale.storms import Place
from evals.scale.table import Report

_TIMES = 10
_LOOKS = 20

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Asked:
    """What is asked for (see the command line)."""

    sizes: Sequence[int]
    expire: int
    left: int
    erase: int
    patience: float


async def run(asked: Asked, folder: Path, tell: Tell) -> Report:
    """Measure over things of its own below a folder.

    Args:
        tell: told what happens.
    """
    report = Report()
    async with AsyncExitStack() as stack:
        ground = await stack.enter_async_context(open_ground(folder))
        server = Server(folder)
        empty_url = await ground.server.new_database("empty")
        full_url = await ground.server.new_database("full")
        empty = await stack.enter_async_context(open_agent(ground.settings(empty_url)))
        # Opened last: the console's pages are of this one.
        full = await stack.enter_async_context(open_agent(ground.settings(full_url)))
        conn = await stack.enter_async_context(as_owner(full_url))
        buys = purchase(empty), purchase(full)
        todo = acts(full, ground.settings(full_url))
        crowd = None
        for size in sorted(asked.sizes):
            if size:
                crowd = crowd or await gathered(full, conn)
                before = await weights(full_url)
                coming = size - crowd.count
                await crowd.come(coming)
                after = await weights(full_url)
                report.weights = {
                    table: ((rows - before[table][0]) / coming, (kept - before[table][1]) / coming)
                    for table, (rows, kept) in after.items()
                }
                tell(f"{size:,} threads wait")
            report.looks[size] = await look_in_server_ms(full, _LOOKS)
            for name, act in todo.items():
                report.costs.setdefault(name, {})[size] = await cost(act, _TIMES, server)
            report.purchases[size] = await side_by_side(*buys, _TIMES, server)
            tell(f"measured beside {size:,}")
        crowd = crowd or await gathered(full, conn)
        place = Place(crowd, full, conn, ground.environment(full_url), asked.patience)
        if asked.erase:
            report.erasures = await place.erased(asked.erase)
            tell(f"{len(report.erasures):,} threads were erased")
        for name, storm, count in (
            ("questions that expire at one instant", place.expired, asked.expire),
            ("runs that a kill left behind", place.left_behind, asked.left),
        ):
            if count:
                tell(f"{count:,} {name}")
                report.storms[name] = await storm(count)
    return report
