"""Play conversations on the real graph: a real Postgres, a shop process for each lane, a model."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import RunnableConfig

from daybook.app.grading.grading import grade
from daybook.app.grading.steps.reading import read_trajectory
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
from evals.live.judging import Fault, Judge, faults_of_effects, faults_of_steps, faults_of_words
from evals.live.meter import Asked, Meter
from evals.live.person import held
from evals.live.spoken import spoken_in


@dataclass(frozen=True)
class Played:
    """What came of one trial of a conversation.

    Attributes:
        trial: its number, from 1.
        faults: what the judges found.
        withheld: sentences that were not let through, whether the model took them back or not.
        asked: the model's calls.
    """

    name: str
    trial: int
    faults: Sequence[Fault]
    withheld: int
    asked: Sequence[Asked]

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
    """Hold each conversation so many times, and tell what came of each.

    Args:
        lanes: conversations at a time; each has a shop of its own.
        folder: everything that is started stands below it, and is ended with the block.
    """
    left = deque((one, trial + 1) for trial in range(trials) for one in wanted)
    async with open_server(folder) as server:
        database = await server.new_database("live")
        # One migrates, before several open it at once.
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
                tell(await _played(one, trial, Table(shop, database, model, meter, settings)))
    finally:
        await shop.close()


@dataclass(frozen=True)
class Table:
    """What conversations of a lane share."""

    shop: Shop
    database: str
    model: BaseChatModel
    meter: Meter
    settings: Settings


@dataclass(frozen=True)
class World:
    """What one conversation has for itself: a shop as it was seeded, and a tenant of its own."""

    graph: GuardedGraph
    resources: Resources

    @property
    def postgres(self) -> Postgres:
        """Return its tenant's database."""
        return self.resources.postgres


@asynccontextmanager
async def _world(table: Table) -> AsyncIterator[World]:
    await table.shop.ask("POST", "/admin/reset")
    await table.shop.ask("PUT", "/admin/settings", settle_seconds=LAG)
    async with AsyncExitStack() as stack:
        services = await reach_shop(table.shop.url, table.shop.smtp_url)
        stack.push_async_callback(services.close)
        # What is remembered of a person is a tenant's: no conversation knows of another.
        postgres = await stack.enter_async_context(
            open_postgres(
                table.database,
                tenant_id=f"live-{uuid.uuid4().hex}",
                stored_types=SHOP.restored_types,
                size=3,
            )
        )
        resources = Resources(
            postgres=postgres,
            model=table.model,
            services=services,
            promises=services.guarantees,
            world=services.shop_id,
            caching=caching_of(table.model),
            budget=table.settings.prompt_tokens,
            decisions=table.settings.decisions,
        )
        yield World(build(SHOP, lambda: resources, postgres.saver), resources)


async def _played(one: Conversation, trial: int, table: Table) -> Played:
    """Hold a conversation, and put it before the judges."""
    thread_id = str(uuid.uuid4())
    faults: list[Fault] = []
    async with _world(table) as world:
        try:
            await held(world.graph, table.shop, thread_id, one)
        except Exception as error:
            # One conversation that breaks off is a line of the table, and not the end of the rest.
            faults.append(Fault(Judge.END, f"{type(error).__name__}: {error}"))
        faults += await _endless(world, thread_id)
        happened = await table.shop.effects()
        faults += faults_of_effects(one, happened)
        faults += faults_of_steps(grade(await read_trajectory(world.postgres, SHOP, thread_id)))
        config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        state = (await world.graph.aget_state(config)).values
        spoken = await spoken_in(thread_id, state, SHOP, world.postgres)
        faults += faults_of_words(one, spoken, _last(state), happened)
    withheld = sum(len(said.withheld) for said in spoken)
    return Played(one.name, trial, faults, withheld, table.meter.taken())


def _last(state: Mapping[str, Any]) -> str:
    """Return what the person read last; "" where they read nothing."""
    messages = state.get("messages", ())
    return next((one.text for one in reversed(messages) if one.type == "ai"), "")


async def _endless(world: World, thread_id: str) -> list[Fault]:
    """Find the turns that were ended by the machine, as the model did not end them."""
    entries = await world.postgres.ledger.entries(thread_id)
    decided = Counter(entry.turn_id for entry in entries if entry.event is Event.DECIDED)
    most = world.resources.decisions
    return [
        Fault(Judge.END, f"a turn had no end after {most} decisions (DAYBOOK_DECISIONS)")
        for count in decided.values()
        if count >= most
    ]
