"""Replay recorded runs through Daybook, several at a time in one process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from daybook.state.clock import SYSTEM
from evals.model_server import serving
from evals.tau_retail.data import TauRetail
from evals.tau_retail.endpoint import Endpoint, Session
from evals.tau_retail.judge import Evidence
from evals.tau_retail.ours import House, open_house
from evals.tau_retail.outcome import Outcome, outcome_of
from evals.tau_retail.outside import ControlPlane, Faults, control_plane, fault_switch
from evals.tau_retail.playing import play
from evals.tau_retail.script import Script

PLAYER = "daybook"


@dataclass(frozen=True)
class Bench:
    """What replays stand on."""

    house: House
    plane: ControlPlane
    endpoint: Endpoint
    faults: Faults

    async def replay(self, script: Script) -> Outcome:
        """Replay one run from its beginning to its end, undisturbed, and judge it."""
        name = name_of(script)
        await self.plane.begin(name)
        session = self.endpoint.open(name, script, lambda armed: self.faults.arm(name, armed))
        agent = self.house.agent(name)
        kept: list[str] = []
        errors: list[str] = []
        began = SYSTEM.monotonic()
        try:
            await play(agent, name, script.says)
            kept = await agent.results()
        except Exception as error:
            # One run that cannot be played is a line of the table, and not the end of the others.
            errors.append(f"{type(error).__name__}: {error}")
        seconds = SYSTEM.monotonic() - began
        errors += self.endpoint.astray()
        evidence = await gathered(self.plane, name, session, kept, errors)
        self.endpoint.close(name)
        await self.plane.end(name)
        again = asked_again(session)
        return outcome_of(script, evidence, player=PLAYER, asked_again=again, seconds=seconds)


def name_of(script: Script, trial: int = 0, player: str = PLAYER) -> str:
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


@asynccontextmanager
async def open_bench(
    data: TauRetail, *, database: str, retailer: str, size: int = 8
) -> AsyncIterator[Bench]:
    """Open what replays stand on.

    Args:
        database: the URL of one, as its owner.
        retailer: the URL of one that runs.
        size: connections to the database at most.
    """
    endpoint = Endpoint()
    async with AsyncExitStack() as stack:
        models = stack.enter_context(serving({"replay": endpoint.reply}))
        house = await stack.enter_async_context(
            open_house(
                data,
                database=database,
                retailer=retailer,
                provider=models["replay"].url,
                size=size,
            )
        )
        plane = await stack.enter_async_context(control_plane(retailer))
        faults = stack.enter_context(fault_switch(retailer))
        yield Bench(house, plane, endpoint, faults)
