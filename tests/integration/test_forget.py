"""Forgetting a person: what is erased, what stays, and what must be kept."""

import asyncio
from typing import Any

import psycopg
import pytest
from langgraph.types import StateSnapshot
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.people.erasure import Held, Part, everything, open_eraser
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.prompt.compiler import compile_prompt
from daybook.nodes.prompt.transcript import Transcript
from daybook.nodes.running.identity import session_of
from daybook.state.effects.keys import plan_id
from daybook.state.errors import TakenOver, ThreadClosed
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event, StepState
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.test_encryption import holding
from tests.purchases import (
    LONG,
    PURCHASE,
    agent_of,
    asked_to_buy,
    bought,
    calm,
    entries,
    events,
    fall_silent,
    hurry,
    met,
    orders,
    rebuilt,
    shop_database,
    with_boots,
    work_list,
)

PERSONAL = ("ledger_payload", "read_call", "checkpoints", "checkpoint_blobs", "checkpoint_writes")


async def left(url: str, thread_id: str) -> dict[str, int]:
    """Count what is left of a thread beside the chain."""
    query = "select count(*) from {} where thread_id = %s"
    async with await psycopg.AsyncConnection.connect(url) as conn:
        found = {name: await conn.execute(query.format(name), (thread_id,)) for name in PERSONAL}
        return {name: count for name, rows in found.items() for (count,) in await rows.fetchall()}


async def forgotten(postgres: Postgres, user: str = "ada") -> list[Held]:
    """Forget a person as the command does."""
    async with open_eraser(postgres) as eraser:
        threads = await eraser.of_person(user)
        return [await eraser.erase(held.thread_id, everything) for held in threads]


async def cancel(agent: Agent, talk: Conversation, shop: Shop) -> StateSnapshot:
    """Ask to cancel the person's last order."""
    order = orders(shop)[-1]["order_id"]
    agent.model.then([("cancel_order", {"order_id": order})], last_result)
    return await talk.say("cancel my order")


async def test_what_a_person_said_and_was_called_for_is_erased_and_the_thread_takes_no_more(
    agent: Agent, postgres_url: str
):
    postgres = agent.resources.postgres
    talk = await with_boots(agent)
    agent.model.then([("search_products", {"query": "wool socks"})], "I found purple elephants.")
    await talk.say("has anybody seen my purple elephants")
    assert holding(postgres_url, "purple elephants")
    (held,) = await forgotten(postgres)
    assert held.kept == ""
    assert held.parts == frozenset(Part)
    for given in (talk.say("hello"), talk.approve(), talk.happens("e", type="clear")):
        with pytest.raises(ThreadClosed, match="is closed: its messages were erased"):
            await given
    assert set((await left(postgres_url, talk.thread_id)).values()) == {0}
    assert holding(postgres_url, "purple elephants", "wool socks") == set()
    (again,) = await forgotten(postgres)
    assert (again.kept, again.status, again.parts) == ("", "closed", frozenset())
    assert await postgres.ledger.verify(talk.thread_id) > 0


async def test_nothing_of_their_memory_their_progress_and_their_lessons_is_left(
    agent: Agent, postgres_url: str
):
    talk = Conversation(rebuilt(agent, budget=3_000).graph)
    about = {"subject": "purple elephants", "value": "purple elephants, always"}
    wrong = [("forget", {"subject": "my purple elephants illness"})]
    asked = [("query_history", {"sql": "select elephants from facts"})]
    agent.model.then([("remember", about), *wrong], asked, "Do you like purple elephants?")
    await talk.say("remember my purple elephants")
    new = Conversation(agent.graph)
    await new.happens("begin", type="fresh_from", thread=talk.thread_id)
    found = holding(postgres_url, "elephants")
    assert {"fact", "progress", "ledger_payload", "read_call"} <= found
    assert "lesson" not in found
    await forgotten(agent.resources.postgres)
    await agent.resources.postgres.memory.forget_all("ada")
    assert holding(postgres_url, "elephants") == set()


async def test_another_person_and_one_of_the_same_name_in_another_tenant_are_left_alone(
    agent: Agent, postgres_url: str
):
    """The owner is superuser here: row-level security does not hold for them."""
    ada, ben = await with_boots(agent), await with_boots(agent, "ben")
    async with shop_database(postgres_url, "other") as other:
        theirs = await with_boots(rebuilt(agent, postgres=other))
        before = [await left(postgres_url, one.thread_id) for one in (ben, theirs)]
        (held,) = await forgotten(agent.resources.postgres)
        assert held.thread_id == ada.thread_id
        assert [await left(postgres_url, one.thread_id) for one in (ben, theirs)] == before
    agent.model.then("Still here.")
    await ben.say("hello")


