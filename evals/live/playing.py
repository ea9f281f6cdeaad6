"""Play conversations on the real graph: a real Postgres, a shop process for each lane, a model."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from daybook.app.grading.grade import grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Claim, Trajectory
from daybook.graph.settings.environment import Settings
from daybook.graph.shop.resources import open_database, open_shop_agent
from daybook.tools.shop.domain import SHOP
from evals.live.conversations import Conversation
from evals.live.judging import Fault, Judge, faults_of_answers, faults_of_effects, faults_of_steps
from evals.live.meter import Call, Meter
from evals.live.person import hold
from evals.servers import LAG, Shop, open_server, open_shop


@dataclass(frozen=True)
class Played:
    """One trial of a conversation.

    Attributes:
        trial: its number, from 1.
        faults: of all judges.
        claims: findings of the receipts check.
        calls: of the model.
    """

    name: str
    trial: int
    faults: Sequence[Fault]
    claims: Sequence[Claim]
    trajectory: Trajectory
    calls: Sequence[Call]

    @property
    def is_passed(self) -> bool:
        """Tell whether no judge found anything."""
        return not self.faults


Tell = Callable[[Played], None]


async def play_all(
    wanted: Sequence[Conversation],
    trials: int,
    lanes: int,
    settings: Settings,
    folder: Path,
    tell: Tell,
) -> None:
    """Hold each conversation so many times, and report each trial.

    Args:
        lanes: concurrent conversations; each has a shop of its own.
        folder: data of everything that is started; it is stopped before the return.
    """
    left = deque((one, trial + 1) for trial in range(trials) for one in wanted)
    async with open_server(folder) as server:
        settings = replace(settings, database_url=await server.new_database("live"))
        # Migrate once, before several lanes open it.
        async with open_database(settings):
            pass
        async with asyncio.TaskGroup() as playing:
            for number in range(min(lanes, len(left))):
                playing.create_task(_lane(folder / f"shop-{number}", settings, left, tell))


async def _lane(
    folder: Path, settings: Settings, left: deque[tuple[Conversation, int]], tell: Tell
) -> None:
    async with open_shop(folder) as shop:
        settings = replace(settings, shop_url=shop.url, smtp_url=shop.smtp_url)
        while left:
            tell(await _play_one(*left.popleft(), shop, settings))


async def _play_one(one: Conversation, trial: int, shop: Shop, settings: Settings) -> Played:
    """Hold a conversation at a shop with its seed data, and ask the judges."""
    await shop.ask("POST", "/admin/reset")
    await shop.ask("PUT", "/admin/settings", settle_seconds=LAG)
    # User memory belongs to a tenant: no conversation knows of another.
    settings = replace(settings, tenant=f"live-{uuid.uuid4().hex}")
    thread_id, meter, faults = str(uuid.uuid4()), Meter(), list[Fault]()
    async with open_shop_agent(settings) as agent:
        agent.resources.model.callbacks = [meter]
        try:
            await hold(agent.graph, shop, thread_id, one)
        except Exception as error:
            # A conversation that fails is a line of the table; the others go on.
            faults.append(Fault(Judge.END, f"{type(error).__name__}: {error}"))
        happened = await shop.effects()
        trajectory = await read_trajectory(agent.resources.postgres, SHOP, thread_id)
        state = await agent.graph.aget_state({"configurable": {"thread_id": thread_id}})
    claims = [claim for answer in trajectory.answers for claim in answer.claims]
    faults += _stopped_turns(trajectory, settings.decisions)
    faults += faults_of_effects(one, happened)
    faults += faults_of_steps(grade(trajectory))
    faults += faults_of_answers(one, claims, _last(state.values), happened)
    return Played(one.name, trial, faults, claims, trajectory, meter.calls)


def _last(state: Mapping[str, Any]) -> str:
    """Return what the user read in the last turn: the answer, with its receipts."""
    messages = [*state.get("messages", ())]
    turn = takewhile(lambda one: one.type != "human", reversed(messages))
    return "\n".join(one.text for one in reversed([*turn]) if one.type == "ai")


def _stopped_turns(trajectory: Trajectory, most: int) -> list[Fault]:
    """Find the turns that were stopped at the limit of decisions."""
    decided = Counter(decision.turn for decision in trajectory.decisions)
    why = f"a turn was stopped after {most} decisions (DAYBOOK_DECISIONS)"
    return [Fault(Judge.END, why) for count in decided.values() if count >= most]
