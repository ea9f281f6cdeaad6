"""Play conversations on the real graph: a real Postgres, a shop process for each lane, a model."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig

from daybook.app.grading.grading import grade
from daybook.app.grading.history import read_trajectory
from daybook.app.grading.trajectory import Trajectory
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.model.chosen import caching_of, chosen_model
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.work import Resources
from daybook.state.ledger.recovery import Event
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.crash.server import open_server
from evals.crash.shop import LAG, Shop
from evals.live.conversations import Conversation
from evals.live.judging import Fault, Judge, faults_of_answers, faults_of_effects, faults_of_steps
from evals.live.meter import Asked, Meter
from evals.live.person import held


@dataclass(frozen=True)
class Played:
    """One trial of a conversation.

    Attributes:
        trial: its number, from 1.
        faults: of all judges.
        trajectory: what the thread did.
        asked: the model's calls.
    """

    name: str
    trial: int
    faults: Sequence[Fault]
    trajectory: Trajectory
    asked: Sequence[Asked]

    @property
    def is_passed(self) -> bool:
        """Tell whether no judge found anything."""
        return not self.faults

    @property
    def findings(self) -> int:
        """Return the number of findings of the receipts check."""
        return sum(len(answer.claims) for answer in self.trajectory.answers)


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
        database = await server.new_database("live")
        # Migrate once, before several lanes open it.
        async with open_postgres(database, tenant_id="none", stored_types=SHOP.restored_types):
            pass
        async with asyncio.TaskGroup() as playing:
            for number in range(min(lanes, len(left))):
                playing.create_task(
                    _lane(folder / f"shop-{number}", database, settings, left, tell)
                )


async def _lane(
    folder: Path,
    database: str,
    settings: Settings,
    left: deque[tuple[Conversation, int]],
    tell: Tell,
) -> None:
    shop = Shop(folder, "keyed")
    try:
        await shop.start()
        async with chosen_model(settings, SHOP) as model:
            meter = Meter()
            model.callbacks = [meter]
            while left:
                one, trial = left.popleft()
                tell(await _played(one, trial, Lane(shop, database, model, meter, settings)))
    finally:
        await shop.close()


@dataclass(frozen=True)
class Lane:
    """The parts that the conversations of a lane share."""

    shop: Shop
    database: str
    model: BaseChatModel
    meter: Meter
    settings: Settings


@dataclass(frozen=True)
class World:
    """The parts of one conversation: a shop with its seed data, and a tenant of its own."""

    graph: GuardedGraph
    resources: Resources

    @property
    def postgres(self) -> Postgres:
        """Return its tenant's database."""
        return self.resources.postgres


@asynccontextmanager
async def _world(lane: Lane) -> AsyncIterator[World]:
    await lane.shop.ask("POST", "/admin/reset")
    await lane.shop.ask("PUT", "/admin/settings", settle_seconds=LAG)
    async with AsyncExitStack() as stack:
        services = await reach_shop(lane.shop.url, lane.shop.smtp_url)
        stack.push_async_callback(services.close)
        # User memory belongs to a tenant: no conversation knows of another.
        postgres = await stack.enter_async_context(
            open_postgres(
                lane.database,
                tenant_id=f"live-{uuid.uuid4().hex}",
                stored_types=SHOP.restored_types,
                size=3,
            )
        )
        resources = Resources(
            postgres=postgres,
            model=lane.model,
            services=services,
            promises=services.guarantees,
            world=services.shop_id,
            caching=caching_of(lane.model),
            budget=lane.settings.prompt_tokens,
            decisions=lane.settings.decisions,
        )
        yield World(build(SHOP, lambda: resources, postgres.saver), resources)


async def _played(one: Conversation, trial: int, lane: Lane) -> Played:
    """Hold a conversation, and ask the judges."""
    thread_id = str(uuid.uuid4())
    faults: list[Fault] = []
    async with _world(lane) as world:
        try:
            await held(world.graph, lane.shop, thread_id, one)
        except Exception as error:
            # A conversation that fails is a line of the table; the others go on.
            faults.append(Fault(Judge.END, f"{type(error).__name__}: {error}"))
        faults += await _endless(world, thread_id)
        happened = await lane.shop.effects()
        faults += faults_of_effects(one, happened)
        trajectory = await read_trajectory(world.postgres, SHOP, thread_id)
        faults += faults_of_steps(grade(trajectory))
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        state = (await world.graph.aget_state(config)).values
    claims = [claim for answer in trajectory.answers for claim in answer.claims]
    faults += faults_of_answers(one, claims, _last(state), happened)
    return Played(one.name, trial, faults, trajectory, lane.meter.taken())


def _last(state: Mapping[str, Any]) -> str:
    """Return what the user read in the last turn: the answer, with its receipts."""
    messages = [*state.get("messages", ())]
    turn = takewhile(lambda one: one.type != "human", reversed(messages))
    return "\n".join(one.text for one in reversed([*turn]) if one.type == "ai")


async def _endless(world: World, thread_id: str) -> list[Fault]:
    """Find the turns that were stopped at the limit of decisions."""
    entries = await world.postgres.ledger.entries(thread_id)
    decided = Counter(entry.turn_id for entry in entries if entry.event is Event.DECIDED)
    most = world.resources.decisions
    return [
        Fault(Judge.END, f"a turn was stopped after {most} decisions (DAYBOOK_DECISIONS)")
        for count in decided.values()
        if count >= most
    ]
