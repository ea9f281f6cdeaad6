"""What a thread holds is erased some time after its last activity."""

from collections.abc import Mapping
from datetime import timedelta

import psycopg
import pytest

from daybook.checkpoints.people.erasure import Part, open_eraser, overdue, retain
from daybook.checkpoints.postgres import Postgres
from daybook.graph.settings.environment import KEEP_VARIABLES, settings_from
from daybook.state.errors import ConfigurationError, ThreadClosed
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.integration.test_forget import left
from tests.purchases import asked_to_buy, rebuilt, shop_database, successor, with_boots

KEEP = {
    Part.CHECKPOINTS: timedelta(days=30),
    Part.READS: timedelta(days=60),
    Part.PAYLOADS: timedelta(days=90),
}


async def idle_for(url: str, thread_id: str, days: float) -> None:
    """Set a thread's last activity back."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        await conn.execute(
            "update thread set last_activity = daybook_now() - %s where thread_id = %s",
            (timedelta(days=days), thread_id),
        )


async def due(postgres: Postgres, keep: Mapping[Part, timedelta] = KEEP) -> dict[str, set[Part]]:
    """Return what is due: thread to parts."""
    async with open_eraser(postgres) as eraser:
        return {held.thread_id: set(held.parts) async for held in overdue(eraser, keep)}


async def kept(url: str, thread_id: str) -> set[str]:
    """Name the tables that still hold something of a thread beside the chain."""
    return {table for table, count in (await left(url, thread_id)).items() if count}


CHECKPOINTS = {"checkpoints", "checkpoint_blobs", "checkpoint_writes"}


async def test_each_part_is_erased_after_its_own_period_and_the_thread_is_closed(
    agent: Agent, postgres_url: str
):
    postgres = agent.resources.postgres
    talk = await with_boots(agent)
    agent.model.then([("search_products", {"query": "socks"})], "Socks.")
    await talk.say("socks")
    held = await kept(postgres_url, talk.thread_id)
    entries = await postgres.ledger.verify(talk.thread_id)
    for days, gone in (
        (29, set()),
        (31, CHECKPOINTS),
        (61, CHECKPOINTS | {"read_call"}),
        (91, CHECKPOINTS | {"read_call", "ledger_payload"}),
    ):
        await idle_for(postgres_url, talk.thread_id, days)
        planned = await due(postgres)
        erased = await retain(postgres, KEEP)
        assert {e.thread_id: set(e.parts) for e in erased} == planned
        assert await kept(postgres_url, talk.thread_id) == held - gone
        assert await postgres.ledger.verify(talk.thread_id) == entries
        assert await retain(postgres, KEEP) == []
    # It would begin from an empty cart, beside a ledger that knows of a purchase.
    with pytest.raises(ThreadClosed, match="on request or by retention"):
        await talk.say("what did I buy?")
    (thread,) = await postgres.threads.of_user("ada", "shop")
    assert thread.status == "closed"


async def test_a_thread_that_lost_its_reads_alone_is_closed_too(agent: Agent, postgres_url: str):
    """Handles would be given again, and a prompt would miss what it refers to."""
    talk = await with_boots(agent)
    agent.model.then([("search_products", {"query": "socks"})], "Socks.")
    await talk.say("socks")
    await idle_for(postgres_url, talk.thread_id, 31)
    keep = {**KEEP, Part.CHECKPOINTS: timedelta(days=300), Part.READS: timedelta(days=30)}
    await retain(agent.resources.postgres, keep)
    assert "read_call" not in await kept(postgres_url, talk.thread_id)
    with pytest.raises(ThreadClosed):
        await talk.say("the second one")


async def test_somebody_who_comes_back_in_time_or_changes_something_goes_on(agent, postgres_url):
    talk = await with_boots(agent)
    await idle_for(postgres_url, talk.thread_id, 29)
    await retain(agent.resources.postgres, KEEP)
    agent.model.then("Welcome back.")
    assert len((await talk.say("hello again")).values["cart"].lines) == 1
    assert await due(agent.resources.postgres) == {}
    await idle_for(postgres_url, talk.thread_id, 1000)
    await talk.happens("click", type="remove", sku="BOOT-001")
    assert await retain(agent.resources.postgres, KEEP) == []
    assert (await talk.state()).values["cart"].lines == ()


async def test_who_waits_was_cut_off_or_is_worked_on_by_another_process_is_left_alone(
    agent: Agent, postgres_url: str
):
    held, cut_off = await with_boots(agent), await with_boots(agent)
    with pytest.raises(Exception, match="gave no usable answer"):
        await cut_off.say("the script has no answer to this")
    waiting = await asked_to_buy(agent)
    for talk in (held, cut_off, waiting):
        await idle_for(postgres_url, talk.thread_id, 1000)
    async with (
        successor(agent, postgres_url) as other,
        other.resources.postgres.locks.hold(held.thread_id),
    ):
        assert await retain(agent.resources.postgres, KEEP) == []
    assert (await waiting.approve()).values["flow"] == "ordered"
    agent.model.then("Here I am.")
    await cut_off.run(None)
    left_for_the_next_time = await retain(agent.resources.postgres, KEEP)
    assert [one.thread_id for one in left_for_the_next_time] == [held.thread_id]


async def test_a_thread_with_something_unsettled_is_left_alone(agent, shop, postgres_url):
    """Its status is set to idle here: what is open must be enough to keep it."""
    shop.fault("mail", "drop")
    agent.model.then([("send_email", {"subject": "Boots", "body": "They are in stock."})])
    talk = Conversation(agent.graph)
    await talk.say("mail me")
    await talk.approve()
    await idle_for(postgres_url, talk.thread_id, 1000)
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        await conn.execute("update thread set status = 'idle'")
    before = await left(postgres_url, talk.thread_id)
    assert await retain(agent.resources.postgres, KEEP) == []
    assert await left(postgres_url, talk.thread_id) == before


async def test_another_tenants_threads_have_periods_of_their_own(agent: Agent, postgres_url: str):
    async with shop_database(postgres_url, "other") as other:
        theirs = await with_boots(rebuilt(agent, postgres=other))
        await idle_for(postgres_url, theirs.thread_id, 1000)
        assert await retain(agent.resources.postgres, KEEP) == []
        assert [held.thread_id for held in await retain(other, KEEP)] == [theirs.thread_id]


# -- settings and the command ---------------------------------------------------------------------


@pytest.mark.parametrize("value", ["0", "-1", "soon", "1.5", "99999999999"])
def test_a_period_that_is_none_is_refused(value: str):
    for name in KEEP_VARIABLES.values():
        with pytest.raises(ConfigurationError, match=f"{name} is not a whole number from 1"):
            settings_from({name: value})
