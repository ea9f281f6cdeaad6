"""A runner that is suspended loses its thread when its lease has passed, and harms nothing later."""

import asyncio

import psycopg
import pytest
from langgraph.types import Command

from checkpoints.postgres import Postgres
from checkpoints.saver import FencedSaver
from state.errors import ThreadBusy
from state.recovery import Event
from tests.answers import APPROVE
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.runners import Runners, answers
from tests.purchases import (
    PATIENCE,
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    calm,
    entries,
    events,
    met,
    rebuilt,
)

LEASE = 0.5


async def taken_over(talk: Conversation) -> None:
    """Go on as soon as the lease of the thread's runner has passed."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await talk.run(None)
            except ThreadBusy:
                await asyncio.sleep(0.02)
            else:
                return


@pytest.mark.parametrize(
    "at",
    [
        "before_commit:attempted/charge_payment",
        "before_request:charge_payment",
        "after_reply:charge_payment",
        "before_commit:acknowledged/charge_payment",
        "after_commit:acknowledged/charge_payment",
        "before_checkpoint:put",
    ],
)
async def test_a_suspended_runner_is_taken_over_and_writes_no_outcome_over_its_successors(
    agent: Agent, shop: Shop, runners: Runners, at: str
):
    talk = await asked_to_buy(agent)
    errand = answers(talk.thread_id, APPROVE, lease=LEASE).stops(at)
    (suspended,) = await runners.start(errand)
    await suspended.stopped()
    await taken_over(talk)
    done, written = await talk.state(), await entries(agent, talk)
    assert shop.happened() == PURCHASE
    assert done.values["flow"] == "ordered"

    suspended.wake()
    outcome = await suspended.outcome()
    assert (outcome.error, outcome.killed) == ("TakenOver", False)
    assert "Another process has taken the thread" in outcome.words
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    # What it stored is not the head, and nothing that the successor wrote is undone or repeated.
    after = await talk.state()
    assert after.config == done.config
    assert after.values == done.values
    later = (await entries(agent, talk))[len(written) :]
    evidence = {Event.ACKNOWLEDGED, Event.REFUSED, Event.VERIFIED, Event.UNANSWERED}
    assert {entry.event for entry in later} <= evidence
    if at in ("after_reply:charge_payment", "before_commit:acknowledged/charge_payment"):
        # It came late and is kept all the same: the reply to the first attempt.
        late = [(e.event, e.attempt) for e in later if e.event is Event.ACKNOWLEDGED]
        assert late == [(Event.ACKNOWLEDGED, 1)]


async def test_a_runner_that_renews_its_lease_is_not_taken_over(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    shop.fault("charges", "slow", seconds=LEASE * 3)
    (slow,) = await runners.start(answers(talk.thread_id, APPROVE, lease=LEASE))
    await met(shop)
    refused = 0
    async with asyncio.timeout(PATIENCE):
        while shop.happened() != PURCHASE:
            try:
                await talk.run(None)
            except ThreadBusy:
                refused += 1
                await asyncio.sleep(0.02)
    outcome = await slow.outcome()
    assert (outcome.error, outcome.flow) == ("", "ordered")
    assert refused > 0
    assert (await events(agent, talk, "/charge")).count(Event.ATTEMPTED) == 1


async def test_what_is_edited_outside_of_a_run_is_not_fenced(agent: Agent, postgres: Postgres):
    talk = await asked_to_buy(agent)
    assert postgres.runners.epoch_of(talk.thread_id) is None
    await rebuilt(agent).graph.aupdate_state(talk.config, {"note": "as edited"})
    assert (await talk.state()).values["note"] == "as edited"


async def test_a_run_that_is_cancelled_while_it_takes_its_thread_leaves_no_lock(
    postgres: Postgres, postgres_url: str
):
    async def held(thread: str) -> None:
        async with postgres.locks.hold(thread):
            pass

    await held("warm")
    for number in range(300):
        run = asyncio.create_task(held(f"t-{number}"))
        # Up to some hundred steps of the loop into it, which is as far as it goes.
        for _ in range(number % 60):
            await asyncio.sleep(0)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as owner:
        left = await owner.execute(
            "select count(*) from pg_locks where locktype = 'advisory' and database = "
            "(select oid from pg_database where datname = current_database())"
        )
        assert await left.fetchone() == (0,)


async def test_who_stops_listening_ends_the_run_before_its_lease_is_given_back(
    agent: Agent, shop: Shop, monkeypatch: pytest.MonkeyPatch
):
    talk = await asked_to_buy(agent)
    runners, unfenced = agent.resources.postgres.runners, []
    put = FencedSaver.aput_writes

    async def seen(self, config, *more):  # type: ignore[no-untyped-def]
        if runners.epoch_of(config["configurable"]["thread_id"]) is None:
            unfenced.append(more)
        await put(self, config, *more)

    monkeypatch.setattr(FencedSaver, "aput_writes", seen)
    shop.fault("charges", "slow", seconds=1)
    answer = Command(resume={"decisions": [APPROVE]})
    stream = agent.graph.astream(answer, talk.config, stream_mode="custom")
    async for told in stream:
        if "charge" in str(told):
            break
    await stream.aclose()  # type: ignore[attr-defined]
    assert unfenced == []
    await calm(shop)
    await talk.run(None)
    assert shop.happened() == PURCHASE
