"""A runner that is suspended loses its thread when its lease has passed, and harms nothing later."""

import asyncio
import os
import signal
from datetime import timedelta

import psycopg
import pytest
from langgraph.types import Command

from daybook.app.operating.worker import Worker
from daybook.checkpoints.people.erasure import Part
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.checkpoints.runs.saver import FencedSaver
from daybook.graph.shop.resources import Opened
from daybook.state.clock import SYSTEM
from daybook.state.errors import ThreadBusy
from daybook.state.ledger.recovery import Event
from daybook.testing.model import last_result
from tests.answers import APPROVE
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, taken_over
from tests.integration.processes import User
from tests.integration.runners import Errand, Runners, answers, says
from tests.integration.workers import working
from tests.ledger.book import someone
from tests.purchases import (
    PATIENCE,
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    bought_until,
    calm,
    entries,
    events,
    met,
    until,
    with_boots,
)

LEASE = 0.5

KEPT = dict.fromkeys(Part, timedelta(days=30))


@pytest.mark.parametrize(
    "at",
    [
        "before_commit:attempted/charge_payment",
        "before_request:charge_payment",
        "after_reply:charge_payment",
        "before_commit:acknowledged/charge_payment",
        "before_checkpoint:put",
        "before_prune",
    ],
)
async def test_a_suspended_runner_is_taken_over_and_writes_no_outcome_over_its_successors(
    agent: Agent, shop: Shop, runners: Runners, at: str
):
    talk = await asked_to_buy(agent)
    errand = answers(talk.thread_id, APPROVE, lease=LEASE).stops(at)
    (suspended,) = await runners.start(errand)
    await suspended.stopped()
    await taken_over(lambda: talk.run(None))
    done, written = await talk.state(), await entries(agent, talk)
    assert shop.happened() == PURCHASE
    assert done.values["flow"] == "ordered"

    suspended.wake()
    outcome = await suspended.outcome()
    assert (outcome.error, outcome.killed) == ("TakenOver", False)
    assert "Another process took over the thread" in outcome.words
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


