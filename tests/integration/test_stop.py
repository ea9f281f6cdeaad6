"""A person stops what is under way: it is undone before its pivot, and told what stands after it."""

import asyncio
import uuid
from collections.abc import AsyncIterator

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.graph.stop import stop_thread
from daybook.state.errors import ForeignThread, InputRefused, StaffMayNot, ThreadBusy, ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Person
from tests.answers import APPROVE, edit
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, texts
from tests.integration.runners import Errand, Runners, answers, says
from tests.integration.test_cli import Terminal, terminal
from tests.integration.workers import working
from tests.purchases import (
    LONG,
    PURCHASE,
    agent_of,
    all_is_settled,
    asked_to_buy,
    bought,
    bought_until,
    entries,
    hurry,
    met,
    rebuilt,
    still_held,
    until,
    with_boots,
)
from tests.scripted import last_result

__all__ = ["terminal"]

ADA = Person("ada")


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


async def finished(agent: Agent, talk: Conversation) -> str:
    """Let a worker do what is left, and return what was said last."""
    async with working(agent) as said:
        await until(lambda: any(talk.thread_id in line for line in said), "a worker looks at it")
    return answer_of(await talk.state())


# -- before the pivot -----------------------------------------------------------------------------


async def test_what_another_process_carries_out_is_stopped_and_undone_by_it(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    shop.fault("holds", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE))
    await met(shop)
    said = await stopped(agent, talk)
    assert said.startswith("Stopped by ada: Check out for 98.90 USD. reserve BOOT-001 was sent")
    hurry(shop)
    outcome = await running.outcome()
    assert (outcome.error, outcome.asked) == ("", 0), "no model is asked what it makes of it"
    assert outcome.answer == (
        "Stopped by ada: Check out for 98.90 USD. Undone: reserve BOOT-001. Nothing else was done."
    )
    assert shop.happened() == ["reserve", "release"]
    await all_is_settled(agent, talk, shop)
    (closed,) = await closing(agent, talk)
    assert (closed.author, closed.role, closed.reason) == ("ada", "customer", "stopped by ada")
    # The cart is as it was: what was stopped can be bought.
    again = await bought_once_more(agent, talk)
    assert "order DB-" in again
    assert shop.happened() == ["reserve", "release", *PURCHASE]


async def bought_once_more(agent: Agent, talk: Conversation) -> str:
    agent.model.script[:] = [[("checkout", {})], last_result]
    await talk.say("check out after all")
    return answer_of(await talk.approve())


@pytest.mark.parametrize(
    ("at", "happens"),
    [
        ("after_commit:acknowledged/reserve_inventory", ["reserve", "release"]),
        ("before_commit:attempted/charge_payment", ["reserve", "charge", "refund", "release"]),
        ("after_commit:attempted/charge_payment", ["reserve", "charge", "refund", "release"]),
    ],
)
async def test_a_claim_that_was_committed_first_is_undone_and_any_other_is_never_sent(
    agent: Agent, shop: Shop, runners: Runners, at: str, happens: list[str]
):
    talk = await asked_to_buy(agent)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE).stops(at))
    await running.stopped()
    stopping = asyncio.create_task(stopped(agent, talk))
    if at.startswith("after"):
        await stopping
    else:
        # Its page is open: the wish to stop waits for it, and comes after it.
        await waits_for_a_page(agent)
    running.wake()
    await stopping
    outcome = await running.outcome()
    assert outcome.error == ""
    assert shop.happened() == happens
    assert "Stopped by ada" in outcome.answer
    await all_is_settled(agent, talk, shop)
    assert still_held(shop) == []


async def waits_for_a_page(agent: Agent) -> None:
    """Wait until a session waits for another one's row: Postgres announces no such thing."""
    waiting = "select count(*) as n from pg_locks where not granted"
    async with agent.resources.postgres.pool.connection() as conn:
        while True:
            found = await (await conn.execute(waiting)).fetchone()
            if found is not None and found["n"]:
                return
            await asyncio.sleep(0.01)


