"""The ledger on the real Postgres: append-only, one writer a thread, one tenant a row."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from checkpoints.ledger import Ledger
from checkpoints.migrate import ROLE
from checkpoints.page import Page
from checkpoints.postgres import Postgres, open_postgres
from state.entry import Entry
from state.errors import (
    ChainBroken,
    DaybookError,
    ForeignThread,
    IllegalTransition,
    OperationReused,
    Overtaken,
    PlanStillOpen,
)
from state.plan import Plan
from state.recovery import Event, StepState
from state.session import Session
from tests.integration.databases import database
from tests.integration.processes import User
from tests.unit.paper import CHARGE, ORDER, RESERVE, Part, intent, opening

TABLES = ("ledger_event", "ledger_payload", "open_step", "read_call", "thread", "thread_head")


@pytest.fixture(scope="module")
def postgres_url(server_url: str, template: str) -> Iterator[str]:
    """Yield one database for all of these tests: each of them has threads of its own."""
    with database(server_url, template) as url:
        yield url


@pytest.fixture(scope="module")
async def postgres(postgres_url: str) -> AsyncIterator[Postgres]:
    async with open_postgres(postgres_url, tenant_id="default", stored_types=()) as postgres:
        yield postgres


@pytest.fixture
def ledger(postgres: Postgres) -> Ledger:
    return postgres.ledger


@pytest.fixture
async def owner(postgres_url: str) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """Yield a connection as the owner of the database, who is superuser here."""
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        yield conn


@pytest.fixture
async def application(postgres: Postgres) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
    """Yield a connection as the application has it."""
    async with postgres.pool.connection() as conn:
        yield conn


@pytest.fixture(scope="module")
async def stranger(postgres_url: str, postgres: Postgres) -> AsyncIterator[Postgres]:
    """Yield the same database, opened for another tenant."""
    async with open_postgres(postgres_url, tenant_id="other", stored_types=()) as other:
        yield other


def someone(user: str = "ada", thread: str | None = None, tenant: str = "default") -> Session:
    """Name a person on a thread, a new one unless it is given."""
    return Session(
        tenant_id=tenant,
        thread_id=thread or str(uuid.uuid4()),
        user_id=user,
        role="customer",
        worker="worker",
    )


def an_operation() -> str:
    """Name an operation: they are global."""
    return f"checkout/{uuid.uuid4()}"


async def opened(ledger: Ledger, ada: Session, *parts: Part, op: str | None = None) -> str:
    """Open an approved plan of one action and return its id."""
    plan_id = f"plan-{uuid.uuid4().hex[:8]}"
    async with ledger.page(ada) as page:
        drafted = opening(Plan(plan_id, "turn"), parts, op=op or f"op/{plan_id}")
        page.write(*drafted)
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(decision(plan))
    return plan_id


def decision(plan: Plan) -> Entry:
    bound = {"decisions": ["approved"], "bound_to": plan.binding_hash}
    return plan.entry(Event.DECISION, author="ada", detail=bound)


async def happens(
    ledger: Ledger, ada: Session, plan_id: str, name: str, event: Event, **more: Any
) -> None:
    """Let something happen to a step, in a page of its own."""
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(plan.entry(event, plan.actions[0].step(name), **more))


async def claims(
    ledger: Ledger, ada: Session, plan_id: str, name: str, number: int = 1, *, undo: bool = False
) -> None:
    """Claim an attempt of a step, or of its undo."""
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(claim(page, plan, name, number, undo=undo))


def claim(page: Page, plan: Plan, name: str, number: int = 1, *, undo: bool = False) -> Entry:
    return plan.entry(
        Event.UNDO_ATTEMPTED if undo else Event.ATTEMPTED,
        plan.actions[0].step(name),
        attempt=number,
        worker=page.session.worker,
        deadline_at=page.now + timedelta(seconds=5),
        settle_at=page.now + timedelta(seconds=15),
    )


async def written(ledger: Ledger, ada: Session) -> list[tuple[int, Event]]:
    return [(entry.seq, entry.event) for entry in await ledger.entries(ada.thread_id)]


async def a_plan_read(ledger: Ledger, ada: Session, plan_id: str) -> Plan:
    plan, _ = await ledger.plan(ada.thread_id, plan_id)
    assert plan is not None
    return plan


async def somebody_waits(owner: psycopg.AsyncConnection[Any]) -> None:
    """Wait until a connection to this database waits for a lock."""
    while True:
        cursor = await owner.execute(
            "select count(*) from pg_stat_activity "
            "where datname = current_database() and wait_event_type = 'Lock'"
        )
        row = await cursor.fetchone()
        if row is not None and row[0]:
            return
        await asyncio.sleep(0.01)


# -- append-only ----------------------------------------------------------------------------------

CHANGES_OF_THE_LEDGER = [
    "update ledger_event set worker = 'another'",
    "update ledger_event set seq = seq",
    "delete from ledger_event",
    "truncate ledger_event",
    "truncate ledger_event cascade",
    "truncate thread cascade",
]


@pytest.mark.parametrize("statement", CHANGES_OF_THE_LEDGER)
async def test_the_owner_cannot_change_the_ledger(ledger: Ledger, owner, statement: str):
    ada = someone()
    await opened(ledger, ada, ORDER)
    with pytest.raises(psycopg.Error):
        await owner.execute(statement)
    assert await ledger.verify(ada.thread_id) == 3


@pytest.mark.parametrize("statement", CHANGES_OF_THE_LEDGER[:4])
async def test_the_owner_is_told_that_the_ledger_is_append_only(
    ledger: Ledger, owner, statement: str
):
    await opened(ledger, someone(), ORDER)
    cascade = f"{statement} cascade" if statement.startswith("truncate") else statement
    with pytest.raises(InsufficientPrivilege, match="append-only"):
        await owner.execute(cascade)


@pytest.mark.parametrize(
    "statement",
    [
        *CHANGES_OF_THE_LEDGER,
        "update ledger_payload set body = '{}'",
        "delete from ledger_payload",
        "truncate ledger_payload",
        "delete from thread",
        "delete from thread_head",
        "alter table ledger_event disable trigger all",
        "drop trigger ledger_event_is_append_only on ledger_event",
        "drop table ledger_payload",
        "set session_replication_role = replica",
        "insert into migration (name) values ('9999')",
    ],
)
async def test_the_application_cannot_change_what_was_written(
    ledger: Ledger, application, statement: str
):
    ada = someone()
    await opened(ledger, ada, ORDER)
    with pytest.raises(InsufficientPrivilege):
        await application.execute(statement)
    assert await ledger.verify(ada.thread_id) == 3


async def test_the_application_has_no_rights_but_these(owner):
    cursor = await owner.execute(
        "select table_name, array_agg(privilege_type::text order by privilege_type) "
        "from information_schema.role_table_grants "
        "where grantee = %s and table_name = any(%s) group by table_name",
        (ROLE, list(TABLES)),
    )
    assert dict(await cursor.fetchall()) == {
        "ledger_event": ["INSERT", "SELECT"],
        "ledger_payload": ["INSERT", "SELECT"],
        "open_step": ["DELETE", "INSERT", "SELECT", "UPDATE"],
        "read_call": ["INSERT", "SELECT", "UPDATE"],
        "thread": ["INSERT", "SELECT", "UPDATE"],
        "thread_head": ["INSERT", "SELECT", "UPDATE"],
    }


async def test_the_application_is_no_superuser_and_bound_by_row_level_security(application):
    cursor = await application.execute(
        "select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin from pg_roles "
        "where rolname = current_user"
    )
    assert list((await cursor.fetchone()).values()) == [False] * 4


# -- one tenant a row -----------------------------------------------------------------------------


async def test_every_table_of_ours_has_forced_row_level_security(owner):
    cursor = await owner.execute(
        "select relname::text from pg_class where relnamespace = 'public'::regnamespace "
        "and relkind = 'r' and relrowsecurity and relforcerowsecurity order by relname"
    )
    assert tuple(name for (name,) in await cursor.fetchall()) == TABLES


async def _visible(postgres: Postgres, ada: Session) -> dict[str, int]:
    seen = {}
    async with postgres.pool.connection() as conn:
        for table in TABLES:
            cursor = await conn.execute(
                f"select count(*) as n from {table} where thread_id = %s", (ada.thread_id,)
            )
            row = await cursor.fetchone()
            assert row is not None
            seen[table] = row["n"]
    return seen


async def test_another_tenants_rows_cannot_be_seen(postgres: Postgres, stranger: Postgres):
    ada = someone()
    plan_id = await opened(postgres.ledger, ada, RESERVE, ORDER)
    assert (await _visible(postgres, ada))["ledger_event"] == 4
    assert set((await _visible(stranger, ada)).values()) == {0}
    assert await stranger.ledger.entries(ada.thread_id) == []
    assert (await stranger.ledger.plan(ada.thread_id, plan_id))[0] is None
    assert await stranger.ledger.open_plan(ada.thread_id) is None
    assert await stranger.ledger.operation(f"op/{plan_id}/0/order") is None


async def test_a_connection_without_a_tenant_sees_and_writes_nothing(ledger: Ledger, owner):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute(f"set role {ROLE}")
    for table in TABLES:
        assert await (await owner.execute(f"select * from {table}")).fetchall() == []
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        await owner.execute(
            "insert into thread (thread_id, tenant_id, user_id) values ('x', 'default', 'eve')"
        )


async def test_another_tenants_thread_cannot_be_written(postgres: Postgres, stranger: Postgres):
    ada = someone()
    await opened(postgres.ledger, ada, ORDER)
    eve = someone("ada", ada.thread_id, tenant="other")
    with pytest.raises(ForeignThread):
        async with stranger.ledger.page(eve) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
    assert await postgres.ledger.verify(ada.thread_id) == 3


async def test_a_row_of_another_tenant_cannot_be_written(stranger: Postgres):
    eve = someone("eve", tenant="default")
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        async with stranger.ledger.page(eve) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))


async def test_tenants_do_not_share_operations(postgres: Postgres, stranger: Postgres):
    op = an_operation()
    await opened(postgres.ledger, someone(), ORDER, op=op)
    await opened(stranger.ledger, someone(tenant="other"), ORDER, op=op)


async def test_another_users_thread_is_refused(ledger: Ledger):
    ada = someone()
    await opened(ledger, ada, ORDER)
    with pytest.raises(ForeignThread, match="belongs to another user"):
        async with ledger.page(someone("eve", ada.thread_id)) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
    assert await ledger.verify(ada.thread_id) == 3


# -- one writer a thread --------------------------------------------------------------------------


@pytest.mark.parametrize("along", [False, True], ids=["read later", "read along"])
async def test_a_second_page_waits_and_sees_what_the_first_one_wrote(
    ledger: Ledger, owner, along: bool
):
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


# -- all or nothing -------------------------------------------------------------------------------


class Crash(Exception):
    """Stand for whatever may go wrong within a page."""


async def test_a_page_that_raises_writes_nothing(ledger: Ledger):
    ada = someone()
    with pytest.raises(Crash):
        async with ledger.page(ada) as page:
            page.write(*opening(Plan("plan", "turn"), (ORDER,), op=ada.thread_id))
            raise Crash
    assert await written(ledger, ada) == []
    assert await ledger.open_plan(ada.thread_id) is None


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
from checkpoints.postgres import open_postgres
from state.entry import Entry
from state.recovery import Event
from state.session import Session

async def main(url, thread):
    session = Session("default", thread, "ada", "customer", "doomed")
    async with open_postgres(url, tenant_id="default", stored_types=()) as postgres:
        async with postgres.ledger.page(session) as page:
            page.write(Entry(Event.RECEIVED, turn_id="lost"))
            print("wrote", flush=True)
            await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_a_killed_process_leaves_nothing_of_its_page_and_no_lock(
    ledger: Ledger, postgres_url: str
):
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


async def test_a_page_without_entries_changes_nothing(ledger: Ledger):
    ada = someone()
    await opened(ledger, ada, ORDER)
    async with ledger.page(ada):
        pass
    assert await ledger.verify(ada.thread_id) == 3


# -- what happens once ----------------------------------------------------------------------------


async def test_the_same_intent_from_another_thread_is_refused(ledger: Ledger):
    ada, copy, op = someone(), someone(), an_operation()
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
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(intent(plan, ORDER, f"{op}/0", gen=2))
    found = await ledger.operation(f"{op}/0/order")
    assert found is not None
    assert found.gen == 2
    assert found.plan.find(f"{op}/0/order/2")[1].state is StepState.INTENDED


async def test_an_operation_that_nobody_intended_is_not_known(ledger: Ledger):
    assert await ledger.operation("checkout/never") is None


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
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        with pytest.raises(AssertionError):
            page.write(replace(claim(page, plan, "order"), settle_at=None))


async def test_two_plans_open_at_once_are_refused(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, ORDER)
    with pytest.raises(PlanStillOpen, match=plan_id):
        await opened(ledger, ada, ORDER)
    assert await ledger.open_plan(ada.thread_id) == plan_id


async def test_a_plan_may_be_opened_when_the_one_before_is_over(ledger: Ledger):
    ada = someone()
    first = await opened(ledger, ada, ORDER)
    async with ledger.page(ada, first) as page:
        plan = await page.plan(first)
        assert plan is not None
        page.write(plan.entry(Event.ENDED))
    assert await ledger.open_plan(ada.thread_id) is None
    second = await opened(ledger, ada, ORDER)
    assert await ledger.open_plan(ada.thread_id) == second


async def test_a_decision_twice_is_refused(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, ORDER)
    with pytest.raises(Overtaken):
        async with ledger.page(ada, plan_id) as page:
            plan = await page.plan(plan_id)
            assert plan is not None
            page.write(decision(plan))
    assert await ledger.verify(ada.thread_id) == 3


async def test_of_two_answers_at_once_one_counts(ledger: Ledger):
    ada = someone()
    plan_id = "plan-asked"
    async with ledger.page(ada) as page:
        page.write(*opening(Plan(plan_id, "turn"), (ORDER,), op=ada.thread_id))

    async def answer(author: str) -> None:
        async with ledger.page(ada, plan_id) as page:
            plan = await page.plan(plan_id)
            assert plan is not None
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


# -- reading --------------------------------------------------------------------------------------


async def test_what_is_read_back_is_what_was_written(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(claim(page, plan, "charge"))
        step = plan.actions[0].step("charge")
        page.write(
            plan.entry(Event.ACKNOWLEDGED, step, attempt=1, payload={"result": {"charge_id": "ö"}})
        )
    read, now = await ledger.plan(ada.thread_id, plan_id)
    assert read == plan
    assert read is not plan
    assert now > page.now
    assert read.actions[0].results == {"charge": {"charge_id": "ö"}}


async def test_entries_are_read_in_order_and_from_a_number_on(ledger: Ledger):
    ada = someone()
    await opened(ledger, ada, ORDER)
    assert [entry.seq for entry in await ledger.entries(ada.thread_id)] == [1, 2, 3]
    assert [entry.seq for entry in await ledger.entries(ada.thread_id, after=2)] == [3]


async def test_a_turn_is_read_without_the_entries_of_its_plans(ledger: Ledger):
    ada = someone()
    async with ledger.page(ada) as page:
        page.write(Entry(Event.RECEIVED, turn_id="turn"))
    await opened(ledger, ada, ORDER)
    async with ledger.page(ada) as page:
        page.write(Entry(Event.TURN_DONE, turn_id="turn"), Entry(Event.RECEIVED, turn_id="next"))
    known = await ledger.turn(ada.thread_id, "turn")
    assert [entry.event for entry in known] == [Event.RECEIVED, Event.TURN_DONE]


async def test_arguments_and_free_text_stand_outside_the_chain(ledger: Ledger, owner):
    ada = someone()
    await opened(ledger, ada, replace(ORDER, args={"note": "a secret"}))
    events = await (await owner.execute("select e::text from ledger_event e")).fetchall()
    payloads = await (await owner.execute("select p::text from ledger_payload p")).fetchall()
    assert "a secret" in str(payloads)
    assert "a secret" not in str(events)


@pytest.mark.parametrize("text", ["\x00", "\ud800"], ids=["NUL", "lone surrogate"])
async def test_text_that_postgres_cannot_hold_is_kept_without_it_or_refused_in_words(
    ledger: Ledger, text: str
):
    """Such text comes out of a model's arguments: it must not end a thread for ever."""
    ada = someone()
    entry = Entry(
        Event.DECIDED,
        turn_id="t",
        detail={"ordinal": 0, "prompt": "p"},
        payload={"calls": [{"name": "search", "args": {"query": f"boots{text}"}}], "text": ""},
    )
    try:
        async with ledger.page(ada) as page:
            page.write(entry)
    except DaybookError as refused:
        assert str(refused)
        return
    (kept,) = await ledger.entries(ada.thread_id)
    assert kept.payload is not None
    assert "boots" in str(kept.payload)
    assert await ledger.verify(ada.thread_id) == 1


