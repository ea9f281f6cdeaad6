"""Turns and threads: each message and event is taken once, in a thread of one person, one run at a time."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.state.errors import (
    ForeignThread,
    InputRefused,
    ModelUnavailable,
    Overtaken,
    TakenOver,
    ThreadBusy,
    ToolRefused,
)
from daybook.state.ledger.recovery import Event
from daybook.testing.model import Prompt, Turn, last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
from tests.purchases import PURCHASE, asked_to_buy, entries, rebuilt, with_boots


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
        async def page(self, *about: Any, **how: Any) -> AsyncIterator[Page]:
            async with super().page(*about, **how) as page:
                yield page
                raise Overtaken("Another process wrote first (one_turn).")

    postgres = agent.resources.postgres
    parts = {"cluster": postgres.cluster, "unstored": postgres.unstored}
    kept, postgres.ledger = postgres.ledger, Behind(postgres.pool, **parts)
    talk = Conversation(agent.graph)
    with pytest.raises(TakenOver, match="nothing is done twice"):
        await talk.say("hello")
    postgres.ledger = kept
    agent.model.then("Hello!")
    assert answer_of(await talk.say("hello")) == "Hello!"


async def test_a_second_run_on_a_thread_is_told_that_it_is_busy(agent: Agent, shop: Shop):
    asked, may_answer = threading.Event(), threading.Event()

    def thinks(prompt: Prompt) -> Turn:
        asked.set()
        assert may_answer.wait(20)
        return "Hello."

    talk = Conversation(agent.graph)
    agent.model.then(thinks)
    first = asyncio.create_task(talk.say("hello"))
    try:
        assert await asyncio.to_thread(asked.wait, 20)
        with pytest.raises(ThreadBusy):
            await talk.say("are you there?")
    finally:
        may_answer.set()
        state = await first
    assert answer_of(state) == "Hello."
    assert await texts(talk) == ["hello", "Hello."]


async def test_a_thread_of_another_user_is_refused_and_keeps_nothing_of_the_stranger(agent, shop):
    talk = await asked_to_buy(agent)
    before = (await talk.state()).values
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.say("wait")
    with pytest.raises(ForeignThread):
        await stranger.happens("click-1", type="remove", sku="BOOT-001")
    assert (await talk.state()).values == before
    await talk.approve()
    assert shop.happened() == PURCHASE, "what waited was not withdrawn"
    assert "wait" not in await texts(talk)


async def test_a_user_that_is_no_name_and_no_such_role_are_refused_and_nothing_is_begun(
    agent, shop
):
    thread = Conversation(agent.graph).thread_id
    for user in (5, ["ada"], "ada/../ben", "ada\x00", "x" * 300):
        with pytest.raises(InputRefused, match="id of a user"):
            await Conversation(agent.graph, user, thread).say("hello")
    with pytest.raises(InputRefused, match="Unknown role"):
        await Conversation(agent.graph, "ada", thread, "owner").say("hello")
    agent.model.then("Hello.")
    state = await Conversation(agent.graph, "ada", thread).say("hello")
    assert answer_of(state) == "Hello."


BOOTS = {"sku": "BOOT-001", "name": "Boots", "quantity": 1, "unit_price": 9_890}


def tail(agent: Agent) -> str:
    """Return the section "# Now" of the last prompt."""
    text = agent.model.prompts[-1][-1].text
    assert text.startswith("# Now")
    return text


async def test_an_event_that_is_given_twice_happens_once_also_after_another_one(agent, shop):
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "Added.")
    talk = Conversation(agent.graph)
    await talk.say("the boots", "m-1")
    await talk.happens("click-1", type="add", line=BOOTS)
    once = (await talk.state()).values["cart"]
    assert [line.quantity for line in once.lines] == [2]
    await talk.happens("click-1", type="add", line=BOOTS)
    assert (await talk.state()).values["cart"] == once
    await talk.happens("click-2", type="set_quantity", sku="BOOT-001", quantity=5)
    state = await talk.happens("click-1", type="add", line=BOOTS)
    assert [line.quantity for line in state.values["cart"].lines] == [5]
    # One with the id of an earlier message happens all the same.
    state = await talk.happens("m-1", type="remove", sku="BOOT-001")
    assert state.values["cart"].lines == ()
    assert agent.model.asked == 2, "no model is asked about an event"


@pytest.mark.parametrize("together", [False, True], ids=["before the message", "with the message"])
async def test_what_an_event_took_out_is_in_the_next_prompt_as_removed(agent, shop, together):
    talk = await with_boots(agent)
    agent.model.then("It is empty.")
    said = {"role": "user", "content": "what is in my cart?", "id": "m-2"}
    event = {"id": "click-1", "type": "remove", "sku": "BOOT-001"}
    if not together:
        await talk.run({"events": [event]})
    state = await talk.run({"messages": [said], "events": [event] if together else []})
    assert state.values["cart"].lines == ()
    now = tail(agent)
    assert "cart r2 (USD): empty" in now
    assert "removed: BOOT-001" in now
    events = [m.text for m in agent.model.prompts[-1] if "[outside the chat]" in m.text]
    assert len(events) == 1
    assert "-BOOT-001" in events[0]


async def test_an_event_that_cannot_be_taken_is_refused_and_the_thread_goes_on(agent, shop):
    talk = await with_boots(agent)
    for event in (
        {"type": "remove", "sku": "BOOT-001"},
        {"id": "", "type": "remove", "sku": "BOOT-001"},
        {"id": 7, "type": "remove", "sku": "BOOT-001"},
        {"id": "click-1", "type": "buy"},
        {"id": "click-1", "type": "remove", "sku": "SOCK-001"},
    ):
        with pytest.raises((InputRefused, ToolRefused)):
            await talk.run({"events": [event]})
    agent.model.then("Boots.", "Only boots.")
    said = {"role": "user", "content": "what is in my cart?", "id": "m-2"}
    state = await talk.run({"messages": [said]})
    assert answer_of(state) == "Boots."
    assert [line.sku for line in state.values["cart"].lines] == ["BOOT-001"]
    # A message beside such an event is answered.
    with pytest.raises(ToolRefused):
        await talk.run({"messages": [{**said, "id": "m-3"}], "events": [event]})
    assert (await texts(talk))[-1] == "Only boots."


async def test_a_refusal_is_not_kept_for_a_later_run(agent: Agent, shop: Shop):
    def fails(prompt: Prompt) -> Turn:
        raise ConnectionError("the provider is down")

    talk = await with_boots(agent)
    agent.model.then(fails, "Boots.")
    said = {"role": "user", "content": "what is in my cart?", "id": "m-2"}
    event = {"id": "click-1", "type": "remove", "sku": "SOCK-001"}
    with pytest.raises(ModelUnavailable):
        await talk.run({"messages": [said], "events": [event]})
    state = await talk.say("what is in my cart?", "m-2")
    assert answer_of(state) == "Boots."
