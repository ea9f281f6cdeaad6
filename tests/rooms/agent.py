"""The rooms agent in tests: built by `daybook.graph.build` on a database, with a model that follows a script."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Self

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.tools.domain import Domain
from daybook.tools.services.http import HttpService
from tests.beside import TIME
from tests.conversation import Conversation
from tests.rooms.domain import OFFICE, ROOMS
from tests.scripted import ScriptedModel, last_result

DAY = "2031-05-06"
MEETING = {"day": DAY, "people": 8}
BARN = {"room": "Barn", "title": "Review"}

SHORT, LONG = 1.2, 15.0
"""Budgets of an attempt, in seconds: `SHORT` where a test waits for its end."""


@dataclass
class RoomsAgent:
    """Hold the agent and the script of its model."""

    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel

    def of(self, domain: Domain) -> Self:
        """Build the agent of another domain on the same resources."""
        graph = build(domain, lambda: self.resources, self.resources.postgres.saver)
        return replace(self, graph=graph)

    async def asked_to_book(self, thread: str | None = None) -> Conversation:
        """Note a meeting and bring a booking to the question; the model is asked three times."""
        talk = Conversation(self.graph, "mia", thread)
        self.model.then([("note_meeting", MEETING)], [("book_room", BARN)], last_result)
        asked = await talk.say("eight of us on the sixth of May, in the Barn")
        assert len(asked.interrupts) == 1
        return talk


@asynccontextmanager
async def rooms_agent(url: str, office: str, budget: float = LONG) -> AsyncIterator[RoomsAgent]:
    """Open the agent on a database.

    Args:
        url: of the database, as its owner.
        office: where the office listens.
        budget: seconds that one attempt may take.
    """
    async with open_postgres(
        url, tenant_id="default", stored_types=ROOMS.restored_types, clock=TIME.clock
    ) as postgres:
        services = HttpService(office, contract=OFFICE)
        model = ScriptedModel()
        patience = Patience(
            budget=timedelta(seconds=budget),
            backoff=timedelta(milliseconds=20),
            unknown_settle=timedelta(seconds=0.1),
        )
        resources = Resources(postgres=postgres, model=model, services=services, patience=patience)
        try:
            graph = build(ROOMS, lambda: resources, postgres.saver)
            yield RoomsAgent(graph, resources, model)
        finally:
            await services.close()