# -- the work list --------------------------------------------------------------------------------


async def work_list(postgres: Postgres, plan_id: str) -> dict[str, str]:
    async with postgres.pool.connection() as conn:
        cursor = await conn.execute(
            "select op, state from open_step where plan_id = %s", (plan_id,)
        )
        return {row["op"].rsplit("/", 1)[1]: row["state"] for row in await cursor.fetchall()}


async def test_steps_are_on_the_work_list_until_their_plan_is_over(postgres: Postgres):
    ada, ledger = someone(), postgres.ledger
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    assert await work_list(postgres, plan_id) == {"charge": "intended", "order": "intended"}
    await claims(ledger, ada, plan_id, "charge")
    await happens(ledger, ada, plan_id, "charge", Event.ACKNOWLEDGED, attempt=1)
    await claims(ledger, ada, plan_id, "order")
    assert await work_list(postgres, plan_id) == {"charge": "done", "order": "unknown"}
    await happens(ledger, ada, plan_id, "order", Event.ACKNOWLEDGED, attempt=1)
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(plan.entry(Event.SUCCEEDED))
    assert await work_list(postgres, plan_id) == {}


async def test_a_step_is_due_when_its_last_open_attempt_has_settled(postgres: Postgres, owner):
    ada, ledger = someone(), postgres.ledger
    plan_id = await opened(ledger, ada, ORDER)
    await claims(ledger, ada, plan_id, "order")
    plan = await a_plan_read(ledger, ada, plan_id)
    due = "select due_at from open_step where plan_id = %s"
    assert await (await owner.execute(due, (plan_id,))).fetchall() == [
        (plan.steps[0].attempts[0].settle_at,)
    ]
    await happens(ledger, ada, plan_id, "order", Event.REFUSED, attempt=1)
    assert await (await owner.execute(due, (plan_id,))).fetchall() == [(None,)]


