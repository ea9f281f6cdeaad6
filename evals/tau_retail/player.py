"""Play one thread in a process of its own, to be killed at any instant and taken up by the next.

Run as a module it is the parent that such processes are forked from (see `evals.forking`).
"""

from __future__ import annotations

import functools
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from daybook.state.clock import SYSTEM
from daybook.state.fault_points import arm
from evals.forked import Order, serve_forks
from evals.tau_retail.data import TauRetail, find
from evals.tau_retail.domain import Retailer
from evals.tau_retail.marks import Marks, Place
from evals.tau_retail.ours import open_house
from evals.tau_retail.plain import Durability, open_plain
from evals.tau_retail.playing import Agent, play

DAYBOOK, PLAIN, KEYED = "daybook", "create_agent", "create_agent-sync-keyed"
PLAYERS = (DAYBOOK, PLAIN, KEYED)
"""Who plays: Daybook, create_agent as it is, and create_agent with what it can be given."""

_PLAIN: dict[str, tuple[Durability, bool]] = {PLAIN: ("async", False), KEYED: ("sync", True)}

# Read before the fork: half a second for each process else. No request here is made over TLS.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]


@cache
def _data() -> TauRetail:
    return find()


async def _work(order: Order, begin: Callable[[], None]) -> dict[str, Any]:
    """Play a thread from wherever it stands."""
    dies_in = Place(order["dies_in"]) if order["dies_in"] else None
    marks = Marks(Path(order["marks"]), dies_in)
    async with _opened(order, marks) as agent:
        begin()
        began = SYSTEM.monotonic()
        told: dict[str, Any] = {"results": [], "error": ""}
        try:
            await play(agent, order["thread"], order["says"])
            marks.over()
            told["seconds"] = SYSTEM.monotonic() - began
            told["results"] = await agent.results()
        except Exception as error:
            # Told to whoever judges the trial: it is failed by it.
            told["error"] = f"{type(error).__name__}: {error}"
        return told


@asynccontextmanager
async def _opened(order: Order, marks: Marks) -> AsyncIterator[Agent]:
    places = {name: order[name] for name in ("database", "retailer", "provider")}
    if order["player"] in _PLAIN:
        durability, has_keys = _PLAIN[order["player"]]
        async with open_plain(
            _data(), order["thread"], marks, **places, durability=durability, has_keys=has_keys
        ) as plain:
            yield plain
        return
    async with open_house(_data(), **places, size=2) as house:
        world = _Marked(house.service, order["thread"], marks)
        agent = house.agent(order["thread"], world)
        arm(marks)
        try:
            yield agent
        finally:
            arm(None)


@dataclass(frozen=True)
class _Marked(Retailer):
    """Reach a world, and mark the reads: no fault point of Daybook's is in them."""

    marks: Marks

    async def read(self, tool: str, args: Mapping[str, Any]) -> str:
        """Return what a read answers."""
        with self.marks.within(Place.READ):
            return await super().read(tool, args)


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    serve_forks(_work)
