"""The role that reads a person's past: without the guard it sees that person, and writes nothing."""

from __future__ import annotations

import re

import psycopg
import pytest

from daybook.checkpoints.migrate import READER, ROLE
from daybook.checkpoints.people.history import History, enter
from daybook.checkpoints.people.history_sql import VIEWS
from daybook.checkpoints.people.memory import prefix_of
from daybook.checkpoints.postgres import open_postgres
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.spoken.history import VIEWS as SHOP_VIEWS
from tests.past.hostile import REACHES
from tests.past.shopped import ASKER, MARK, Past, session_of

pytestmark = pytest.mark.asyncio(loop_scope="session")


# What the guard alone holds back: a session may change its own role and settings, end its
# transaction, wait, and take memory, and no right can be taken from a role that would keep it from
# that. Without the guard all else of the table is held by the database itself.
_OF_THE_SESSION = re.compile(
    r"set_config\('role|set_config\(\$\$role|\b(set role|reset|set session|commit|rollback|begin)\b"
    r"|pg_sleep|generate_series|repeat\(|pad\(|_agg\(|events [c-f]\b|a, events|recursive|terminate"
    r"|advisory|listen|prepare|b6|concat|e99|x{1000}|\x00|9e99999|\$1"
)

BEHIND_THE_GUARD = [sql for sql in REACHES if not _OF_THE_SESSION.search(sql)]

WRITES = [
    "insert into thread (thread_id, tenant_id, user_id) values ('x', 'default', 'dan')",
    "insert into history_scope (tenant_id, user_id, prefix) values ('default', 'ada', 'x')",
    "update history_scope set user_id = 'ada'",
    "delete from history_scope",
    "update thread set user_id = 'dan'",
    "delete from open_step",
    "delete from store",
    "update read_call set stale_at = now()",
    "truncate thread",
    "drop view history.turns cascade",
    "drop policy of_this_person on ledger_event",
    "alter table ledger_event disable row level security",
    "create table x (y int)",
    "create view history.x as select 1",
    "create function f() returns int language sql as 'select 1'",
    "with gone as (delete from open_step returning *) select * from gone",
    "select lo_from_bytea(0, 'x')",
    "select nextval('procrastinate_jobs_id_seq')",
    "select refuse_overtaken_runner('x', 1)",
    "select * from turns for update",
    "set transaction read write",
    "copy thread from stdin",
    "grant select on ledger_payload to public",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "copy (select 1) to program 'true'",
]

PEEKS = [
    *(f"select * from history.{name}" for name in VIEWS),
    *(f"select * from history.{name} x where x::text like '%{MARK}%'" for name in VIEWS),
    "select body from ledger_payload",
    "select body, user_id, tenant_id from ledger_payload where true",
    "select * from history_scope",
    "select value from store",
    "select prefix from store",
    "select args, result from read_call",
    "select thread_id, user_id from thread",
    "select thread_id, op, state from open_step",
    "select thread_id, detail, author from ledger_event",
    "select set_config('daybook.tenant', 'other', true), (select count(*) from thread)",
    f"select count(*) from ledger_event where thread_id like '%{MARK}%' having count(*) > 0",
    f"select 1 / 0 from store where prefix like '%{MARK}%' or value::text like '%{MARK}%'",
]

DENIED = [
    "select * from token",
    "select * from checkpoints",
    "select * from checkpoint_blobs",
    "select * from tool_rule",
    "select * from runner",
    "select * from encryption",
    "select * from lesson",
    "select * from progress",
    "select * from procrastinate_jobs",
    "select salt from ledger_payload",
    "select hash from ledger_event",
    "select * from pg_authid",
]


async def as_the_reader(past: Past, sql: str) -> str:
    """Run SQL as it stands, as the role, held to the person; return what comes of it."""
    about = {
        "tenant_id": "default",
        "user_id": ASKER,
        "prefix": prefix_of("default", ASKER),
        "longest": "500ms",
    }
    async with past.postgres.pool.connection() as conn, conn.transaction(force_rollback=True):
        await enter(conn, about)
        # Else no table is found, rather than none allowed.
        await conn.execute("set local search_path = history, public")
        try:
            cursor = await conn.execute(sql.encode())
            return str(await cursor.fetchall()) if cursor.description else "done"
        except psycopg.Error as error:
            return f"refused: {type(error).__name__}"