async def test_what_stays_confirms_no_guess(agent: Agent):
    """Who guesses arguments or words right cannot see it from the hashes in the chain."""
    talk = await asked_to_buy(agent)
    state = (await talk.state()).values
    # Everything that a prompt is compiled of is the same here but the thread's salt.
    session = session_of(talk.config, "default")
    digests = {
        compile_prompt(
            {**state, "salt": salt}, Transcript(SHOP, state["epoch"]), [], SHOP, session
        ).digest
        for salt in ("one", "another", state["salt"])
    }
    assert len(digests) == 3
    decided = {"name": "checkout", "args": {}}
    await talk.approve()
    ledger = agent.resources.postgres.ledger
    (plan,) = await ledger.ended_plans(talk.thread_id, after=0)
    calls = [[decided["name"], decided["args"]]]
    guessed = plan_id(talk.thread_id, state["turn"]["turn_id"], 0, calls, 1, "")
    right = plan_id(talk.thread_id, state["turn"]["turn_id"], 0, calls, 1, state["salt"])
    assert plan.plan_id == right != guessed
    await forgotten(agent.resources.postgres)
    stays = str(await ledger.stored(talk.thread_id))
    assert plan.binding_hash not in stays
    assert guessed not in stays
    assert state["salt"] not in stays


# -- what must be kept ----------------------------------------------------------------------------


async def test_a_plan_that_waits_is_kept_and_can_still_be_approved(agent: Agent, shop: Shop):
    postgres = agent.resources.postgres
    done, waiting = await bought(agent), await asked_to_buy(agent)
    erased, kept = await forgotten(postgres)
    assert (erased.thread_id, erased.kept) == (done.thread_id, "")
    assert (kept.thread_id, kept.kept) == (
        waiting.thread_id,
        "its plan waits for an answer or is in progress",
    )
    assert (await waiting.approve()).values["flow"] == "ordered"
    assert shop.happened() == [*PURCHASE, *PURCHASE]
    assert [held.kept for held in await forgotten(postgres)] == ["", ""]


async def test_a_doubt_that_holds_nothing_back_does_not_keep_a_person_from_being_forgotten(
    agent: Agent, shop: Shop
):
    """The plan is over and its mail has no answer: nobody can be asked what nobody remembers."""
    shop.fault("mail", "drop")
    talk = await asked_to_buy(agent)
    await talk.approve()
    await calm(shop)
    assert set((await work_list(agent, talk)).values()) == {StepState.IN_DOUBT}
    (held,) = await forgotten(agent.resources.postgres)
    assert held.kept == ""
    assert await work_list(agent, talk) == {}
    ledger = agent.resources.postgres.ledger
    assert not any(entry.payload for entry in await ledger.entries(talk.thread_id))
    assert await ledger.verify(talk.thread_id)


async def test_a_runner_that_lost_its_lock_writes_nothing_back(
    agent: Agent, shop: Shop, postgres_url: str
):
    """Its read was under way when the thread was erased."""
    talk, postgres = Conversation(agent.graph), agent.resources.postgres
    asked, go_on = asyncio.Event(), asyncio.Event()

    async def search(path: str, **params: Any) -> Any:
        asked.set()
        await go_on.wait()
        return {"products": []}

    agent.resources.services.shop.get = search
    agent.model.then([("search_products", {"query": "purple boots"})], "None.")
    run = asyncio.create_task(talk.say("purple boots"))
    await asked.wait()
    async with shop_database(postgres_url) as other:
        await fall_silent(postgres)
        await forgotten(other)
    go_on.set()
    with pytest.raises(TakenOver):
        await run
    async with postgres.pool.connection() as conn:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "read_call"):
            rows = await (await conn.execute(f"select * from {table}")).fetchall()
            assert rows == [], table


async def test_a_thread_at_work_is_kept(postgres: Postgres, postgres_url: str, shop: Shop):
    async with agent_of(postgres, shop, LONG) as agent:
        talk = await asked_to_buy(agent)
        shop.fault("orders", "slow", seconds=30)
        run = asyncio.create_task(talk.approve())
        await met(shop)
        (held,) = await forgotten(postgres)
        assert "another process is working on it" in held.kept
        hurry(shop)
        assert (await run).values["flow"] == "ordered"
        assert [held.kept for held in await forgotten(postgres)] == [""]


# -- afterwards -----------------------------------------------------------------------------------


GOES_ON = {
    "thread": "it is what says that the thread is closed",
    "thread_head": "it counts the entries",
    "ledger_event": "late evidence is kept always; what would go on is refused by the page",
    "ledger_payload": "of late evidence; it is erased when its own time is over",
    "outside_event": "evidence too, of another side; it is erased with the payloads",
    "open_step": "what late evidence leaves to do",
    "notification": "that late evidence left a question: ids, and no word of it",
    "model_usage": "what a model took of the tenant's budgets, and no word of it",
    "runner": "who ran it last, which is no word of it",
    "thread_lease": "who holds it, which is no word of it",
}
"""Tables that take rows of a closed thread, and why; all others refuse them."""


