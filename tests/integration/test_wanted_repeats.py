"""Wanted repeats: what is wished for twice is done twice, what is tried twice is done once."""

from tests.answers import REJECT
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import PURCHASE, asked_to_buy, bought, orders, still_held
from tests.scripted import last_result


def charges(shop: Shop) -> list[str]:
    """Return the keys under which cards were charged."""
    return [reference for effect, reference in shop.effects() if effect == "charge"]


async def buys_again(agent: Agent, talk: Conversation) -> None:
    """Buy the same once more in the same conversation."""
    add = [("add_to_cart", {"sku": "BOOT-001"})]
    agent.model.then(add, "In the cart.", [("checkout", {})], last_result)
    await talk.say("add BOOT-001")
    await talk.say("check out")
    await talk.approve()


async def test_the_same_bought_again_and_again_after_it_was_cancelled_is_an_order_each(agent, shop):
    talk = await bought(agent)
    await buys_again(agent, talk)
    assert shop.happened() == PURCHASE * 2
    order = orders(shop)[-1]
    agent.model.then([("cancel_order", {"order_id": order["order_id"]})], last_result)
    await talk.say("cancel that order")
    await talk.approve()
    await buys_again(agent, talk)
    await bought(agent)
    assert shop.happened() == [*PURCHASE * 2, "cancel", "refund", *PURCHASE * 2]
    assert len(set(charges(shop))) == 4
    assert len({order["order_id"] for order in orders(shop)}) == 4


async def test_two_equal_mails_of_one_decision_are_two(agent: Agent, shop: Shop):
    mail = ("send_email", {"subject": "Hello", "body": "Hi."})
    talk = Conversation(agent.graph)
    agent.model.then([mail, mail], last_result)
    await talk.say("mail me twice")
    await talk.answer({"type": "approve"}, {"type": "approve"})
    assert shop.happened() == ["mail", "mail"]


async def test_the_message_of_a_declined_checkout_given_again_tries_nothing_again(agent, shop):
    talk = await asked_to_buy(agent, "dan")
    declined = await talk.approve()
    said = [one for one in declined.values["messages"] if one.type == "human"][-1]
    again = await talk.say(said.text, said.id)
    assert answer_of(again) == answer_of(declined)
    assert shop.happened() == ["reserve", "release"]
    assert agent.model.asked == 4


async def test_a_checkout_that_was_rejected_and_is_asked_for_again_buys_once(agent, shop):
    talk = await asked_to_buy(agent)
    await talk.answer(REJECT)
    agent.model.then([("checkout", {})], last_result)
    await talk.say("then do it after all")
    await talk.approve()
    assert shop.happened() == PURCHASE
    assert still_held(shop) == []
