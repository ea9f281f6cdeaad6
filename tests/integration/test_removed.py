"""A removed product does not come back: not in reads, and not into the cart without a question."""

from typing import Any

from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import with_boots

BOOTS = ("search_products", {"query": "boots", "category": "hiking-boots", "limit": 20})
ADD = ("add_to_cart", {"sku": "BOOT-001"})


async def shows(agent: Agent, talk: Conversation, words: str, *calls: tuple[str, Any]) -> str:
    """Let the model read after the user has said something; return what it was shown."""
    agent.model.then([*calls], "That is all.")
    await talk.say(words)
    return last_result(agent.model.prompts[-1])


async def test_searches_leave_it_out_until_it_is_named_or_added(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    assert "BOOT-001" in await shows(agent, talk, "what do you have?", BOOTS)
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    shown = await shows(agent, talk, "what else do you have for my feet?", BOOTS)
    assert "BOOT-002" in shown
    assert "BOOT-001" not in shown, "a read from the cache leaves it out too"
    assert "BOOT-001" in await shows(agent, talk, "show me BOOT-001 again", BOOTS)
    assert "BOOT-001" not in await shows(agent, talk, "what else?", BOOTS)
    agent.model.then([ADD], "In the cart.")
    await talk.say("I want BOOT-001 after all")
    assert "BOOT-001" in await shows(agent, talk, "what else?", BOOTS)
