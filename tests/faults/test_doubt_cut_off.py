"""A turn that is cut off behind a doubt: somebody goes on with it, and tells what is known by then."""

from typing import Any

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.nodes.running.identity import session_of
from daybook.state.errors import ModelUnavailable
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.receipts import ReceiptStatus
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, turn_receipt_lines
from tests.integration.workers import working
from tests.purchases import PURCHASE, SHORT, agent_of, asked_to_buy, until


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


async def test_a_turn_that_left_a_doubt_behind_is_gone_on_with(postgres: Postgres, shop: Shop):
    async with agent_of(postgres, shop, SHORT) as agent:
        talk = await cut_off(agent, shop)
        await gone_on(agent)
        asked = await talk.state()
        assert "order DB-" in answer_of(asked)
        assert asked.interrupts[0].value["action_requests"][0]["args"]["tool"] == "send_email"


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
