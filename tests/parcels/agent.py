"""The parcels agent in tests, with a model that follows a script."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from daybook.testing import last_result
from daybook.testing.model import Turn
from daybook.tools.services.http import HttpService
from tests.agents import ScriptedAgent, open_agent
from tests.conversation import Conversation
from tests.parcels.domain import PARCELS


@dataclass
class ParcelsAgent(ScriptedAgent):
    """Hold the agent and the script of its model."""

    def talk(self, thread: str | None = None) -> Conversation:
        """Begin a conversation, or go on with one."""
        return Conversation(self.graph, "mia", thread)

    async def decides(self, *turns: Turn) -> Conversation:
        """Let the model decide these one after the other, and then say the last result."""
        self.model.then(*turns, last_result)
        talk = self.talk()
        await talk.say("go")
        return talk


def results(prompt: list) -> list[str]:
    """Return what the calls of the prompt came to, in order."""
    return [message.text for message in prompt if message.type == "tool"]


def parcels_agent(
    url: str, depot: str, **patience: float
) -> AbstractAsyncContextManager[ParcelsAgent]:
    """Open the agent on a database.

    Args:
        url, depot: of the database, as its owner, and of the depot.
        patience: fields of `Patience` that are not as usual, in seconds.
    """
    services = HttpService(depot)
    return open_agent(ParcelsAgent, url, PARCELS, services, **{"budget": 15.0, **patience})