async def test_a_runner_that_is_suspended_with_its_page_open_keeps_nobody_from_stopping(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    errand = answers(talk.thread_id, APPROVE, lease=0.5)
    (running,) = await runners.start(errand.stops("before_commit:attempted/charge_payment"))
    await running.stopped()
    await stopped(agent, talk)
    assert "Undone: reserve BOOT-001. Nothing" in await finished(agent, talk)
    running.wake()
    assert (await running.outcome()).error == "TakenOver"
    assert shop.happened() == ["reserve", "release"]
    await all_is_settled(agent, talk, shop)


async def test_what_is_unknown_is_settled_first_and_then_undone(agent: Agent, shop: Shop):
    shop.keys(honour=False)
    talk = await asked_to_buy(agent)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=1000)
    await talk.approve()
    assert answer_of(await talk.state()).startswith("This is not settled yet")
    asked = agent.model.asked
    said = await stopped(agent, talk)
    assert "charge was sent, and it is being settled whether it happened" in said
    assert "It is undone: reserve BOOT-001." in said
    shop.http.delete("/admin/faults").raise_for_status()
    told = await finished(agent, talk)
    assert "Stopped by ada: Check out for 98.90 USD." in told
    assert "Undone: reserve BOOT-001, charge. Nothing else was done." in told
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert agent.model.asked == asked
    await all_is_settled(agent, talk, shop)


async def test_nobody_is_at_work_and_a_worker_undoes_it(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 4)
    assert shop.happened() == PURCHASE[:2]
    await stopped(agent, talk)
    told = await finished(agent, talk)
    assert "Undone: reserve BOOT-001, charge." in told
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    await all_is_settled(agent, talk, shop)


