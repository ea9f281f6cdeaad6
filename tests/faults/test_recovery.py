"""Runs that end in the middle, and what continues them: every effect happens once all the same."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ModelUnavailable
from daybook.testing.model import Prompt, Turn, last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import (
    PURCHASE,
    SHORT,
    agent_of,
    all_is_settled,
    asked_to_buy,
    cancelled,
    met,
    successor,
    with_boots,
)

# -- runs that are cancelled in the middle of a call ------------------------------------------------

ROADS: dict[str, Callable[[Conversation], Awaitable[StateSnapshot]]] = {
    "continued": lambda talk: talk.run(None),
    "same-message": lambda talk: talk.say("check out", "m-2"),
    "new-message": lambda talk: talk.say("what became of it?"),
}


@pytest.mark.parametrize(
    ("endpoint", "honour", "road"),
    [
        pytest.param("holds", False, "continued", id="hold-keys-ignored-continued"),
        pytest.param("charges", True, "same-message", id="charge-keys-honoured-same-message"),
        pytest.param("charges", False, "new-message", id="charge-keys-ignored-new-message"),
        pytest.param("orders", True, "continued", id="order-keys-honoured-continued"),
    ],
)
async def test_a_run_that_was_cancelled_in_a_call_is_continued_by_whatever_comes_next(
    postgres: Postgres, postgres_url: str, shop: Shop, endpoint: str, honour: bool, road: str
):
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await with_boots(agent)
        agent.model.then([("checkout", {})], last_result)
        await talk.say("check out", "m-2")
        shop.fault(endpoint, "slow", seconds=30)
        run = asyncio.create_task(talk.approve())
        await met(shop)
        await cancelled(run)
        async with successor(agent, postgres_url) as later:
            done = await ROADS[road](Conversation(later.graph, thread=talk.thread_id))
            await all_is_settled(later, talk, shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        assert done.values["flow"] == "ordered"
        assert agent.model.asked == 4


@pytest.mark.parametrize("honour", [True, False])
@pytest.mark.parametrize("endpoint", ["refunds", "releases"])
async def test_a_compensation_that_was_cancelled_is_finished(
    postgres: Postgres, shop: Shop, endpoint: str, honour: bool
):
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("orders", "refuse", times=agent.resources.patience.attempts)
        shop.fault(endpoint, "slow", seconds=30)
        run = asyncio.create_task(talk.approve())
        await met(shop)
        await cancelled(run)
        done = await talk.run(None)
        await all_is_settled(agent, talk, shop)
        assert shop.happened() == ["reserve", "charge", "refund", "release"]
        assert "Undone: reserve BOOT-001, charge." in answer_of(done)
        assert agent.model.asked == 4


async def test_a_run_that_waits_or_is_over_does_nothing_when_it_is_continued(agent, shop):
    talk = await asked_to_buy(agent)
    before = (await talk.state()).interrupts[0].value
    again = await talk.run(None)
    assert again.interrupts[0].value == before
    assert shop.happened() == []
    done = await talk.approve()
    again = await talk.run(None)
    assert again.values == done.values
    assert shop.happened() == PURCHASE
    assert agent.model.asked == 4


@pytest.mark.parametrize("was_approved", [True, False], ids=["a purchase", "a question"])
async def test_what_lost_its_checkpoints_is_settled_from_the_ledger_alone(
    agent: Agent, shop: Shop, was_approved: bool
):
    talk = await asked_to_buy(agent)
    if was_approved:
        shop.fault("orders", "slow", seconds=30)
        run = asyncio.create_task(talk.approve())
        await met(shop)
        await cancelled(run)
    await agent.resources.postgres.saver.adelete_thread(talk.thread_id)
    agent.model.script[:] = ["Yes."]
    state = await talk.say("are you still there?")
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == (PURCHASE if was_approved else [])
    assert state.values["flow"] == ("ordered" if was_approved else "shopping")
    assert answer_of(state).endswith("Yes.")


def fails(prompt: Prompt) -> Turn:
    """Give no decision, as a provider that is down."""
    raise ConnectionError("the provider is down")


@pytest.mark.parametrize("road", ["continued", "same-message"])
async def test_a_model_that_is_down_loses_nothing_and_repeats_no_purchase(agent, shop, road):
    talk = await with_boots(agent)
    agent.model.then(fails, [("checkout", {})], fails, last_result)
    with pytest.raises(ModelUnavailable):
        await talk.say("check out", "m-2")
    asked = await ROADS[road](talk)
    assert asked.interrupts
    with pytest.raises(ModelUnavailable):
        await talk.approve()
    assert shop.happened() == PURCHASE
    done = await ROADS[road](talk)
    assert "order DB-" in answer_of(done)
    assert shop.happened() == PURCHASE
