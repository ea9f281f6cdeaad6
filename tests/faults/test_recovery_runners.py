"""Two runners of one thread: every effect happens once all the same."""

import asyncio

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.purchases import (
    LONG,
    PATIENCE,
    PURCHASE,
    SHORT,
    agent_of,
    all_is_settled,
    asked_to_buy,
    events,
    fall_silent,
    hurry,
    met,
    sent,
    successor,
)


async def claimed_twice(agent: Agent, talk: Conversation) -> None:
    """Wait until the charge was claimed a second time: no event tells another process's claim."""
    async with SYSTEM.timeout(PATIENCE):
        while (await events(agent, talk, "/charge")).count(Event.ATTEMPTED) < 2:
            await SYSTEM.sleep(0.01)


@pytest.mark.parametrize("honour", [True, False], ids=["under one key", "with proof alone"])
async def test_two_runners_of_one_thread_do_everything_once(
    postgres: Postgres, postgres_url: str, shop: Shop, honour: bool
):
    """A successor takes over from one that lost its lock in a charge and does not know it."""
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, LONG if honour else SHORT) as first:
        talk = await asked_to_buy(first)
        shop.fault("charges", "slow", seconds=LONG)
        running = asyncio.create_task(talk.approve())
        await met(shop)
        # Its lease is over, as when it was suspended.
        await fall_silent(postgres)
        async with successor(first, postgres_url) as second:
            later = Conversation(second.graph, thread=talk.thread_id)
            succeeding = asyncio.create_task(later.run(None))
            if honour:
                # By its sessions: those of the first one are ended.
                await claimed_twice(second, talk)
                hurry(shop)
            # Whoever comes second with a page or a checkpoint may end with an error.
            await asyncio.gather(running, succeeding, return_exceptions=True)
            # It may have left to the other what the other had just claimed.
            done = await later.run({"events": []})
            await all_is_settled(second, talk, shop)
            if not honour:
                assert sent(await events(second, talk, "/charge")) == 1
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        assert done.tasks == ()
