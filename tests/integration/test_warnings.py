"""The machine says what meets a remembered limit or allergy, whatever its model says, and once."""

from daybook.state.clock import SYSTEM
from tests.conftest import Agent
from tests.conversation import Conversation, answer_of
from tests.purchases import with_boots

BEYOND = "What is in your cart now comes to more than your budget of 80.00 USD."
ALLERGIC = "Mind what I know of you (allergy: goose down): "


def remembers(subject: str, value: str) -> tuple[str, dict[str, str]]:
    return ("remember", {"subject": subject, "value": value, "kind": "constraint"})


async def test_a_cart_beyond_the_budget_is_said_by_the_machine_once_for_each_change(agent: Agent):
    talk = Conversation(agent.graph)
    agent.model.then([remembers("budget", "80 dollars")], "Noted.")
    await talk.say("my budget is 80 dollars")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "In the cart.", "Yes?")
    assert answer_of(await talk.say("add BOOT-001")) == f"{BEYOND}\n\nIn the cart."
    assert answer_of(await talk.say("hello")) == "Yes?"
    # On the shop's page, of which the next answer tells.
    await talk.happens("e1", type="set_quantity", sku="BOOT-001", quantity=2)
    agent.model.then("Hm.", "Fine.")
    assert answer_of(await talk.say("well")) == f"{BEYOND}\n\nHm."
    await talk.happens("e2", type="remove", sku="BOOT-001")
    assert answer_of(await talk.say("well")) == "Fine."


async def test_a_budget_that_is_remembered_later_counts_for_the_cart_that_there_is(agent: Agent):
    talk = await with_boots(agent)
    agent.model.then([remembers("budget", "80 dollars")], "Noted.")
    assert answer_of(await talk.say("my budget is 80 dollars")) == f"{BEYOND}\n\nNoted."


async def test_an_allergy_is_warned_of_where_a_product_is_recommended_and_where_it_is_added(
    agent: Agent,
):
    talk = Conversation(agent.graph)
    agent.model.then([remembers("allergy", "goose down")], "Noted.")
    await talk.say("I am allergic to goose down")
    agent.model.then(
        [("search_products", {"query": "down sleeping bag", "category": "sleeping-bags"})],
        lambda prompt: prompt[-2].text.split("\n")[1],
    )
    told = answer_of(await talk.say("a warm sleeping bag?"))
    assert told.startswith(ALLERGIC)
    assert "Down" in told.split("\n\n")[-1]
    sku = told.split("\n\n")[-1].split(" | ")[0].removeprefix("1. ")
    agent.model.then([("add_to_cart", {"sku": sku})], "In the cart.", "You are welcome.")
    assert answer_of(await talk.say("add it")).startswith(ALLERGIC)
    await SYSTEM.sleep(3600)
    assert answer_of(await talk.say("thanks")) == "You are welcome."


async def test_what_was_said_by_the_way_counts_as_what_was_remembered_does(agent: Agent):
    talk = Conversation(agent.graph)
    agent.model.then("All right.")
    await talk.say("I have 80 to spend. I can't wear leather.")
    leather = (
        "Mind what you said (I can't wear leather): Pebble Strand Waterproof Hiking Boot may not "
        "fit that."
    )
    agent.model.then([("get_product", {"sku": "BOOT-001"})], "BOOT-001 is a boot.")
    assert answer_of(await talk.say("what is BOOT-001?")) == f"{leather}\n\nBOOT-001 is a boot."
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in.")
    assert answer_of(await talk.say("add it")) == f"{BEYOND}\n\n{leather}\n\nIt is in."
