"""Answers of people to the question about a plan, and what the ledger keeps of them."""

from typing import Any

from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.purchases import entries

MAIL = ("send_email", {"subject": "Hello", "body": "As you asked."})
APPROVE = {"type": "approve"}
REJECT = {"type": "reject", "message": "too dear"}


def edit(name: str = "checkout", **args: str) -> dict[str, Any]:
    """Edit the call that is asked about."""
    return {"type": "edit", "edited_action": {"name": name, "args": args}}


async def decisions(agent: Agent, talk: Conversation) -> list[Entry]:
    """Return what the ledger says that people decided."""
    return [e for e in await entries(agent, talk) if e.event is Event.DECISION]


async def question(talk: Conversation) -> dict[str, Any]:
    """Return the one question that waits."""
    (asked,) = (await talk.state()).interrupts
    value: dict[str, Any] = asked.value
    return value


def says(message: str) -> dict[str, Any]:
    """Answer a question about a step in doubt."""
    return {"type": "respond", "message": message}
