"""What the HTTP and SMTP servers share."""

import asyncio
from dataclasses import dataclass, field

from daybook.demo.shop import database
from daybook.demo.shop.database import Database
from daybook.demo.shop.faults import Faults
from daybook.demo.shop.keys import Turns
from daybook.demo.shop.search import Search
from daybook.demo.shop.settings import Settings
from daybook.demo.shop.ucp.agents import Profiles


@dataclass
class World:
    """What the HTTP and the SMTP side share.

    `started_with` is what a reset goes back to. Two events are for those who wait in a fault, and
    each waits for the events of the moment when it came in: `ended` is set when it must stop
    without an effect (the shop was reset or is stopping), `hurried` when it must wait no longer.
    `changed` is set when something was performed, for whoever tells others of it.
    """

    database: Database
    search: Search
    started_with: Settings
    settings: Settings
    faults: Faults = field(default_factory=Faults)
    turns: Turns = field(default_factory=Turns)
    profiles: Profiles = field(default_factory=Profiles)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    hurried: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def hurry(self) -> None:
        """Let all who wait in a fault go on at once, as if their seconds were over."""
        self.hurried.set()
        self.hurried = asyncio.Event()

    async def reset(self) -> None:
        """Go back to the seeded state: no effects, no faults, the settings of the start.

        Those who wait in a fault are let go first, or a late effect of the world before would
        land in the new one.
        """
        self.ended.set()
        self.ended = asyncio.Event()
        self.faults.clear()
        self.profiles.clear()
        self.settings = self.started_with
        await self.database.transact(lambda opened: database.reset(opened, self.settings.sells))
        self.changed.set()
