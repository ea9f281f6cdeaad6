"""Threads: of one user, and with one run at a time."""

import asyncio
import threading

import pytest

from daybook.state.errors import ForeignThread, InputRefused, ThreadBusy
from daybook.testing.model import Prompt, Turn
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of, texts
from tests.purchases import PURCHASE, asked_to_buy, bought, entries


async def test_two_conversations_at_once_do_not_disturb_each_other(agent, postgres, shop):
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
    with pytest.raises(InputRefused, match="no such role"):
        await Conversation(agent.graph, "ada", thread, "owner").say("hello")
    agent.model.then("Hello.")
    state = await Conversation(agent.graph, "ada", thread).say("hello")
    assert answer_of(state) == "Hello."
