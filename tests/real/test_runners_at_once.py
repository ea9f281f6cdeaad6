"""Processes that run one thread at the same instant: every effect once, and the losers say so."""

from collections.abc import Sequence

import pytest

from daybook.state.ledger.recovery import Event
from daybook.state.receipts import ReceiptStatus
from daybook.testing.model import last_result
from tests.answers import APPROVE, REJECT, decisions
from tests.conftest import Agent, Shop
from tests.conversation import Conversation, turn_receipt_lines
from tests.integration.runners import Errand, Outcome, Runners, answers, says
from tests.purchases import (
    PURCHASE,
    all_is_settled,
    asked_to_buy,
    entries,
    orders,
    rebuilt,
    with_boots,
    work_list,
)

MANY = 8
LOSERS = {
    "ThreadBusy": "Another process is working on the thread",
    "NothingPending": "This thread has no pending question.",
}


def losers(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the errors of those who came too late; each must say so plainly, and nothing more."""
    lost = [outcome for outcome in outcomes if outcome.error]
    for outcome in lost:
        assert outcome.words.startswith(LOSERS[outcome.error])
        assert "Nothing was done" in outcome.words
    assert [outcome.log for outcome in outcomes] == [""] * len(outcomes)
    assert len(lost) < len(outcomes), "somebody does the work"
    return [outcome.error for outcome in lost]


async def bought_once(agent: Agent, talk: Conversation, shop: Shop) -> None:
    """See that the thread stands at the end of one purchase, on both sides."""
    done = await talk.state()
    await all_is_settled(agent, talk, shop)
    assert shop.happened() == PURCHASE
    assert done.tasks == ()
    assert done.values["flow"] == "ordered"
    said = "\n".join(message.text for message in done.values["messages"])
    assert orders(shop)[-1]["order_id"] in said
    written = [entry.event for entry in await entries(agent, talk)]
    assert written.count(Event.DECISION) == 1


POINTS = [
    "after_commit:attempted/reserve_inventory",
    "after_reply:charge_payment",
    *(
        pytest.param(point, marks=pytest.mark.long)
        for point in ("before_commit:attempted/send_email", "before_request:place_order")
    ),
]


@pytest.mark.parametrize("point", POINTS)
async def test_many_who_take_over_a_dead_runner_finish_it_once(agent, runners, shop, point):
    talk = await asked_to_buy(agent)
    dead = await runners.run(answers(talk.thread_id, APPROVE).dies(point))
    assert dead.killed
    outcomes = await runners.at_once(*[Errand(talk.thread_id)] * MANY)
    assert set(losers(outcomes)) <= {"ThreadBusy"}
    await bought_once(agent, talk, shop)
    assert sum(outcome.asked for outcome in outcomes) == 1, "for the words of the answer"


async def test_many_who_take_up_a_parked_plan_undo_it_once(agent, runners, shop):
    rules = agent.resources.postgres.rules
    await rules.switch("release_inventory", is_off=True, why="at rest", by="ann")
    talk = await asked_to_buy(rebuilt(agent, node_seconds=0), "dan")
    parked = await talk.approve()
    assert [(one.kind, one.status) for one in turn_receipt_lines(parked)] == [
        ("reserve_inventory", ReceiptStatus.DONE),
        ("charge_payment", ReceiptStatus.DECLINED),
    ]
    assert shop.happened() == ["reserve"]
    await rules.switch("release_inventory", is_off=False, why="", by="ann")
    outcomes = await runners.at_once(*[says(talk.thread_id, "well?", "m-3", user="dan")] * MANY)
    assert set(losers(outcomes)) <= {"ThreadBusy"}
    assert shop.happened() == ["reserve", "release"]
    told = [one.status for one in turn_receipt_lines(await talk.state())]
    assert told == [ReceiptStatus.UNDONE, ReceiptStatus.DECLINED]
    assert await work_list(agent, talk) == {}


async def test_many_who_give_the_same_answer_at_once_buy_once(agent, runners, shop):
    talk = await asked_to_buy(agent)
    outcomes = await runners.at_once(*[answers(talk.thread_id, APPROVE)] * MANY)
    assert len(losers(outcomes)) == MANY - 1
    await bought_once(agent, talk, shop)


async def test_of_two_answers_at_once_that_differ_one_counts(agent, runners, shop):
    talk = await asked_to_buy(agent)
    both = [answers(talk.thread_id, APPROVE), answers(talk.thread_id, REJECT)]
    outcomes = await runners.at_once(*both * (MANY // 2))
    assert len(losers(outcomes)) == MANY - 1
    (decided,) = await decisions(agent, talk)
    (winner,) = (at for at, outcome in enumerate(outcomes) if not outcome.error)
    if winner % 2 == 0:
        assert decided.detail["decisions"] == ["approved"]
        await bought_once(agent, talk, shop)
    else:
        assert decided.detail["decisions"] == ["rejected"]
        assert shop.happened() == []
    assert await work_list(agent, talk) == {}


async def test_the_same_message_in_many_processes_is_one_question(agent, runners, shop):
    talk = await with_boots(agent)
    outcomes = await runners.at_once(*[says(talk.thread_id, "check out", "m-2")] * MANY)
    assert set(losers(outcomes)) <= {"ThreadBusy"}
    assert sum(outcome.asked for outcome in outcomes) == 1
    agent.model.then(last_result)
    await talk.approve()
    await bought_once(agent, talk, shop)


async def test_messages_that_come_while_others_take_over_do_not_repeat_the_charge(
    agent: Agent, runners: Runners, shop: Shop
):
    talk = await asked_to_buy(agent)
    await runners.run(answers(talk.thread_id, APPROVE).dies("after_reply:charge_payment"))
    asks = [says(talk.thread_id, "what became of it?", f"m-{number}") for number in range(3, 7)]
    outcomes = await runners.at_once(*asks, *[Errand(talk.thread_id)] * (MANY - len(asks)))
    assert set(losers(outcomes)) <= {"ThreadBusy"}
    await bought_once(agent, talk, shop)