async def _reopened(postgres: Postgres) -> tuple[Session, str]:
    """End a closed plan, then let a late acknowledgement of its charge arrive."""
    ada, ledger = someone(), postgres.ledger
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    await claims(ledger, ada, plan_id, "charge")
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        charge, order = plan.steps
        page.write(
            plan.entry(Event.FAILED, charge),
            plan.entry(Event.CLOSING, detail={"action": 0, "reason": "absent"}),
            plan.entry(Event.CANCELLED, order),
            plan.entry(Event.ENDED),
        )
    assert await work_list(postgres, plan_id) == {}
    await happens(ledger, ada, plan_id, "charge", Event.ACKNOWLEDGED, attempt=1)
    return ada, plan_id


async def test_a_step_that_a_late_answer_reopens_is_on_the_work_list_again(postgres: Postgres):
    """Nobody would come to undo it otherwise: the plan is over and the thread has no open one."""
    _, plan_id = await _reopened(postgres)
    assert await work_list(postgres, plan_id) == {"charge": "done"}


async def test_a_reopened_step_leaves_the_work_list_when_it_is_undone(postgres: Postgres):
    ada, plan_id = await _reopened(postgres)
    await claims(postgres.ledger, ada, plan_id, "charge", undo=True)
    assert await work_list(postgres, plan_id) == {"charge": "undoing"}
    await happens(postgres.ledger, ada, plan_id, "charge", Event.UNDONE, attempt=1)
    assert await work_list(postgres, plan_id) == {}


