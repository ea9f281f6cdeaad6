"""Runs that end in the middle, and what continues them: every effect happens once all the same."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from langgraph.types import StateSnapshot

from checkpoints.postgres import Postgres, open_postgres
from state.agent import STORED_TYPES
from state.errors import ModelUnavailable, ThreadBusy
from state.recovery import Event
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.cuts import SuspendedLedger
from tests.purchases import (
    LONG,
    PATIENCE,
    PURCHASE,
    SHORT,
    agent_of,
    asked_to_buy,
    calm,
    entries,
    events,
    hurry,
    met,
    rebuilt,
    sent,
    still_held,
    until,
    with_boots,
    work_list,
)
from tests.scripted import Prompt, Turn, last_result
from tools.shop.domain import STORED_TYPES as SHOP_TYPES

ROOT = Path(__file__).parents[2]
CALLS = ["holds", "charges", "orders"]


@asynccontextmanager
async def successor(agent: Agent, url: str) -> AsyncIterator[Agent]:
    """Open what a new process would: a pool and a graph of its own, on the same database."""
    types = (*STORED_TYPES, *SHOP_TYPES)
    async with open_postgres(url, tenant_id="default", stored_types=types) as postgres:
        yield rebuilt(agent, postgres=postgres)


async def cancelled(run: "asyncio.Task[StateSnapshot]") -> None:
    """Cancel a run and wait until it has ended."""
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


async def all_is_settled(agent: Agent, talk: Conversation, shop: Shop) -> None:
    """See that nothing is left open on either side."""
    await calm(shop)
    assert still_held(shop) == []
    assert await work_list(agent) == {}
    assert await entries(agent, talk)


# -- runs that are cancelled in the middle of a call ------------------------------------------------

ROADS: dict[str, Callable[[Conversation], Awaitable[StateSnapshot]]] = {
    "continued": lambda talk: talk.run(None),
    "same-message": lambda talk: talk.say("check out", "m-2"),
    "new-message": lambda talk: talk.say("what became of it?"),
}


@pytest.mark.parametrize("honour", [True, False], ids=["keys-honoured", "keys-ignored"])
@pytest.mark.parametrize("endpoint", CALLS)
async def test_a_run_that_was_cancelled_in_a_call_is_continued_by_another_process(
    postgres: Postgres, postgres_url: str, shop: Shop, endpoint: str, honour: bool
):
    shop.keys(honour=honour)
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await asked_to_buy(agent)
        shop.fault(endpoint, "slow", seconds=30)
        run = asyncio.create_task(talk.approve())
        await met(shop)
        await cancelled(run)
        async with successor(agent, postgres_url) as later:
            done = await Conversation(later.graph, thread=talk.thread_id).run(None)
            await all_is_settled(later, talk, shop)
        assert shop.happened() == PURCHASE
        assert "order DB-" in answer_of(done)
        assert agent.model.asked == 4


@pytest.mark.parametrize("road", ROADS)
async def test_a_cancelled_run_is_continued_by_whatever_comes_next(
    agent: Agent, shop: Shop, road: str
):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], last_result)
    await talk.say("check out", "m-2")
    shop.fault("charges", "slow", seconds=30)
    run = asyncio.create_task(talk.approve())
    await met(shop)
    await cancelled(run)
    done = await ROADS[road](talk)
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert "order DB-" in answer_of(done)
    assert done.values["flow"] == "ordered"
    assert agent.model.asked == 4


async def test_a_compensation_that_was_cancelled_is_finished(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent, "dan")
    shop.fault("releases", "slow", seconds=30)
    run = asyncio.create_task(talk.approve())
    await met(shop)
    await cancelled(run)
    done = await talk.run(None)
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == ["reserve", "release"]
    assert "The card was declined. Undone: reserve BOOT-001." in answer_of(done)
    assert agent.model.asked == 4


async def test_a_mail_that_was_cut_off_is_in_doubt_and_never_sent_again(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.fault("mail", "timeout", seconds=30)
    run = asyncio.create_task(talk.approve())
    await met(shop)
    await cancelled(run)
    hurry(shop)
    done = await talk.run(None)
    assert shop.happened() == PURCHASE
    assert "in doubt whether the confirmation mail was sent" in answer_of(done)
    assert (await events(agent, talk, "/send_email")).count(Event.ATTEMPTED) == 1


async def test_a_continued_run_that_is_over_does_nothing(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    done = await talk.approve()
    again = await talk.run(None)
    assert again.values == done.values
    assert shop.happened() == PURCHASE
    assert agent.model.asked == 4


async def test_a_continued_run_that_waits_for_a_person_asks_the_same(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    before = (await talk.state()).interrupts[0].value
    again = await talk.run(None)
    assert again.interrupts[0].value == before
    assert shop.happened() == []
    await talk.approve()
    assert shop.happened() == PURCHASE


async def test_a_purchase_is_settled_from_the_ledger_alone_when_its_checkpoints_are_lost(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    shop.fault("orders", "slow", seconds=30)
    run = asyncio.create_task(talk.approve())
    await met(shop)
    await cancelled(run)
    await agent.resources.postgres.saver.adelete_thread(talk.thread_id)
    agent.model.script[:] = ["Yes."]
    state = await talk.say("are you still there?")
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert state.values["flow"] == "ordered"
    assert answer_of(state).endswith("Yes.")


async def test_a_plan_that_waits_is_withdrawn_also_when_its_checkpoints_are_lost(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    agent.model.script[:] = ["Yes."]
    await agent.resources.postgres.saver.adelete_thread(talk.thread_id)
    state = await talk.say("are you still there?")
    assert answer_of(state).endswith("Yes.")
    assert await work_list(agent) == {}
    assert shop.happened() == []


# -- the model --------------------------------------------------------------------------------------


def fails(prompt: Prompt) -> Turn:
    """Give no decision, as a provider that is down."""
    raise ConnectionError("the provider is down")


@pytest.mark.parametrize("road", ["continued", "same-message"])
async def test_a_model_that_is_down_loses_nothing(agent: Agent, shop: Shop, road: str):
    talk = await with_boots(agent)
    agent.model.then(fails, [("checkout", {})], last_result)
    with pytest.raises(ModelUnavailable):
        await talk.say("check out", "m-2")
    asked = await ROADS[road](talk)
    assert asked.interrupts
    await talk.approve()
    assert shop.happened() == PURCHASE


@pytest.mark.parametrize("road", ["continued", "same-message"])
async def test_a_model_that_is_down_after_the_purchase_does_not_repeat_it(
    agent: Agent, shop: Shop, road: str
):
    talk = await with_boots(agent)
    agent.model.then([("checkout", {})], fails, last_result)
    await talk.say("check out", "m-2")
    with pytest.raises(ModelUnavailable):
        await talk.approve()
    assert shop.happened() == PURCHASE
    done = await ROADS[road](talk)
    assert "order DB-" in answer_of(done)
    assert shop.happened() == PURCHASE


# -- two processes at once ----------------------------------------------------------------------------


async def claimed_twice(agent: Agent, talk: Conversation) -> None:
    """Wait until the charge was claimed a second time: no event tells another process's claim."""
    async with asyncio.timeout(PATIENCE):
        while (await events(agent, talk, "/charge")).count(Event.ATTEMPTED) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


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
        await later.run(None)
        done = await later.state()
        await all_is_settled(second, talk, shop)
    assert shop.happened() == PURCHASE
    assert "order DB-" in answer_of(done)
    assert done.tasks == ()
    return talk


