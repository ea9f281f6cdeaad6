"""A page is written whole or not at all, whatever ends it."""

import asyncio

import psycopg
import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import IllegalTransition, Overtaken, PlanStillOpen
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event, StepState
from tests.integration.processes import User
from tests.ledger.book import (
    a_plan_read,
    claim,
    claims,
    happens,
    opened,
    someone,
    written,
)
from tests.unit.paper import ORDER, opening

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
        async with ledger.page(ada, plan_id) as page:
            plan = await page.plan(plan_id)
            assert plan is not None
            page.write(claim(page, plan, "order"))
            page.write(plan.entry(Event.CANCELLED, plan.actions[0].step("order")))
    assert await ledger.verify(ada.thread_id) == 3
    assert (await a_plan_read(ledger, ada, plan_id)).steps[0].state is StepState.INTENDED


async def test_numbers_have_no_gaps_after_failures(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, ORDER)
    await claims(ledger, ada, plan_id, "order")
    with pytest.raises(Overtaken):
        await claims(ledger, ada, plan_id, "order")
    with pytest.raises(PlanStillOpen):
        await opened(ledger, ada, ORDER)
    with pytest.raises(Crash):
        async with ledger.page(ada) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
            raise Crash
    await happens(ledger, ada, plan_id, "order", Event.UNANSWERED, attempt=1)
    assert [seq for seq, _ in await written(ledger, ada)] == [1, 2, 3, 4, 5]
    assert await ledger.verify(ada.thread_id) == 5
