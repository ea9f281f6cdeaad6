"""The careless agent in tests: built on a database, with a model that follows a script."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.state.flow import FlowTable
from daybook.state.ledger.recovery import Event
from daybook.tools.registry import Registry
from tests.beside import TIME
from tests.careless.domain import CARELESS, WORLD
from tests.conversation import Conversation, answer_of
from tests.scripted import ScriptedModel, last_result

BARN = {"room": "Barn"}


@dataclass
class Careless:
    """Hold the agent, and one conversation with it."""

    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel
    talk: Conversation

    def anew(self) -> "Careless":
        """Begin another conversation."""
        return Careless(self.graph, self.resources, self.model, Conversation(self.graph, "mia"))

    def with_tool(self, tool: Any) -> "Careless":
        """Begin a conversation with an agent that has this tool alone."""
        domain = replace(
            CARELESS,
            registry=Registry([tool]),
            flow=FlowTable("open", {}, {"open": frozenset({tool.name})}),
            bumps=(),
        )
        graph = build(domain, lambda: self.resources, self.resources.postgres.saver)
        return Careless(graph, self.resources, self.model, Conversation(graph, "mia"))

    async def decides(self, *calls: tuple[str, dict[str, Any]]) -> StateSnapshot:
        """Let the model call tools and say what came of the last one."""
        self.model.then(list(calls), last_result)
        return await self.talk.say("go on")

    def results(self) -> Sequence[str]:
        """Return what the last prompt says came of its calls."""
        return [m.text for m in self.model.prompts[-1] if m.type == "tool"]

    async def events(self) -> list[Event]:
        """Return what the ledger holds of the conversation, verified."""
        ledger = self.resources.postgres.ledger
        found = await ledger.entries(self.talk.thread_id)
        assert await ledger.verify(self.talk.thread_id) >= len(found)
        return [entry.event for entry in found]

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
    async with open_postgres(
        url, tenant_id="default", stored_types=CARELESS.restored_types, clock=TIME.clock
    ) as postgres:
        model = ScriptedModel()
        patience = Patience(
            budget=timedelta(seconds=budget),
            # None at all would look up a thousand times before a fault is old enough to be told.
            backoff=timedelta(milliseconds=10),
            unknown_settle=timedelta(0),
        )
        resources = Resources(postgres=postgres, model=model, patience=patience)
        graph = build(CARELESS, lambda: resources, postgres.saver)
        try:
            yield Careless(graph, resources, model, Conversation(graph, "mia"))
        finally:
            WORLD.mended()
