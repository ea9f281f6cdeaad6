"""The matrix: undisturbed runs tell which cells there are, and each is run and judged."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable

import httpx
import psycopg

from daybook.state.fault_points import FaultPoint
from evals.crash import cells
from evals.crash.cells import Cell
from evals.crash.judge import Verdict, judge, not_run
from evals.crash.moments import Moment, moments_from
from evals.crash.run import Evidence, order_of, run
from evals.crash.script import CANCELLED, DECLINED, PURCHASE, UNDONE
from evals.crash.shop import MODES, Mode
from evals.crash.world import World

_UNKNOWN_S = 1.0
"""How long a run takes of which no undisturbed one was seen."""

Tell = Callable[[Verdict], None]


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

    def __init__(self, seed: int, lanes: int, tell: Tell) -> None:
        self._seed = seed
        self._lanes = asyncio.Semaphore(lanes)
        self._tell = tell
        self._seconds: dict[tuple[str, Mode], float] = {}
        self.verdicts: list[Verdict] = []
        self.moments: dict[tuple[str, Mode], list[Moment]] = {}
        self.take_overs: dict[tuple[Mode, str], list[Moment]] = {}

    async def look(self, world: World) -> None:
        """Run all scripts undisturbed: that shows which moments there are."""
        warm = order_of(Cell(PURCHASE, "keyed", "undisturbed"), world)
        says = PURCHASE.said("c-warm")
        await world.forks.warm({**warm, "thread": "c-warm", "user": "c-warm", "says": says})
        await self.go_through(cells.undisturbed(), world)

    async def go_through(self, wanted: Iterable[Cell], world: World) -> None:
        """Run and judge cells, each name once."""
        each = {cell.name: cell for cell in wanted}.values()
        async with asyncio.TaskGroup() as lanes:
            for cell in each:
                lanes.create_task(self._in_lane(cell, world))

    def not_run(self, wanted: Iterable[Cell]) -> list[Cell]:
        """Return those of some cells that were not run yet."""
        done = {verdict.cell.name for verdict in self.verdicts}
        return [cell for cell in wanted if cell.name not in done]

    async def one_by_one(self, wanted: Iterable[Cell], world: World) -> None:
        """Run and judge cells which nothing else may run beside."""
        for cell in wanted:
            await self._run(cell, world)

    async def _in_lane(self, cell: Cell, world: World) -> None:
        async with self._lanes:
            await self._run(cell, world)

    async def _run(self, cell: Cell, world: World) -> None:
        seconds = self._seconds.get((cell.script.name, cell.mode), _UNKNOWN_S)
        try:
            evidence = await run(cell, world, self._seed, seconds)
        except (AssertionError, httpx.HTTPError, psycopg.Error, OSError) as error:
            verdict = not_run(cell, f"{type(error).__name__}: {error}")
        else:
            self._note(cell, evidence)
            verdict = judge(cell, evidence)
        self.verdicts.append(verdict)
        self._tell(verdict)

    def _note(self, cell: Cell, evidence: Evidence) -> None:
        """Keep which moments a run has shown."""
        last = evidence.runs[-1].found
        if last is not None and cell.kind == "undisturbed":
            about = (cell.script.name, cell.mode)
            self._seconds[about] = last["seconds"]
            self.moments[about] = moments_from(last["passed"], cell.script.kills_from)
        if last is not None and cell.kind == "taken-over":
            seen = [Moment.read(one) for one in last["passed"] if one is not None]
            self.take_overs[cell.mode, cell.about] = seen


def of_the_moments(matrix: Matrix) -> list[Cell]:
    """Return a kill at every moment of every script, in both modes."""
    scripts = (PURCHASE, UNDONE, DECLINED, CANCELLED)
    return [
        cell
        for script in scripts
        for mode in MODES
        for cell in cells.at_moments(script, mode, matrix.moments[script.name, mode])
    ]


def of_the_take_overs(matrix: Matrix) -> list[Cell]:
    """Return a second kill at every moment of each take-over, up to its end."""
    return [
        cell
        for (mode, endpoint), moments in matrix.take_overs.items()
        for cell in cells.twice(mode, endpoint, moments)
    ]


def short(matrix: Matrix, seed: int) -> list[Cell]:
    """Return the cells of the short form."""
    return [
        *cells.peers_crashes(),
        *cells.of_endpoints("time-out"),
        *cells.of_endpoints("late"),
        *cells.waiting(),
        *undoing(),
        *some_moments(matrix, seed),
        *cells.at_instants(8),
    ]


def undoing() -> list[Cell]:
    """Return kills around the undo of a charge and of a hold."""
    points = (
        (FaultPoint.AFTER_COMMIT, "undo_attempted/charge_payment"),
        (FaultPoint.AFTER_REPLY, "refund_payment"),
        (FaultPoint.BEFORE_LOOK, "refund_payment"),
        (FaultPoint.AFTER_REPLY, "release_inventory"),
    )
    moments = [Moment(point, about, 1) for point, about in points]
    return [cell for mode in MODES for cell in cells.at_moments(UNDONE, mode, moments)]


def some_moments(matrix: Matrix, seed: int) -> list[Cell]:
    """Return kills at a few of all moments; in a look-up, and after an answer, in either mode."""
    points = (
        (FaultPoint.BEFORE_LOOK, "charge_payment"),
        (FaultPoint.AFTER_COMMIT, "decision"),
    )
    moments = [Moment(point, about, 1) for point, about in points]
    return [
        *(cell for mode in MODES for cell in cells.at_moments(PURCHASE, mode, moments)),
        *random.Random(seed).sample(of_the_moments(matrix), 6),
    ]
