"""Two runners of one thread: every effect happens once all the same."""

import asyncio
from collections.abc import Awaitable, Callable

from daybook.state.clock import SYSTEM
from daybook.state.ledger.recovery import Event
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.cuts import SuspendedLedger
from tests.purchases import (
    LONG,
    PATIENCE,
    PURCHASE,
    SHORT,
    agent_of,
    all_is_settled,
    asked_to_buy,
    entries,
    events,
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


async def two_runners_buy_once(
    first: Agent, url: str, shop: Shop, meanwhile: Callable[[Conversation], Awaitable[None]]
) -> Conversation:
    """Let a successor take over a runner that lost its lock in a charge and does not know it."""
    talk = await asked_to_buy(first)
    shop.fault("charges", "slow", seconds=LONG)
    running = asyncio.create_task(talk.approve())
    await met(shop)
    # The server ended the session that held the lock.
    await first.resources.postgres.locks.close()
    async with successor(first, url) as second:
        later = Conversation(second.graph, thread=talk.thread_id)
        succeeding = asyncio.create_task(later.run(None))
        await meanwhile(talk)
        # Whoever comes second with a page or a checkpoint may end with an error.
        await asyncio.gather(running, succeeding, return_exceptions=True)
        # It may have left to the other what the other had just claimed.
        done = await later.run({"events": []})
        await all_is_settled(second, talk, shop)
    assert shop.happened() == PURCHASE
    assert "order DB-" in answer_of(done)
    assert done.tasks == ()
    return talk


async def test_two_runners_who_send_under_one_key_do_everything_once(postgres, postgres_url, shop):
    async with agent_of(postgres, shop, LONG) as agent:

        async def both_have_sent(talk: Conversation) -> None:
            await claimed_twice(agent, talk)
            hurry(shop)

        await two_runners_buy_once(agent, postgres_url, shop, both_have_sent)


async def test_two_runners_who_wait_for_proof_do_everything_once(postgres, postgres_url, shop):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as agent:

        async def nothing_more(talk: Conversation) -> None:
            """Leave both to themselves."""

        talk = await two_runners_buy_once(agent, postgres_url, shop, nothing_more)
        assert sent(await events(agent, talk, "/charge")) == 1


async def test_a_sender_that_wakes_up_after_its_time_does_not_send(postgres, postgres_url, shop):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as first:
        talk = await asked_to_buy(first)
        postgres.ledger = ledger = SuspendedLedger(postgres, "/charge")
        sleeping = asyncio.create_task(talk.approve())
        try:
            async with SYSTEM.timeout(PATIENCE):
                await ledger.suspended.wait()
            await postgres.locks.close()
            async with successor(first, postgres_url) as second:
                done = await Conversation(second.graph, thread=talk.thread_id).run(None)
                assert shop.happened() == PURCHASE
                assert "order DB-" in answer_of(done)
        finally:
            ledger.woken.set()
            await asyncio.gather(sleeping, return_exceptions=True)
        assert shop.happened() == PURCHASE
        charge = [e for e in await entries(first, talk) if e.op and e.op.endswith("/charge")]
        assert [e.attempt for e in charge if e.event is Event.ATTEMPTED] == [1, 2]
        assert [e.attempt for e in charge if e.event is Event.ACKNOWLEDGED] == [2]
