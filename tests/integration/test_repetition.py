"""The same change or effect is done once in a turn, however often a model calls for it."""

from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, receipt_of
from tests.purchases import with_boots

ADD = ("add_to_cart", {"sku": "BOOT-001"})


def quantity(state) -> int:
    return sum(line.quantity for line in state.values["cart"].lines)


async def test_a_change_that_a_message_repeats_is_done_once(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([ADD] * 8, "It is in.")
    done = await talk.say("add BOOT-001")
    assert quantity(done) == 1
    assert answer_of(done) == "It is in."
    refused = [m for m in agent.model.prompts[-1] if m.type == "tool" and "refused" in m.text]
    assert len(refused) == 7


async def test_a_change_that_later_decisions_repeat_is_done_once_and_ends_the_turn(
    agent: Agent, shop: Shop
):
    talk = Conversation(agent.graph)
    agent.model.then([ADD], [ADD], [ADD])
    done = await talk.say("add BOOT-001")
    assert quantity(done) == 1
    assert agent.model.prompts[-1][-2].text.startswith("add_to_cart refused")
    assert "add to cart: done" in receipt_of(done)
    assert len(agent.model.prompts) == 3
    agent.model.then([ADD], "Two.")
    assert quantity(await talk.say("one more")) == 2, "another turn may do it again"


async def test_other_spellings_and_other_arguments(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([ADD], [("add_to_cart", {"sku": "BOOT-001", "quantity": 1})], "In.")
    assert quantity(await talk.say("add BOOT-001")) == 1, "a default that is written out"
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 2})], "Three.")
    assert quantity(await talk.say("two more")) == 3


async def test_an_effect_is_done_once(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], [("checkout", {})], [("checkout", {})])
    await talk.say("check out")
    done = await talk.approve()
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
    assert done.next == ()
    assert done.interrupts == ()


async def test_a_call_that_was_refused_may_be_made_again(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    shop.product("BOOT-001", stock=0)
    agent.model.then([ADD], last_result)
    assert quantity(await talk.say("add BOOT-001")) == 0
    shop.product("BOOT-001", stock=5)
    agent.model.then([ADD], [("search_products", {"query": "boots"})], [ADD], "In.")
    assert quantity(await talk.say("add BOOT-001")) == 1
