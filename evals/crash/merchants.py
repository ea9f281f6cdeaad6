"""Purchases at merchants: the demo shop by its face of UCP, which tells of orders by events."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import typer

from daybook.domain import Resources, settings_from
from daybook.graph.merchants.events import hear_event, hear_profile
from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import EVENTS_PATH, PROFILE_PATH, merchants_from
from daybook.graph.routes import Answered, Arrived
from daybook.state.clock import SYSTEM
from daybook.testing.processes import Ended, Process, Processes, open_processes
from evals.crash.cells import Call, last_said, next_of
from evals.crash.matrix import BUDGET, PLAYS
from evals.crash.merchant_cells import (
    ITEM,
    PERFORMED,
    Cell,
    Verdict,
    at_moments,
    of_the_merchant,
    show,
    taken_over,
    twice,
    undisturbed,
    verdict_of,
)
from evals.model_server import serving
from evals.report import Screen
from evals.servers import PATIENCE, STOCK, Shop, open_server, open_shop, until
from evals.wallet import wallet_of

_SETTLES, _LATE = 0.5, "1"
"""The shop's settling time, and DAYBOOK_MERCHANT_SECONDS, which is later."""

_HELD = 30.0


_SAID = re.compile(r"\[(?P<merchant>\S+) (?P<item>\S+)\]")


def said(merchant: str, item: str) -> str:
    """Write what the person says."""
    return f"[{merchant} {item}] buy me one of these"


def reply(request: Mapping[str, Any], *, looks: bool = False) -> dict[str, Any]:
    """Decide from the messages alone, as any model does.

    Args:
        looks: through what the merchant sells, before anything is bought.
    """
    told, since = last_said(request, _SAID)
    merchant = {"merchant": told["merchant"]}
    search = {**merchant, "query": told["item"].partition("_")[0], "limit": 5}
    calls: list[Call] = [
        *([("search_catalog", search)] if looks else []),
        ("add_to_cart", {**merchant, "item_id": told["item"], "quantity": 1}),
        ("open_checkout", merchant),
        ("place_order", merchant),
    ]
    return next_of(calls, since)


def order_of(environment: Mapping[str, str], url: str, thread: str, item: str) -> dict[str, Any]:
    """Write the order of a process that buys one thing of a merchant (see `evals.crash.player`)."""
    return {
        "domain": "merchants",
        "environment": environment,
        "thread": thread,
        "user": "ada",
        "says": [said(url.removeprefix("http://"), item)],
        "url": url,
        "budget": BUDGET,
        "at": "",
        "begins": "",
    }


@dataclass
class Ear:
    """Our profile and our events, answered as the server answers them.

    Attributes:
        url: DAYBOOK_PUBLIC_URL, for who is to be heard here.
        resources: what hears; nothing is heard before it is there.
        answered: how many events were answered by which status.
        taken_up: an event counts since the last cell began.
    """

    url: str = ""
    resources: Resources | None = None
    answered: Counter[int] = field(default_factory=Counter)
    taken_up: asyncio.Event = field(default_factory=asyncio.Event)
    _later: set[asyncio.Task[None]] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request of a connection."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            answered = await self._hear(Arrived(method, f"{self.url}{path}", headers, body), path)
            lines = [f"HTTP/1.1 {answered.status} x", "connection: close"]
            lines += [f"{name}: {value}" for name, value in answered.headers.items()]
            lines.append(f"content-length: {len(answered.body)}")
            writer.write("\r\n".join([*lines, "", ""]).encode() + answered.body)
            await writer.drain()
            if answered.later is not None:
                task = asyncio.ensure_future(self._take_up(answered.later))
                self._later.add(task)
                task.add_done_callback(self._later.discard)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _hear(self, arrived: Arrived, path: str) -> Answered:
        routes = {PROFILE_PATH: hear_profile, EVENTS_PATH: hear_event}
        if self.resources is None or path not in routes:
            return Answered(404)
        answered = await routes[path](self.resources, arrived)
        if path == EVENTS_PATH:
            self.answered[answered.status] += 1
        return answered

    async def _take_up(self, later: Callable[[], Any]) -> None:
        await later()
        self.taken_up.set()

    async def settled(self) -> None:
        """Wait until all that arrived is taken up."""
        await asyncio.gather(*self._later)