async def test_every_table_that_holds_what_a_thread_holds_refuses_a_closed_one(
    agent: Agent, postgres_url: str
):
    small = rebuilt(agent, budget=3_000)
    talk = await bought(small)
    small.model.then([("search_products", {"query": "wool socks"})], "I found some.")
    await talk.say("do you have wool socks?")
    small.model.then([("add_to_cart", {"sku": "BOOT-001"})], [("checkout", {})])
    await talk.say("the boots once more")
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        tables = await (
            await conn.execute(
                "select table_name::text from information_schema.columns "
                "join information_schema.tables using (table_schema, table_name) "
                "where table_schema = 'daybook' and column_name = 'thread_id' "
                "and table_type = 'BASE TABLE'"
            )
        ).fetchall()
        refusing = sorted({name for (name,) in tables} - GOES_ON.keys())
        assert {"progress", "read_call", "checkpoints"} <= set(refusing)
        for table in refusing:
            # The same rows once more: a trigger is asked before any constraint is.
            again = (
                f"insert into {table} overriding system value "
                f"select * from {table} where thread_id = %s limit 1"
            )
            async with conn.transaction(force_rollback=True):
                there = f"select 1 from {table} where thread_id = %s limit 1"
                found = await (await conn.execute(there, (talk.thread_id,))).fetchone()
                assert found is not None, f"the thread has nothing in {table}: let it have some"
                closed = "update thread set status = 'closed' where thread_id = %s"
                await conn.execute(closed, (talk.thread_id,))
                with pytest.raises(InsufficientPrivilege, match="is closed"):
                    await conn.execute(again, (talk.thread_id,))


async def test_a_runner_that_slept_through_it_goes_on_with_nothing(agent: Agent):
    """Its lock was lost while it was suspended; of what it sent it may still tell."""
    talk = await bought(agent)
    postgres = agent.resources.postgres
    session = session_of(talk.config, "default")
    plan = (await postgres.ledger.ended_plans(talk.thread_id, after=0))[-1]
    await forgotten(postgres)
    for event in (Event.RECEIVED, Event.TURN_DONE):
        with pytest.raises(ThreadClosed):
            async with postgres.ledger.page(session) as page:
                page.write(Entry(event, turn_id="late"))
    charge = next(step for step in plan.steps if step.name == "charge")
    async with postgres.ledger.page(session, plan.plan_id) as page:
        page.write(plan.entry(Event.ACKNOWLEDGED, charge, attempt=1, payload={"result": {}}))
    assert (await events(agent, talk, "charge"))[-1] is Event.ACKNOWLEDGED
    (thread,) = await postgres.threads.of_user("ada", "shop")
    assert thread.status == "closed"


async def test_a_forgotten_person_may_shop_again_and_cancel_the_old_order(agent: Agent, shop: Shop):
    """The operation is global: it was intended in the forgotten thread, and came to nothing."""
    talk = await bought(agent)
    await cancel(agent, talk, shop)
    await talk.answer({"type": "reject", "message": "on second thoughts"})
    await forgotten(agent.resources.postgres)
    agent.model.script.clear()
    talk = await bought(agent)
    placed = [order["order_id"] for order in orders(shop)]
    assert len(placed) == 2
    agent.model.then([("cancel_order", {"order_id": placed[0]})], last_result)
    await talk.say("cancel my old order")
    await talk.approve()
    assert shop.happened()[-2:] == ["cancel", "refund"]
    intended = [(e.op, e.gen) for e in await entries(agent, talk) if e.event is Event.INTENDED]
    assert (f"order/{placed[0]}/cancel", 2) in intended


async def test_what_was_done_in_a_forgotten_thread_is_known_without_its_words_and_not_done_twice(
    agent: Agent, shop: Shop
):
    talk = await bought(agent)
    order = orders(shop)[-1]["order_id"]
    await cancel(agent, talk, shop)
    await talk.approve()
    happened, ledger = shop.happened(), agent.resources.postgres.ledger
    before = await ledger.entries(talk.thread_id)
    await forgotten(agent.resources.postgres)
    assert await ledger.verify(talk.thread_id) == len(before)
    after = await ledger.entries(talk.thread_id)
    assert [entry.event for entry in after] == [entry.event for entry in before]
    assert {entry.payload for entry in after} == {None}
    plans = await ledger.ended_plans(talk.thread_id, after=0)
    assert [plan.over for plan in plans] == [True, True]
    assert [step.result for plan in plans for step in plan.steps if step.result] == []
    known = await ledger.operation(f"order/{order}/cancel")
    assert known is not None
    assert known.plan.find(f"order/{order}/cancel/1")[1].state is StepState.DONE
    again = await cancel(agent, Conversation(agent.graph), shop)
    assert again.interrupts == ()
    assert shop.happened() == happened
