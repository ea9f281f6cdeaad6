"""What another process carries out is stopped: it is suspended and killed, as only a process of its own can be."""

import asyncio

import pytest

from daybook.state.clock import SYSTEM
from daybook.state.errors import ToolRefused
from daybook.state.receipts import ReceiptStatus
from daybook.state.session import Person
from daybook.testing.model import last_result
from tests.answers import APPROVE, edit
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, turn_receipt_lines, turn_receipt_text
from tests.integration.runners import Errand, Runners, answers, says
from tests.integration.test_stop import agent, closing, finished, stopped
from tests.purchases import (
    LONG,
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    bought_until,
    hurry,
    met,
    still_held,
    until,
    with_boots,
)

__all__ = ["agent"]


# -- before the pivot -----------------------------------------------------------------------------


async def test_what_another_process_carries_out_is_stopped_and_undone_by_it(agent, shop, runners):
    talk = await asked_to_buy(agent)
    shop.fault("holds", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE))
    await met(shop)
    said = await stopped(agent, talk)
    assert said.startswith("Stopped by ada: Check out for 98.90 USD. reserve BOOT-001 was sent")
    hurry(shop)
    outcome = await running.outcome()
    assert (outcome.error, outcome.asked) == ("", 0), "no model is asked what it makes of it"
    assert outcome.receipts.startswith(
        "Stopped by ada: Check out for 98.90 USD. Undone: reserve BOOT-001. Nothing else was done."
    )
    assert outcome.receipts.count("Stopped by ada") == 1
    assert shop.happened() == ["reserve", "release"]
    await all_is_settled(agent, talk, shop)
    (closed,) = await closing(agent, talk)
    assert (closed.author, closed.role, closed.reason) == ("ada", "customer", "stopped by ada")
    # The cart is as it was: what was stopped can be bought.
    agent.model.script[:] = [[("checkout", {})], last_result]
    await talk.say("check out after all")
    assert "order DB-" in answer_of(await talk.approve())
    assert shop.happened() == ["reserve", "release", *PURCHASE]


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
    assert "Stopped by ada" in outcome.receipts
    await all_is_settled(agent, talk, shop)
    assert still_held(shop) == []


async def waits_for_a_page(agent: Agent) -> None:
    """Wait until a session waits for another one's row: Postgres announces no such thing."""
    waiting = """
    select count(*) as n from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()
    """
    async with agent.resources.postgres.pool.connection() as conn:
        while True:
            found = await (await conn.execute(waiting)).fetchone()
            if found is not None and found["n"]:
                return
            await SYSTEM.sleep(0.01)


