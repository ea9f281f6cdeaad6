"""Threads whose checkpoints were copied to another one: they get the record, and do nothing again."""

import asyncio

import pytest

from daybook.state.errors import UnknownPlan
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.history import at, checkpoints, copied
from tests.purchases import (
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    bought,
    cancelled,
    met,
    orders,
)


async def gone_on(agent: Agent, copy: Conversation) -> str:
    """Ask on a copy for what was asked for on the thread; return what it answers."""
    agent.model.script[:] = [[("checkout", {})], last_result]
    done = await copy.say("check out")
    assert done.interrupts == ()
    return answer_of(done)


async def test_a_copy_from_any_checkpoint_of_an_ended_purchase_buys_nothing_again(agent, shop):
    talk = await bought(agent)
    order = orders(shop)[-1]["order_id"]
    places = await checkpoints(talk)
    for snapshot in places:
        copy = await copied(agent, talk)
        agent.model.script[:] = [[("checkout", {})], last_result]
        try:
            await at(copy, snapshot.config).run(None)
        except UnknownPlan as error:
            assert "Nothing was done; say again what is wanted." in str(error)
            assert snapshot.next in (("execute",), ("approve",)), "its plan is the thread's own"
        state = await copy.state()
        assert state.interrupts == (), f"copied at {snapshot.next}"
        told = [message.text for message in state.values["messages"]]
        assert not [text for text in told if "order DB-" in text and order not in text]
        assert shop.happened() == PURCHASE, f"copied at {snapshot.next}"
    refused = await gone_on(agent, await copied(agent, talk))
    assert "empty" in refused
    assert shop.happened() == PURCHASE


async def test_a_copy_of_a_purchase_in_mid_plan_leaves_it_to_the_thread(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.fault("charges", "slow", seconds=30)
    run = asyncio.create_task(talk.approve())
    await met(shop)
    await cancelled(run)
    left = list(agent.model.script)
    copy = await copied(agent, talk)
    with pytest.raises(UnknownPlan):
        await copy.run(None)
    assert "was done already" in await gone_on(agent, copy)
    agent.model.script[:] = left
    done = await talk.run(None)
    await all_is_settled(agent, talk, shop)
    assert orders(shop)[-1]["order_id"] in answer_of(done)
    assert "was bought already" in await gone_on(agent, copy)
    assert shop.happened() == PURCHASE


async def test_an_approval_of_a_copied_question_does_nothing(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    left = list(agent.model.script)
    copy = await copied(agent, talk)
    with pytest.raises(UnknownPlan):
        await copy.approve()
    assert shop.happened() == []
    assert "under way already" in await gone_on(agent, copy)
    agent.model.script[:] = left
    await talk.approve()
    assert shop.happened() == PURCHASE
