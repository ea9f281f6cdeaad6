"""Events from outside the chat: each is taken once, or refused and forgotten."""

import pytest

from daybook.state.errors import InputRefused, ModelUnavailable, ToolRefused
from daybook.testing.model import Prompt, Turn
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
from tests.purchases import with_boots

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
