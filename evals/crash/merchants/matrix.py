"""Run the cells, one after the other, and judge each by the shop's own record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from daybook.state.clock import SYSTEM
from evals.crash.merchants import cells
from evals.crash.merchants.cells import PERFORMED, Cell
from evals.crash.merchants.judge import Verdict, verdict_of
from evals.crash.merchants.world import World
from evals.forking import PATIENCE, Ended

Tell: TypeAlias = Callable[[Verdict], None]


async def run_all(world: World, tell: Tell, expect: Callable[[int], None]) -> None:
    """Run every cell: first those that show which moments there are.

    Args:
        expect: told how many cells are to come, as that becomes known.
    """
    first, of_merchants = [*cells.undisturbed(), *cells.taken_over()], cells.of_the_merchant()
    expect(len(first) + len(of_merchants))
    at_moments: list[Cell] = []
    for cell in first:
        verdict, passed = await judged(world, cell)
        tell(verdict)
        found = cells.twice(cell, passed) if cell.kills else cells.at_moments(cell, passed)
        expect(len(found))
        at_moments += found
    await run_some(world, [*at_moments, *of_merchants], tell)


async def run_some(world: World, some: Sequence[Cell], tell: Tell) -> None:
    """Run some cells."""
    for cell in some:
        tell((await judged(world, cell))[0])


async def judged(world: World, cell: Cell) -> tuple[Verdict, Sequence[str]]:
    """Run a cell; return what became of it, and the moments that its last process passed."""
    await world.shop.prepare(cell)
    world.ear.begin()
    ends = [await _first(world, cell)]
    for at in (cell.again, "") if cell.again else ("",):
        if ends[-1].killed or ends[-1].found["error"]:
            await world.shop.ask("POST", "/admin/hurry")
            ends.append(await (await world.start(cell, at)).ended())
    await world.shop.until_told()
    found = ends[-1].found
    verdict = verdict_of(cell, await world.shop.effects(), ends, await world.shop.unmet())
    return verdict, found["passed"] if found else ()


async def _first(world: World, cell: Cell) -> Ended:
    process = await world.start(cell, "" if cell.kills == PERFORMED else cell.kills)
    if cell.kills == PERFORMED:
        await world.shop.until("order")
        process.kill()
    if cell.webhook == "early":
        # The answer is held back until the event has been taken up.
        async with SYSTEM.timeout(PATIENCE):
            await world.ear.taken_up.wait()
        await world.shop.ask("POST", "/admin/hurry")
    return await process.ended()
