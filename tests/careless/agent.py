"""The careless agent in tests, with a model that follows a script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from langgraph.types import StateSnapshot

from daybook.state.flow import FlowTable
from daybook.state.ledger.recovery import Event
from daybook.testing import ScriptedModel, last_result
from daybook.tools.registry import Registry
from tests.agents import ScriptedAgent, open_agent
from tests.careless.domain import CARELESS, WORLD
from tests.conversation import Conversation, answer_of

BARN = {"room": "Barn"}


class Careless:
    """Hold one conversation with an agent."""

    def __init__(self, agent: ScriptedAgent) -> None:
        self.agent = agent
        self.model: ScriptedModel = agent.model
        self.talk = Conversation(agent.graph, "mia")

    def anew(self) -> Careless:
        """Begin another conversation."""
        return Careless(self.agent)

    def with_tool(self, tool: Any) -> Careless:
        """Begin a conversation with an agent that has this tool alone."""
        flow = FlowTable("open", {}, {"open": frozenset({tool.name})})
        domain = replace(CARELESS, registry=Registry([tool]), flow=flow, bumps=())
        return Careless(self.agent.of(domain))

    async def decides(self, *calls: tuple[str, dict[str, Any]]) -> StateSnapshot:
        """Let the model call tools and say what came of the last one."""
        self.model.then(list(calls), last_result)
        return await self.talk.say("go on")

    def results(self) -> Sequence[str]:
        """Return what the last prompt says came of its calls."""
        return [m.text for m in self.model.prompts[-1] if m.type == "tool"]

    async def events(self) -> list[Event]:
        """Return what the ledger holds of the conversation, verified."""
        return await self.agent.events(self.talk)

    async def answers(self) -> None:
        """See that a further message is taken and answered."""
        self.model.then("Hello.")
        assert answer_of(await self.talk.say("hello")).endswith("Hello.")


@asynccontextmanager
async def careless_agent(url: str, budget: float = 5.0) -> AsyncIterator[Careless]:
    """Open the agent on a database, with a world in which nothing has happened yet.

    Args:
        url: of the database, as its owner.
        budget: seconds that one call of the domain's code may take.
    """
    WORLD.__init__()  # type: ignore[misc]
    # No backoff at all would look up a thousand times before a fault is old enough to be told.
    waits = {"budget": budget, "backoff": 0.01, "unknown_settle": 0.0}
    async with open_agent(ScriptedAgent, url, CARELESS, **waits) as agent:
        try:
            yield Careless(agent)
        finally:
            WORLD.mended()
