"""What happens once is refused the second time, from wherever it comes."""

import asyncio
from dataclasses import replace

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import OperationReused, Overtaken, PlanStillOpen
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.parts import CHARGE, ORDER, RESERVE, intent, opening
from tests.ledger.book import (
    an_operation,
    claim,
    claims,
    decision,
    happens,
    opened,
    planned,
    someone,
    written,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_same_intent_from_another_thread_is_refused(ledger: Ledger):
    ada, copy, op = someone(), someone(), an_operation()
    assert await ledger.operation(f"{op}/0/order") is None
    await opened(ledger, ada, ORDER, op=op)
    with pytest.raises(OperationReused):
        await opened(ledger, copy, ORDER, op=op)
    assert await written(ledger, copy) == []
    found = await ledger.operation(f"{op}/0/order")
    assert found is not None
    assert (found.thread_id, found.gen) == (ada.thread_id, 1)


async def test_of_two_threads_that_intend_the_same_at_once_one_is_refused(ledger: Ledger):
    op = an_operation()
    outcomes = await asyncio.gather(
        *(opened(ledger, someone(), RESERVE, ORDER, op=op) for _ in range(4)),
        return_exceptions=True,
    )
    refused = [one for one in outcomes if isinstance(one, BaseException)]
    assert [type(one) for one in refused] == [OperationReused] * 3


async def test_the_next_generation_of_an_operation_may_be_intended(ledger: Ledger):
    ada, op = someone(), an_operation()
    plan_id = await opened(ledger, ada, ORDER, op=op)
    await happens(ledger, ada, plan_id, "order", Event.CANCELLED)
    async with planned(ledger, ada, plan_id) as (page, plan):
        page.write(intent(plan, ORDER, f"{op}/0", gen=2))
    found = await ledger.operation(f"{op}/0/order")
    assert found is not None
    assert found.gen == 2
    assert found.plan.find(f"{op}/0/order/2")[1].state is StepState.INTENDED


@pytest.mark.parametrize("undo", [False, True], ids=["forward", "undo"])
async def test_the_same_attempt_twice_is_refused(ledger: Ledger, undo: bool):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    await claims(ledger, ada, plan_id, "charge")
    if undo:
        await happens(ledger, ada, plan_id, "charge", Event.ACKNOWLEDGED, attempt=1)
        await claims(ledger, ada, plan_id, "charge", undo=True)
    before = await written(ledger, ada)
    with pytest.raises(Overtaken):
        await claims(ledger, ada, plan_id, "charge", undo=undo)
    assert await written(ledger, ada) == before
    await claims(ledger, ada, plan_id, "charge", number=2, undo=undo)


async def test_a_claim_needs_its_deadlines(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, ORDER)
    async with planned(ledger, ada, plan_id) as (page, plan):
        with pytest.raises(AssertionError):
            page.write(replace(claim(page, plan, "order"), settle_at=None))


async def test_a_plan_is_decided_once_and_the_next_one_opened_when_it_is_over(ledger: Ledger):
    ada = someone()
    first = await opened(ledger, ada, ORDER)
    with pytest.raises(Overtaken):
        async with planned(ledger, ada, first) as (page, plan):
            page.write(decision(plan))
    with pytest.raises(PlanStillOpen, match=first):
        await opened(ledger, ada, ORDER)
    assert await ledger.open_plan(ada.thread_id) == first
    assert await ledger.verify(ada.thread_id) == 3
    async with planned(ledger, ada, first) as (page, plan):
        page.write(plan.entry(Event.ENDED))
    assert await ledger.open_plan(ada.thread_id) is None
    second = await opened(ledger, ada, ORDER)
    assert await ledger.open_plan(ada.thread_id) == second


async def test_of_two_answers_at_once_one_counts(ledger: Ledger):
    ada = someone()
    plan_id = "plan-asked"
    async with ledger.page(ada) as page:
        page.write(*opening(Plan(plan_id, "turn"), (ORDER,), op=ada.thread_id))

    async def answer(author: str) -> None:
        async with planned(ledger, ada, plan_id) as (page, plan):
            page.write(replace(decision(plan), author=author))

    outcomes = await asyncio.gather(answer("ada"), answer("bea"), return_exceptions=True)
    assert sorted(type(one).__name__ for one in outcomes) == ["NoneType", "Overtaken"]


@pytest.mark.parametrize(
    "entry",
    [
        Entry(Event.RECEIVED, turn_id="t"),
        Entry(Event.TURN_DONE, turn_id="t"),
        Entry(Event.DECIDED, turn_id="t", detail={"ordinal": 0, "prompt": "p"}),
        Entry(Event.APPLIED, turn_id="t", detail={"call": "0.0"}),
    ],
    ids=lambda entry: entry.event.value,
)
async def test_what_happens_once_in_a_turn_is_refused_the_second_time(ledger: Ledger, entry: Entry):
    ada = someone()
    async with ledger.page(ada) as page:
        page.write(entry)
    with pytest.raises(Overtaken):
        async with ledger.page(ada) as page:
            page.write(entry)
    assert await written(ledger, ada) == [(1, entry.event)]
    async with ledger.page(ada) as page:
        page.write(replace(entry, turn_id="another"))