async def test_what_waits_for_its_approval_is_withdrawn(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script.clear()
    said = await stopped(agent, talk)
    assert said == "Stopped by ada: Check out for 98.90 USD. Nothing of it was done."
    done = await talk.approve()
    assert answer_of(done) == said
    assert done.values["flow"] == "shopping"
    assert shop.happened() == []
    (decided,) = [e for e in await entries(agent, talk) if e.event is Event.DECISION]
    assert (decided.author, decided.detail["decisions"]) == ("ada", ["withdrawn"])
    await all_is_settled(agent, talk, shop)


async def test_a_worker_tells_that_a_question_was_stopped(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script.clear()
    said = await stopped(agent, talk)
    assert await finished(agent, talk) == said
    assert (await talk.state()).interrupts == ()
    assert shop.happened() == []


async def test_what_was_edited_is_stopped_before_its_next_version_is_written(
    agent: Agent, shop: Shop, runners: Runners
):
    """The edited plan is over, and what comes in its place is approved by the edit."""
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    edited = answers(
        talk.thread_id, edit(card_id="card_ben_2", address_id="addr_ben_2"), user="ben"
    )
    assert (await runners.run(edited.dies("after_commit:decision"))).killed
    agent.model.script.clear()
    said = await stopped(agent, talk, Person("ben"), "stop-1")
    assert said.startswith("Stopped by ben: nothing more is begun in this turn.")
    assert await stopped(agent, talk, Person("ben"), "stop-1") == said
    told = await finished(agent, talk)
    assert told == "Stopped by ben: Check out for 98.90 USD. Nothing of it was done."
    assert shop.happened() == []
    assert (await talk.state()).interrupts == ()
    await all_is_settled(agent, talk, shop)
    # What is asked for anew is proposed anew.
    agent.model.then([("checkout", {"card_id": "card_ben_1", "address_id": "addr_ben_1"})])
    assert len((await talk.say("check out after all")).interrupts) == 1


async def test_a_turn_is_stopped_before_its_plan_is_written(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await with_boots(agent)
    assert (
        await runners.run(says(talk.thread_id, "check out", "m-2").dies("after_commit:decided"))
    ).killed
    agent.model.script.clear()
    assert "nothing more is begun in this turn" in await stopped(agent, talk)
    told = await finished(agent, talk)
    assert told == "Stopped by ada: Check out for 98.90 USD. Nothing of it was done."
    assert (await talk.state()).interrupts == ()
    with pytest.raises(ToolRefused, match="Nothing is under way"):
        await stopped(agent, talk)


@pytest.mark.parametrize("at", ["before_commit:turn_done", "after_commit:turn_done"])
async def test_who_ends_a_stopped_turn_may_die_at_either_side_of_the_commit(
    agent: Agent, shop: Shop, runners: Runners, at: str
):
    talk = await with_boots(agent)
    begins = says(talk.thread_id, "check out", "m-2").dies("after_commit:decided")
    assert (await runners.run(begins)).killed
    agent.model.script.clear()
    await stopped(agent, talk)
    assert (await runners.run(Errand(talk.thread_id).dies(at))).killed
    told = answer_of(await talk.run(None))
    assert told == "Stopped by ada: Check out for 98.90 USD. Nothing of it was done."
    assert (await talk.state()).interrupts == ()
    assert shop.happened() == []


async def test_a_wish_with_the_id_of_another_event_stops_nothing_and_says_why(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    await talk.happens("e-1", type="remove", sku="BOOT-001")
    before = await entries(agent, talk)
    with pytest.raises(ToolRefused, match="is that of another event"):
        await stopped(agent, talk, event_id="e-1")
    assert await entries(agent, talk) == before


async def test_an_order_that_landed_after_the_wish_is_cancelled_and_its_hold_is_over(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    shop.fault("orders", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE, budget=2))
    await met(shop)
    said = await stopped(agent, talk)
    assert "order was sent, and it is being settled whether it happened" in said
    hurry(shop)
    outcome = await running.outcome()
    assert (outcome.error, outcome.questions) == ("", [])
    told = "Undone: reserve BOOT-001, charge, place order. Nothing else was done."
    assert told in outcome.answer
    assert shop.happened() == ["reserve", "charge", "order", "cancel", "refund"]
    await all_is_settled(agent, talk, shop)


# -- after the pivot ------------------------------------------------------------------------------


async def test_after_the_pivot_it_is_told_what_stands_and_what_taking_it_back_would_take(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    shop.fault("mail", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE))
    await until(lambda: "order" in shop.happened(), "the order is placed")
    await met(shop)
    said = await stopped(agent, talk)
    assert said.startswith("Not stopped: Check out for 98.90 USD is past its point of no return.")
    assert "order DB-" in said
    assert "charge CH-" in said
    assert "Still owed, and done: mail." in said
    assert "Taking it back would take cancel_order, refund_payment" in said
    hurry(shop)
    assert "order DB-" in (await running.outcome()).answer
    assert shop.happened() == PURCHASE
    assert await closing(agent, talk) == []
    with pytest.raises(ToolRefused, match="Nothing is under way"):
        await stopped(agent, talk)


async def test_of_several_actions_each_is_stopped_whose_pivot_is_not_out(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = Conversation(agent.graph)
    mails = [("send_email", {"subject": s, "body": "As you asked."}) for s in ("One", "Two")]
    agent.model.then(mails)
    await talk.say("send me two mails")
    shop.fault("mail", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE, APPROVE))
    await met(shop)
    said = (await stopped(agent, talk)).splitlines()
    assert "send_email was sent and cannot be taken back if it happened" in said[0]
    assert said[1].startswith("Stopped by ada: ")
    hurry(shop)
    outcome = await running.outcome()
    assert outcome.error == ""
    assert shop.happened() == ["mail"]
    assert "Stopped by ada" in outcome.answer


# -- who, and how often ---------------------------------------------------------------------------


async def test_the_same_wish_stops_once_and_another_one_changes_nothing(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 4)
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
    talk = await bought_until(agent, 4)
    before = await entries(agent, talk)
    with pytest.raises(ForeignThread):
        await stopped(agent, talk, Person("ben"))
    stranger = Conversation(agent.graph, "ben", talk.thread_id)
    with pytest.raises(ForeignThread):
        await stranger.happens("e-1", type="stop")
    with pytest.raises(InputRefused, match="There is no thread nowhere here"):
        await stop_thread(agent.resources, agent.domain.name, "nowhere", ADA, "e-2")
    assert await entries(agent, talk) == before
    assert "Stopped by cleo" in await stopped(agent, talk, Person("cleo", "clerk"))
    (closed,) = await closing(agent, talk)
    assert (closed.author, closed.role) == ("cleo", "clerk")
    assert "Stopped by cleo" in await finished(agent, talk)
    assert shop.happened() == ["reserve", "charge", "refund", "release"]


@pytest.mark.parametrize(
    ("at", "happens"),
    [
        ("before_commit:closing", PURCHASE),
        ("after_commit:closing", ["reserve", "charge", "refund", "release"]),
    ],
)
async def test_who_stops_may_die_at_either_side_of_the_commit(
    agent: Agent, shop: Shop, runners: Runners, at: str, happens: list[str]
):
    talk = await bought_until(agent, 4)
    stops = Errand(talk.thread_id, {"events": [{"id": "e-1", "type": "stop"}]})
    assert (await runners.run(stops.dies(at))).killed
    agent.model.script[:] = [lambda prompt: prompt[-1].text]
    await finished(agent, talk)
    assert shop.happened() == happens
    await all_is_settled(agent, talk, shop)


# -- in the chat, and as an event -----------------------------------------------------------------


async def test_a_stop_word_stops_what_is_parked_and_no_model_is_asked(agent: Agent, shop: Shop):
    shop.keys(honour=False)
    talk = await asked_to_buy(agent)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=1000)
    await talk.approve()
    asked = agent.model.asked
    parked = await talk.say("Stop it!")
    assert "This is not settled yet" in answer_of(parked)
    shop.http.delete("/admin/faults").raise_for_status()
    told = await finished(agent, talk)
    assert "Stopped by ada: Check out for 98.90 USD." in told
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert agent.model.asked == asked
    await all_is_settled(agent, talk, shop)


async def test_another_message_leaves_what_is_parked_as_it_is(agent: Agent, shop: Shop):
    shop.keys(honour=False)
    talk = await asked_to_buy(agent)
    shop.fault("charges", "drop")
    shop.fault("lookups", "refuse", times=1000)
    await talk.approve()
    await talk.say("stop by my office tomorrow")
    assert await closing(agent, talk) == []
    shop.http.delete("/admin/faults").raise_for_status()
    agent.model.script[:] = ["As you like."]
    await finished(agent, talk)
    assert shop.happened() == PURCHASE


async def test_a_stop_word_withdraws_what_waits_and_no_model_is_asked(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script.clear()
    done = await talk.say("CANCEL")
    assert answer_of(done) == ("Stopped by ada: Check out for 98.90 USD. Nothing of it was done.")
    assert done.interrupts == ()
    assert done.values["flow"] == "shopping"
    assert shop.happened() == []


async def test_a_stop_word_after_the_pivot_is_told_what_stands(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    agent.model.script.clear()
    shop.fault("mail", "refuse", times=1000)
    await talk.approve()
    said = await talk.say("stop")
    assert "Not stopped: Check out for 98.90 USD is past its point of no return." in answer_of(said)
    assert shop.happened() == PURCHASE[:3]


async def test_a_stop_word_with_nothing_under_way_is_a_message_as_any(agent: Agent):
    talk = await bought(agent)
    agent.model.then("There is nothing to stop.")
    assert answer_of(await talk.say("stop")) == "There is nothing to stop."


async def test_an_event_stops_through_the_graph_whoever_runs_it(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    shop.fault("holds", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE))
    await met(shop)
    with pytest.raises(ThreadBusy):
        await talk.happens("e-0", type="remove", sku="BOOT-001")
    await talk.happens("e-1", type="stop")
    hurry(shop)
    assert "Stopped by ada" in (await running.outcome()).answer
    assert shop.happened() == ["reserve", "release"]
    with pytest.raises(ToolRefused, match="Nothing is under way"):
        await talk.happens("e-2", type="stop")
    assert (await texts(talk))[-1].startswith("Stopped by ada")


async def test_an_event_stops_what_nobody_runs_and_its_run_undoes_it(agent: Agent, shop: Shop):
    talk = await bought_until(agent, 4)
    staff = Conversation(agent.graph, "cleo", talk.thread_id, "clerk")
    with pytest.raises(StaffMayNot):
        await staff.say("stop")
    done = await staff.happens("e-1", type="stop")
    assert "Stopped by cleo: Check out for 98.90 USD. Undone: " in answer_of(done)
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    await all_is_settled(agent, talk, shop)


# -- the command line -----------------------------------------------------------------------------


async def test_the_command_stops_and_finishes_it(agent: Agent, shop: Shop, terminal: Terminal):
    talk = await bought_until(agent, 4)
    out, err, code = terminal.run("stop", talk.thread_id, "--user", "ben")
    assert (out, code) == ("", 1)
    assert "belongs to another user" in err
    out, err, code = terminal.run("stop", talk.thread_id, "--user", "cleo", "--role", "clerk")
    assert (err, code) == ("", 0)
    assert (
        "Stopped by cleo: Check out for 98.90 USD. It is undone: reserve BOOT-001, charge." in out
    )
    assert "Undone: reserve BOOT-001, charge. Nothing else was done." in out
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    out, err, code = terminal.run("stop", talk.thread_id)
    assert (out, code) == ("", 1)
    assert "Nothing is under way" in err


async def test_at_the_question_of_the_chat_stop_withdraws(
    agent: Agent, shop: Shop, terminal: Terminal
):
    talk = await asked_to_buy(agent)
    out, err, code = terminal.run(
        "chat", "--thread", talk.thread_id, lines=["stop", "show my cart"]
    )
    assert (err, code) == ("", 0)
    assert "Stopped by ada: Check out for 98.90 USD. Nothing of it was done." in out
    assert shop.happened() == []
