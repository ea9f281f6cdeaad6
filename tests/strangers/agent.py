"""An agent on a service of strangers: built by `daybook.graph.build`, with a model that follows a script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.state.ledger.recovery import Event
from daybook.tools.domain import Domain
from tests.beside import TIME
from tests.conversation import Conversation
from tests.scripted import ScriptedModel, last_result

BOOTS = {"item": "boots", "amount": 13190}


@dataclass
class StrangersAgent:
    """Hold the agent and the script of its model."""

    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel

    async def asked_to_buy(self, user: str = "mia", **args: Any) -> Conversation:
        """Bring a purchase to its question for approval."""
        talk = Conversation(self.graph, user)
        asked = await self.wants_to_buy(talk, **args)
        assert len(asked.interrupts) == 1
        return talk

    async def wants_to_buy(self, talk: Conversation, **args: Any) -> StateSnapshot:
        """Let the model decide on a purchase, and tell what came of it."""
        self.model.then([("buy", {**BOOTS, **args})], last_result)
        return await talk.say("buy the boots")

    async def events(self, talk: Conversation) -> list[Event]:
        """Return what the ledger holds of a thread, whose chain must verify."""
        ledger = self.resources.postgres.ledger
        await ledger.verify(talk.thread_id)
        return [entry.event for entry in await ledger.entries(talk.thread_id)]


@asynccontextmanager
async def strangers_agent(
    url: str, domain: Domain, services: Any, budget: float = 5.0, unproved: float = 5.0
) -> AsyncIterator[StrangersAgent]:
    """Open the agent of a domain on a database.

    Args:
        url: of the database, as its owner.
        services: what the domain's tools reach.
        budget: seconds that one attempt may take.
        unproved: seconds after which what nothing proves comes to a person.
    """
    async with open_postgres(
        url, tenant_id="default", stored_types=domain.restored_types, clock=TIME.clock
    ) as postgres:
        model = ScriptedModel()
        patience = Patience(
            budget=timedelta(seconds=budget),
            backoff=timedelta(milliseconds=20),
            unknown_settle=timedelta(seconds=0.3),
            unproved=timedelta(seconds=unproved),
        )
        resources = Resources(postgres=postgres, model=model, services=services, patience=patience)
        graph = build(domain, lambda: resources, postgres.saver)
        yield StrangersAgent(graph, resources, model)
