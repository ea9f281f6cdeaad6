"""Hostile SQL: nothing of another user or tenant comes out, and nothing changes."""

from __future__ import annotations

import psycopg
import pytest

from daybook.checkpoints.migrate import READER, ROLE
from daybook.checkpoints.postgres import open_postgres
from daybook.state.errors import ToolRefused
from daybook.tools.shop.domain import SHOP
from tests.past.shopped import ASKER, MARK, TABLES, VIEWS, Past, session_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

REFUSED = [
    # A change of role, directly, within a query of a query, under other spellings, as an attribute.
    "select set_config('role', 'none', true)",
    f"select set_config('role', '{ROLE}', false) from turns",
    "select set_config('session_authorization', 'daybook', true)",
    "select U&\"\\0073et_config\"('role', 'none', true)",
    "select 1 from turns t join plans p on set_config('role', 'none', true) is not null",
    "select query_to_xml('select set_config(''role'', ''none'', true)', true, true, '')",
    "select x.ts_stat from (values ('select to_tsvector(set_config($$role$$, $$none$$, true))')) x",
    "select * from history_ask('select set_config(''role'', ''none'', true)')",
    "set role daybook_app",
    "reset role",
    "select set_config('transaction_read_only', 'off', true)",
    # Tables, columns and functions of others, files, sessions, other databases.
    *(f"select * from daybook.{table}" for table in ("token", "lesson", "checkpoints", "runner")),
    *(
        f"select * from daybook.{table}"
        for table in ("encryption", "procrastinate_jobs", "progress")
    ),
    "select salt from daybook.ledger_payload",
    "select hash from daybook.ledger_event",
    "select * from pg_authid",
    "select query_to_xml('select * from daybook.token', true, true, '')",
    "select daybook.append_page(null)",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "select pg_terminate_backend(pid), pg_cancel_backend(pid) from pg_stat_activity where pid > 0",
    "select dblink('dbname=postgres', 'select 1')",
    "select most_common_vals::text from pg_stats where tablename = 'x' and 1 / 0 = 1",
    # Writes.
    "with gone as (delete from daybook.open_step returning *) select * from gone",
    "with made as (insert into daybook.history_scope values (default, 'other', 'dan') "
    "returning *) select * from made",
    "select * from turns for update",
    "select * into x from turns",
    "select nextval('daybook.procrastinate_jobs_id_seq')",
    "select setval('daybook.procrastinate_jobs_id_seq', 1)",
    "select daybook.refuse_overtaken_runner('mine', 1)",
    "update daybook.thread set user_id = 'dan'",
    "create table x (y int)",
    "copy (select 1) to program 'true'",
    "do $$ begin perform pg_sleep(1); end $$",
    "explain analyze select * from turns",
    # More than one statement, and leaving the brackets around a query.
    "select 1; commit; set role daybook_app; select * from daybook.token",
    "select 1) as a offset 0) as b; delete from daybook.open_step; --",
    "select '\\'; select * from daybook.token; --'",
    "select E'\\'; ' from daybook.token; select 1 --'",
    "select 1 from turns) as a cross join (select * from daybook.token",
    "select * from turns where thread_id = %s",
    # Too much.
    "select pg_sleep(10)",
    "select set_config('statement_timeout', '0', false), pg_sleep(10)",
    "select count(*) from generate_series(1, 1000000000)",
    "with recursive a as (select 1 union all select 1 from a) select count(*) from a",
    "select repeat('x', 1073741824)",
    "select string_agg(repeat('x', 1000000), '') from generate_series(1, 1000000)",
    "select 'x' ~ '((x{1,250}){1,250}){1,250}'",
    "select " + "(" * 100_000 + "1" + ")" * 100_000,
    "select 1 from " + ", ".join(f"effects e{n}" for n in range(100)),
]
"""Statements that are refused, whatever the reason."""

LIMITED = [
    *(f"select * from {view}" for view in VIEWS),
    *(f"select 1 from {view} x where x::text like '%{MARK}%'" for view in VIEWS),
    "select body from daybook.ledger_payload",
    "select body, user_id, tenant_id from daybook.ledger_payload where true",
    "select args, result from daybook.read_call",
    "select thread_id, user_id, tenant_id from daybook.thread",
    "select thread_id, op, state from daybook.open_step",
    "select thread_id, detail, author from daybook.ledger_event order by author = 'dan'",
    "select user_id, value from daybook.fact",
    "select tenant_id, user_id from daybook.history_scope",
    "select set_config('daybook.tenant', 'other', true), (select count(*) from daybook.thread) "
    "union all select thread_id, 1 from daybook.thread",
    "select set_config('row_security', 'off', true) union all select thread_id from daybook.thread",
    f"select 1 / 0 from daybook.fact where value::text like '%{MARK}%' or user_id like '%{MARK}%'",
    f"select 1 / (case when value = '{MARK}' then 0 else 1 end) from facts",
    f"select text::integer from changes where text like '%{MARK}%'",
    # An error within a query of a query quotes its text.
    "select query_to_xml('select ' || value::text, true, true, '') from daybook.fact",
    "select query_to_xml('select ' || body::text, true, true, '') from daybook.ledger_payload",
    "select most_common_vals::text from pg_stats where schemaname = 'daybook'",
    "select query from pg_stat_activity",
    "select statement from pg_prepared_statements union all select statement from pg_cursors",
    "with recursive a as (select 1 as n union all select n + 1 from a) select n from a",
    "select generate_series(1, 1000000000)",
    "select set_config('client_encoding', 'EUC_TW', false), 'é'",
    "select set_config('search_path', 'daybook', false), set_config('timezone', 'Asia/Tokyo', false)",
    # Postgres 15 allows these in a read-only transaction; they are rolled back.
    "select lo_from_bytea(4711, 'x')",
    "select pg_notify('procrastinate_any_queue', 'x')",
]
"""Statements that may be answered, and not with anything of others."""


