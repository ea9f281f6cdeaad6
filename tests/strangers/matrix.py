"""The matrix: undisturbed runs tell which cells there are, and each is run and judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from daybook.state.fault_points import FaultPoint
from evals.crash.moments import Moment
from tests.strangers import cells
from tests.strangers.cells import Cell, KilledWhenPerformed, Undisturbed
from tests.strangers.judge import Verdict, judge, not_run
from tests.strangers.run import Evidence, order_of, run
from tests.strangers.world import World

Tell = Callable[[Verdict], None]

_BEGINS = Moment(FaultPoint.BEFORE_COMMIT, "decision", 1)
"""What comes before the approval is the same for all domains, and is of `make crash`."""


class Matrix:
    """Run cells, some at a time.

    Args:
        lanes: how many at a time.
        tell: is told each verdict.

    Attributes:
        moments: by cell, in order, those at which a process may be killed after the approval; and
            those of whoever took over where one was killed when something was performed.
    """

    def __init__(self, world: World, lanes: int, tell: Tell = lambda verdict: None) -> None:
        self._world = world
        self._lanes = asyncio.Semaphore(lanes)
        self._tell = tell
        self._evidence: dict[Cell, Evidence | str] = {}
        self.moments: dict[Cell, list[Moment]] = {}

    async def look(self, services: Iterable[str]) -> None:
        """Run both scripts undisturbed: that shows which moments there are."""
        some = cells.undisturbed(services)
        warm = order_of(some[0], self._world)
        await self._world.forks.warm({**warm, "thread": "s-warm"})
        await self.go_through(some)

    async def go_through(self, wanted: Iterable[Cell]) -> None:
        """Run and judge cells, each name once."""
        each = {cell.name: cell for cell in wanted if cell not in self._evidence}.values()
        async with asyncio.TaskGroup() as lanes:
            for cell in each:
                lanes.create_task(self._run(cell))

    def at_the_moments(self, service: str) -> list[Cell]:
        """Return a kill at every moment of both scripts after the approval."""
        return [
            cell
            for seen, moments in self.moments.items()
            if seen.service == service and isinstance(seen.blow, Undisturbed)
            for cell in cells.at_moments(service, seen.script, moments)
        ]

    def of_the_take_overs(self, service: str) -> list[Cell]:
        """Return a second kill at every moment of each take-over."""
        return [
            cell
            for seen, moments in self.moments.items()
            if seen.service == service and isinstance(seen.blow, KilledWhenPerformed)
            for cell in cells.twice(seen, moments)
        ]

    def of_the_suspended(self, service: str) -> list[Cell]:
        """Return a suspension of the one who buys, where another one could do the same again."""
        return [
            cell
            for seen, moments in self.moments.items()
            if seen.service == service
            and seen.script == "bought"
            and isinstance(seen.blow, Undisturbed)
            for cell in cells.suspended(service, moments)
        ]

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """Judge all cells by what stands now: what is undone last may be another cell's."""
        return [self._judged(cell) for cell in self._evidence]

    async def _run(self, cell: Cell) -> None:
        async with self._lanes:
            try:
                evidence = await run(cell, self._world)
            except (AssertionError, OSError) as error:
                self._evidence[cell] = f"{type(error).__name__}: {error}"
            else:
                self._evidence[cell] = evidence
                self._note(cell, evidence)
        self._tell(self._judged(cell))

    def _judged(self, cell: Cell) -> Verdict:
        evidence = self._evidence[cell]
        if isinstance(evidence, str):
            return not_run(cell, evidence)
        return judge(cell, evidence, self._world.services[cell.service].effects)

    def _note(self, cell: Cell, evidence: Evidence) -> None:
        """Keep which moments a run has shown."""
        last = evidence.runs[-1].found
        if last is None or not isinstance(cell.blow, Undisturbed | KilledWhenPerformed):
            return
        seen = [Moment.read(one) for one in last["passed"]]
        if isinstance(cell.blow, Undisturbed):
            seen = seen[seen.index(_BEGINS) :] if _BEGINS in seen else []
        self.moments[cell] = seen
