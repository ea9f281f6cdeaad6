"""Turns: each message is taken once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.state.errors import Overtaken, TakenOver
from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
from tests.purchases import PURCHASE, entries, rebuilt, with_boots


async def test_a_message_that_is_given_twice_is_answered_once_whoever_takes_it(agent, shop):
    talk = Conversation(agent.graph)
    agent.model.then(
        [("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.", "You are welcome."
    )
    first = await talk.say("add BOOT-001", "m-1")
    for graph in (agent.graph, rebuilt(agent).graph):
        later = Conversation(graph, thread=talk.thread_id)
        second = await later.say("add BOOT-001", "m-1")
        assert second.values["cart"] == first.values["cart"]
        assert await texts(talk) == ["add BOOT-001", "It is in the cart."]
    await talk.say("thanks", "m-2")
    state = await talk.say("add BOOT-001", "m-1")
    assert [line.quantity for line in state.values["cart"].lines] == [1]
    assert (await texts(talk))[-1] == "You are welcome."
    assert agent.model.asked == 3


async def test_the_message_of_a_purchase_shows_its_question_again_and_buys_nothing_twice(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], last_result)
    first = await talk.say("check out", "m-2")
    again = await talk.say("check out", "m-2")
    assert again.interrupts[0].value == first.interrupts[0].value
    assert agent.model.asked == 3
    await talk.approve()
    state = await talk.say("check out", "m-2")
    assert state.interrupts == ()
    assert shop.happened() == PURCHASE
    assert agent.model.asked == 4
    found = await entries(agent, talk)
    received = [e.turn_id for e in found if e.event is Event.RECEIVED]
    done = [e.turn_id for e in found if e.event is Event.TURN_DONE]
    assert received == done
    assert len(set(received)) == 2


async def test_messages_of_two_threads_may_have_the_same_id(agent: Agent, shop: Shop):
    for _ in range(2):
        talk = Conversation(agent.graph)
        agent.model.then([("send_email", {"subject": "Hello", "body": "Hi."})], last_result)
        await talk.say("mail me", "1")
        await talk.approve()
    assert shop.happened() == ["mail", "mail"]


async def test_a_run_whose_turn_another_process_has_taken_over_says_so(agent: Agent):
    class Behind(Ledger):
        @asynccontextmanager
        async def page(self, *about: Any) -> AsyncIterator[Page]:
            async with super().page(*about) as page:
                yield page
                raise Overtaken("Another process wrote first (one_turn).")

    postgres = agent.resources.postgres
    kept, postgres.ledger = postgres.ledger, Behind(postgres.pool)
    talk = Conversation(agent.graph)
    with pytest.raises(TakenOver, match="nothing is done twice"):
        await talk.say("hello")
    postgres.ledger = kept
    agent.model.then("Hello!")
    assert answer_of(await talk.say("hello")) == "Hello!"
