"""Run the cells, one after the other, and judge each by the shop's own record."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.settings.environment import settings_from
from evals.crash.server import open_server
from evals.forking import Ended, Forked, Forks, open_forks
from evals.merchants import cells
from evals.merchants.cells import Cell
from evals.merchants.hears import Ear, listening
from evals.merchants.places import Shop, open_shop
from evals.merchants.script import reply, said
from evals.model_server import serving

_ITEM = "BOOT-002"
_STOCK = 100_000
_LATE = "1"
"""DAYBOOK_MERCHANT_SECONDS: later than the shop's settling time."""

_SETTLES = 0.5
_HELD = 30.0

WALLET: dict[str, Any] = {
    "*": {
        "buyer": {"email": "ada@example.com"},
        "instruments": [
            {
                "id": "visa",
                "handler_id": "shop_card",
                "type": "card",
                "label": "Visa ending in 4242",
                "credential": {"type": "token", "token": "card_ada_1"},
            }
        ],
        "addresses": [
            {
                "id": "home",
                "label": "Home",
                "address": {
                    "street_address": "12 Birch Street",
                    "address_locality": "Portland",
                    "address_region": "OR",
                    "postal_code": "97205",
                    "address_country": "US",
                },
            }
        ],
    }
}


@dataclass(frozen=True)
class Verdict:
    """What became of a cell.

    Attributes:
        twice: orders, and charges, beyond the first.
        lost: 1 where there is no order, or the thread does not know the one that there is.
        left: holds that nobody gave back or used: they run out by themselves.
        wrong: each promise that was broken, as a sentence.
    """

    cell: Cell
    twice: int
    lost: int
    left: int
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class World:
    """What cells run on; `environment` is that of each process, but for what its cell says."""

    shop: Shop
    forks: Forks
    ear: Ear
    environment: dict[str, str]


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    (folder / "wallet.json").write_text(json.dumps(WALLET))
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"merchants": reply}))
        server = await stack.enter_async_context(open_server(folder))
        shop = await stack.enter_async_context(open_shop(folder))
        ear = await stack.enter_async_context(listening())
        environment = {
            "DATABASE_URL": server.url,
            "OPENAI_BASE_URL": models["merchants"].url,
            "DAYBOOK_MODEL": "scripted",
            "DAYBOOK_MERCHANTS": shop.url,
            "DAYBOOK_MERCHANT_SECONDS": _LATE,
            "DAYBOOK_PUBLIC_URL": ear.url,
            "DAYBOOK_WALLET": str(folder / "wallet.json"),
            "DAYBOOK_HOME": str(folder / "home"),
        }
        # What hears reads its settings there, as in any server.
        os.environ.update(environment)
        ear.resources = await stack.enter_async_context(
            open_resources(settings_from(environment), merchants_from(environment))
        )
        forks = await stack.enter_async_context(open_forks("evals.merchants.player"))
        yield World(shop, forks, ear, environment)


async def run_all(world: World, tell: Callable[[Verdict], None]) -> None:
    """Run every cell: first those that show which moments there are."""
    for cell in cells.undisturbed():
        verdict, passed = await _judged(world, cell)
        tell(verdict)
        for one in cells.at_moments(cell, passed):
            tell((await _judged(world, one))[0])
    for cell in cells.of_the_merchant():
        tell((await _judged(world, cell))[0])


async def run_some(world: World, some: Sequence[Cell], tell: Callable[[Verdict], None]) -> None:
    """Run some cells."""
    for cell in some:
        tell((await _judged(world, cell))[0])


async def _judged(world: World, cell: Cell) -> tuple[Verdict, Sequence[str]]:
    await _prepare(world.shop, cell)
    ends = [await _first(world, cell)]
    if ends[-1].killed or ends[-1].found["error"]:
        await world.shop.ask("POST", "/admin/hurry")
        ends.append(await (await _start(world, cell)).ended())
    found = ends[-1].found
    passed = ends[0].found["passed"] if ends[0].found else ()
    return verdict_of(cell, await world.shop.effects(), ends, found), passed


async def _prepare(shop: Shop, cell: Cell) -> None:
    await shop.ask("POST", "/admin/reset")
    await shop.ask("PUT", "/admin/settings", settle_seconds=_SETTLES)
    await shop.ask("PUT", f"/admin/products/{_ITEM}", stock=_STOCK)
    await shop.ask("PUT", "/admin/keys", endpoint="*", honour=cell.keys == "honoured")
    if cell.kills == "performed":
        await shop.ask(
            "POST", "/admin/faults", endpoint="completions", mode="timeout", seconds=_HELD
        )
    if cell.fault:
        seconds = {"late": _SETTLES / 2, "timeout": _HELD, "drop": 0.0}[cell.fault]
        await shop.ask(
            "POST", "/admin/faults", endpoint="completions", mode=cell.fault, seconds=seconds
        )
    if cell.webhook:
        await shop.ask(
            "POST", "/admin/faults", endpoint="webhooks", mode=cell.webhook, seconds=_SETTLES
        )


async def _first(world: World, cell: Cell) -> Ended:
    at = "" if cell.kills == "performed" else cell.kills
    process = await _start(world, cell, at)
    if cell.kills == "performed":
        await world.shop.until("order")
        process.kill()
    return await process.ended()


async def _start(world: World, cell: Cell, at: str = "") -> Forked:
    merchant = f"{world.shop.url}#{cell.transport}"
    (started,) = await world.forks.start(
        {
            "environment": {**world.environment, "DAYBOOK_MERCHANTS": merchant},
            "thread": f"m-{cell.name}".replace("/", "-").replace("#", "-"),
            "says": said(world.shop.name, _ITEM),
            "url": world.shop.url,
            "at": at,
        }
    )
    return started


def verdict_of(
    cell: Cell, effects: Sequence[dict[str, Any]], ends: Sequence[Ended], found: Any
) -> Verdict:
    """Judge a cell by the shop's effects, how its processes ended, and what the last one knows."""
    happened = Counter(one["effect"] for one in effects)
    placed = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
    known = found["orders"] if found else []
    twice = max(0, happened["order"] - 1) + max(0, happened["charge"] - 1)
    lost = int(not placed or known != placed[:1])
    left = happened["reserve"] - happened["release"] - happened["order"]
    error = found["error"] if found else "it was killed"
    wanted = bool(cell.kills)
    wrong = [
        (twice > 0, f"happened twice: {dict(happened)}"),
        (lost > 0, f"lost: the shop has {placed}, the thread {known}"),
        (bool(error), f"it did not come to its end: {error}"),
        (ends[0].killed != wanted, "it was not killed where it should have been"),
        (any(one.log for one in ends if not one.killed), f"it wrote: {ends[-1].log[-500:]}"),
    ]
    return Verdict(cell, twice, lost, max(0, left), tuple(why for is_so, why in wrong if is_so))
