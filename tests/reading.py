"""Reads in tests: let the model look things up, and see what was kept of it."""

from typing import Any

from daybook.checkpoints.runs.reads import Read
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent
from tests.conversation import Conversation, answer_of
from tests.purchases import entries


async def reads(agent: Agent, talk: Conversation) -> list[Read]:
    """Return the reads of all turns of a conversation, in the order in which they were made."""
    received = [e.turn_id or "" for e in await entries(agent, talk) if e.event is Event.RECEIVED]
    found = await agent.resources.postgres.reads.of_turns(talk.thread_id, received)
    return sorted(found, key=lambda read: str(read.read_at))


async def asks(agent: Agent, talk: Conversation, *calls: tuple[str, dict[str, Any]]) -> list[str]:
    """Let the model make these calls at once; return what it was answered, in order."""
    agent.model.then(list(calls), "That is all.")
    state = await talk.say("look it up")
    assert answer_of(state) == "That is all.", "the turn goes on to its end"
    answered = [str(m.text) for m in agent.model.prompts[-1] if m.type == "tool"]
    return answered[-len(calls) :]


def superseded(agent: Agent) -> str:
    """Return the line of the last prompt that names what is out of date."""
    return agent.model.prompts[-1][-1].text.rsplit("superseded: ", 1)[1]
