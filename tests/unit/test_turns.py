"""Whose run works next."""

import asyncio
from contextlib import suppress

from daybook.state.clock import SYSTEM
from daybook.state.turns import Turns


async def settled() -> None:
    """Let everybody go on who can."""
    for _ in range(20):
        await SYSTEM.sleep(0)


class House:
    """People who want to work, and who of them is let."""

    def __init__(self, turns: Turns) -> None:
        self.turns, self.at_work = turns, list[str]()
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def comes(self, *names: str) -> None:
        """Let people come; what stands after a dash tells apart what one of them wants."""
        for name in names:
            self._ends[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._works(name))
        await settled()

    async def ends(self, name: str) -> None:
        self._ends[name].set()
        await settled()

    async def leaves(self, name: str) -> None:
        """Break off, at work or waiting."""
        self._tasks[name].cancel()
        with suppress(asyncio.CancelledError):
            await self._tasks[name]
        await settled()

    async def _works(self, name: str) -> None:
        async with self.turns.turn(name.split("-")[0]):
            self.at_work.append(name)
            try:
                await self._ends[name].wait()
            finally:
                self.at_work.remove(name)


async def test_one_person_never_holds_all_places():
    house = House(Turns(together=3, each=2))
    await house.comes(*(f"ada-{n}" for n in range(100)))
    assert house.at_work == ["ada-0", "ada-1"]
    await house.comes("ben")
    assert "ben" in house.at_work


async def test_who_is_broken_off_leaves_the_place_to_others():
    house = House(Turns(together=1, each=1))
    await house.comes("ada-0", "ada-1", "ben")
    await house.leaves("ada-1")
    await house.leaves("ada-0")
    assert house.at_work == ["ben"]
    await house.ends("ben")
    await house.comes("ada-3")
    assert house.at_work == ["ada-3"]


async def test_without_limits_nobody_waits():
    house = House(Turns())
    await house.comes(*(f"ada-{n}" for n in range(50)))
    assert len(house.at_work) == 50