# -- tampering ------------------------------------------------------------------------------------


async def test_the_chain_of_a_thread_that_nobody_used_verifies(ledger: Ledger):
    assert await ledger.verify("nobody") == 0


@pytest.mark.parametrize(
    "tampering",
    [
        "update ledger_event set user_id = 'eve' where seq = 2",
        "update ledger_event set author = 'eve' where seq = 3",
        "update ledger_event set at = at + interval '1 microsecond' where seq = 2",
        'update ledger_event set detail = detail || \'{"bound_to": "x"}\' where seq = 3',
        "update ledger_event set hash = '\\x00' where seq = 2",
        "delete from ledger_event where seq = 2",
        "delete from ledger_event where seq = 1",
        "delete from ledger_event where seq = 3",
        "delete from ledger_event",
        "update ledger_event set seq = 9 where seq = 2; update ledger_event set seq = 2 where seq = 3;"
        "update ledger_event set seq = 3 where seq = 9",
        "update ledger_event set seq = seq + 1 where seq = 3",
        'update ledger_payload set body = \'{"args": {"amount": 1}}\' where seq = 2',
        "update ledger_payload set salt = '\\x00' where seq = 2",
        "update thread_head set seq = 2",
        "update thread_head set hash = '\\x00'",
        "delete from thread_head",
    ],
)
async def test_what_a_superuser_changes_behind_the_triggers_shows(
    ledger: Ledger, owner, tampering: str
):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute("set session_replication_role = replica")
    await owner.execute(tampering)
    with pytest.raises(ChainBroken):
        await ledger.verify(ada.thread_id)


async def test_a_payload_that_was_erased_for_a_person_does_not_break_the_chain(
    ledger: Ledger, owner
):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute("delete from ledger_payload")
    assert await ledger.verify(ada.thread_id) == 3


async def test_tampering_with_one_thread_leaves_the_others_whole(ledger: Ledger, owner):
    ada, bea = someone(), someone("bea")
    await opened(ledger, ada, ORDER)
    await opened(ledger, bea, ORDER)
    await owner.execute("set session_replication_role = replica")
    await owner.execute("update ledger_event set role = 'x' where thread_id = %s", (ada.thread_id,))
    with pytest.raises(ChainBroken):
        await ledger.verify(ada.thread_id)
    assert await ledger.verify(bea.thread_id) == 3