async def answer(past: Past, sql: str) -> str:
    """Return all that the asker reads, answer or refusal."""
    try:
        return str(await past.ask(sql))
    except ToolRefused as refused:
        assert len(str(refused)) < 500
        return f"refused: {refused}"


async def test_others_have_rows_to_find(past: Past):
    with psycopg.connect(past.url) as owner:
        for table in TABLES:
            assert owner.execute(
                f"select count(distinct tenant_id) from {table} t where t::text like %s",
                (f"%{MARK}%",),
            ).fetchone() == (2,), table


@pytest.mark.usefixtures("unchanged")
async def test_hostile_sql_reveals_nothing_and_changes_nothing(past: Past):
    for sql in (*REFUSED, *LIMITED):
        answered = await answer(past, sql)
        # The query itself may be quoted.
        assert MARK not in answered.replace(sql, ""), sql
        assert "card_ada" not in answered, sql
        if sql in REFUSED:
            assert answered.startswith("refused"), (sql, answered)


async def test_no_lock_outlives_a_query(past: Past):
    for after in ("", ", 1 / 0", ", pg_sleep(10)"):
        await answer(past, f"select pg_advisory_lock(4711){after}")
        with psycopg.connect(past.url) as owner:
            # It is free once the reader's session has ended, which the server does in its own time.
            owner.execute("set lock_timeout = '10s'")
            owner.execute("select pg_advisory_lock(4711)")


async def test_the_reader_has_no_right_but_to_select(past: Past):
    with psycopg.connect(past.url) as owner:
        granted = owner.execute(
            "select distinct privilege_type::text from information_schema.role_table_grants "
            "where grantee = %(reader)s union select distinct privilege_type::text "
            "from information_schema.role_column_grants where grantee = %(reader)s",
            {"reader": READER},
        ).fetchall()
        attributes = owner.execute(
            "select rolsuper or rolbypassrls or rolcanlogin or rolcreaterole or rolcreatedb, "
            "exists (select from pg_auth_members where member = r.oid), "
            "has_schema_privilege(oid, 'daybook', 'create') from pg_roles r where rolname = %s",
            (READER,),
        ).fetchone()
        definers = owner.execute(
            "select oid::regproc::text from pg_proc where prosecdef "
            "and has_function_privilege(%s, oid, 'execute')",
            (READER,),
        ).fetchall()
    assert granted == [("SELECT",)]
    assert attributes == (False, False, False)
    assert definers == [("history_ask",)]


async def test_without_a_named_user_nothing_is_seen(past: Past):
    async with past.postgres.pool.connection() as conn, conn.transaction(force_rollback=True):
        for name in (*VIEWS, *TABLES):
            query = f"select 'one' from {name if name in VIEWS else f'daybook.{name}'}"
            cursor = await conn.execute("select history_ask(%s)", (query,))
            assert await cursor.fetchall() == [], name
    with psycopg.connect(past.url) as owner:
        assert owner.execute("select count(*) from history_scope").fetchone() == (0,)


async def test_each_tenant_and_user_has_a_history_of_their_own(past: Past):
    nobody = session_of(past.talk, "nobody")
    for name in VIEWS:
        assert (await past.history.query(nobody, f"select * from {name}", {})).rows == (), name
    async with open_postgres(past.url, tenant_id="other", stored_types=SHOP.restored_types) as they:
        theirs = session_of(past.talk, ASKER, "other")
        found = await they.history.query(theirs, "select value from facts", {})
    assert found.rows == ((MARK,),)


def nested(levels: int, times: int) -> str:
    """Write subqueries within each other that each name a column so many times."""
    query = "select 'x' as x"
    for _ in range(levels):
        query = f"select concat({', '.join(['x'] * times)}) as x from ({query}) as t"
    return query


@pytest.mark.parametrize("query", [nested(20, 8), nested(3, 2), f"select '{'x' * 2_000}'"])
async def test_what_could_take_the_planners_memory_is_refused(past: Past, query: str):
    with pytest.raises(ToolRefused, match="at most"):
        await past.ask(query)


async def test_a_query_of_a_query_is_answered(past: Past):
    assert await past.ask(nested(2, 30))