async def test_two_runners_who_send_under_one_key_do_everything_once(
    postgres: Postgres, postgres_url: str, shop: Shop
):
    async with agent_of(postgres, shop, LONG) as agent:

        async def both_have_sent(talk: Conversation) -> None:
            await claimed_twice(agent, talk)
            hurry(shop)

        await two_runners_buy_once(agent, postgres_url, shop, both_have_sent)


async def test_two_runners_who_wait_for_proof_do_everything_once(
    postgres: Postgres, postgres_url: str, shop: Shop
):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as agent:

        async def nothing_more(talk: Conversation) -> None:
            """Leave both to themselves."""

        talk = await two_runners_buy_once(agent, postgres_url, shop, nothing_more)
        assert sent(await events(agent, talk, "/charge")) == 1


async def test_a_sender_that_wakes_up_after_its_time_does_not_send(
    postgres: Postgres, postgres_url: str, shop: Shop
):
    shop.keys(honour=False)
    async with agent_of(postgres, shop, SHORT) as first:
        talk = await asked_to_buy(first)
        postgres.ledger = ledger = SuspendedLedger(postgres, "/charge")
        sleeping = asyncio.create_task(talk.approve())
        try:
            async with asyncio.timeout(PATIENCE):
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


# -- a real process -----------------------------------------------------------------------------------


async def free(talk: Conversation) -> StateSnapshot:
    """Continue a thread as soon as the server has noticed that its runner is dead."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                return await talk.run(None)
            except ThreadBusy:
                await asyncio.sleep(0.01)


async def test_a_purchase_whose_process_was_killed_after_the_charge_is_finished(
    postgres: Postgres, postgres_url: str, shop: Shop
):
    shop.keys(honour=False)
    shop.fault("orders", "slow", seconds=30)
    async with shop_agent(postgres, shop) as agent:
        talk = Conversation(agent.graph)
        arguments = (postgres_url, shop.url, shop.smtp_url, talk.thread_id)
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.buying_process", *arguments), cwd=ROOT
        )
        try:
            await until(lambda: "charge" in shop.happened(), "the process charges the card")
            assert child.returncode is None
        finally:
            child.kill()
            assert await child.wait() == -signal.SIGKILL
        agent.model.then(last_result)
        done = await free(talk)
        await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert "order DB-" in answer_of(done)
    assert done.values["flow"] == "ordered"
    assert agent.model.asked == 1
