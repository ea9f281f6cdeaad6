"""Replays of every checkpoint, and threads copied from them: the record is returned, nothing is done again."""

import asyncio

import psycopg
import pytest
from langgraph.types import StateSnapshot

from daybook.state.errors import UnknownPlan
from daybook.state.ledger.recovery import Event
from daybook.state.people.tool_messages import as_said
from daybook.testing.model import last_result
from tests.answers import question
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of
from tests.history import again, at, before, checkpoints, copied
from tests.purchases import (
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    bought,
    cancelled,
    entries,
    met,
    orders,
    with_boots,
)

NODES = ["receive", "decide", "intend", "approve", "decide", "respond"]


async def died_in_the_charge(agent: Agent, shop: Shop) -> Conversation:
    """Leave a purchase as a process does that dies while it waits for the charge's answer."""
    talk = await asked_to_buy(agent)
    shop.fault("charges", "slow", seconds=30)
    run = asyncio.create_task(talk.approve())
    await met(shop)
    await cancelled(run)
    return talk


def names_the_order(done: StateSnapshot, order: str) -> None:
    """See that the thread stands where the purchase ended."""
    assert order in answer_of(done)
    assert done.values["flow"] == "ordered"
    assert done.values["cart"].lines == ()
    assert done.values["plan_id"] is None
    assert (done.next, done.interrupts) == ((), ())


async def test_a_replay_from_each_checkpoint_of_an_ended_purchase_returns_the_same_order(
    agent: Agent, shop: Shop
):
    places: list[str] = []
    # So many at once: replays make older checkpoints go.
    for first in (0, 3, 6):
        talk = await bought(agent)
        order = orders(shop)[-1]["order_id"]
        asked, happened = agent.model.asked, shop.happened()
        written = len(await entries(agent, talk))
        for snapshot in (await checkpoints(talk))[: len(NODES) + 2][first : first + 3]:
            done = await again(talk, snapshot)
            places += snapshot.next or ("end",)
            names_the_order(done, order)
            assert as_said(done.values["messages"])[-2].text == "check out"
            assert shop.happened() == happened, f"replayed from {snapshot.next}"
            assert agent.model.asked == asked, "the model is not asked again"
            assert len(await entries(agent, talk)) == written, "nothing new is written down"
    assert places == ["end", *reversed(NODES), "__start__"]
    # Replays of replays do nothing either.
    for _ in range(2):
        names_the_order(await again(talk, snapshot), order)
    assert shop.happened() == happened
    assert agent.model.asked == asked


@pytest.mark.long
async def test_a_replay_from_each_checkpoint_of_a_purchase_in_mid_plan_finishes_it_once(
    agent: Agent, shop: Shop
):
    nodes = [*reversed(NODES[: NODES.index("approve") + 1]), "__start__"]
    for place, node in enumerate(nodes):
        talk = await died_in_the_charge(agent, shop)
        snapshot = (await checkpoints(talk))[place]
        assert snapshot.next == (node,)
        done = await again(talk, snapshot)
        await all_is_settled(agent, talk, shop)
        assert shop.happened() == PURCHASE * (place + 1), f"replayed from {node}"
        names_the_order(done, orders(shop)[-1]["order_id"])
        assert agent.model.asked == 4 * (place + 1), "nothing is decided a second time"


async def test_a_replay_from_each_checkpoint_of_a_waiting_purchase_asks_the_same_question(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    asked = await question(talk)
    nodes = [*reversed(NODES[: NODES.index("approve") + 1]), "__start__"]
    for node, snapshot in zip(nodes, await checkpoints(talk), strict=False):
        assert snapshot.next == (node,)
        await again(talk, snapshot)
        assert await question(talk) == asked
        assert shop.happened() == [], "nobody has approved it"
    names_the_order(await talk.approve(), orders(shop)[-1]["order_id"])
    assert shop.happened() == PURCHASE
    assert agent.model.asked == 4


async def test_a_thread_that_waits_keeps_its_turn_and_no_write_of_what_is_behind_its_question(
    agent: Agent, shop: Shop, postgres_url: str
):
    talk = await asked_to_buy(agent)
    snapshots = await checkpoints(talk)
    # The turn that asks, and the last of the turn before it.
    assert [one.next for one in snapshots] == [
        *[(node,) for node in reversed(NODES[: NODES.index("approve") + 1])],
        ("__start__",),
        (),
    ]
    with psycopg.connect(postgres_url) as owner:
        written = owner.execute("select distinct checkpoint_id from checkpoint_writes").fetchall()
    assert written == [(snapshots[0].config["configurable"]["checkpoint_id"],)]
    names_the_order(await talk.approve(), orders(shop)[-1]["order_id"])


async def test_a_replay_and_the_same_message_return_the_decision_though_reads_are_superseded_by_now(
    agent: Agent, shop: Shop
):
    talk = await with_boots(agent)
    snapshot = (await checkpoints(talk))[0]
    look = ("search_products", {"query": "wool socks"})
    agent.model.then([look], [("checkout", {})], last_result)
    await talk.say("any socks? then check out", "m-2")
    await talk.approve()
    order = orders(shop)[-1]["order_id"]
    asked = agent.model.asked
    names_the_order(await again(talk, await before(talk, "decide", ordinal=0)), order)
    # The same message at the same state.
    await at(talk, snapshot.config).say("any socks? then check out", "m-2")
    names_the_order(await talk.state(), order)
    assert agent.model.asked == asked
    assert shop.happened() == PURCHASE


async def test_a_replayed_turn_that_changed_the_cart_changes_it_once(agent: Agent, shop: Shop):
    talk = await with_boots(agent)
    first = (await checkpoints(talk))[-1]
    state = await again(talk, first)
    assert [(line.sku, line.quantity) for line in state.values["cart"].lines] == [("BOOT-001", 1)]
    assert answer_of(state) == "It is in the cart."
    assert [entry.event for entry in await entries(agent, talk)].count(Event.DECIDED) == 2
    assert agent.model.asked == 2


async def test_a_replay_of_a_checkout_that_was_refused_returns_the_refusal(agent, shop):
    talk = await with_boots(agent)
    shop.product("BOOT-001", stock=0)
    agent.model.then([("checkout", {})], last_result)
    refused = await talk.say("check out")
    assert "Only 0 of BOOT-001" in answer_of(refused)
    shop.product("BOOT-001", stock=9)
    for node in ("decide", "intend"):
        done = await again(talk, await before(talk, node, ordinal=0 if node == "decide" else 1))
        assert done.interrupts == ()
        assert answer_of(done) == answer_of(refused)
    assert agent.model.asked == 4
    assert shop.happened() == []


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
            assert "Nothing was done; make the request again." in str(error)
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
    assert "was checked out already" in await gone_on(agent, copy)
    assert shop.happened() == PURCHASE


async def test_an_approval_of_a_copied_question_does_nothing(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    left = list(agent.model.script)
    copy = await copied(agent, talk)
    with pytest.raises(UnknownPlan):
        await copy.approve()
    assert shop.happened() == []
    assert "in progress already" in await gone_on(agent, copy)
    agent.model.script[:] = left
    await talk.approve()
    assert shop.happened() == PURCHASE