async def test_what_is_looked_for_is_there_to_be_found(past: Past):
    """What `MARK not in ...` says below says something."""
    with psycopg.connect(past.url) as owner:
        for table in (
            "thread",
            "ledger_event",
            "ledger_payload",
            "open_step",
            "read_call",
            "store",
        ):
            held = owner.execute(
                f"select count(*), count(distinct tenant_id) from {table} t where t::text like %s",
                (f"%{MARK}%",),
            ).fetchone()
            assert held is not None
            assert held[0] > 0, table
            assert held[1] == 2, table


@pytest.mark.usefixtures("unchanged")
async def test_the_role_by_itself_sees_one_person_and_writes_nothing(past: Past):
    """The guard is switched off: what stands between is the database's own."""
    for sql in WRITES:
        answer = await as_the_reader(past, sql)
        assert answer.startswith("refused") or answer == "done", (sql, answer)
    for sql in PEEKS:
        answer = await as_the_reader(past, sql)
        assert MARK not in answer, sql
    for sql in BEHIND_THE_GUARD:
        answer = await as_the_reader(past, sql)
        assert MARK not in answer.replace(sql, ""), sql
        assert "root:" not in answer, sql
    for sql in DENIED:
        assert await as_the_reader(past, sql) == "refused: InsufficientPrivilege", sql


async def test_the_role_may_select_and_nothing_else(past: Past):
    with psycopg.connect(past.url) as owner:
        granted = owner.execute(
            "select distinct privilege_type::text from information_schema.role_table_grants "
            "where grantee = %(reader)s union select distinct privilege_type::text "
            "from information_schema.role_column_grants where grantee = %(reader)s",
            {"reader": READER},
        ).fetchall()
        alone = owner.execute(
            "select pg_has_role(%s, %s, 'member'), rolsuper or rolbypassrls or rolcanlogin "
            "from pg_roles where rolname = %s",
            (READER, ROLE, READER),
        ).fetchone()
    assert granted == [("SELECT",)]
    assert alone == (False, False)


@pytest.mark.usefixtures("unchanged")
async def test_without_a_named_person_the_role_sees_nobody(past: Past):
    async with past.postgres.pool.connection() as conn, conn.transaction(force_rollback=True):
        await conn.execute(f"set local role {READER}")
        for name in VIEWS:
            cursor = await conn.execute(f"select * from history.{name}")
            assert await cursor.fetchall() == [], name
        for table in ("thread", "ledger_event", "ledger_payload", "read_call", "open_step"):
            cursor = await conn.execute(f"select thread_id from {table}")
            assert await cursor.fetchall() == [], table


@pytest.mark.usefixtures("unchanged")
async def test_a_named_person_is_forgotten_with_the_transaction(past: Past):
    await past.ask("select 1")
    with psycopg.connect(past.url) as owner:
        assert owner.execute("select count(*) from history_scope").fetchone() == (0,)


async def test_people_of_one_name_in_two_tenants_have_a_past_each(past: Past):
    async with open_postgres(
        past.url, tenant_id="other", stored_types=SHOP.restored_types
    ) as others:
        theirs = session_of(past.talk, ASKER, "other")
        found = await History(others.pool).query(theirs, "select value from facts", {})
    assert found.rows == ((MARK,),)


async def test_who_has_no_past_is_told_nothing(past: Past):
    nobody = session_of(past.talk, "nobody")
    for name in VIEWS:
        found = await past.history.query(nobody, f"select * from {name}", SHOP_VIEWS)
        assert found.rows == (), name


async def test_the_views_have_the_columns_that_are_documented(past: Past):
    with psycopg.connect(past.url) as owner:
        found = owner.execute(
            "select table_name::text, array_agg(column_name::text order by ordinal_position) "
            "from information_schema.columns where table_schema = 'history' "
            "and table_name <> 'own' group by 1"
        ).fetchall()
    assert {name: tuple(columns) for name, columns in found} == dict(VIEWS)
