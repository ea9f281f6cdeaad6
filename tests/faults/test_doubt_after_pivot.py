"""A mail in doubt after an order: the order is told at once, then a person is asked about the mail."""

from dataclasses import replace
from datetime import timedelta

import pytest
from langgraph.types import Command

from daybook.state.clock import SYSTEM
from daybook.state.errors import NothingPending
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.receipts import ReceiptStatus
from daybook.testing.model import last_result
from tests.answers import APPROVE, says
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, answer_of, turn_receipt_lines
from tests.purchases import (
    LONG,
    PATIENCE,
    PURCHASE,
    SHORT,
    asked_to_buy,
    calm,
    events,
    rebuilt,
    work_list,
)

BUDGET = SHORT


async def with_a_mail_in_doubt(agent: Agent, shop: Shop, mode: str = "drop") -> Conversation:
    """Buy boots; what became of the confirmation is not known."""
    talk = await asked_to_buy(agent)
    shop.fault("mail", mode, seconds=30)
    await talk.approve()
    return talk


async def status(agent: Agent, talk: Conversation) -> str:
    postgres = agent.resources.postgres
    threads = await postgres.threads.of_user("ada", agent.domain.name)
    return next(t.status for t in threads if t.thread_id == talk.thread_id)


async def test_the_order_is_told_and_the_mail_is_asked_about(agent: Agent, shop: Shop):
    talk = await with_a_mail_in_doubt(agent, shop)
    asked, model_calls = await talk.state(), agent.model.asked
    assert "order DB-" in answer_of(asked)
    question = asked.interrupts[0].value
    assert question["action_requests"][0]["args"]["tool"] == "send_email"
    assert question["approval_id"].startswith(question["in_doubt"])
    assert asked.values["flow"] == "ordered"
    assert await status(agent, talk) == "waiting"
    # Nothing can undo it, so that is no answer.
    assert '"undo' not in question["action_requests"][0]["description"]
    again = (await talk.answer(says("undo"))).interrupts[0].value
    said = "It cannot be undone. Nothing was changed; say whether it happened."
    assert again["action_requests"][0]["description"].startswith(f"{said}\n\nIt is not known")
    done = await talk.answer(says("it happened M-1"))
    assert done.interrupts == ()
    assert shop.happened() == PURCHASE
    told = [one.status for one in turn_receipt_lines(done) if one.kind == "send_email"]
    assert told == [ReceiptStatus.IN_DOUBT, ReceiptStatus.DONE]
    assert (await events(agent, talk, "/send_email"))[-1] is Event.HAPPENED
    assert await work_list(agent) == {}
    assert await status(agent, talk) == "idle"
    shown = {call.status for name, call in done.values["ledger"].items() if "/send_email/" in name}
    assert shown == {StepState.DONE}
    assert agent.model.asked == model_calls


async def test_another_purchase_may_follow_while_the_question_waits(agent: Agent, shop: Shop):
    talk = await with_a_mail_in_doubt(agent, shop)
    agent.model.then([("add_to_cart", {"sku": "BOOT-002"})], "Added.")
    await talk.say("add BOOT-002")
    agent.model.then([("checkout", {})], last_result)
    asked = await talk.say("check out")
    assert asked.interrupts[0].value["action_requests"][0]["name"] == "checkout"
    after = await talk.approve()
    assert after.interrupts[0].value["in_doubt"].endswith("/send_email/1")
    assert set((await work_list(agent)).values()) == {StepState.IN_DOUBT}
    assert (await talk.answer(says("it happened"))).interrupts == ()
    with pytest.raises(NothingPending):
        await talk.answer(says("it happened"))
    assert shop.happened() == [*PURCHASE, *PURCHASE]


async def test_what_was_put_off_is_done_while_another_question_waits(agent: Agent, shop: Shop):
    talk = await with_a_mail_in_doubt(agent, shop, mode="slow")
    await calm(shop)
    # Refused for longer than a run waits: it is parked, to be sent later.
    shop.fault("mail", "refuse", times=3)
    # And answered late on a busy machine, which must not be taken for no answer.
    agent = rebuilt(
        agent, patience=replace(agent.resources.patience, budget=timedelta(seconds=LONG))
    )
    hasty = rebuilt(agent, node_seconds=0.01)
    talk.graph = hasty.graph
    await talk.answer(says("it did not happen"))
    assert shop.happened() == PURCHASE[:3]
    agent.model.script[:] = [[("add_to_cart", {"sku": "BOOT-002"})], "Added."]
    await talk.say("add BOOT-002")
    agent.model.script[:] = [[("checkout", {})], last_result]
    first = (await talk.say("check out")).interrupts[0]
    talk.graph = agent.graph
    async with SYSTEM.timeout(PATIENCE):
        while shop.happened() != PURCHASE:
            await talk.run({"events": []})
            await SYSTEM.sleep(0.1)
    # The question stands; who has seen it put the first time may answer it by its id.
    again = (await talk.state()).interrupts[0]
    assert again.value["approval_id"] == first.value["approval_id"]
    approved = {"decisions": [APPROVE], "approval_id": first.value["approval_id"]}
    await talk.run(Command(resume={first.id: approved}))
    assert shop.happened() == [*PURCHASE, *PURCHASE]
