"""Run one cell: play it, let it be killed, let others take it over, and gather the evidence."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from daybook.state.clock import SYSTEM
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.ledger.entry import Entry
from evals.crash.cells import Cell
from evals.crash.shop import LAG, Shop
from evals.crash.world import BUDGET, World
from evals.forking import PATIENCE, Ended, Forked

_HELD_S = 60.0
"""How long the shop holds a reply back, at most."""

_LOOK_S = 0.02
_ALWAYS = 1_000
_LEFT = "select op, state from open_step where thread_id = %s"


@dataclass(frozen=True)
class Evidence:
    """What a cell left behind.

    Attributes:
        effects: what happened, oldest first, as `GET /effects` has it.
        holds_left: holds that still keep stock from others.
        entries: the ledger's.
        open_steps: what the work list still holds, `OPERATION STATE`.
        broken: what is wrong with the chain, or what is kept beside it; "" where nothing is.
        asked: how often the model was asked.
        runs: how its processes ended, in order.
    """

    effects: Sequence[Mapping[str, Any]]
    holds_left: int
    entries: Sequence[Entry]
    open_steps: Sequence[str]
    broken: str
    asked: int
    runs: Sequence[Ended]


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
    if cell.kind == "twice":
        runs.append(await _played(cell, world, at=str(cell.moment), begins="take up"))
    if runs[-1].killed or runs[-1].found["error"]:
        begins = "say 1" if cell.kind == "cancelled-after" else "take up"
        if begins == "take up" and world.has_workers:
            await world.finished(cell.thread)
            begins = ""
        runs.append(await _played(cell, world, begins=begins))
    return await _gathered(cell, world, runs)


def order_of(cell: Cell, world: World, **more: str) -> dict[str, Any]:
    """Write the order of a process that plays a cell (see `evals.crash.player`)."""
    shop = world.shops[cell.mode]
    return {
        "domain": "shop",
        "thread": cell.thread,
        "user": cell.user,
        "says": cell.script.said(cell.thread),
        "environment": {
            "DATABASE_URL": world.database,
            "SHOP_URL": shop.url,
            "SMTP_URL": shop.smtp_url,
            "OPENAI_BASE_URL": world.model_url,
            "OPENAI_MODEL": "scripted",
        },
        "url": shop.url,
        "budget": BUDGET,
        "backoff": 0.5 if cell.kind == "outage" else 0.02,
        "at": "",
        "begins": "",
        **more,
    }


async def _start(cell: Cell, world: World, **more: str) -> Forked:
    (started,) = await world.forks.start(order_of(cell, world, **more))
    return started


async def _played(cell: Cell, world: World, **more: str) -> Ended:
    return await (await _start(cell, world, **more)).ended()


async def _first(cell: Cell, world: World, instant: float) -> Ended:
    """Let the first process meet what goes wrong in the cell.

    Args:
        instant: when it is killed that is killed at random, in seconds.
    """
    shop, endpoint = world.shops[cell.mode], cell.about
    match cell.kind:
        case "killed" | "cancelled-after":
            return await _played(cell, world, at=str(cell.moment))
        case "performed" | "taken-over" | "twice":
            reference = cell.reference(endpoint)
            await shop.spoil(endpoint, "timeout", reference, seconds=_HELD_S)
            first = await _start(cell, world)
            await _performed(shop, endpoint, reference)
            return await _killed(first)
        case "waiting":
            first = await _start(cell, world, begins="ask")
            await first.stopped()
            return await _killed(first)
        case "instant":
            first = await _start(cell, world)
            await SYSTEM.sleep(instant)
            return await _killed(first)
        case "outage":
            first = await _start(cell, world)
            await SYSTEM.sleep(instant)
            await _strike(cell.about, world, shop)
            return await first.ended()
        case "time-out":
            await shop.spoil(endpoint, "timeout", cell.reference(endpoint), seconds=_HELD_S)
        case "late":
            await shop.spoil(endpoint, "late", cell.reference(endpoint), seconds=LAG * 0.9)
    return await _played(cell, world)


async def _killed(process: Forked) -> Ended:
    process.kill()
    return await process.ended()


async def _strike(what: str, world: World, shop: Shop) -> None:
    """Kill Postgres, the shop or both at once, and start them again over what they left."""
    back = []
    if "postgres" in what:
        world.server.kill()
        back.append(world.server.start())
    if "shop" in what:
        await shop.kill()
        back.append(shop.start())
    await asyncio.gather(*back)
    await world.postgres.drop_broken()


async def _performed(shop: Shop, endpoint: str, reference: str) -> None:
    """Wait until the shop has performed an effect.

    Raises:
        TimeoutError: it never does.
    """
    async with SYSTEM.timeout(PATIENCE):
        # Another process's deed: there is no event to wait for.
        while not await shop.has_performed(endpoint, reference):
            await SYSTEM.sleep(_LOOK_S)


async def _gathered(cell: Cell, world: World, runs: Sequence[Ended]) -> Evidence:
    shop, postgres = world.shops[cell.mode], world.postgres
    # Where its person is shared, effects are told by its checkout.
    effects = [
        one
        for one in await shop.effects()
        if one["user_id"] == cell.user
        and (not cell.script.user or cell.checkout in one["reference"])
    ]
    holds = [one["detail"]["hold_id"] for one in effects if one["effect"] == "reserve"]
    states = [(await shop.ask("GET", f"/holds/{hold}"))["state"] for hold in holds]
    broken = ""
    try:
        await postgres.ledger.verify(cell.thread)
    except (ChainBroken, ProjectionWrong) as error:
        broken = str(error)
    async with postgres.pool.connection() as conn:
        rows = await (await conn.execute(_LEFT, (cell.thread,))).fetchall()
    return Evidence(
        effects,
        states.count("held"),
        await postgres.ledger.entries(cell.thread),
        [f"{row['op']} {row['state']}" for row in rows],
        broken,
        world.model.asked(cell.thread),
        runs,
    )