@asynccontextmanager
async def listening() -> AsyncIterator[Ear]:
    """Listen on a port of the loopback address."""
    ear = Ear()
    server = await asyncio.start_server(ear.serve, "127.0.0.1", 0)
    ear.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield ear
    finally:
        server.close()
        await ear.settled()


@dataclass(frozen=True)
class World:
    """What cells run on; `environment` is that of each process, but for what its cell says."""

    shop: Shop
    processes: Processes
    ear: Ear
    environment: dict[str, str]

    def start(self, cell: Cell, at: str = "") -> Process:
        """Start a process that buys, or goes on with it, and is killed at a moment."""
        merchant = f"{self.shop.url}#{'mcp' if cell.transport == 'mcp' else 'rest'}"
        thread = re.sub(r"[/#+]", "-", f"m-{cell.name}")
        environment = {**self.environment, "DAYBOOK_MERCHANTS": merchant}
        order = order_of(environment, self.shop.url, thread, ITEM)
        return self.processes.start({**order, "at": at})

    async def prepare(self, cell: Cell) -> None:
        """Begin anew, and plan what a cell wants to go wrong."""
        shop = self.shop
        self.ear.taken_up.clear()
        await shop.ask("POST", "/admin/reset")
        signatures = "required" if cell.transport == "signed" else "ignored"
        await shop.ask("PUT", "/admin/settings", settle_seconds=_SETTLES, signatures=signatures)
        await shop.ask("PUT", f"/admin/products/{ITEM}", stock=STOCK)
        await shop.ask("PUT", "/admin/keys", endpoint="*", honour=cell.keys == "honoured")
        if cell.kills == PERFORMED:
            await shop.spoil("completions", "timeout", seconds=_HELD)
        if cell.fault:
            seconds = {"late": _SETTLES / 2, "timeout": _HELD, "drop": 0.0}[cell.fault]
            await shop.spoil("completions", cell.fault, seconds=seconds)
        if cell.webhook == "early":
            await shop.spoil("completions", "held", seconds=_HELD)
        elif cell.webhook:
            await shop.spoil("webhooks", cell.webhook, seconds=_SETTLES)

    async def has_ordered(self) -> bool:
        """Tell whether the order stands."""
        return any(one["effect"] == "order" for one in await self.shop.effects())

    async def has_told(self) -> bool:
        """Tell whether every event has been sent, or is given up."""
        events = await self.shop.ask("GET", "/admin/webhooks")
        return not any(one["state"] == "waiting" for one in events)


@contextmanager
def _environment_of(given: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(given)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    (folder / "wallet.json").write_text(json.dumps(wallet_of("*")))
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"merchants": reply}))
        server = await stack.enter_async_context(open_server(folder))
        shop = await stack.enter_async_context(open_shop(folder / "shop"))
        ear = await stack.enter_async_context(listening())
        environment = {
            "DATABASE_URL": server.url,
            "OPENAI_BASE_URL": models["merchants"].url,
            "OPENAI_MODEL": "scripted",
            "DAYBOOK_MERCHANTS": shop.url,
            "DAYBOOK_MERCHANT_SECONDS": _LATE,
            "DAYBOOK_PUBLIC_URL": ear.url,
            "DAYBOOK_WALLET": str(folder / "wallet.json"),
            "DAYBOOK_HOME": str(folder / "home"),
        }
        # What hears reads its settings there, as in any server.
        stack.enter_context(_environment_of(environment))
        ear.resources = await stack.enter_async_context(
            open_resources(settings_from(environment), merchants_from(environment))
        )
        processes = stack.enter_context(open_processes(PLAYS))
        yield World(shop, processes, ear, environment)


