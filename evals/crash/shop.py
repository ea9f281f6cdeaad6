"""Purchases at the shop: undisturbed runs tell which cells there are; each is run and judged."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg

from daybook import Postgres, open_postgres
from daybook.checkpoints.pool import rows_of
from daybook.state.clock import SYSTEM
from daybook.state.errors import ChainBroken, ProjectionWrong
from daybook.testing.moments import Moment
from daybook.testing.processes import Ended, Process, Processes, open_processes
from daybook.tools.shop.domain import SHOP
from evals.crash import cells
from evals.crash.cells import Cell, Mode, Model, at_moments
from evals.crash.judge import Evidence, judge, told
from evals.crash.run import PLAYS, Run, Verdict, in_lanes, order_of
from evals.model_server import serving
from evals.servers import LAG, Server, Shop, open_server, open_shop, until

_HELD_S = 60.0
"""How long the shop holds a reply back, at most."""

_UNKNOWN_S = 1.0
"""How long a run takes of which no undisturbed one was seen."""

_ALWAYS = 1_000
_LANES = 4
"""Cells at a time."""

_SEED = 1
"""Chooses the random instants."""

_INSTANTS, _OUTAGES = 300, 20
"""Kills at random instants; kills of Postgres, as many of the shop, and as many of both."""

_LEFT = "select op, state from open_step where thread_id = %(thread)s"


@dataclass(frozen=True)
class World:
    """What cells run on."""

    server: Server
    postgres: Postgres
    shops: dict[Mode, Shop]
    model: Model
    model_url: str
    processes: Processes


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything below a folder; nothing of it outlives the block."""
    model, stored = Model(), SHOP.restored_types
    with serving({"crash": model.reply}) as models, open_processes(PLAYS) as processes:
        async with (
            open_server(folder) as server,
            open_shop(folder / "keyed") as keyed,
            open_shop(folder / "blind", "--ignore-keys") as blind,
            open_postgres(server.url, tenant_id="default", stored_types=stored) as postgres,
        ):
            shops: dict[Mode, Shop] = {"keyed": keyed, "blind": blind}
            yield World(server, postgres, shops, model, models["crash"].url, processes)


@dataclass
class Matrix:
    """Run cells in a world, some at a time.

    Attributes:
        seconds: by script and mode, how long an undisturbed run takes.
        moments: by script and mode, in order, those at which a process may be killed.
        take_overs: by mode and endpoint, the moments of whoever took over a process that was
            killed when the shop had performed there.
    """

    tell: Callable[[Verdict[Cell]], None]
    seconds: dict[tuple[str, Mode], float] = field(default_factory=dict)
    moments: dict[tuple[str, Mode], list[Moment]] = field(default_factory=dict)
    take_overs: dict[tuple[Mode, str], list[Moment]] = field(default_factory=dict)
    done: set[Cell] = field(default_factory=set)

    async def go_through(self, wanted: Iterable[Cell], world: World, lanes: int = _LANES) -> None:
        """Run and judge cells that were not run yet."""

        async def run(cell: Cell) -> None:
            await self._run(cell, world)

        left = [cell for cell in wanted if cell not in self.done]
        await in_lanes(lanes, left, run)

    async def _run(self, cell: Cell, world: World) -> None:
        seconds = self.seconds.get((cell.script, cell.mode), _UNKNOWN_S)
        instant = random.Random(f"{_SEED}/{cell.name}").random() * seconds
        try:
            evidence = await play(cell, world, instant)
        except (AssertionError, httpx.HTTPError, psycopg.Error, OSError) as error:
            why = f"it could not be run: {type(error).__name__}: {error}"
            verdict = Verdict(cell, {}, [why])
        else:
            self._note(cell, evidence.runs[-1].found)
            verdict = judge(cell, evidence)
        self.done.add(cell)
        self.tell(verdict)

    def _note(self, cell: Cell, last: Any) -> None:
        """Keep which moments a run has shown."""
        if last is None or cell.kind not in ("undisturbed", "performed"):
            return
        seen = [Moment.parse(one) for one in last["passed"]]
        if cell.kind == "undisturbed":
            about = (cell.script, cell.mode)
            self.seconds[about] = last["seconds"]
            self.moments[about] = seen[last["said_at"][cell.plays.kills_from] :]
        else:
            self.take_overs[cell.mode, cell.endpoint] = seen

    def of_the_moments(self) -> list[Cell]:
        """Return a kill at every moment of every script, in both modes."""
        return [cell for about, some in self.moments.items() for cell in at_moments(*about, some)]

    def of_the_take_overs(self) -> list[Cell]:
        """Return a second kill at every moment of each take-over, up to its end."""
        return [
            Cell("purchase", mode, "twice", f"{endpoint}+{moment}")
            for (mode, endpoint), moments in self.take_overs.items()
            for moment in moments
        ]


