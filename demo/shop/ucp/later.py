"""Whoever brings orders to their end that were accepted, and are in hand."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from daybook.demo.shop import clock
from daybook.demo.shop.faults import first_of
from daybook.demo.shop.ucp import checkout
from daybook.demo.shop.world import World

LONGEST_PAUSE = 60.0


@dataclass
class Finisher:
    """Finish what is due; what is in hand counts among the requests that a fault holds."""

    world: World
    held: set[int] = field(default_factory=set)

    async def run(self) -> None:
        """Go on until it is cancelled."""
        while True:
            self.world.accepted.clear()
            hurried = self.world.hurried
            pause = await self.round(is_hurried=False)
            await first_of(pause, self.world.accepted, hurried)
            if hurried.is_set():
                await self.round(is_hurried=True)

    async def round(self, *, is_hurried: bool) -> float:
        """Finish what is due, or all where it is hurried; return the seconds until the next is."""
        waiting = await self.world.database.transact(checkout.in_hand)
        self.count({row["n"] for row in waiting})
        for row in waiting:
            left = (datetime.fromisoformat(row["due"]) - clock.now()).total_seconds()
            if left > 0 and not is_hurried:
                return min(left, LONGEST_PAUSE)
            agreed = clock.present(self.world.settings.hold_seconds)
            work = partial(checkout.finish, n=row["n"], terms=agreed)
            await self.world.database.transact(work)
            self.count(self.held - {row["n"]})
            self.world.changed.set()
        return LONGEST_PAUSE

    def count(self, held: set[int]) -> None:
        """Count what is in hand now."""
        self.world.faults.in_flight += len(held) - len(self.held)
        self.held = set(held)


async def finish(world: World) -> None:
    """Bring what is in hand to its end, until it is cancelled."""
    await Finisher(world).run()
