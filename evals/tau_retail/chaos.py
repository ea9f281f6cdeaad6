"""Play a sample of runs again and again under SIGKILL, by Daybook and by the agents beside it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from daybook.checkpoints.migrate import migrate
from evals.forking import Ended, Forked, Forks, open_forks
from evals.model_server import serving
from evals.tau_retail.data import TauRetail
from evals.tau_retail.endpoint import Endpoint, Session
from evals.tau_retail.judge import Evidence
from evals.tau_retail.marks import Place, place_in
from evals.tau_retail.outcome import Outcome, outcome_of
from evals.tau_retail.outside import (
    ControlPlane,
    Faults,
    Ground,
    control_plane,
    fault_switch,
    open_ground,
)
from evals.tau_retail.plain import make_tables
from evals.tau_retail.player import DAYBOOK, PLAIN, PLAYERS
from evals.tau_retail.recordings import EXACT, Script, scripts_of
from evals.tau_retail.sample import shares_of

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


Blow: TypeAlias = float | Place
"""When a process dies: at an instant, in seconds since the begin, or where it first comes to."""


@dataclass(frozen=True)
class Arena:
    """What trials stand on.

    Attributes:
        databases: URL of each player's database.
        retailer, provider: URLs.
        folder: for what processes leave behind.
    """

    databases: dict[str, str]
    retailer: str
    provider: str
    plane: ControlPlane
    endpoint: Endpoint
    faults: Faults
    forks: Forks
    folder: Path

    async def trial(
        self, script: Script, player: str, number: int, blows: Sequence[Blow]
    ) -> Outcome:
        """Play a run, let a process of it die by each blow, and the last one live.

        Args:
            blows: one process after the other; instants are of all processes together.
        """
        name = name_of(script, number, player)
        await self.plane.begin(name)
        session = self.endpoint.open(name, script, lambda armed: self.faults.arm(name, armed))
        order = self._order(script.says, player, name)
        kills: list[Place] = []
        errors: list[str] = []
        nothing = {"results": [], "seconds": 0.0, "error": "the last process was killed too"}
        found: dict[str, Any] = nothing
        try:
            ended = await self._killed(order, blows, kills)
            found = {**nothing, **(ended.found or {})}
            errors += [one for one in (found["error"], ended.log[-500:]) if one]
        except AssertionError as error:
            # The process failed or never came: the trial is failed by it, and the others go on.
            errors.append(f"the process failed: {error}")
        errors += self.endpoint.astray()
        evidence = await gathered(self.plane, name, session, found["results"], errors)
        self.endpoint.close(name)
        await self.plane.end(name)
        return outcome_of(
            script,
            evidence,
            player=player,
            trial=number,
            asked_again=asked_again(session),
            kills=kills,
            seconds=0.0 if blows else found["seconds"],
        )

    async def warm(self, script: Script, player: str) -> None:
        """Let the parent of the processes play a run itself, which counts nowhere."""
        name = f"warm.{player}"
        await self.plane.begin(name)
        self.endpoint.open(name, script, lambda armed: self.faults.arm(name, armed))
        await self.forks.warm(self._order(script.says, player, name))
        self.endpoint.close(name)
        await self.plane.end(name)

    def _order(self, says: Sequence[str], player: str, name: str) -> dict[str, Any]:
        return {
            "player": player,
            "thread": name,
            "says": says,
            "database": self.databases[player],
            "retailer": self.retailer,
            "provider": self.provider,
            "dies_in": "",
            "marks": str(self.folder / f"{name}.marks"),
        }

    async def _killed(
        self, order: dict[str, Any], blows: Sequence[Blow], kills: list[Place]
    ) -> Ended:
        """Kill one process after the other; return how the last one ended, which was let live."""
        gone = 0.0
        for blow in blows:
            if isinstance(blow, Place):
                _, ending = await self._start({**order, "dies_in": blow})
            else:
                process, ending = await self._start(order)
                await asyncio.wait([ending], timeout=blow - gone)
                gone = blow
                process.kill()
            ended = await ending
            if not ended.killed:
                kills.append(Place.OVER)
                return ended
            kills.append(place_in(Path(order["marks"])))
        _, ending = await self._start(order)
        return await ending

    async def _start(self, order: dict[str, Any]) -> tuple[Forked, asyncio.Task[Ended]]:
        (process,) = await self.forks.start(order)
        return process, asyncio.create_task(process.ended())


def name_of(script: Script, trial: int = 0, player: str = "daybook") -> str:
    """Name the thread of a trial, which is what its world and its session are called too.

    A thread's id has no slash.
    """
    return f"{script.run_id.replace('/', '.')}.{trial}.{player}"


def asked_again(session: Session) -> int:
    """Count how often the model was asked what it had been asked before."""
    return sum(times - 1 for times in session.asked.values())


async def gathered(
    plane: ControlPlane, name: str, session: Session, kept: list[str], errors: list[str]
) -> Evidence:
    """Gather what a run left behind.

    Args:
        kept: the results as they are stored with the thread.
        errors: what went wrong beside what is checked.
    """
    log = await plane.log(name)
    return Evidence(
        sha256=await plane.sha256(name),
        executions=log.executions,
        repeats=log.repeats,
        kept=kept,
        wired=session.results,
        errors=[*errors, *session.wrong],
    )