Tell = Callable[["Verdict"], None]


async def run_all(world: World, tell: Tell, expect: Callable[[int], None]) -> None:
    """Run every cell: first those that show which moments there are.

    Args:
        expect: told how many cells are to come, as that becomes known.
    """
    first, of_merchants = [*undisturbed(), *taken_over()], of_the_merchant()
    expect(len(first) + len(of_merchants))
    more: list[Cell] = []
    for cell in first:
        verdict, passed = await judged(world, cell)
        tell(verdict)
        found = twice(cell, passed) if cell.kills else at_moments(cell, passed)
        expect(len(found))
        more += found
    await run_some(world, [*more, *of_merchants], tell)


async def run_some(world: World, some: Sequence[Cell], tell: Tell) -> None:
    """Run some cells."""
    for cell in some:
        tell((await judged(world, cell))[0])


async def judged(world: World, cell: Cell) -> tuple[Verdict, Sequence[str]]:
    """Run a cell; return what became of it, and the moments that its last process passed."""
    await world.prepare(cell)
    ends = [await _first(world, cell)]
    for at in (cell.again, "") if cell.again else ("",):
        if ends[-1].killed or ends[-1].found["error"]:
            await world.shop.ask("POST", "/admin/hurry")
            ends.append(await world.start(cell, at).ended())
    await until(world.has_told)
    found = ends[-1].found
    unmet = (await world.shop.ask("GET", "/admin/faults"))["faults"]
    verdict = verdict_of(cell, await world.shop.effects(), ends, unmet)
    return verdict, found["passed"] if found else ()


async def _first(world: World, cell: Cell) -> Ended:
    process = world.start(cell, "" if cell.kills == PERFORMED else cell.kills)
    if cell.kills == PERFORMED:
        await until(world.has_ordered)
        process.kill()
    if cell.webhook == "early":
        # The answer is held back until the event has been taken up.
        async with SYSTEM.timeout(PATIENCE):
            await world.ear.taken_up.wait()
        await world.shop.ask("POST", "/admin/hurry")
    return await process.ended()


class MerchantsRun:
    """A run of the matrix of merchants: of the cells that were named, else of all.

    Attributes:
        wrong: what else is not as promised.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.cells: list[Cell] = cells_named(Cell, names)
        self.wrong: list[str] = []
        self._screen, self._verdicts = Screen("cells"), list[Verdict]()
        self._answered: dict[int, int] = {}

    def follow(self, running: Coroutine[Any, Any, None]) -> int:
        """Run it, print what it showed, and return the exit code."""
        is_whole = self._screen.follow(running)
        show(self._verdicts, self._answered)
        for one in self.wrong:
            print(one)
        is_wrong = any(one.wrong for one in self._verdicts) or bool(self.wrong)
        return int(is_wrong) if is_whole else 130

    async def through(self, folder: Path) -> None:
        """Run the cells in a world of its own."""
        async with open_world(folder) as world:
            await self.within(world)

    async def within(self, world: World) -> None:
        """Run the cells."""
        if self.cells:
            self._screen.expect(len(self.cells))
            await run_some(world, self.cells, self._tell)
        else:
            await run_all(world, self._tell, self._screen.expect)
        self._answered = dict(world.ear.answered)

    def _tell(self, verdict: Verdict) -> None:
        self._verdicts.append(verdict)
        again = f"python -m evals.crash --domain merchants --only {verdict.cell.name}"
        self._screen.advance(*(verdict.wrong and [again, *(f"  {why}" for why in verdict.wrong)]))


def cells_named(kind: Any, names: Sequence[str]) -> list[Any]:
    """Return the cells of these names.

    Raises:
        typer.BadParameter: one names none.
    """
    try:
        return [kind.parse(one) for one in names]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
