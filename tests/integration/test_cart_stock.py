"""No more of a product stands in the cart than the shop has, by whichever call it comes in."""

import pytest

from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of

CALLS = [
    ("set_quantity", {"sku": "BOOT-001", "quantity": 4}),
    ("set_quantity", {"sku": "boot-001", "quantity": 4}),
    ("add_to_cart", {"sku": "BOOT-001", "quantity": 2}),
]


@pytest.mark.parametrize("call", CALLS, ids=["set", "set, spelt otherwise", "added"])
async def test_more_than_there_is_is_refused(agent: Agent, shop: Shop, call):
    shop.product("BOOT-001", stock=3)
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 2})], "Added.")
    await talk.say("two of the boots")
    agent.model.then([call], last_result)
    said = answer_of(await talk.say("two more"))
    assert "Only 3 of BOOT-001" in said
    assert [line.quantity for line in (await talk.state()).values["cart"].lines] == [2]


async def test_fewer_can_be_set_where_the_shop_has_none_left(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 3})], "Added.")
    await talk.say("three of the boots")
    shop.product("BOOT-001", stock=0)
    agent.model.then([("set_quantity", {"sku": "BOOT-001", "quantity": 1})], "Changed.")
    await talk.say("one")
    assert [line.quantity for line in (await talk.state()).values["cart"].lines] == [1]
