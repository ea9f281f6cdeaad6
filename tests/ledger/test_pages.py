"""A page is written whole or not at all, and one after the other on a thread."""

import asyncio
from typing import Any

import psycopg
import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import IllegalTransition, Overtaken
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from evals.protocol.parts import CHARGE, ORDER, opening
from tests.integration.processes import User
from tests.ledger.book import (
    a_plan_read,
    claim,
    claims,
    happens,
    opened,
    planned,
    somebody_waits,
    someone,
    written,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Crash(Exception):
    """Stand for whatever may go wrong within a page."""


async def test_a_page_that_raises_or_holds_no_entries_writes_nothing(ledger: Ledger):
    ada = someone()
    with pytest.raises(Crash):
        async with ledger.page(ada) as page:
            page.write(*opening(Plan("plan", "turn"), (ORDER,), op=ada.thread_id))
            raise Crash
    assert await written(ledger, ada) == []
    assert await ledger.open_plan(ada.thread_id) is None
    await opened(ledger, ada, ORDER)
    async with ledger.page(ada):
        pass
    assert await ledger.verify(ada.thread_id) == 3


async def test_a_page_that_is_cancelled_writes_nothing_and_frees_the_thread(ledger: Ledger):
    ada = someone()
    wrote = asyncio.Event()

    async def halfway() -> None:
        async with ledger.page(ada) as page:
            page.write(Entry(Event.RECEIVED, turn_id="lost"))
            wrote.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(halfway())
    await wrote.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with ledger.page(ada) as page:
        page.write(Entry(Event.RECEIVED, turn_id="kept"))
    assert [entry.turn_id for entry in await ledger.entries(ada.thread_id)] == ["kept"]


async def test_a_page_whose_connection_dies_writes_nothing_and_says_so(ledger: Ledger, owner):
    ada = someone()
    with pytest.raises(psycopg.OperationalError):
        async with ledger.page(ada) as page:
            page.write(Entry(Event.RECEIVED, turn_id="lost"))
            pid = page._conn.info.backend_pid
            await owner.execute("select pg_terminate_backend(%s, 10000)", (pid,))
    assert await written(ledger, ada) == []


_WRITES_AND_WAITS = """
import asyncio, sys
from daybook.checkpoints.postgres import open_postgres
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session

async def main(url, thread):
    session = Session("default", thread, "ada", "ada", "customer", "doomed")
    async with open_postgres(url, tenant_id="default", stored_types=()) as postgres:
        async with postgres.ledger.page(session) as page:
            page.write(Entry(Event.RECEIVED, turn_id="lost"))
            print("wrote", flush=True)
            await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_killed_process_leaves_nothing_of_its_page_and_no_lock(ledger, postgres_url):
    ada = someone()
    async with ledger.page(ada) as page:
        page.write(Entry(Event.RECEIVED, turn_id="kept"))
    with User(_WRITES_AND_WAITS, postgres_url, ada.thread_id) as doomed:
        assert doomed.line() == "wrote"
        doomed.kill()
        async with ledger.page(ada) as page:
            page.write(Entry(Event.TURN_DONE, turn_id="kept"))
    assert await written(ledger, ada) == [(1, Event.RECEIVED), (2, Event.TURN_DONE)]
    assert await ledger.verify(ada.thread_id) == 2


async def test_an_illegal_move_within_a_page_writes_nothing_of_it(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, ORDER)
    with pytest.raises(IllegalTransition):
        async with planned(ledger, ada, plan_id) as (page, plan):
            page.write(claim(page, plan, "order"))
            page.write(plan.entry(Event.CANCELLED, plan.actions[0].step("order")))
    assert await ledger.verify(ada.thread_id) == 3
    assert (await a_plan_read(ledger, ada, plan_id)).steps[0].state is StepState.INTENDED


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