async def test_a_runner_that_is_suspended_with_its_page_open_keeps_nobody_from_stopping(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    errand = answers(talk.thread_id, APPROVE, lease=0.5)
    (running,) = await runners.start(errand.stops("before_commit:attempted/charge_payment"))
    await running.stopped()
    await stopped(agent, talk)
    await finished(agent, talk)
    found = await talk.state()
    assert "Stopped by ada" in turn_receipt_text(found)
    assert [(one.kind, one.status) for one in turn_receipt_lines(found)] == [
        ("reserve_inventory", ReceiptStatus.UNDONE)
    ]
    running.wake()
    assert (await running.outcome()).error == "TakenOver"
    assert shop.happened() == ["reserve", "release"]
    await all_is_settled(agent, talk, shop)


async def test_what_was_edited_is_stopped_before_its_next_version_is_written(agent, shop, runners):
    """The edited plan is over, and what comes in its place is approved by the edit."""
    talk = await asked_to_buy(agent, "ben", card_id="card_ben_1", address_id="addr_ben_1")
    edited = answers(
        talk.thread_id, edit(card_id="card_ben_2", address_id="addr_ben_2"), user="ben"
    )
    assert (await runners.run(edited.dies("after_commit:decision"))).killed
    agent.model.script.clear()
    said = await stopped(agent, talk, Person("ben"), "stop-1")
    assert said.startswith("Stopped by ben: nothing more is started in this turn.")
    assert await stopped(agent, talk, Person("ben"), "stop-1") == said
    await finished(agent, talk)
    told = turn_receipt_text(await talk.state())
    assert told == "Stopped by ben: Check out for 98.90 USD. None of it was done."
    assert shop.happened() == []
    assert (await talk.state()).interrupts == ()
    await all_is_settled(agent, talk, shop)
    # What is asked for anew is proposed anew.
    agent.model.then([("checkout", {"card_id": "card_ben_1", "address_id": "addr_ben_1"})])
    assert len((await talk.say("check out after all")).interrupts) == 1


@pytest.mark.parametrize("dies", ["", "before_commit:turn_done", "after_commit:turn_done"])
async def test_a_turn_is_stopped_before_its_plan_is_written_and_who_ends_it_may_die(
    agent: Agent, shop: Shop, runners: Runners, dies: str
):
    talk = await with_boots(agent)
    begins = says(talk.thread_id, "check out", "m-2").dies("after_commit:decided")
    assert (await runners.run(begins)).killed
    agent.model.script.clear()
    assert "nothing more is started in this turn" in await stopped(agent, talk)
    if dies:
        assert (await runners.run(Errand(talk.thread_id).dies(dies))).killed
    if dies:
        await talk.taken_over()
    else:
        await finished(agent, talk)
    assert (
        turn_receipt_text(await talk.state())
        == "Stopped by ada: Check out for 98.90 USD. None of it was done."
    )
    assert (await talk.state()).interrupts == ()
    with pytest.raises(ToolRefused, match="Nothing is in progress"):
        await stopped(agent, talk)
    assert shop.happened() == []


async def test_an_order_that_landed_after_the_wish_is_cancelled_and_its_hold_is_over(
    agent: Agent, shop: Shop, runners: Runners
):
    talk = await asked_to_buy(agent)
    shop.fault("orders", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE, budget=2))
    await met(shop)
    said = await stopped(agent, talk)
    assert "order was sent, and its outcome is being looked up" in said
    hurry(shop)
    outcome = await running.outcome()
    assert (outcome.error, outcome.questions) == ("", [])
    told = "Undone: reserve BOOT-001, charge, place order. Nothing else was done."
    assert told in outcome.receipts
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
    assert "Still to be done: mail." in said
    assert "Undoing it would take cancel_order, refund_payment" in said
    hurry(shop)
    assert "order DB-" in (await running.outcome()).answer
    assert shop.happened() == PURCHASE
    assert await closing(agent, talk) == []
    with pytest.raises(ToolRefused, match="Nothing is in progress"):
        await stopped(agent, talk)


async def test_of_several_actions_each_is_stopped_whose_pivot_is_not_out(agent, shop, runners):
    talk = Conversation(agent.graph)
    mails = [("send_email", {"subject": s, "body": "As you asked."}) for s in ("One", "Two")]
    agent.model.then(mails)
    await talk.say("send me two mails")
    shop.fault("mail", "slow", seconds=LONG)
    (running,) = await runners.start(answers(talk.thread_id, APPROVE, APPROVE))
    await met(shop)
    said = (await stopped(agent, talk)).splitlines()
    assert "send_email was sent and cannot be undone if it happened" in said[0]
    assert said[1].startswith("Stopped by ada: ")
    hurry(shop)
    outcome = await running.outcome()
    assert outcome.error == ""
    assert shop.happened() == ["mail"]
    assert "Stopped by ada" in outcome.receipts


@pytest.mark.parametrize(
    ("at", "happens"),
    [
        ("before_commit:closing", PURCHASE),
        ("after_commit:closing", ["reserve", "charge", "refund", "release"]),
    ],
)
async def test_who_stops_may_die_at_either_side_of_the_commit(agent, shop, runners, at, happens):
    talk = await bought_until(agent, 3)
    stops = Errand(talk.thread_id, {"events": [{"id": "e-1", "type": "stop"}]})
    assert (await runners.run(stops.dies(at))).killed
    agent.model.script[:] = [lambda prompt: prompt[-1].text]
    await finished(agent, talk)
    assert shop.happened() == happens
    await all_is_settled(agent, talk, shop)
