"""The parcels agent in tests: built on a database, with a model that follows a script."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.tools.services.http import HttpService
from tests.beside import TIME
from tests.conversation import Conversation
from tests.parcels.domain import PARCELS
from tests.scripted import ScriptedModel, Turn


@dataclass
class ParcelsAgent:
    """Hold the agent and the script of its model."""

    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel

    def talk(self, thread: str | None = None) -> Conversation:
        """Begin a conversation, or go on with one."""
        return Conversation(self.graph, "mia", thread)

    async def decides(self, *calls: Turn) -> Conversation:
        """Let the model decide something, and then say the last result."""
        self.model.then(*calls, lambda prompt: results(prompt)[-1])
        talk = self.talk()
        await talk.say("go")
        return talk


def results(prompt: list) -> list[str]:
    """Return what the calls of the prompt came to, in order."""
    return [message.text for message in prompt if message.type == "tool"]


@asynccontextmanager
async def parcels_agent(
    url: str, depot: str, *, key: bytes | None = None, **more: timedelta
) -> AsyncIterator[ParcelsAgent]:
    """Open the agent on a database.

    Args:
        url, depot: of the database, as its owner, and of the depot.
        key: what stands in the database is encrypted with it.
        more: patience that is not as usual.
    """
    async with open_postgres(
        url,
        tenant_id="default",
        stored_types=PARCELS.restored_types,
        key=key,
        clock=TIME.clock,
    ) as postgres:
        services, model = HttpService(depot), ScriptedModel()
        usual = {"budget": timedelta(seconds=15), "backoff": timedelta(milliseconds=20)}
        patience = Patience(**{**usual, **more})
        resources = Resources(postgres=postgres, model=model, services=services, patience=patience)
        try:
            graph = build(PARCELS, lambda: resources, postgres.saver)
            yield ParcelsAgent(graph, resources, model)
        finally:
            await services.close()