async def test_who_is_suspended_before_its_run_begins_is_taken_over_and_writes_nothing(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    errand = says(talk.thread_id, "how are you?", "m-late", lease=LEASE).stops("before_run")
    (suspended,) = await runners.start(errand)
    await suspended.stopped()
    agent.model.script[:] = [last_result]
    done = await taken_over(talk.approve)
    assert shop.happened() == PURCHASE
    written, stored = await entries(agent, talk), await rows_of(agent, talk)

    suspended.wake()
    outcome = await suspended.outcome()
    assert (outcome.error, outcome.killed) == ("TakenOver", False)
    assert await entries(agent, talk) == written
    assert await rows_of(agent, talk) == stored
    assert (await talk.state()).config == done.config
    assert shop.happened() == PURCHASE


async def test_a_worker_finishes_what_somebody_was_suspended_before(agent, shop, runners):
    talk = await bought_until(agent, 3)
    (suspended,) = await runners.start(Errand(talk.thread_id, lease=LEASE).stops("after_lock"))
    await suspended.stopped()
    async with working(agent) as said:
        await until(lambda: bool(said), "the worker finishes it")
    assert shop.happened() == PURCHASE
    suspended.wake()
    assert (await suspended.outcome()).error == "TakenOver"
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE


async def test_a_thread_that_somebody_is_at_work_on_is_not_given_up(agent, postgres_url, shop):
    talk = await bought_until(agent, 3)
    worker = Worker(
        Opened(agent.graph, agent.domain, agent.resources), print, 1, timedelta(0), KEPT
    )
    stalled = agent.resources.postgres.stalled
    async with (
        open_postgres(postgres_url, tenant_id="default", stored_types=()) as other,
        other.locks.hold(talk.thread_id),
    ):
        for _ in range(20):
            async with stalled.claimed(agent.domain.name, timedelta(0), None) as (found, _conn):
                pass
            assert [(one.thread_id, one.is_given_up) for one in found] == [(talk.thread_id, False)]
            await worker.finish(talk.thread_id, found[0].why)
    async with working(agent) as said:
        await until(lambda: bool(said), "the worker finishes it")
    assert shop.happened() == PURCHASE


_FORGETS = """
import asyncio, os, signal, sys
from datetime import timedelta
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import open_postgres
from daybook.state.errors import TakenOver
from daybook.state.fault_points import arm

def suspend(point, about):
    if f"{point}:{about}".startswith(sys.argv[3]):
        arm(None)
        os.kill(os.getpid(), signal.SIGSTOP)

async def forget():
    lease = timedelta(seconds=float(sys.argv[4]))
    async with open_postgres(
        sys.argv[1], tenant_id="default", stored_types=(), lease=lease
    ) as postgres, open_eraser(postgres) as eraser:
        arm(suspend)
        try:
            await eraser.erase(sys.argv[2], everything)
        except TakenOver as error:
            print(type(error).__name__, flush=True)

asyncio.run(forget())
"""


@pytest.mark.parametrize("at", ["after_lock", "before_commit:erased"])
async def test_a_forgetting_that_is_suspended_is_taken_over_and_erases_nothing(
    agent: Agent, postgres_url: str, at: str
):
    talk = await with_boots(agent)
    before = await rows_of(agent, talk)
    with User(_FORGETS, postgres_url, talk.thread_id, at, str(LEASE)) as forgetting:
        await asyncio.to_thread(os.waitid, os.P_PID, forgetting.pid, os.WSTOPPED)
        await taken_over(lambda: talk.run(None))
        os.kill(forgetting.pid, signal.SIGCONT)
        assert await asyncio.to_thread(forgetting.line) == "TakenOver"
    assert await rows_of(agent, talk) == before


async def rows_of(agent: Agent, talk: Conversation) -> dict[str, int]:
    """Count what is kept of a thread, table by table; who runs it and holds it apart."""
    async with agent.resources.postgres.pool.connection() as conn:
        tables = await conn.execute(
            "select table_name::text as name from information_schema.columns "
            "where table_schema = 'daybook' and column_name = 'thread_id' "
            "and table_name not in ('runner', 'thread_lease')"
        )
        counts = {}
        for table in await tables.fetchall():
            count = f"select count(*) as n from {table['name']} where thread_id = %s"
            (found,) = await (await conn.execute(count, (talk.thread_id,))).fetchall()
            counts[table["name"]] = found["n"]
    return counts


async def test_a_runner_that_renews_its_lease_is_not_taken_over(agent, shop, runners):
    talk = await asked_to_buy(agent)
    shop.fault("charges", "slow", seconds=LEASE * 3)
    (slow,) = await runners.start(answers(talk.thread_id, APPROVE, lease=LEASE))
    await met(shop)
    refused = 0
    async with SYSTEM.timeout(PATIENCE):
        while shop.happened() != PURCHASE:
            try:
                await talk.run(None)
            except ThreadBusy:
                refused += 1
                await SYSTEM.sleep(0.02)
    outcome = await slow.outcome()
    assert (outcome.error, outcome.flow) == ("", "ordered")
    assert refused > 0
    assert (await events(agent, talk, "/charge")).count(Event.ATTEMPTED) == 1


async def test_a_run_that_is_cancelled_while_it_takes_its_thread_leaves_no_lease(
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
            await SYSTEM.sleep(0)
        run.cancel()
        await asyncio.gather(run, return_exceptions=True)
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as owner:
        left = await owner.execute("select count(*) from thread_lease")
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


async def test_what_another_process_ran_in_between_is_not_written_under_a_later_epoch(
    postgres: Postgres, postgres_url: str
):
    session = someone()

    async def runs(where: Postgres) -> int:
        async with where.locks.hold(session.thread_id):
            await where.threads.begin(session, "agent", None)
            async with where.runners.run(session, is_news=True):
                epoch = where.runners.epoch_of(session.thread_id)
                assert epoch is not None
                return epoch

    later = postgres.runners.later_epoch
    first, second = await runs(postgres), await runs(postgres)
    assert later(session.thread_id, first) == second
    async with open_postgres(postgres_url, tenant_id="default", stored_types=()) as other:
        await runs(other)
    third = await runs(postgres)
    assert [later(session.thread_id, one) for one in (first, second, third)] == [None] * 3
