"""A plan that a process knows is not read again: it is told what happened to it since."""

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import Overtaken
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from tests.ledger.book import claim, claims, happens, opened, someone
from tests.unit.paper import CHARGE, ORDER

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def _known(ledger: Ledger, thread_id: str, plan_id: str) -> Plan:
    plan, _ = await ledger.plan(thread_id, plan_id)
    assert plan is not None
    return plan


async def test_a_page_brings_a_known_plan_up_to_date_with_what_others_wrote(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    known = await _known(ledger, ada.thread_id, plan_id)
    await claims(ledger, ada, plan_id, "charge")
    await happens(ledger, ada, plan_id, "charge", Event.UNANSWERED, attempt=1)
    async with ledger.page(ada, plan_id, known=known) as page:
        plan = await page.plan(plan_id)
        assert plan is known
        assert plan == await _known(ledger, ada.thread_id, plan_id)
        assert plan.actions[0].step("charge").state is StepState.UNKNOWN


async def test_what_is_written_on_a_known_plan_is_as_on_one_that_was_read(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE)
    known = await _known(ledger, ada.thread_id, plan_id)
    async with ledger.page(ada, plan_id, known=known) as page:
        page.write(claim(page, known, "charge"))
    async with ledger.page(ada, plan_id, known=known) as page:
        step = known.actions[0].step("charge")
        page.write(known.entry(Event.UNANSWERED, step, attempt=1))
    assert known == await _known(ledger, ada.thread_id, plan_id)
    assert await ledger.verify(ada.thread_id) == len(await ledger.entries(ada.thread_id))


async def test_who_knows_less_than_was_committed_meanwhile_decides_on_what_was(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE)
    slow, quick = [await _known(ledger, ada.thread_id, plan_id) for _ in range(2)]
    async with ledger.page(ada, plan_id, known=quick) as page:
        page.write(claim(page, quick, "charge"))
    async with ledger.page(ada, plan_id, known=slow) as page:
        assert [one.number for one in slow.actions[0].step("charge").attempts] == [1]
        assert page.head.seq == slow.last_seq


async def test_of_a_page_that_failed_nothing_is_left_but_in_the_plan_it_was_given(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE)
    known = await _known(ledger, ada.thread_id, plan_id)
    with pytest.raises(Overtaken):
        async with ledger.page(ada, plan_id, known=known) as page:
            page.write(claim(page, known, "charge"))
            raise Overtaken("somebody was first")
    read = await _known(ledger, ada.thread_id, plan_id)
    assert (read.actions[0].step("charge").attempts, read == known) == ([], False)
