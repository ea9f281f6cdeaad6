"""Play a sample of runs again and again under SIGKILL, by Daybook and by the agents beside it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.checkpoints.migrate import migrate
from evals.forking import open_forks
from evals.model_server import serving
from evals.tau_retail.data import TauRetail
from evals.tau_retail.endpoint import Endpoint
from evals.tau_retail.ground import Ground, open_ground
from evals.tau_retail.marks import Place
from evals.tau_retail.outcome import Outcome
from evals.tau_retail.outside import control_plane, fault_switch
from evals.tau_retail.plain import make_tables
from evals.tau_retail.player import DAYBOOK, PLAIN, PLAYERS
from evals.tau_retail.recordings import EXACT, scripts_of
from evals.tau_retail.sample import shares_of
from evals.tau_retail.script import Script
from evals.tau_retail.trial import Arena, Blow

_LANES = 3
"""Trials at a time: their processes wait for database, retailer and provider."""

_NO_LENGTH = 1.0
"""Seconds that a run is taken to last that failed undisturbed."""

Tell = Callable[[Outcome], None]


@dataclass(frozen=True)
class Asked:
    """What is asked for.

    Attributes:
        trials: of each run, and each player.
        seed: chooses the instants of the kills.
        dies_in: where the process of each trial dies, once, in place of random instants.
    """

    scripts: Sequence[Script]
    trials: int
    seed: int
    players: Sequence[str] = PLAYERS
    dies_in: Place | None = None

    @property
    def keys(self) -> set[tuple[str, str, int]]:
        """Name what is to be played: who, which run, which trial.

        Instants are shares of an undisturbed run, which is played first, as number 0.
        """
        first = 0 if self.dies_in is None else 1
        return {
            (player, script.run_id, trial)
            for player in self.players
            for script in self.scripts
            for trial in range(first, self.trials + 1)
        }


async def play_all(
    data: TauRetail, asked: Asked, known: dict[tuple[str, str, int], Outcome], tell: Tell
) -> None:
    """Play all trials that are not known yet, and tell what came of each.

    Args:
        known: outcomes by player, run and trial.
    """
    left = deque((script, player) for script in asked.scripts for player in asked.players)
    async with open_ground(data) as ground:
        databases = await _databases(ground, asked.players)
        async with (
            open_arena(data, databases, ground.retailer, ground.folder) as arena,
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
        length = 0.0
        if asked.dies_in is None:
            first = known.get((player, script.run_id, 0))
            if first is None:
                first = await arena.trial(script, player, 0, ())
                tell(first)
            length = first.seconds or _NO_LENGTH
        for number in range(1, asked.trials + 1):
            if (player, script.run_id, number) not in known:
                blows = _blows(script, number, length, asked)
                tell(await arena.trial(script, player, number, blows))


def _blows(script: Script, number: int, length: float, asked: Asked) -> list[Blow]:
    """Choose how the processes of a trial die; the same for whoever plays it."""
    if asked.dies_in is not None:
        return [asked.dies_in]
    return [share * length for share in shares_of(script.run_id, number, asked.seed)]


async def _databases(ground: Ground, players: Sequence[str]) -> dict[str, str]:
    """Make a database for each player, with the tables that it needs; return their URLs."""
    made = {}
    for player in players:
        made[player] = await ground.server.new_database(f"tau_{player.replace('-', '_')}")
        await (migrate if player == DAYBOOK else make_tables)(made[player])
    return made


@asynccontextmanager
async def open_arena(
    data: TauRetail, databases: dict[str, str], retailer: str, folder: Path
) -> AsyncIterator[Arena]:
    """Open what trials stand on: the provider, and a warm parent of the processes.

    Args:
        databases: URL of each player's database, its tables made.
        retailer: its URL.
        folder: for what processes leave behind.
    """
    warms = min(scripts_of(data, EXACT), key=lambda one: (not one.writes, len(one.decides)))
    endpoint = Endpoint()
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"replay": endpoint.reply}))
        plane = await stack.enter_async_context(control_plane(retailer))
        faults = stack.enter_context(fault_switch(retailer))
        forks = await stack.enter_async_context(open_forks("evals.tau_retail.player"))
        url = models["replay"].url
        arena = Arena(databases, retailer, url, plane, endpoint, faults, forks, folder)
        for player in {DAYBOOK, PLAIN} & databases.keys():
            # What is imported late is imported before the fork.
            await arena.warm(warms, player)
        yield arena
