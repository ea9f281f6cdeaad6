"""Products that were taken out of the cart: not shown again unless asked for."""

from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.purchases import with_boots
from tests.reading import reads
from tests.scripted import last_result

# -- what was removed -----------------------------------------------------------------------------

BOOTS = ("search_products", {"query": "boots", "category": "hiking-boots", "limit": 20})


async def finds(agent: Agent, talk: Conversation, words: str) -> str:
    """Let the model search for boots after the user has said something; return what it was shown."""
    agent.model.then([BOOTS], "That is all.")
    await talk.say(words)
    return last_result(agent.model.prompts[-1])


async def with_removed_boots(agent: Agent) -> Conversation:
    """Begin a conversation in which one pair of boots was put into the cart and taken out."""
    talk = await with_boots(agent)
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    return talk


async def test_a_removed_product_is_not_shown_again(agent: Agent, shop: Shop):
    talk = await with_removed_boots(agent)
    shown = await finds(agent, talk, "what else do you have for my feet?")
    assert "BOOT-002" in shown
    assert "BOOT-001" not in shown


async def test_a_removed_product_is_shown_when_the_user_asks_for_it(agent: Agent, shop: Shop):
    talk = await with_removed_boots(agent)
    assert "BOOT-001" in await finds(agent, talk, "show me BOOT-001 again")


async def test_a_hit_hides_what_was_removed_since_its_miss(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    assert "BOOT-001" in await finds(agent, talk, "what do you have?")
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    assert "BOOT-001" not in await finds(agent, talk, "what else?")
    assert [read.cache for read in await reads(agent, talk)] == ["miss", "hit"]


async def test_a_removed_product_that_is_added_again_is_shown_again(agent: Agent, shop: Shop):
    talk = await with_removed_boots(agent)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.")
    await talk.say("I want BOOT-001 after all")
    assert "BOOT-001" in await finds(agent, talk, "what else?")