async def play(cell: Cell, world: World, instant: float) -> Evidence:
    """Run one cell: play it, let it be killed, let others take it over, and gather the evidence.

    Args:
        instant: of a random kill, in seconds.
    """
    if cell.plays.refuses:
        shop = world.shops[cell.mode]
        await shop.spoil(cell.plays.refuses, "refuse", cell.checkout, times=_ALWAYS)
    runs = [await _first(cell, world, instant)]
    if cell.kind == "twice":
        runs.append(await _start(cell, world, at=str(cell.moment), begins="take up").ended())
    if runs[-1].killed or runs[-1].found["error"]:
        begins = "say 1" if cell.kind == "cancelled-after" else "take up"
        runs.append(await _start(cell, world, begins=begins).ended())
    return await _gathered(cell, world, runs)


def _start(cell: Cell, world: World, **more: str) -> Process:
    return world.processes.start(_order_of(cell, world, **more))


def _order_of(cell: Cell, world: World, **more: str) -> dict[str, Any]:
    shop = world.shops[cell.mode]
    environment = {
        "DATABASE_URL": world.server.url,
        "SHOP_URL": shop.url,
        "SMTP_URL": shop.smtp_url,
        "OPENAI_BASE_URL": world.model_url,
        "OPENAI_MODEL": "scripted",
    }
    where = {"environment": environment, "url": shop.url}
    about = {"backoff": 0.5 if cell.kind == "outage" else 0.02, **more}
    return order_of("shop", cell.thread, cell.user, cell.plays.said(cell.thread), where, **about)


async def _first(cell: Cell, world: World, instant: float) -> Ended:
    """Let the first process meet what goes wrong in the cell."""
    shop, endpoint = world.shops[cell.mode], cell.endpoint
    match cell.kind:
        case "killed" | "cancelled-after":
            return await _start(cell, world, at=str(cell.moment)).ended()
        case "performed" | "twice":
            reference = cell.reference(endpoint)
            await shop.spoil(endpoint, "timeout", reference, seconds=_HELD_S)
            first = _start(cell, world)
            await until(lambda: shop.has_performed(endpoint, reference))
        case "waiting":
            first = _start(cell, world, begins="ask")
            await first.stopped()
        case "instant" | "outage":
            (first,) = await world.processes.start_together(_order_of(cell, world))
            await SYSTEM.sleep(instant)
            if cell.kind == "outage":
                await _strike(cell.struck, world, shop)
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
        and (not cell.plays.user or cell.checkout in one["reference"])
    ]
    broken = ""
    try:
        await ledger.verify(cell.thread)
    except (ChainBroken, ProjectionWrong) as error:
        broken = str(error)
    left = await rows_of(world.postgres.pool, _LEFT, {"thread": cell.thread})
    return Evidence(
        effects,
        await shop.holds_left(effects),
        await ledger.entries(cell.thread),
        [f"{row['op']} {row['state']}" for row in left],
        broken,
        world.model.asked(cell.thread),
        runs,
    )


async def within(run: Run[Cell], folder: Path) -> None:
    """Run the cells that were named, else all."""
    try:
        await _within(run, Matrix(run.tell), folder)
    finally:
        run.says.append(told(run.verdicts))


async def _within(run: Run[Cell], matrix: Matrix, folder: Path) -> None:
    run.screen.expect(len(cells.undisturbed()))
    async with open_world(folder / "one") as world:
        await matrix.go_through(cells.undisturbed(), world)
        if run.named:
            run.screen.expect(len(run.named))
            await matrix.go_through(run.named, world, lanes=1)
            return
        some = [
            *cells.peers_crashes(),
            *matrix.of_the_moments(),
            *cells.of_endpoints("time-out"),
            *cells.of_endpoints("late"),
            *cells.cancelled_after(),
            *cells.waiting(),
            *cells.at_instants(_INSTANTS),
        ]
        away = cells.outages(_OUTAGES)
        run.screen.expect(len({*some}) + len(away))
        # Nothing else may run where Postgres is killed.
        async with open_world(folder / "two") as other, asyncio.TaskGroup() as both:
            both.create_task(matrix.go_through(some, world))
            both.create_task(matrix.go_through(away, other, lanes=1))
        twice = matrix.of_the_take_overs()
        run.screen.expect(len(twice))
        await matrix.go_through(twice, world)
