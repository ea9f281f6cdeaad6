"""`daybook worker` as processes: what the dead leave is finished, whatever becomes of workers."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
import pytest

from daybook.app.ledger.heads import kept_heads
from daybook.app.ledger.signature import public_key_of
from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.recovery import Event
from tests.answers import APPROVE
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.integration.runners import Runners, answers
from tests.integration.workers import worker_process
from tests.purchases import (
    LONG,
    PURCHASE,
    agent_of,
    all_is_settled,
    asked_to_buy,
    entries,
    hurry,
    met,
    until,
)

CHARGED = "after_reply:charge_payment"


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield an agent that waits long for a call."""
    async with agent_of(postgres, shop, LONG) as agent:
        yield agent


async def died(agent: Agent, runners: Runners, at: str = CHARGED) -> Conversation:
    """Let a process die in a purchase."""
    agent.model.script.clear()
    talk = await asked_to_buy(agent)
    outcome = await runners.run(answers(talk.thread_id, APPROVE).dies(at))
    assert outcome.killed
    return talk


async def workers_of(agent: Agent, talk: Conversation) -> list[str]:
    """Name the processes that sent something in a thread, in order, each once."""
    claims = [e for e in await entries(agent, talk) if e.event is Event.ATTEMPTED]
    return list(dict.fromkeys(e.worker for e in claims if e.worker))


