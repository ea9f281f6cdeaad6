"""Turns: each message and each event is taken once, on the right thread, by one run at a time."""

import asyncio
import threading
import uuid

import pytest

from checkpoints.postgres import Postgres
from state.errors import ForeignThread, ModelUnavailable, ThreadBusy, ToolRefused
from state.recovery import Event
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.purchases import PURCHASE, asked_to_buy, bought, entries, rebuilt, with_boots
from tests.scripted import Prompt, Turn, last_result

BOOTS = {"sku": "BOOT-001", "name": "Boots", "quantity": 1, "unit_price": 9_890}


def tail(agent: Agent) -> str:
    """Return the section "# Now" of the last prompt."""
    text = agent.model.prompts[-1][-1].text
    assert text.startswith("# Now")
    return text


async def texts(talk: Conversation) -> list[str]:
    """Return what was said on a thread, by both."""
    return [message.text for message in (await talk.state()).values["messages"]]


# -- messages -------------------------------------------------------------------------------------


async def test_a_message_that_is_given_twice_is_answered_once(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    first = await talk.say("add BOOT-001", "m-1")
    second = await talk.say("add BOOT-001", "m-1")
    assert second.values["cart"] == first.values["cart"]
    assert await texts(talk) == ["add BOOT-001", "It is in the cart."]
    assert agent.model.asked == 2


async def test_an_old_message_that_is_given_again_later_changes_nothing(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then(
        [("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.", "You are welcome."
    )
    await talk.say("add BOOT-001", "m-1")
    await talk.say("thanks", "m-2")
    state = await talk.say("add BOOT-001", "m-1")
    assert [line.quantity for line in state.values["cart"].lines] == [1]
    assert (await texts(talk))[-1] == "You are welcome."
    assert agent.model.asked == 3


async def test_a_message_is_known_again_by_a_graph_that_was_built_anew(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    await talk.say("add BOOT-001", "m-1")
    later = Conversation(rebuilt(agent).graph, thread=talk.thread_id)
    state = await later.say("add BOOT-001", "m-1")
    assert [line.quantity for line in state.values["cart"].lines] == [1]
    assert agent.model.asked == 2


async def test_the_message_of_a_finished_purchase_buys_nothing_again(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out", "m-2")
    await talk.approve()
    state = await talk.say("check out", "m-2")
    assert state.interrupts == ()
    assert shop.happened() == PURCHASE
    assert agent.model.asked == 4


async def test_the_message_of_a_waiting_question_shows_the_question_again(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], last_result)
    first = await talk.say("check out", "m-2")
    again = await talk.say("check out", "m-2")
    assert again.interrupts[0].value == first.interrupts[0].value
    assert agent.model.asked == 3
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_two_equal_messages_with_ids_of_their_own_are_two_wishes(agent: Agent, shop: Shop):
    talk = await bought(agent)
    add = [("add_to_cart", {"sku": "BOOT-001"})]
    agent.model.then(add, "In the cart.", [("checkout", {})], last_result)
    await talk.say("add BOOT-001")
    await talk.say("check out")
    await talk.approve()
    assert shop.happened() == PURCHASE * 2


async def test_messages_of_two_threads_may_have_the_same_id(agent: Agent, shop: Shop):
    for _ in range(2):
        talk = Conversation(agent.graph)
        agent.model.then([("send_email", {"subject": "Hello", "body": "Hi."})], last_result)
        await talk.say("mail me", "1")
        await talk.approve()
    assert shop.happened() == ["mail", "mail"]


# -- events ---------------------------------------------------------------------------------------


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
async def test_an_event_that_cannot_be_taken_is_refused_and_the_thread_goes_on(
    agent: Agent, shop: Shop, event: dict[str, object]
):
    talk = await with_boots(agent)
    with pytest.raises(ToolRefused):
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


# -- threads --------------------------------------------------------------------------------------


async def test_two_conversations_at_once_do_not_disturb_each_other(
    agent: Agent, postgres: Postgres, shop: Shop
):
    async with shop_agent(postgres, shop) as other:
        both = [(agent, "ada"), (other, "ben")]

        async def buys(agent: Agent, user: str) -> Conversation:
            chosen = {"card_id": f"card_{user}_1", "address_id": f"addr_{user}_1"}
            return await bought(agent, user, **chosen)

        talks = await asyncio.gather(*(buys(*one) for one in both))
    assert sorted(shop.happened()) == sorted(PURCHASE * 2)
    who = [(e["effect"], e["user_id"]) for e in shop.http.get("/effects").json()]
    assert [e for e, user in who if user == "ada"][:3] == PURCHASE[:3]
    assert [e for e, user in who if user == "ben"][:3] == PURCHASE[:3]
    for talk in talks:
        assert await entries(agent, talk)


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


async def test_of_two_runs_at_once_with_the_same_message_one_is_answered(agent: Agent, shop: Shop):
    talk = Conversation(agent.graph)
    agent.model.then([("add_to_cart", {"sku": "BOOT-001"})], "It is in the cart.")
    runs = [talk.say("add BOOT-001", "m-1") for _ in range(2)]
    ended = await asyncio.gather(*runs, return_exceptions=True)
    assert sorted(type(end).__name__ for end in ended) == ["StateSnapshot", "ThreadBusy"]
    state = await talk.say("add BOOT-001", "m-1")
    assert [line.quantity for line in state.values["cart"].lines] == [1]
    assert agent.model.asked == 2


async def test_a_thread_of_another_user_is_refused_and_keeps_nothing_of_the_stranger(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    before = (await talk.state()).values
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.say("check out")
    with pytest.raises(ForeignThread):
        await stranger.happens("click-1", type="remove", sku="BOOT-001")
    assert (await talk.state()).values == before
    agent.model.then("You are welcome.")
    state = await talk.say("thanks")
    assert answer_of(state) == "You are welcome."
    assert [line.sku for line in state.values["cart"].lines] == ["BOOT-001"]
    assert "check out" not in await texts(talk)


async def test_a_strangers_message_does_not_withdraw_the_plan_that_waits(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.say("wait")
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_a_turn_is_received_and_done_once_each(agent: Agent, shop: Shop):
    talk = await bought(agent)
    found = await entries(agent, talk)
    received = [e.turn_id for e in found if e.event is Event.RECEIVED]
    done = [e.turn_id for e in found if e.event is Event.TURN_DONE]
    assert received == done
    assert len(set(received)) == 2
