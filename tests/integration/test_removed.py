"""A model that tries again and again to sell what was taken out: nothing of it is said or added."""

import re

import pytest

from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import with_boots
from tests.scripted import last_result

TRIES = [
    "Take BOOT-001, it is the best.",
    "Take BOOT\u2011001, it is the best.",
    "The **Pebble** **Strand** boots are the best.",
    "The best boots are the [Pebble Strand](https://shop/BOOT-001).",
    "1. Pebble Strand Waterproof Hiking Boot, 98.90\n2. Strand Pebble boots, 98.90",
    "The Hollow Oak boots are what you need. They cost 98.90.",
    "There is a waterproof hiking boot at 98.90 with a sealed membrane.",
    "The pair you took out is still the best.",
    "Laces for the Pebble Strand would be 5.00.",
    "### PEBBLE STRAND\n\n- waterproof\n- 98.90",
]
OF_IT = re.compile(r"pebble|strand|boot.?001|hollow|98\.90|laces|membrane|pair", re.IGNORECASE)


async def _without_boots(agent: Agent) -> Conversation:
    talk = await with_boots(agent)
    agent.model.then(
        [("remove_from_cart", {"sku": "BOOT-001"})],
        "I removed the Pebble Strand Waterproof Hiking Boot. It is a great boot, though. "
        "Laces for it are 5.00.",
    )
    told = answer_of(await talk.say("remove BOOT-001"))
    assert told == "I removed the Pebble Strand Waterproof Hiking Boot."
    return talk


async def test_a_model_that_tries_in_ten_ways_says_nothing_of_it(agent: Agent, shop: Shop):
    talk = await _without_boots(agent)
    for said in TRIES:
        agent.model.then(f"Boots want to be tried on.\n\n{said}\n\nWhat do you think?")
        told = answer_of(await talk.say("what are the best boots?"))
        assert not OF_IT.search(told), told
        assert told == "Boots want to be tried on.\n\nWhat do you think?"
    agent.model.then("BOOT-001 is a hiking boot.")
    assert answer_of(await talk.say("what is BOOT-001?")) == "BOOT-001 is a hiking boot."


@pytest.mark.parametrize(("answer", "added"), [("yes", 1), ("no", 0)])
async def test_a_model_that_adds_it_unasked_is_stopped_by_a_question(
    agent: Agent, answer: str, added: int
):
    talk = await _without_boots(agent)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})])
    asked = await talk.say("add the best boots you have")
    assert answer_of(asked) == (
        "Pebble Strand Waterproof Hiking Boot was taken out of the cart before; add it again?"
    )
    assert asked.values["cart"].lines == ()
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], *(["All right."] if added else []))
    done = await talk.say(answer)
    assert len(done.values["cart"].lines) == added
    assert ("add it again?" in answer_of(done)) is not bool(added)


async def test_a_model_that_takes_it_out_and_adds_it_in_one_breath_adds_nothing(agent: Agent):
    talk = await with_boots(agent)
    agent.model.then(
        [("remove_from_cart", {"sku": "BOOT-001"}), ("add_to_cart", {"sku": "BOOT-001"})],
        last_result,
    )
    done = await talk.say("remove the boots")
    assert done.values["cart"].lines == ()
    assert "was just taken out" in last_result(agent.model.prompts[-1])


async def test_what_the_model_removed_unasked_is_not_told_as_the_users_removal(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    agent.model.then([("remove_from_cart", {"sku": "BOOT-001"})], "Here are socks.")
    await talk.say("show me socks")
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})])
    asked = answer_of(await talk.say("add the best boots you have"))
    assert "add it again?" in asked
    agent.model.then("All right.")
    await talk.say("no")
    prompt = agent.model.prompts[-1]
    # To the model it is the result of its own call; to both the question names nobody.
    made = [one for one in prompt if one.type == "ai" and "remove_from_cart" in str(one.tool_calls)]
    results = {one.tool_call_id: one.text for one in prompt if one.type == "tool"}
    assert "-BOOT-001" in results[made[0].tool_calls[0]["id"]]
    told = "\n".join([asked, *(one.text for one in prompt if one.type in ("ai", "tool"))])
    told += "\n".join(one.text for one in prompt[1:] if one.type == "system")
    assert not re.search(r"\b(you|user|customer|person)\b[^.\n]*\b(took|remov|taken)", told, re.I)


async def test_what_the_user_removed_by_a_button_is_told_as_done_outside_the_chat(agent: Agent):
    talk = await with_boots(agent)
    await talk.happens("e-1", type="remove", sku="BOOT-001")
    agent.model.then("It is gone.")
    await talk.say("what is in the cart?")
    events = [one.text for one in agent.model.prompts[-1] if one.type == "system"]
    assert any(one.startswith("[outside the chat]") and "-BOOT-001" in one for one in events)
