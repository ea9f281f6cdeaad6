"""The rooms agent in tests, with a model that follows a script."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from daybook.testing import last_result
from daybook.tools.services.http import HttpService
from tests.agents import ScriptedAgent, open_agent
from tests.conversation import Conversation
from tests.rooms.domain import OFFICE, ROOMS

DAY = "2031-05-06"
MEETING = {"day": DAY, "people": 8}
BARN = {"room": "Barn", "title": "Review"}

SHORT, LONG = 1.2, 15.0
"""Budgets of an attempt, in seconds: `SHORT` where a test waits for its end."""


@dataclass
class RoomsAgent(ScriptedAgent):
    """Hold the agent and the script of its model."""

    async def asked_to_book(self, thread: str | None = None) -> Conversation:
        """Note a meeting and bring a booking to the question; the model is asked three times."""
        talk = Conversation(self.graph, "mia", thread)
        self.model.then([("note_meeting", MEETING)], [("book_room", BARN)], last_result)
        asked = await talk.say("eight of us on the sixth of May, in the Barn")
        assert len(asked.interrupts) == 1
        return talk


def rooms_agent(
    url: str, office: str, budget: float = LONG
) -> AbstractAsyncContextManager[RoomsAgent]:
    """Open the agent on a database.

    Args:
        url: of the database, as its owner.
        office: where the office listens.
        budget: seconds that one attempt may take.
    """
    services = HttpService(office, contract=OFFICE)
    return open_agent(RoomsAgent, url, ROOMS, services, budget=budget, unknown_settle=0.1)
