"""What a worker finds and finishes: what is due, what was left, what nobody asks about any more."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.nodes.running.identity import session_of
from daybook.state.clock import SYSTEM
from daybook.state.errors import ModelUnavailable
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.receipts import ReceiptStatus
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, turn_receipt_lines, turn_receipts
from tests.integration.workers import working
from tests.purchases import (
    LONG,
    PURCHASE,
    SHORT,
    agent_of,
    asked_to_buy,
    bought_until,
    entries,
    rebuilt,
    still_held,
    until,
    with_boots,
    work_list,
)

BUDGET = LONG


def patient(agent: Agent, **patience: timedelta) -> Agent:
    """Build the agent again with other deadlines."""
    return rebuilt(agent, patience=replace(agent.resources.patience, **patience))


async def row(agent: Agent, query: str, *about: Any) -> dict[str, Any]:
    """Return one row, as the application sees it."""
    async with agent.resources.postgres.pool.connection() as conn:
        found = await (await conn.execute(query, about)).fetchone()
        assert found is not None
        return found


async def status(agent: Agent, talk: Conversation) -> str:
    """Return where the thread stands, and see that nobody runs it."""
    found = await row(
        agent,
        "select status, lease_until from thread join runner using (thread_id) where thread_id = %s",
        talk.thread_id,
    )
    assert found["lease_until"] is None
    return str(found["status"])


async def test_a_purchase_that_nobody_goes_on_with_is_finished_and_nothing_else_is_touched(
    agent: Agent, shop: Shop
):
    waiting = await asked_to_buy(agent)
    before = await entries(agent, waiting)
    async with working(agent) as said:
        talk = await bought_until(agent, 3)
        assert shop.happened() == PURCHASE[:2]
        await until(lambda: bool(said), "the worker finishes it")
    assert shop.happened() == PURCHASE
    assert "order DB-" in answer_of(await talk.state())
    assert await status(agent, talk) == "idle"
    assert "due: place_order intended; finished" in said[0]
    assert all(talk.thread_id in line for line in said)
    assert await entries(agent, waiting) == before
    assert len((await waiting.state()).interrupts) == 1
    agent.model.then(last_result)
    await waiting.approve()
    assert shop.happened() == PURCHASE * 2


async def test_a_question_that_nobody_answered_is_over_and_told(agent: Agent, shop: Shop):
    talk = await asked_to_buy(patient(agent, question=timedelta(seconds=2)))
    asked = agent.model.asked
    async with working(agent) as said:
        await until(lambda: bool(said), "the worker ends the question")
    state = await talk.state()
    (line,) = turn_receipt_lines(state)
    assert (line.kind, line.status) == ("checkout", ReceiptStatus.NOT_DONE)
    assert "expired" in line.reason
    assert state.interrupts == ()
    assert agent.model.asked == asked
    assert shop.happened() == []
    assert await status(agent, talk) == "idle"


async def test_a_checkout_that_was_left_for_too_long_is_undone_in_reverse_and_told(agent, shop):
    hasty = patient(agent, approval=timedelta(seconds=0.5))
    talk = await bought_until(hasty, 3)
    decided = next(e for e in await entries(agent, talk) if e.event is Event.DECISION)
    assert decided.deadline_at is not None
    over = decided.deadline_at
    await until(lambda: SYSTEM.now() > over, "its approval is over")
    asked = agent.model.asked
    async with working(hasty) as said:
        await until(lambda: bool(said), "the worker undoes it")
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert still_held(shop) == []
    state = await talk.state()
    told = {one.kind: one for one in turn_receipt_lines(state)}
    assert told.keys() == {"reserve_inventory", "charge_payment"}
    assert {one.status for one in told.values()} == {ReceiptStatus.UNDONE}
    assert all("expired before it was used" in one.reason for one in told.values())
    assert state.values["flow"] == "shopping"
    assert agent.model.asked == asked
    assert await work_list(agent, talk) == {}


async def test_a_hold_that_landed_after_its_plan_had_ended_is_released(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.fault("holds", "refuse", times=agent.resources.patience.attempts)
    agent.model.then("It could not be reserved.")
    await talk.approve()
    assert shop.happened() == []
    # As a sender does that was suspended in its call, and wakes up.
    (intended,) = [
        e for e in await entries(agent, talk) if e.event is Event.FAILED and e.op is not None
    ]
    key = f"{intended.op}/{intended.gen}"
    hold = {"reference": key, "user_id": "ada", "sku": "BOOT-001", "quantity": 1}
    made = shop.http.post("/holds", json=hold).raise_for_status().json()
    assert len(still_held(shop)) == 1
    session = session_of(talk.config, "default")
    async with agent.resources.postgres.ledger.page(session, intended.plan_id) as page:
        plan = await page.plan(intended.plan_id or "")
        assert plan is not None
        _, step = plan.find(key)
        page.write(plan.entry(Event.ACKNOWLEDGED, step, attempt=1, payload={"result": made}))
    async with working(agent) as said:
        await until(lambda: bool(said), "the worker releases it")
    assert shop.happened() == ["reserve", "release"]
    assert still_held(shop) == []
    (_, late) = turn_receipts(await talk.state())
    assert str(late.id).startswith(f"{intended.plan_id}/late/")
    (line,) = late.additional_kwargs["receipt"]
    assert (line["kind"], line["status"]) == ("reserve_inventory", "undone")
    assert await status(agent, talk) == "idle"


async def test_a_hold_that_ended_while_nobody_went_on_closes_its_checkout(postgres, shop):
    shop.http.put("/admin/settings", json={"hold_seconds": 3}).raise_for_status()
    async with agent_of(postgres, shop, 0.5) as agent:
        talk = await bought_until(agent, 1)
        assert shop.happened() == ["reserve"]
        await until(lambda: not still_held(shop), "the hold ends")
        agent.model.then(last_result)
        async with working(agent) as said:
            await until(lambda: bool(said), "the worker closes it")
        assert shop.happened() == ["reserve"]
        state = await talk.state()
        assert state.values["flow"] == "shopping"
        assert "ends before charge can finish" in answer_of(state)
        assert await work_list(agent, talk) == {}


async def test_a_turn_that_was_cut_off_is_answered_and_a_question_is_left_as_it_stands(agent):
    cut_off, talk = await with_boots(agent), await asked_to_buy(agent)
    agent.model.script.clear()

    def fails(_: Any) -> str:
        raise ModelUnavailable("the provider is down")

    agent.model.then(fails, "They are waterproof.")
    with pytest.raises(ModelUnavailable):
        await cut_off.say("are they waterproof?")
    about = (talk.thread_id,)
    async with agent.resources.postgres.pool.connection() as conn:
        # As it stands when the process dies after its last checkpoint.
        await conn.execute(
            "update runner set lease_until = daybook_now() where thread_id = %s", about
        )
        await conn.execute("update thread set status = 'active' where thread_id = %s", about)
    async with working(agent) as said:
        await until(lambda: len(said) > 1, "the worker looks at both")
    assert answer_of(await cut_off.state()) == "They are waterproof."
    assert await status(agent, cut_off) == "idle"
    (left,) = [line for line in said if talk.thread_id in line]
    # This process plays the dead one: it is still there, and has been silent.
    assert "its runner lease expired; a question waits for an answer" in left
    assert await status(agent, talk) == "waiting"
    assert len((await talk.state()).interrupts) == 1


async def test_a_thread_that_always_fails_is_given_up_and_others_are_not_harmed(
    agent: Agent, shop: Shop, postgres_url: str
):
    poisoned = await bought_until(agent, 3)
    with psycopg.connect(postgres_url, autocommit=True) as conn:
        # As a release leaves it that this one knows nothing of.
        newer = "jsonb_set(checkpoint, '{channel_values,version}', '99')"
        conn.execute(f"update checkpoints set checkpoint = {newer}")  # type: ignore[arg-type]
    fine = await bought_until(agent, 3)
    agent.model.script[:] = [last_result]
    tries = "update runner set tries = %s, retry_at = daybook_now() where thread_id = %s"
    async with working(agent) as said:

        def heard(talk: Conversation, words: str) -> int:
            return sum(talk.thread_id in line and words in line for line in said)

        await until(lambda: heard(poisoned, "; finished") == 0 < heard(fine, "; finished"), "")
        await until(lambda: heard(poisoned, "due: ") > 2, "it is tried several times")
        async with agent.resources.postgres.pool.connection() as conn:
            await conn.execute(tries, (MOST_TRIES, poisoned.thread_id))
        await until(lambda: heard(poisoned, "GIVEN UP") == 1, "it is given up")
        tried = heard(poisoned, "due: ")
        assert await agent.resources.postgres.stalled.again(poisoned.thread_id)
        await until(lambda: heard(poisoned, "due: ") > tried, "it is tried again")
    assert shop.happened() == ["reserve", "charge", *PURCHASE]


# -- a turn that is cut off behind a doubt -----------------------------------------------------------


async def cut_off(agent: Agent, shop: Shop) -> Conversation:
    """Buy boots; the mail is in doubt, and the run ends before anything is said of the purchase."""
    talk = await asked_to_buy(agent)
    agent.model.script.clear()

    def fails(_: Any) -> str:
        raise ModelUnavailable("the provider is down")

    agent.model.then(fails, last_result)
    shop.fault("mail", "drop", seconds=30)
    with pytest.raises(ModelUnavailable):
        await talk.approve()
    return talk


async def gone_on(agent: Agent) -> None:
    async with working(agent) as said:
        await until(lambda: bool(said), "a worker goes on with the turn")


async def test_what_its_dead_runner_still_told_is_said_behind_the_answer(
    postgres: Postgres, shop: Shop
):
    """A runner that was suspended in the call wakes after the turn was taken from it."""
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await cut_off(agent, shop)
        session = session_of(talk.config, "default")
        [over] = await postgres.ledger.ended_plans(talk.thread_id, after=0)
        async with postgres.ledger.page(session, over.plan_id) as page:
            plan = await page.plan(over.plan_id)
            assert plan is not None
            [mail] = [step for step in plan.steps if step.state is StepState.IN_DOUBT]
            told = {"result": {"message_id": "M-1"}}
            page.write(plan.entry(Event.ACKNOWLEDGED, mail, attempt=1, payload=told))
        await gone_on(agent)
        done = await talk.state()
        assert done.interrupts == ()
        assert done.values["ledger"][mail.step_id].status is StepState.DONE
        assert "order DB-" in answer_of(done)
        told = [one.status for one in turn_receipt_lines(done) if one.kind == "send_email"]
        assert told == [ReceiptStatus.IN_DOUBT, ReceiptStatus.DONE]
        assert done.values["messages"][-1].id.startswith(f"{over.plan_id}/late/")
        assert shop.happened() == PURCHASE
