"""Nobody changes what was written, and what is changed behind the triggers shows."""

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.migrate import ROLE
from daybook.state.errors import ChainBroken
from evals.protocol.parts import ORDER
from tests.ledger.book import opened, someone

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLES = ("ledger_event", "ledger_payload", "open_step", "read_call", "thread", "thread_head")

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
    with pytest.raises(psycopg.Error) as refused:
        await owner.execute(statement)
    # Postgres itself refuses to truncate what others refer to.
    if statement != "truncate ledger_event":
        assert isinstance(refused.value, InsufficientPrivilege)
        assert "append-only" in str(refused.value)
    assert await ledger.verify(ada.thread_id) == 3


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
async def test_the_application_cannot_change_what_was_written(ledger, application, statement):
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
        "thread": ["INSERT", "SELECT"],
        "thread_head": ["INSERT", "SELECT"],
    }


async def test_it_updates_of_a_thread_where_it_stands_and_of_its_head_nothing(owner):
    cursor = await owner.execute(
        "select table_name::text, column_name::text from information_schema.column_privileges "
        "where grantee = %s and table_name in ('thread', 'thread_head') "
        "and privilege_type = 'UPDATE' order by 1, 2",
        (ROLE,),
    )
    # The tenant's is there to lock the row by: row-level security holds it to its value.
    assert await cursor.fetchall() == [
        ("thread", "last_activity"),
        ("thread", "status"),
        ("thread_head", "tenant_id"),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "select move_head(%(thread)s, 2, (select hash from ledger_event "
        "where thread_id = %(thread)s and seq = 2), null)",
        "select move_head(%(thread)s, 3, (select hash from ledger_event "
        "where thread_id = %(thread)s and seq = 3), null)",
        "select move_head(%(thread)s, 4, sha256('x'), null)",
        "update thread set user_id = 'eve'",
        "update thread_head set user_id = 'eve'",
        "update thread_head set open_plan = null",
        "update thread_head set tenant_id = 'other'",
    ],
)
async def test_the_head_stays_where_the_ledger_ends_and_a_thread_its_persons(
    ledger: Ledger, application, owner, statement: str
):
    ada = someone()
    await opened(ledger, ada, ORDER)
    about = {"thread": ada.thread_id}
    kept = "select t.user_id, h.* from thread t join thread_head h using (thread_id)"
    before = await (await owner.execute(f"{kept} where thread_id = %(thread)s", about)).fetchall()
    with pytest.raises(InsufficientPrivilege):
        await application.execute(statement, about)
    after = await (await owner.execute(f"{kept} where thread_id = %(thread)s", about)).fetchall()
    assert after == before


async def test_the_head_of_another_tenants_thread_is_not_moved(ledger: Ledger, stranger, owner):
    ada = someone()
    await opened(ledger, ada, ORDER)
    async with stranger.pool.connection() as conn:
        with pytest.raises(InsufficientPrivilege):
            await conn.execute("select move_head(%s, 4, sha256('x'), null)", (ada.thread_id,))
    assert await ledger.verify(ada.thread_id) == 3


async def test_the_application_is_no_superuser_and_bound_by_row_level_security(application):
    cursor = await application.execute(
        "select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin from pg_roles "
        "where rolname = current_user"
    )
    assert list((await cursor.fetchone()).values()) == [False] * 4


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
async def test_what_a_superuser_changes_behind_the_triggers_shows(ledger, owner, tampering):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute("set session_replication_role = replica")
    await owner.execute(tampering)
    with pytest.raises(ChainBroken):
        await ledger.verify(ada.thread_id)


async def test_an_erased_payload_and_a_thread_that_nobody_used_verify(ledger: Ledger, owner):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute("delete from ledger_payload")
    assert await ledger.verify(ada.thread_id) == 3
    assert await ledger.verify("nobody") == 0


async def test_a_thread_that_is_gone_from_all_tables_is_missed(ledger: Ledger, owner):
    kept, gone = someone(), someone()
    await opened(ledger, kept, ORDER)
    await opened(ledger, gone, ORDER)
    before = await ledger.missing_threads()
    heads = [head async for head in ledger.heads()]
    assert {kept.thread_id, gone.thread_id} <= {head.thread_id for head in heads}
    assert await ledger.lost(heads) == []
    await owner.execute("set session_replication_role = replica")
    for table in ("ledger_event", "ledger_payload", "open_step", "thread_head", "thread"):
        await owner.execute(f"delete from {table} where thread_id = %s", (gone.thread_id,))
    await owner.execute("set session_replication_role = origin")
    assert await ledger.missing_threads() == before + 1
    assert [head.thread_id for head in await ledger.lost(heads)] == [gone.thread_id]
