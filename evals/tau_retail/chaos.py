"""Play a sample of runs again and again under SIGKILL, by Daybook and by the agents beside it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from checkpoints.migrate import migrate
from evals.forking import open_forks
from evals.model_server import serving
from evals.tau_retail.data import TauRetail
from evals.tau_retail.endpoint import Endpoint
from evals.tau_retail.ground import Ground, open_ground
from evals.tau_retail.outcome import Outcome
from evals.tau_retail.outside import control_plane, fault_switch
from evals.tau_retail.plain import make_tables
from evals.tau_retail.player import DAYBOOK, PLAYERS
from evals.tau_retail.recordings import EXACT, scripts_of
from evals.tau_retail.sample import shares_of
from evals.tau_retail.script import Script
from evals.tau_retail.trial import Arena

_LANES = 3
"""Trials at a time: their processes wait for database, retailer and provider."""

_NO_LENGTH = 1.0
"""Seconds that a run is taken to last that failed undisturbed."""

Tell = Callable[[Outcome], None]


@dataclass(frozen=True)
class Asked:
    """Hold what is asked for.

    Attributes:
        trials: of each run, and each player.
        seed: chooses the instants of the kills.
    """

    scripts: Sequence[Script]
    trials: int
    seed: int
    players: Sequence[str] = PLAYERS

    @property
    def total(self) -> int:
        """Count what is to be played: each run once undisturbed, then its trials."""
        return len(self.scripts) * len(self.players) * (1 + self.trials)


async def storm_all(
    data: TauRetail, asked: Asked, known: dict[tuple[str, str, int], Outcome], tell: Tell
) -> None:
    """Play all trials that are not known yet, and tell what came of each.

    Args:
        known: outcomes by player, run and trial.
    """
    left = deque((script, player) for script in asked.scripts for player in asked.players)
    async with (
        open_ground(data) as ground,
        open_arena(data, ground, asked.players) as arena,
        asyncio.TaskGroup() as playing,
    ):
        for _ in range(_LANES):
            playing.create_task(_lane(arena, asked, left, known, tell))


async def _lane(
    arena: Arena,
    asked: Asked,
    left: deque[tuple[Script, str]],
    known: dict[tuple[str, str, int], Outcome],
    tell: Tell,
) -> None:
    while left:
        script, player = left.popleft()
        first = known.get((player, script.run_id, 0))
        if first is None:
            first = await arena.trial(script, player, 0, ())
            tell(first)
        length = first.seconds or _NO_LENGTH
        for number in range(1, asked.trials + 1):
            if (player, script.run_id, number) not in known:
                shares = shares_of(script.run_id, number, asked.seed)
                instants = [share * length for share in shares]
                tell(await arena.trial(script, player, number, instants))


@asynccontextmanager
async def open_arena(
    data: TauRetail, ground: Ground, players: Sequence[str] = PLAYERS
) -> AsyncIterator[Arena]:
    """Open what trials stand on: a database for each player, the provider, a warm parent."""
    warms = min(scripts_of(data, EXACT), key=lambda one: (not one.writes, len(one.decides)))
    databases = {}
    for player in players:
        name = f"tau_{player.replace('-', '_')}"
        databases[player] = await ground.server.new_database(name)
        make = migrate if player == DAYBOOK else make_tables
        await make(databases[player])
    endpoint = Endpoint()
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"replay": endpoint.reply}))
        plane = await stack.enter_async_context(control_plane(ground.retailer))
        faults = stack.enter_context(fault_switch(ground.retailer))
        forks = await stack.enter_async_context(open_forks("evals.tau_retail.player"))
        arena = Arena(
            databases,
            ground.retailer,
            models["replay"].url,
            plane,
            endpoint,
            faults,
            forks,
            ground.folder,
        )
        for player in players:
            # What is imported late is imported before the fork.
            await arena.warm(warms, player)
        yield arena
