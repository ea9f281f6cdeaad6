"""What is measured of a server while people shop at it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from psycopg import AsyncConnection

from daybook.state.clock import SYSTEM
from evals.load.people import Seen
from evals.load.server import Server

_EVERY_S = 0.5

# Of the ledger's database and of Aegra's; not those of whoever measures.
_CONNECTIONS = """
select count(*) from pg_stat_activity
where backend_type = 'client backend' and datname like %s and pid <> pg_backend_pid()
  and application_name <> %s
"""


@dataclass
class Cost:
    """What a server cost while it was watched.

    Attributes:
        connections: to Postgres, at most.
        cpu_s: of all its processes.
        seconds: how long it was watched.
    """

    connections: int = 0
    cpu_s: float = 0.0
    seconds: float = 0.0


@dataclass
class Cell:
    """A row of the table.

    Attributes:
        twice, lost: effects, by the shop's own record.
    """

    people: int
    processes: int
    seen: Seen
    cost: Cost
    twice: int = 0
    lost: int = 0
    others: list[str] = field(default_factory=list)

    @property
    def a_second(self) -> float:
        """Return how many purchases a second were ended."""
        return self.seen.purchases / self.cost.seconds

    @property
    def cut(self) -> int:
        """Return how many answers broke off: none may, whatever the load."""
        return sum(self.seen.broken.values())


@asynccontextmanager
async def watching(server: Server, url: str, mine: str) -> AsyncIterator[Cost]:
    """Watch a server for the length of the block.

    Args:
        url: of the database.
        mine: by this name Postgres knows the sessions of whoever measures.
    """
    cost, began, before = Cost(), SYSTEM.monotonic(), server.cpu_seconds()
    async with await AsyncConnection.connect(url, autocommit=True) as conn:
        looking = asyncio.create_task(_look(conn, cost, mine))
        try:
            yield cost
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
            cost.seconds = SYSTEM.monotonic() - began
            cost.cpu_s = server.cpu_seconds() - before


async def _look(conn: AsyncConnection[tuple[int]], cost: Cost, mine: str) -> None:
    while True:
        found = await conn.execute(_CONNECTIONS, (f"{conn.info.dbname}%", mine))
        row = await found.fetchone()
        cost.connections = max(cost.connections, row[0] if row else 0)
        await SYSTEM.sleep(_EVERY_S)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which this share of them lies; not a number of none."""
    if not values:
        return float("nan")
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]
