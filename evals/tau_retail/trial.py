"""One trial: a run is played, killed at its instants, taken up by new processes, and judged."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from evals.forking import Ended, Forked, Forks
from evals.tau_retail.bench import asked_again, gathered, name_of
from evals.tau_retail.endpoint import Endpoint
from evals.tau_retail.marks import Place, place_in
from evals.tau_retail.outcome import Outcome, outcome_of
from evals.tau_retail.outside import ControlPlane, Faults
from evals.tau_retail.script import Script

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
