"""A person stops what is under way: it is undone before its pivot, and told what stands after it."""

import uuid
from collections.abc import AsyncIterator

import pytest
from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import Postgres
from daybook.graph.stop import stop_thread
from daybook.state.errors import ForeignThread, InputRefused, ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Person
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, outcomes_of, receipts_of
from tests.integration.workers import working
from tests.purchases import (
    LONG,
    agent_of,
    all_is_settled,
    asked_to_buy,
    bought_until,
    entries,
    rebuilt,
    until,
)

ADA = Person("ada")
UNDONE = [("reserve_inventory", "undone"), ("charge_payment", "undone")]
"""The receipt of a purchase that was stopped behind its charge."""


@pytest.fixture
async def agent(postgres: Postgres, shop: Shop) -> AsyncIterator[Agent]:
    """Yield an agent that waits long for a call, and for no proof in its node."""
    async with agent_of(postgres, shop, LONG) as agent:
        yield rebuilt(agent, node_seconds=0.2)


async def stopped(
    agent: Agent, talk: Conversation, person: Person = ADA, event_id: str | None = None
) -> str:
    """Stop what is under way, from this process, as every door does."""
    name = event_id or str(uuid.uuid4())
    return await stop_thread(agent.resources, agent.domain.name, talk.thread_id, person, name)


async def closing(agent: Agent, talk: Conversation) -> list[Entry]:
    """Return the entries that close an action."""
    return [e for e in await entries(agent, talk) if e.event is Event.CLOSING]


async def finished(agent: Agent, talk: Conversation) -> StateSnapshot:
    """Let a worker do what is left, and return where the thread stands."""
    async with working(agent) as said:
        await until(lambda: any(talk.thread_id in line for line in said), "a worker looks at it")
    return await talk.state()


def stops_of(snapshot: StateSnapshot) -> list[str]:
    """Return the notices of stopping that the receipts of a thread hold."""
    paragraphs = [one for text in receipts_of(snapshot) for one in text.split("\n\n")]
    return [one for one in paragraphs if one.startswith(("Stopped by", "Not stopped"))]


@pytest.mark.parametrize("told_by", ["an answer", "a worker"])
async def test_what_waits_for_its_approval_is_withdrawn(agent: Agent, shop: Shop, told_by: str):
    talk = await asked_to_buy(agent)
    agent.model.script.clear()
    said = await stopped(agent, talk)
    assert said == "Stopped by ada: Check out for 98.90 USD. None of it was done."
    done = await finished(agent, talk) if told_by == "a worker" else await talk.approve()
    assert stops_of(done) == [said]
    assert outcomes_of(done) == [("checkout", "not done")]
    assert done.interrupts == ()
    assert done.values["flow"] == "shopping"
    assert shop.happened() == []
    (decided,) = [e for e in await entries(agent, talk) if e.event is Event.DECISION]
    assert (decided.author, decided.detail["decisions"]) == ("ada", ["withdrawn"])
    await all_is_settled(agent, talk, shop)


async def test_a_wish_with_the_id_of_another_event_stops_nothing_and_says_why(agent, shop):
    talk = await asked_to_buy(agent)
    await talk.happens("e-1", type="remove", sku="BOOT-001")
    before = await entries(agent, talk)
    with pytest.raises(ToolRefused, match="has this id already"):
        await stopped(agent, talk, event_id="e-1")
    assert await entries(agent, talk) == before


# -- who, and how often ---------------------------------------------------------------------------


async def test_the_same_wish_stops_once_and_another_one_changes_nothing(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 3)
    first = await stopped(agent, talk, event_id="stop-1")
    written = await entries(agent, talk)
    assert await stopped(agent, talk, event_id="stop-1") == first
    assert await entries(agent, talk) == written
    await stopped(agent, talk, event_id="stop-2")
    (more,) = (await entries(agent, talk))[len(written) :]
    assert more.event is Event.APPLIED
    await finished(agent, talk)
    # Said again when the next plan is under way, it is the same old wish.
    agent.model.script[:] = [[("checkout", {})]]
    await talk.say("check out after all")
    assert "Undone: " in await stopped(agent, talk, event_id="stop-1")
    assert len((await talk.state()).interrupts) == 1
    assert shop.happened() == ["reserve", "charge", "refund", "release"]


async def test_a_stranger_stops_nothing_and_staff_does_by_name(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 3)
    before = await entries(agent, talk)
    with pytest.raises(ForeignThread):
        await stopped(agent, talk, Person("ben"))
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.happens("e-1", type="stop")
    with pytest.raises(InputRefused, match="Thread nowhere not found"):
        await stop_thread(agent.resources, agent.domain.name, "nowhere", ADA, "e-2")
    assert await entries(agent, talk) == before
    assert "Stopped by cleo" in await stopped(agent, talk, Person("cleo", "clerk"))
    (closed,) = await closing(agent, talk)
    assert (closed.author, closed.role) == ("cleo", "clerk")
    (told,) = stops_of(await finished(agent, talk))
    assert told.startswith("Stopped by cleo")
    assert shop.happened() == ["reserve", "charge", "refund", "release"]


# -- in the chat, and as an event -----------------------------------------------------------------


async def test_a_stop_word_stops_what_is_parked_and_another_message_does_not(agent, shop):
    shop.keys(honour=False)
    talk = await asked_to_buy(agent)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=1000)
    await talk.approve()
    await talk.say("stop by my office tomorrow")
    assert await closing(agent, talk) == []
    asked = agent.model.asked
    parked = await talk.say("Stop it!")
    assert outcomes_of(parked)[-1] == ("charge_payment", "pending")
    shop.http.delete("/admin/faults").raise_for_status()
    done = await finished(agent, talk)
    assert stops_of(done)[-1].startswith("Stopped by ada: Check out for 98.90 USD.")
    assert outcomes_of(done)[-2:] == UNDONE
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert agent.model.asked == asked, "no model is asked"
    await all_is_settled(agent, talk, shop)
