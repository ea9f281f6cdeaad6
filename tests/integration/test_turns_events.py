"""Events from outside the chat: each is taken once, or refused and forgotten."""

import uuid

import pytest

from daybook.state.errors import InputRefused, ModelUnavailable, ToolRefused
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
from tests.purchases import with_boots
from tests.scripted import Prompt, Turn

BOOTS = {"sku": "BOOT-001", "name": "Boots", "quantity": 1, "unit_price": 9_890}


def tail(agent: Agent) -> str:
    """Return the section "# Now" of the last prompt."""
    text = agent.model.prompts[-1][-1].text
    assert text.startswith("# Now")
    return text


async def test_an_event_that_is_given_twice_happens_once(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    await talk.happens("click-1", type="set_quantity", sku="BOOT-001", quantity=3)
    once = (await talk.state()).values["cart"]
    await talk.happens("click-1", type="set_quantity", sku="BOOT-001", quantity=3)
    assert (await talk.state()).values["cart"] == once
    assert [line.quantity for line in once.lines] == [3]
    assert agent.model.asked == 2, "no model is asked about an event"


async def test_an_event_that_adds_is_counted_once_also_after_another_one(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    await talk.happens("click-1", type="add", line=BOOTS)
    await talk.happens("click-2", type="set_quantity", sku="BOOT-001", quantity=5)
    state = await talk.happens("click-1", type="add", line=BOOTS)
    assert [line.quantity for line in state.values["cart"].lines] == [5]


async def test_an_event_may_begin_a_thread(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    state = await talk.happens("click-1", type="add", line=BOOTS)
    assert [line.sku for line in state.values["cart"].lines] == ["BOOT-001"]
    agent.model.then("Boots.")
    await talk.say("what is in my cart?")
    assert "BOOT-001 x1" in tail(agent)


async def test_what_an_event_took_out_is_in_the_next_prompt_as_removed(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    await talk.happens("click-1", type="remove", sku="BOOT-001")
    agent.model.then("It is empty.")
    await talk.say("what is in my cart?")
    now = tail(agent)
    assert "cart r2 (USD): empty" in now
    assert "removed: BOOT-001" in now
    events = [m.text for m in agent.model.prompts[-1] if "[outside the chat]" in m.text]
    assert len(events) == 1
    assert "-BOOT-001" in events[0]


REFUSED = [
    pytest.param({"type": "remove", "sku": "BOOT-001"}, id="without-id"),
    pytest.param({"id": "", "type": "remove", "sku": "BOOT-001"}, id="empty-id"),
    pytest.param({"id": 7, "type": "remove", "sku": "BOOT-001"}, id="number-as-id"),
    pytest.param({"id": "click-1", "type": "buy"}, id="unknown-type"),
    pytest.param({"id": "click-1", "type": "remove", "sku": "SOCK-001"}, id="not-in-the-cart"),
]


@pytest.mark.parametrize("event", REFUSED)
async def test_an_event_that_cannot_be_taken_is_refused_and_the_thread_goes_on(agent, shop, event):
    talk = await with_boots(agent)
    with pytest.raises((InputRefused, ToolRefused)):
        await talk.run({"events": [event]})
    agent.model.then("Boots.")
    state = await talk.say("what is in my cart?")
    assert answer_of(state) == "Boots."
    assert [line.sku for line in state.values["cart"].lines] == ["BOOT-001"]


async def test_a_message_and_an_event_may_come_together(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then("It is empty.")
    said = {"role": "user", "content": "what is in my cart?", "id": str(uuid.uuid4())}
    event = {"id": "click-1", "type": "remove", "sku": "BOOT-001"}
    state = await talk.run({"messages": [said], "events": [event]})
    assert state.values["cart"].lines == ()
    assert "removed: BOOT-001" in tail(agent)


async def test_of_several_events_one_that_cannot_be_taken_keeps_none_of_the_others_back(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    events = [
        {"id": "click-1", "type": "remove", "sku": "BOOT-001"},
        {"id": "click-2", "type": "remove", "sku": "BOOT-001"},
        {"id": "click-3", "type": "add", "line": {**BOOTS, "sku": "BOOT-002"}},
    ]
    with pytest.raises(ToolRefused):
        await talk.run({"events": events})
    assert [line.sku for line in (await talk.state()).values["cart"].lines] == ["BOOT-002"]


async def test_a_message_beside_an_event_that_cannot_be_taken_is_answered(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then("Boots.")
    said = {"role": "user", "content": "what is in my cart?", "id": "m-2"}
    event = {"id": "click-1", "type": "remove", "sku": "SOCK-001"}
    with pytest.raises(ToolRefused):
        await talk.run({"messages": [said], "events": [event]})
    assert (await texts(talk))[-1] == "Boots."


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


async def test_an_event_with_the_id_of_an_earlier_message_happens_all_the_same(agent, shop):
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "Added.")
    talk = Conversation(agent.graph)
    await talk.say("the boots", "m-1")
    state = await talk.happens("m-1", type="remove", sku="BOOT-001")
    assert state.values["cart"].lines == ()