def execute(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as conn:
        found = conn.execute(statement)  # type: ignore[arg-type]
        return found.fetchall() if found.description else []


async def test_a_worker_signs_the_heads_of_chains_into_a_file(
    agent: Agent, shop: Shop, postgres_url: str, tmp_path: Path
):
    talk = await asked_to_buy(agent)
    key, journal = tmp_path / "key", tmp_path / "heads"
    told = {"DAYBOOK_HEADS_KEY": str(key), "DAYBOOK_HEADS_TO": str(journal)}
    async with worker_process(postgres_url, shop, **told) as worker:
        await worker.says("signed 1 chain heads")
        worker.gets(signal.SIGTERM)
        assert await worker.ended() == 0
    public_key = public_key_of(f"{key}.pub")
    [signed] = kept_heads(journal.read_text().splitlines(), public_key=public_key)
    assert signed.head.thread_id == talk.thread_id


@asynccontextmanager
async def suspended_in_a_charge(
    agent: Agent, runners: Runners, shop: Shop, url: str
) -> AsyncIterator[Conversation]:
    """Let a worker be suspended while its charge is under way, and wake up at the end."""
    async with worker_process(url, shop) as worker:
        await worker.says("threads at a time")
        shop.fault("charges", "slow", seconds=LONG)
        talk = await died(agent, runners, "after_reply:reserve_inventory")
        await met(shop)
        worker.gets(signal.SIGSTOP)
        try:
            yield talk
        finally:
            worker.gets(signal.SIGCONT)
        # It goes on as a worker, with a purchase of its own.
        other = await died(agent, runners)
        await worker.says(f"{other.thread_id}: ")
        assert not any("Traceback" in line for line in worker.lines)


async def test_a_process_that_died_is_made_up_for_within_seconds(
    agent: Agent, runners: Runners, shop: Shop, postgres_url: str
):
    async with worker_process(postgres_url, shop) as worker:
        talk = await died(agent, runners)
        said = await worker.says(talk.thread_id)
        assert "its runner died; finished" in said
        await all_is_settled(agent, talk, shop)
        assert shop.happened() == PURCHASE
        assert "is placed: order DB-" in answer_of(await talk.state())
        worker.gets(signal.SIGTERM)
        assert await worker.ended() == 0
    assert execute(postgres_url, "select 1 from procrastinate_jobs") == []


async def test_a_worker_that_is_killed_is_made_up_for_by_another_one(
    agent: Agent, runners: Runners, shop: Shop, postgres_url: str
):
    async with worker_process(postgres_url, shop, DAYBOOK_DIE_AT=CHARGED) as first:
        talk = await died(agent, runners, "after_reply:reserve_inventory")
        assert await first.ended() == -signal.SIGKILL
    doing = "select status::text from procrastinate_jobs"
    assert execute(postgres_url, doing) == [("doing",)], "the job of the dead worker is there"
    async with worker_process(postgres_url, shop) as second:
        await second.says(f"{talk.thread_id}: its runner died; finished")
        second.gets(signal.SIGTERM)
        assert await second.ended() == 0
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert execute(postgres_url, doing) == []


@pytest.mark.long
async def test_of_several_workers_one_finishes_a_thread(
    agent: Agent, runners: Runners, shop: Shop, postgres_url: str
):
    async with (
        worker_process(postgres_url, shop) as first,
        worker_process(postgres_url, shop) as second,
    ):
        for worker in (first, second):
            await worker.says("threads at a time")
        await until(
            lambda: len(execute(postgres_url, "select 1 from procrastinate_workers")) == 2,
            "both work",
        )
        talks = [await died(agent, runners) for _ in range(3)]
        await until(
            lambda: all(
                sum(talk.thread_id in line for line in (*first.lines, *second.lines)) == 1
                for talk in talks
            ),
            "each is finished by one of them",
        )
        for talk in talks:
            await all_is_settled(agent, talk, shop)
            assert len(await workers_of(agent, talk)) == 2, "who died, and who finished it"
    assert sorted(shop.happened()) == sorted(PURCHASE * 3)


@pytest.mark.parametrize("honours", [True, pytest.param(False, marks=pytest.mark.long)])
async def test_a_suspended_worker_is_taken_over_and_harms_nothing_when_it_wakes_up(
    agent: Agent, runners: Runners, shop: Shop, postgres_url: str, honours: bool
):
    shop.keys(honour=honours)
    async with suspended_in_a_charge(agent, runners, shop, postgres_url) as talk:
        # As if ten seconds had passed: it can neither renew its lease nor beat.
        execute(postgres_url, "update runner set lease_until = now() - interval '1 s'")
        execute(postgres_url, "update thread_lease set until = now() - interval '1 s'")
        execute(postgres_url, "update procrastinate_workers set last_heartbeat = '-infinity'")
        hurry(shop)
        async with worker_process(postgres_url, shop) as second:
            await second.says(f"{talk.thread_id}: its runner lease expired; finished")
        assert shop.happened() == PURCHASE
    await all_is_settled(agent, talk, shop)
    assert sorted(shop.happened()) == sorted(PURCHASE * 2)


@pytest.mark.long
async def test_a_worker_that_is_to_stop_ends_what_it_does_first(
    agent: Agent, runners: Runners, shop: Shop, postgres_url: str
):
    async with worker_process(postgres_url, shop) as worker:
        await worker.says("threads at a time")
        shop.fault("charges", "slow", seconds=LONG)
        talk = await died(agent, runners, "after_reply:reserve_inventory")
        await met(shop)
        worker.gets(signal.SIGTERM)
        hurry(shop)
        assert await worker.ended() == 0
        assert "its runner died; finished" in worker.lines[-2]
        assert worker.lines[-1] == "stopped"
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert execute(postgres_url, "select 1 from procrastinate_workers") == []


@pytest.mark.long
async def test_a_second_signal_ends_a_worker_at_once(
    agent: Agent, runners: Runners, shop: Shop, postgres_url: str
):
    async with worker_process(postgres_url, shop) as worker:
        await worker.says("threads at a time")
        shop.fault("charges", "slow", seconds=LONG)
        talk = await died(agent, runners, "after_reply:reserve_inventory")
        await met(shop)
        worker.gets(signal.SIGINT)
        await worker.says("stopping")
        worker.gets(signal.SIGINT)
        assert await worker.ended() == -signal.SIGINT
        assert not any("Traceback" in line for line in worker.lines)
    hurry(shop)
    async with worker_process(postgres_url, shop) as second:
        await second.says(f"{talk.thread_id}: ")
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE


@pytest.mark.long
async def test_a_worker_outlives_an_absence_of_its_database(
    agent: Agent, runners: Runners, shop: Shop, server_url: str, postgres_url: str
):
    name = psycopg.conninfo.conninfo_to_dict(postgres_url)["dbname"]
    async with worker_process(postgres_url, shop) as worker:
        talk = await died(agent, runners)
        await worker.says(talk.thread_id)
        execute(server_url, f"alter database {name} allow_connections false")
        execute(
            server_url,
            "select pg_terminate_backend(pid) from pg_stat_activity"
            f" where datname = '{name}' and application_name <> ''",
        )
        assert "cannot be reached" in await worker.says("Trying again")
        execute(server_url, f"alter database {name} allow_connections true")
        await agent.resources.postgres.drop_broken()
        later = await died(agent, runners)
        assert "finished" in await worker.says(later.thread_id)
        assert not any("Traceback" in line for line in worker.lines)
        await all_is_settled(agent, later, shop)
    assert shop.happened() == PURCHASE * 2
