"""Pages on one thread are written one after the other."""

import asyncio
from typing import Any

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event, StepState
from tests.ledger.book import claim, opened, somebody_waits, someone
from tests.unit.paper import ORDER

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("along", [False, True], ids=["read later", "read along"])
async def test_a_second_page_waits_and_sees_what_the_first_one_wrote(ledger, owner, along):
    ada = someone()
    plan_id = await opened(ledger, ada, ORDER)
    holds, may_end = asyncio.Event(), asyncio.Event()

    async def first() -> None:
        async with ledger.page(ada, plan_id) as page:
            holds.set()
            await may_end.wait()
            plan = await page.plan(plan_id)
            assert plan is not None
            page.write(claim(page, plan, "order"))

    async def second() -> tuple[int, StepState, Any]:
        async with ledger.page(ada, plan_id if along else None) as page:
            plan = await page.plan(plan_id)
            assert plan is not None
            return page.head.seq, plan.actions[0].step("order").state, page.now

    one = asyncio.create_task(first())
    await holds.wait()
    other = asyncio.create_task(second())
    await somebody_waits(owner)
    before_the_lock_was_granted = (
        await (await owner.execute("select clock_timestamp()")).fetchone()
    )[0]
    may_end.set()
    await one
    seq, state, now = await other
    assert (seq, state) == (4, StepState.UNKNOWN)
    assert now > before_the_lock_was_granted


async def test_first_pages_of_a_new_thread_are_serialised_too(ledger: Ledger):
    ada = someone()

    async def receive(turn: int) -> int:
        async with ledger.page(ada) as page:
            page.write(Entry(Event.RECEIVED, turn_id=str(turn)))
            return page.head.seq

    assert sorted(await asyncio.gather(*(receive(turn) for turn in range(5)))) == [1, 2, 3, 4, 5]
    assert await ledger.verify(ada.thread_id) == 5


async def test_pages_of_other_threads_do_not_wait(ledger: Ledger):
    async with ledger.page(someone()) as held:
        ada = someone()
        await opened(ledger, ada, ORDER)
        assert held.head.seq == 0
    assert await ledger.verify(ada.thread_id) == 3
