"""Products that were taken out of the cart: not shown again unless asked for."""

from tests.conftest import Agent
from tests.conversation import Conversation
from tests.purchases import with_boots
from tests.reading import reads
from tests.scripted import last_result

BOOTS = ("search_products", {"query": "boots", "category": "hiking-boots", "limit": 20})


async def finds(agent: Agent, talk: Conversation, words: str) -> str:
    """Let the model search for boots after the user has said something; return what it was shown."""
    agent.model.then([BOOTS], "That is all.")
    await talk.say(words)
    return last_result(agent.model.prompts[-1])


async def test_a_removed_product_is_not_shown_again_until_it_is_asked_for_or_added(agent, shop):
    talk = await with_boots(agent)
    assert "BOOT-001" in await finds(agent, talk, "what do you have?")
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    shown = await finds(agent, talk, "what else do you have for my feet?")
    assert "BOOT-002" in shown
    assert "BOOT-001" not in shown
    found = [read.cache for read in await reads(agent, talk)]
    assert found == ["miss", "hit"], "a hit hides what was removed since its miss"
    assert "BOOT-001" in await finds(agent, talk, "show me BOOT-001 again")
    assert "BOOT-001" not in await finds(agent, talk, "what else?")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.")
    await talk.say("I want BOOT-001 after all")
    assert "BOOT-001" in await finds(agent, talk, "what else?")
