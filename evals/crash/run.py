"""Run one cell: play it, let it be killed, let others take it over, and gather the evidence."""

from __future__ import annotations

from typing import Any

from daybook.state.clock import SYSTEM
from evals.crash.cells import (
    Cell,
    KilledAt,
    KilledAtInstant,
    KilledThenCancelled,
    KilledTwice,
    KilledWaiting,
    KilledWhenPerformed,
    Late,
    Outage,
    TakenOver,
    TimedOut,
)
from evals.crash.evidence import Evidence, gather
from evals.crash.outage import strike
from evals.crash.shop import LAG, Shop
from evals.crash.workers import finished
from evals.crash.world import BUDGET, World
from evals.forking import PATIENCE, Ended, Forked

_HELD_S = 60.0
"""How long the shop holds a reply back, at most."""

_LOOK_S = 0.02
_ALWAYS = 1_000


async def run(cell: Cell, world: World, seed: int, length: float) -> Evidence:
    """Run one cell.

    Args:
        seed: chooses the instants of random kills.
        length: seconds that an undisturbed run takes.
    """
    shop = world.shops[cell.mode]
    if cell.script.refuses:
        await shop.spoil(cell.script.refuses, "refuse", cell.checkout, times=_ALWAYS)
    runs = [await _first(cell, world, cell.instant(seed) * length)]
    if isinstance(cell.blow, KilledTwice):
        at = str(cell.blow.moment)
        runs.append(await (await _start(cell, world, at=at, begins="take up")).ended())
    if _is_cut_off(runs[-1]):
        begins = await _taken_over(cell, world)
        runs.append(await (await _start(cell, world, begins=begins)).ended())
    return await gather(cell, world.postgres, shop, world.model.asked(cell.thread), runs)


def order_of(cell: Cell, world: World, **more: str) -> dict[str, Any]:
    """Write the order of a process that plays a cell (see `evals.crash.player`)."""
    shop = world.shops[cell.mode]
    return {
        "thread": cell.thread,
        "user": cell.user,
        "script": cell.script.name,
        "database": world.database,
        "shop": shop.url,
        "smtp": shop.smtp_url,
        "model": world.model_url,
        "budget": BUDGET,
        "backoff": 0.5 if isinstance(cell.blow, Outage) else 0.02,
        "at": "",
        "begins": "",
        **more,
    }


async def _start(cell: Cell, world: World, **more: str) -> Forked:
    (started,) = await world.forks.start(order_of(cell, world, **more))
    return started


def _is_cut_off(ended: Ended) -> bool:
    return ended.killed or bool(ended.found["error"])


async def _taken_over(cell: Cell, world: World) -> str:
    """Say what the next process begins with; where workers run, they take the thread over."""
    if isinstance(cell.blow, KilledThenCancelled):
        return "say 1"
    if not world.has_workers:
        return "take up"
    await finished(world.postgres, cell.thread)
    return ""


async def _first(cell: Cell, world: World, instant: float) -> Ended:
    """Let the first process meet what goes wrong in the cell.

    Args:
        instant: when it is killed that is killed at random, in seconds.
    """
    shop = world.shops[cell.mode]
    match cell.blow:
        case KilledAt(moment=moment) | KilledThenCancelled(moment=moment):
            return await (await _start(cell, world, at=str(moment))).ended()
        case (
            KilledWhenPerformed(endpoint=endpoint)
            | TakenOver(endpoint=endpoint)
            | KilledTwice(endpoint=endpoint)
        ):
            reference = cell.reference(endpoint)
            await shop.spoil(endpoint, "timeout", reference, seconds=_HELD_S)
            first = await _start(cell, world)
            await _performed(shop, endpoint, reference)
            return await _killed(first)
        case KilledWaiting():
            first = await _start(cell, world, begins="ask")
            await first.stopped()
            return await _killed(first)
        case KilledAtInstant():
            first = await _start(cell, world)
            await SYSTEM.sleep(instant)
            return await _killed(first)
        case Outage() as outage:
            first = await _start(cell, world)
            await SYSTEM.sleep(instant)
            await strike(outage, world.server, shop)
            await world.postgres.drop_broken()
            return await first.ended()
        case TimedOut(endpoint=endpoint):
            await shop.spoil(endpoint, "timeout", cell.reference(endpoint), seconds=_HELD_S)
        case Late(endpoint=endpoint):
            lag = LAG * 0.9
            await shop.spoil(endpoint, "late", cell.reference(endpoint), seconds=lag)
        case _:
            pass
    return await (await _start(cell, world)).ended()


async def _killed(process: Forked) -> Ended:
    process.kill()
    return await process.ended()


async def _performed(shop: Shop, endpoint: str, reference: str) -> None:
    """Wait until the shop has performed an effect.

    Raises:
        TimeoutError: it never does.
    """
    async with SYSTEM.timeout(PATIENCE):
        # Another process's deed: there is no event to wait for.
        while not await shop.has_performed(endpoint, reference):
            await SYSTEM.sleep(_LOOK_S)
