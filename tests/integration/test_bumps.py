"""What is asked before it is done; and a removed product does not come back."""

from typing import Any

import pytest

from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
from tests.cuts import cut_at
from tests.purchases import with_boots

CHECKOUT: list[tuple[str, dict[str, Any]]] = [("checkout", {})]
QUESTION = "Is there a limit that I should keep to, or shall I check out as it is?"
REFUSED = "checkout refused: asked first: This cart costs more than a thousand"


async def with_a_large_cart(agent: Agent) -> Conversation:
    """Begin a conversation with eleven pairs of boots in the cart."""
    talk = await with_boots(agent)
    agent.model.then([("set_quantity", {"sku": "BOOT-001", "quantity": 11})], "Eleven.")
    await talk.say("make it eleven")
    return talk


async def test_a_budget_is_asked_for_once_and_then_it_is_bought(agent: Agent, shop: Shop):
    talk = await with_a_large_cart(agent)
    agent.model.then(CHECKOUT)
    asked = await talk.say("check out", "m")
    assert answer_of(asked).endswith(QUESTION)
    (shown,) = await agent.resources.postgres.reads.of_turns(talk.thread_id, ["m"])
    assert shown.result["said"].startswith(REFUSED)
    assert asked.interrupts == ()
    assert list(asked.values["bumps"]) == ["budget"]
    agent.model.then(CHECKOUT, last_result)
    waiting = await talk.say("as it is")
    assert [a["name"] for a in waiting.interrupts[0].value["action_requests"]] == ["checkout"]
    assert REFUSED in last_result(agent.model.prompts[-1])
    done = await talk.approve()
    assert done.values["flow"] == "ordered"
    assert shop.happened() == ["reserve", "charge", "order", "mail"]


async def test_no_call_of_the_decision_is_run(agent: Agent, shop: Shop):
    talk = await with_a_large_cart(agent)
    agent.model.then(
        [
            ("search_products", {"query": "socks"}),
            ("remove_from_cart", {"sku": "BOOT-001"}),
            *CHECKOUT,
            ("teleport", {}),
        ]
    )
    asked = await talk.say("take them out and check out")
    assert answer_of(asked).endswith(QUESTION)
    assert [line.quantity for line in asked.values["cart"].lines] == [11]
    agent.model.then("I see.")
    await talk.say("hm")
    results = [m.text for m in agent.model.prompts[-1] if m.type == "tool"][-4:]
    assert [text.split(":")[0] for text in results] == [
        "search_products refused",
        "remove_from_cart refused",
        "checkout refused",
        "teleport refused",
    ]


@pytest.mark.parametrize("moment", ["before_checkpoint:put", "before_commit:turn_done"])
async def test_a_process_that_dies_around_the_question_asks_it_once(agent: Agent, moment: str):
    talk = await with_a_large_cart(agent)
    agent.model.then(*[CHECKOUT] * 3, last_result)
    with cut_at(moment):
        await talk.say("check out", "m2")
    asked = await talk.say("check out", "m2")
    assert answer_of(asked).endswith(QUESTION)
    said = await texts(talk)
    assert [QUESTION in text for text in said].count(True) == 1
    assert list(asked.values["bumps"]) == ["budget"]
    assert len((await talk.say("check out", "m3")).interrupts) == 1


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
