"""Wanted repeats: what is wished for twice is done twice, what is tried twice is done once."""

from langgraph.types import StateSnapshot

from daybook.testing.model import last_result
from tests.answers import REJECT
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, outcomes_of
from tests.purchases import PURCHASE, asked_to_buy, bought, orders


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


MAIL = ("send_email", {"subject": "Hello", "body": "Hi."})
ADD = ("add_to_cart", {"sku": "BOOT-001"})


async def test_two_equal_mails_of_one_decision_are_one(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL, MAIL], last_result)
    await talk.say("mail me twice")
    done = await talk.approve()
    assert shop.happened() == ["mail"]
    assert answer_of(done).startswith("send_email refused: ")
    # What is wished for in another turn is another mail.
    agent.model.then([MAIL], "Sent.")
    await talk.say("once more, please")
    await talk.approve()
    assert shop.happened() == ["mail", "mail"]


async def test_an_effect_that_is_called_again_in_its_turn_is_done_once(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], [MAIL], last_result)
    await talk.say("mail me")
    done = await talk.approve()
    assert shop.happened() == ["mail"]
    assert answer_of(done).startswith("send_email refused: ")


async def test_an_effect_that_was_rejected_may_be_proposed_again_in_its_turn(agent, shop):
    talk = Conversation(agent.graph)
    agent.model.then([MAIL], [MAIL], "Sent.")
    await talk.say("mail me")
    await talk.answer(REJECT)
    await talk.approve()
    assert shop.happened() == ["mail"]


async def test_a_change_that_is_repeated_a_second_time_ends_the_turn_with_what_was_done(
    agent: Agent,
):
    talk = Conversation(agent.graph)
    socks = ("add_to_cart", {"sku": "SOCK-001"})
    agent.model.then([ADD], [ADD], [ADD, socks])
    done = await talk.say("add BOOT-001")
    assert [(line.sku, line.quantity) for line in done.values["cart"].lines] == [("BOOT-001", 1)]
    assert outcomes_of(done) == [("add_to_cart", "done")]
    assert done.values["messages"][-1].name == "receipt"
    assert agent.model.asked == 3
    # The next turn may do the same once more.
    agent.model.then([ADD], "Two of them.")
    again = await talk.say("another pair")
    assert [line.quantity for line in again.values["cart"].lines] == [2]
    results = [m.text for m in agent.model.prompts[-1] if m.type == "tool"]
    assert len(results) == 5
    assert "already" in results[1]
    assert "already" in results[2]
    assert "Nothing of it was run" in results[3]


async def test_a_repeated_change_is_known_after_a_hand_over_within_its_turn(agent: Agent):
    talk = Conversation(agent.graph)
    size = ("remember", {"subject": "shoe size", "value": "43"})
    agent.model.then(
        [size],
        [("start_interview", {"goal": "boots"})],
        [size],
        "What for?",
    )
    await talk.say("my shoe size is 43, advise me")
    results = [m.text for m in agent.model.prompts[-1] if m.type == "tool"]
    assert results[-1].startswith("remember refused: ")


async def test_the_message_of_a_declined_checkout_given_again_tries_nothing_again(agent, shop):
    talk = await asked_to_buy(agent, "dan")
    declined = await talk.approve()
    said = [one for one in declined.values["messages"] if one.type == "human"][-1]
    again = await talk.say(said.text, said.id)
    assert answer_of(again) == answer_of(declined)
    assert shop.happened() == ["reserve", "release"]
    assert agent.model.asked == 4


def quantity(state: StateSnapshot) -> int:
    """Return how many pieces are in the cart."""
    return sum(line.quantity for line in state.values["cart"].lines)


async def test_a_change_that_a_message_repeats_is_done_once(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([ADD] * 8, "It is in.")
    done = await talk.say("add BOOT-001")
    assert quantity(done) == 1
    assert answer_of(done) == "It is in."
    refused = [m for m in agent.model.prompts[-1] if m.type == "tool" and "refused" in m.text]
    assert len(refused) == 7


async def test_other_spellings_and_other_arguments(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([ADD], [("add_to_cart", {"sku": "BOOT-001", "quantity": 1})], "In.")
    assert quantity(await talk.say("add BOOT-001")) == 1, "a default that is written out"
    agent.model.then([("add_to_cart", {"sku": "BOOT-001", "quantity": 2})], "Three.")
    assert quantity(await talk.say("two more")) == 3


async def test_a_call_that_was_refused_may_be_made_again(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    shop.product("BOOT-001", stock=0)
    agent.model.then([ADD], last_result)
    assert quantity(await talk.say("add BOOT-001")) == 0
    shop.product("BOOT-001", stock=5)
    agent.model.then([ADD], [("search_products", {"query": "boots"})], [ADD], "In.")
    assert quantity(await talk.say("add BOOT-001")) == 1
