"""The matrix: undisturbed runs tell which cells there are, and each is run and judged."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import psycopg

from daybook import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.state.fault_points import FaultPoint
from daybook.testing.moments import Moment
from daybook.testing.processes import Ended, Process, Processes, open_processes
from daybook.tools.shop.domain import SHOP
from evals.crash import cells
from evals.crash.cells import MODES, PURCHASE, SCRIPTS, UNDONE, Cell, Mode, Model
from evals.crash.judge import Evidence, Verdict, judge, not_run
from evals.model_server import serving
from evals.servers import LAG, Server, Shop, open_server, open_shop, open_worker, until

PLAYS = "evals.crash.player:play"

BUDGET = 1.0
"""Seconds that an attempt may take in these runs."""

_HELD_S = 60.0
"""How long the shop holds a reply back, at most."""

_UNKNOWN_S = 1.0
"""How long a run takes of which no undisturbed one was seen."""

_ALWAYS = 1_000
_LEFT = "select op, state from open_step where thread_id = %s"
_IS_FINISHED = """
select r.lease_until is null and t.status <> 'active' as finished
from thread t join runner r using (thread_id)
where t.thread_id = %s
"""


@dataclass(frozen=True)
class World:
    """What cells run on.

    Attributes:
        database: the URL of the database.
        has_workers: whether `daybook worker` processes finish what died.
    """

    server: Server
    database: str
    postgres: Postgres
    shops: dict[Mode, Shop]
    model: Model
    model_url: str
    processes: Processes
    has_workers: bool = False

    def environment(self, mode: Mode) -> dict[str, str]:
        """Return what a process is told."""
        return {
            "DATABASE_URL": self.database,
            "SHOP_URL": self.shops[mode].url,
            "SMTP_URL": self.shops[mode].smtp_url,
            "OPENAI_BASE_URL": self.model_url,
            "OPENAI_MODEL": "scripted",
        }

    async def rows(self, query: str, thread: str) -> list[Any]:
        """Ask the database about a thread."""
        async with self.postgres.pool.connection() as conn:
            return await (await conn.execute(query, (thread,))).fetchall()

    async def is_finished(self, thread: str) -> bool:
        """Tell whether workers have taken a thread as far as it goes without a person."""
        rows = await self.rows(_IS_FINISHED, thread)
        return bool(rows and rows[0]["finished"])


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    model = Model()
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"crash": model.reply}))
        server = await stack.enter_async_context(open_server(folder))
        shops = {
            mode: await stack.enter_async_context(
                open_shop(folder / mode, *(["--ignore-keys"] if mode == "blind" else []))
            )
            for mode in MODES
        }
        postgres = await stack.enter_async_context(_opened(server.url))
        processes = stack.enter_context(open_processes(PLAYS))
        url = models["crash"].url
        yield World(server, server.url, postgres, shops, model, url, processes)


def _opened(url: str) -> Any:
    return open_postgres(url, tenant_id="default", stored_types=SHOP.restored_types)


@asynccontextmanager
async def open_workers(world: World, folder: Path) -> AsyncIterator[dict[Mode, World]]:
    """Run one `daybook worker` for each shop, on a database of its own each."""
    async with AsyncExitStack() as stack:
        worlds: dict[Mode, World] = {}
        for mode in MODES:
            url = await world.server.new_database(f"workers_{mode}")
            postgres = await stack.enter_async_context(_opened(url))
            worlds[mode] = replace(world, database=url, postgres=postgres, has_workers=True)
            log, told = folder / f"worker-{mode}.log", worlds[mode].environment(mode)
            await stack.enter_async_context(open_worker(log, "--concurrency", "4", **told))
        yield worlds


class Matrix:
    """Run cells, some at a time.

    Args:
        lanes: how many at a time.
        tell: is told each verdict.

    Attributes:
        verdicts: of all cells that were run.
        moments: by script and mode, in order, those at which a process may be killed.
        take_overs: by mode and endpoint, the moments of whoever took over a process that was
            killed when the shop had performed there.
    """

    def __init__(self, seed: int, lanes: int, tell: Callable[[Verdict], None]) -> None:
        self._seed = seed
        self._lanes = asyncio.Semaphore(lanes)
        self._tell = tell
        self._seconds: dict[tuple[str, Mode], float] = {}
        self.verdicts: list[Verdict] = []
        self.moments: dict[tuple[str, Mode], list[Moment]] = {}
        self.take_overs: dict[tuple[Mode, str], list[Moment]] = {}

    async def go_through(self, wanted: Iterable[Cell], world: World) -> None:
        """Run and judge cells, each name once."""

        async def in_lane(cell: Cell) -> None:
            async with self._lanes:
                await self._run(cell, world)

        async with asyncio.TaskGroup() as lanes:
            for cell in {cell.name: cell for cell in wanted}.values():
                lanes.create_task(in_lane(cell))

    async def one_by_one(self, wanted: Iterable[Cell], world: World) -> None:
        """Run and judge cells which nothing else may run beside."""
        for cell in wanted:
            await self._run(cell, world)

    def not_run(self, wanted: Iterable[Cell]) -> list[Cell]:
        """Return those of some cells that were not run yet."""
        done = {verdict.cell.name for verdict in self.verdicts}
        return [cell for cell in wanted if cell.name not in done]

    async def _run(self, cell: Cell, world: World) -> None:
        seconds = self._seconds.get((cell.script.name, cell.mode), _UNKNOWN_S)
        try:
            evidence = await run(cell, world, cell.instant(self._seed) * seconds)
        except (AssertionError, httpx.HTTPError, psycopg.Error, OSError) as error:
            verdict = not_run(cell, f"{type(error).__name__}: {error}")
        else:
            self._note(cell, evidence.runs[-1].found)
            verdict = judge(cell, evidence)
        self.verdicts.append(verdict)
        self._tell(verdict)

    def _note(self, cell: Cell, last: Any) -> None:
        """Keep which moments a run has shown."""
        if last is None or cell.kind not in ("undisturbed", "taken-over"):
            return
        seen = [Moment.parse(one) for one in last["passed"]]
        if cell.kind == "undisturbed":
            about = (cell.script.name, cell.mode)
            self._seconds[about] = last["seconds"]
            self.moments[about] = seen[last["said_at"][cell.script.kills_from] :]
        else:
            self.take_overs[cell.mode, cell.about] = seen

    def of_the_moments(self) -> list[Cell]:
        """Return a kill at every moment of every script, in both modes."""
        return [
            cell
            for (script, mode), moments in self.moments.items()
            for cell in cells.at_moments(SCRIPTS[script], mode, moments)
        ]

    def of_the_take_overs(self) -> list[Cell]:
        """Return a second kill at every moment of each take-over, up to its end."""
        return [
            Cell(PURCHASE, mode, "twice", endpoint, moment)
            for (mode, endpoint), moments in self.take_overs.items()
            for moment in moments
        ]

    def some(self, seed: int) -> list[Cell]:
        """Return the cells of the short form."""
        around = [
            (PURCHASE, FaultPoint.BEFORE_LOOK, "charge_payment"),
            (PURCHASE, FaultPoint.AFTER_COMMIT, "decision"),
            (UNDONE, FaultPoint.AFTER_COMMIT, "undo_attempted/charge_payment"),
            (UNDONE, FaultPoint.AFTER_REPLY, "refund_payment"),
            (UNDONE, FaultPoint.BEFORE_LOOK, "refund_payment"),
            (UNDONE, FaultPoint.AFTER_REPLY, "release_inventory"),
        ]
        return [
            *cells.waiting(),
            *(
                Cell(script, mode, "killed", moment=Moment(point, about, 1))
                for mode in MODES
                for script, point, about in around
            ),
            *random.Random(seed).sample(self.of_the_moments(), 6),
            *cells.at_instants(8),
        ]


async def run(cell: Cell, world: World, instant: float) -> Evidence:
    """Run one cell: play it, let it be killed, let others take it over, and gather the evidence.

    Args:
        instant: of a random kill, in seconds.
    """
    if cell.script.refuses:
        shop = world.shops[cell.mode]
        await shop.spoil(cell.script.refuses, "refuse", cell.checkout, times=_ALWAYS)
    runs = [await _first(cell, world, instant)]
    if cell.kind == "twice":
        runs.append(await _start(cell, world, at=str(cell.moment), begins="take up").ended())
    if runs[-1].killed or runs[-1].found["error"]:
        begins = "say 1" if cell.kind == "cancelled-after" else "take up"
        if begins == "take up" and world.has_workers:
            await until(lambda: world.is_finished(cell.thread))
            begins = ""
        runs.append(await _start(cell, world, begins=begins).ended())
    return await _gathered(cell, world, runs)


def _start(cell: Cell, world: World, **more: str) -> Process:
    return world.processes.start(_order_of(cell, world, **more))


def _order_of(cell: Cell, world: World, **more: str) -> dict[str, Any]:
    return {
        "domain": "shop",
        "thread": cell.thread,
        "user": cell.user,
        "says": cell.script.said(cell.thread),
        "environment": world.environment(cell.mode),
        "url": world.shops[cell.mode].url,
        "budget": BUDGET,
        "backoff": 0.5 if cell.kind == "outage" else 0.02,
        "at": "",
        "begins": "",
        **more,
    }


async def _first(cell: Cell, world: World, instant: float) -> Ended:
    """Let the first process meet what goes wrong in the cell."""
    shop, endpoint = world.shops[cell.mode], cell.about
    match cell.kind:
        case "killed" | "cancelled-after":
            return await _start(cell, world, at=str(cell.moment)).ended()
        case "performed" | "taken-over" | "twice":
            reference = cell.reference(endpoint)
            await shop.spoil(endpoint, "timeout", reference, seconds=_HELD_S)
            first = _start(cell, world)
            await until(lambda: shop.has_performed(endpoint, reference))
        case "waiting":
            first = _start(cell, world, begins="ask")
            await first.stopped()
        case "instant":
            (first,) = await world.processes.start_together(_order_of(cell, world))
            await SYSTEM.sleep(instant)
        case "outage":
            (first,) = await world.processes.start_together(_order_of(cell, world))
            await SYSTEM.sleep(instant)
            await _strike(cell.about, world, shop)
            return await first.ended()
        case kind:
            if kind == "time-out":
                await shop.spoil(endpoint, "timeout", cell.reference(endpoint), seconds=_HELD_S)
            elif kind == "late":
                await shop.spoil(endpoint, "late", cell.reference(endpoint), seconds=LAG * 0.9)
            return await _start(cell, world).ended()
    first.kill()
    return await first.ended()


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


async def _gathered(cell: Cell, world: World, runs: Sequence[Ended]) -> Evidence:
    shop, ledger = world.shops[cell.mode], world.postgres.ledger
    # Where its person is shared, effects are told by its checkout.
    effects = [
        one
        for one in await shop.effects()
        if one["user_id"] == cell.user
        and (not cell.script.user or cell.checkout in one["reference"])
    ]
    broken = ""
    try:
        await ledger.verify(cell.thread)
    except (ChainBroken, ProjectionWrong) as error:
        broken = str(error)
    return Evidence(
        effects,
        await shop.holds_left(effects),
        await ledger.entries(cell.thread),
        [f"{row['op']} {row['state']}" for row in await world.rows(_LEFT, cell.thread)],
        broken,
        world.model.asked(cell.thread),
        runs,
    )
