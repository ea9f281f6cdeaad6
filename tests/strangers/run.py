"""Run one cell: play it, let it be killed, let others take it over, and gather the evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.ledger.entry import Entry
from evals.forking import PATIENCE, Ended, Forked
from tests.strangers.cells import (
    Cell,
    Faulty,
    KilledAt,
    KilledTwice,
    KilledWhenPerformed,
    Lied,
    Suspended,
)
from tests.strangers.services.stranger import Kind, Stranger
from tests.strangers.services.wrong import LIES, Wrong
from tests.strangers.world import BUDGET, LATE, World

_ALWAYS = 1_000


@dataclass(frozen=True)
class Evidence:
    """Hold what a cell left behind.

    Attributes:
        entries: the ledger's.
        broken: what is wrong with the chain, or what is kept beside it; "" where nothing is.
        runs: how its processes ended, in order.
    """

    entries: Sequence[Entry]
    broken: str
    runs: Sequence[Ended]


async def run(cell: Cell, world: World) -> Evidence:
    """Run one cell."""
    service = world.services[cell.service]
    if cell.script == "undone":
        service.spoil("order", "decline", cell.thread, times=_ALWAYS)
    match cell.blow:
        case Faulty(kind=kind, mode=mode):
            more = {"seconds": LATE} if mode == "late" else {}
            service.spoil(kind, mode, cell.thread, **more)
        case Lied(kind=kind, where=where, lie=lie):
            assert isinstance(service, Wrong)
            service.charged_beside(cell.thread)
            service.lie(where, kind, cell.thread, LIES[lie])
    at = str(cell.blow.moment) if isinstance(cell.blow, KilledAt) else ""
    match cell.blow:
        case KilledWhenPerformed(kind=kind) | KilledTwice(kind=kind):
            runs = [await _killed_when_performed(cell, world, service, kind)]
        case Suspended(moment=moment):
            return await _gathered(cell, world, await _suspended(cell, world, str(moment)))
        case _:
            runs = [await (await _start(cell, world, at=at)).ended()]
    if isinstance(cell.blow, KilledTwice):
        moment = str(cell.blow.moment)
        runs.append(await (await _start(cell, world, at=moment, begins="take up")).ended())
    if runs[-1].killed:
        runs.append(await (await _start(cell, world, begins="take up")).ended())
    return await _gathered(cell, world, runs)


async def _killed_when_performed(cell: Cell, world: World, service: Stranger, kind: Kind) -> Ended:
    service.spoil(kind, "hold", cell.thread)
    process = await _start(cell, world)
    done = await asyncio.to_thread(service.wait_for, kind, cell.thread, PATIENCE)
    assert done, f"the service never did it: {kind}"
    process.kill()
    return await process.ended()


async def _suspended(cell: Cell, world: World, moment: str) -> list[Ended]:
    """Suspend a runner, let another one take its thread over and finish, and wake it then."""
    first = await _start(cell, world, at=moment, stops="yes")
    await first.stopped()
    last = await (await _start(cell, world, begins="take up")).ended()
    first.wake()
    return [await first.ended(), last]


async def _start(cell: Cell, world: World, **more: str) -> Forked:
    (started,) = await world.forks.start(order_of(cell, world, **more))
    return started


def order_of(cell: Cell, world: World, **more: str) -> dict[str, Any]:
    """Write the order of a process that plays a cell (see `tests.strangers.player`)."""
    return {
        "domain": f"tests.strangers.domains.{cell.service}:DOMAIN",
        "thread": cell.thread,
        "service": f"{world.url}/{cell.service}",
        "database": world.databases[cell.service],
        "budget": BUDGET,
        "at": "",
        "begins": "",
        "stops": "",
        **more,
    }


async def _gathered(cell: Cell, world: World, runs: Sequence[Ended]) -> Evidence:
    ledger = world.postgres[cell.service].ledger
    broken = ""
    try:
        await ledger.verify(cell.thread)
    except (ChainBroken, ProjectionWrong) as error:
        broken = str(error)
    return Evidence(await ledger.entries(cell.thread), broken, runs)
