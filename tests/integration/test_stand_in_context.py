"""The stand-in on the real graph: memory, the past, advice, reviews and questions."""

from dataclasses import replace

import pytest
from langchain_core.language_models import BaseChatModel

from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of


@pytest.fixture
def graph(agent: Agent, standing_in: BaseChatModel) -> GuardedGraph:
    """Build the shop's agent with the stand-in as its model."""
    resources = replace(agent.resources, model=standing_in)
    return build(SHOP, lambda: resources, agent.resources.postgres.saver)


async def told(talk: Conversation, text: str) -> str:
    """Say something and return the answer."""
    return answer_of(await talk.say(text))


async def test_what_a_person_says_is_known_in_the_next_thread_until_they_have_it_forgotten(graph):
    talk = Conversation(graph)
    assert "Noted: shoe size: 43." in await told(talk, "my shoe size is 43, show me boots")
    later = Conversation(graph)
    assert await told(later, "what is my shoe size") == "You told me: shoe size: 43."
    assert "“boots size 43”" in await told(later, "show me boots in my size")
    assert await told(later, "forget my shoe size") == "Forgotten: shoe size."
    assert "I know nothing about you" in await told(later, "what is my shoe size")
    assert "I know nothing about you" in await told(Conversation(graph), "what do you know of me")


async def test_the_past_is_told_from_what_was_done(graph: GuardedGraph, shop: Shop):
    talk = Conversation(graph)
    await talk.say("add TENT-001 and BOOT-001")
    await talk.say("remove the tent")
    await talk.say("check out")
    await talk.approve()
    assert "placed, 98.90 USD" in await told(talk, "what did I order today")
    assert "You spent 98.90 USD on 1 order" in await told(talk, "how much have I spent")
    assert "- TENT-001 (" in await told(talk, "what did I remove from the cart")
    assert "1 x BOOT-001 on" in await told(talk, "when did I last buy boots")
    assert await told(talk, "which payments failed") == "No payment of yours failed."
    assert "Your orders: 1 placed." in await told(talk, "how many orders do I have")


async def test_lists_are_compared_and_opened_again(graph: GuardedGraph):
    talk = Conversation(graph)
    await talk.say("waterproof boots")
    best = await told(talk, "which of these has the best reviews")
    assert "Shall I put BOOT-001 into your cart?" in best
    await talk.say("tents")
    assert "(BOOT-013)" in await told(talk, "open r1 again")
    await talk.say("add the second one")
    assert [line.sku for line in (await talk.state()).values["cart"].lines] == ["BOOT-013"]


async def test_an_interview_ends_in_a_search_by_its_brief(graph: GuardedGraph):
    talk = Conversation(graph)
    assert (await told(talk, "I need advice for a trip to Iceland")).endswith("shall it be?")
    assert (await told(talk, "waterproof boots")).endswith("at most?")
    assert (await told(talk, "under 140")).endswith("do you wear?")
    found = await told(talk, "43")
    assert "“waterproof hiking boots” up to 140.00 USD" in found
    await talk.say("add the first one")
    state = (await talk.state()).values
    assert [line.sku for line in state["cart"].lines] == ["BOOT-001"]
    assert (state["brief"].category, state["brief"].size) == ("hiking-boots", "43")


async def test_a_costly_cart_is_asked_about_once_and_then_bought(graph: GuardedGraph, shop: Shop):
    talk = Conversation(graph)
    await talk.say("add 4 of TENT-017")
    assert (await told(talk, "check out")).endswith("or shall I check out as it is?")
    asked = await talk.say("my budget is 1,500 dollars")
    assert [a["name"] for a in asked.interrupts[0].value["action_requests"]] == ["checkout"]
    await talk.approve()
    assert shop.happened() == ["reserve", "charge", "order", "mail"]
