"""An agent on a service of strangers, with a model that follows a script."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from langgraph.types import StateSnapshot

from daybook.testing import last_result
from daybook.testing.http import Service
from daybook.tools.domain import Domain
from tests.agents import ScriptedAgent, open_agent
from tests.beside import served
from tests.conversation import Conversation
from tests.strangers.domains import Adopted

BOOTS = {"item": "boots", "amount": 13190}


@dataclass
class StrangersAgent(ScriptedAgent):
    """Hold the agent and the script of its model."""

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


def strangers_agent(
    url: str, domain: Domain, services: Any, budget: float = 5.0, unproved: float = 5.0
) -> AbstractAsyncContextManager[StrangersAgent]:
    """Open the agent of a domain on a database.

    Args:
        url: of the database, as its owner.
        services: what the domain's tools reach; a client is closed with the agent.
        budget: seconds that one attempt may take.
        unproved: seconds after which what nothing proves comes to a person.
    """
    waits = {"budget": budget, "unknown_settle": 0.3, "unproved": unproved}
    return open_agent(StrangersAgent, url, domain, services, **waits)


@asynccontextmanager
async def agent_on(
    url: str, service: Service, adopted: Adopted, budget: float = 5.0, unproved: float = 5.0
) -> AsyncIterator[StrangersAgent]:
    """Serve a service, and open the agent of what was adopted of it."""
    with served({"it": service}) as at:
        http = adopted.reach(f"{at}/it")
        async with strangers_agent(url, adopted.domain, http, budget, unproved) as agent:
            yield agent
