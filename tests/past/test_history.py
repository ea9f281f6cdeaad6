"""A person's past in SQL: what is asked honestly is answered, and nothing else comes out or changes.

All tests of this file read one database, in which three people have shopped: two of one tenant, and
one of another tenant who has the same user id. Whatever is not the asker's holds the word MARK.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest
import pytest_asyncio

from daybook.checkpoints.migrate import READER, ROLE
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.people.history import MOST_BYTES, MOST_ROWS, History, enter
from daybook.checkpoints.people.history_sql import VIEWS
from daybook.checkpoints.people.memory import prefix_of
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from daybook.state.people.facts import fact_of
from daybook.state.session import Session
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.spoken.history import VIEWS as SHOP_VIEWS
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation, answer_of
from tests.databases import database
from tests.purchases import asked_to_buy, bought, orders, rebuilt, with_boots
from tests.scripted import last_result
from tests.shop_process import ShopProcess

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARK = "quokka"
"""Stands in every row that is not the asker's: threads are named by it."""

ASKER = "dan"


@dataclass
class Past:
    """Hold the database of this file, and what the asker has done."""

    url: str
    postgres: Postgres
    history: History
    session: Session
    talk: Conversation
    order_id: str
    cancelled: str

    async def ask(self, sql: str) -> Rows:
        """Ask as the person."""
        return await self.history.query(self.session, sql, SHOP_VIEWS)


def session_of(talk: Conversation, user: str, tenant: str = "default") -> Session:
    return Session(tenant, talk.thread_id, user, user, "customer", "worker")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def past(server_url: str, template: str, shop_process: ShopProcess) -> AsyncIterator[Past]:
    """Yield the database in which they have shopped."""
    async with AsyncExitStack() as stack:
        url = stack.enter_context(database(server_url, template))
        http = stack.enter_context(httpx.Client(base_url=shop_process.url))
        http.post("/admin/reset").raise_for_status()
        shop = Shop(shop_process.url, shop_process.smtp_url, http)
        ours, others = [
            await stack.enter_async_context(
                open_postgres(url, tenant_id=tenant, stored_types=SHOP.restored_types)
            )
            for tenant in ("default", "other")
        ]
        agent = await stack.enter_async_context(shop_agent(ours, shop))
        for user, where in (("ada", agent), (ASKER, rebuilt(agent, postgres=others))):
            await _stranger(where, user)
        talk = await with_boots(agent, ASKER, "mine")
        agent.model.then([("checkout", {})], last_result)
        await talk.say("check out")
        await talk.approve()
        order_id, cancelled = "", ""
        for keeps in (False, True):
            talk = await bought(agent, ASKER, card_id="card_dan_2")
            order_id = orders(shop, ASKER)[-1]["order_id"]
            if not keeps:
                cancelled = order_id
                agent.model.then([("cancel_order", {"order_id": order_id})], last_result)
                await talk.say("cancel that order")
                await talk.approve()
        await _looks_and_removes(agent, talk, "boots")
        await ours.memory.put(
            ASKER, fact_of("shoe size", "43", "fact", talk.thread_id, SYSTEM.now())
        )
        session = session_of(talk, ASKER)
        # Spans come into the database by themselves, a while after their runs.
        for each in (ours, others):
            await each.outbox.flush()
        yield Past(
            url,
            ours,
            History(ours.pool, longest=timedelta(seconds=0.5)),
            session,
            talk,
            order_id,
            cancelled,
        )


async def _stranger(agent: Agent, user: str) -> None:
    """Let somebody do what the asker does, with the mark in all of it."""
    tenant = agent.resources.postgres.tenant_id
    talk = await asked_to_buy(agent, user, f"{MARK}-{tenant}", **_card(user))
    await talk.approve()
    await _looks_and_removes(agent, talk, MARK)
    fact = fact_of("shoe size", MARK, "fact", talk.thread_id, SYSTEM.now())
    await agent.resources.postgres.memory.put(user, fact)
    # And a question that waits, so that there is an open step.
    waiting = await with_boots(agent, user, f"{MARK}-{tenant}-waits")
    agent.model.then([("checkout", _card(user))])
    await waiting.say("check out")


def _card(user: str) -> dict[str, str]:
    return {"card_id": "card_dan_2" if user == ASKER else "card_ada_1"}


async def _looks_and_removes(agent: Agent, talk: Conversation, words: str) -> None:
    agent.model.then(
        [("search_products", {"query": f"boots {words}", "limit": 5})],
        [("add_to_cart", {"sku": "BOOT-002"})],
        [("remove_from_cart", {"sku": "BOOT-002"})],
        "It is out again.",
    )
    await talk.say(f"put BOOT-002 in and take it out, {words}")


# -- what is asked honestly -----------------------------------------------------------------------


async def test_what_did_i_order_last_month(past: Past):
    found = await past.ask(
        "select order_id, status, total, currency from orders "
        "where at >= now() - interval '1 month' order by at"
    )
    assert found == Rows(
        ("order_id", "status", "total", "currency"),
        (
            (past.cancelled, "cancelled", 9890, "USD"),
            (past.order_id, "placed", 9890, "USD"),
        ),
        False,
    )
    lines = await past.ask(
        "select l.sku, l.quantity, l.unit_price from order_lines l join orders o using (order_id) "
        "where o.status = 'placed'"
    )
    assert lines.rows == (("BOOT-001", 1, 9890),)


async def test_how_much_did_i_spend(past: Past):
    found = await past.ask(
        "select to_char(date_trunc('year', at), 'YYYY') as year, sum(total) as cents, "
        "round(avg(total) / 100, 2) as each from orders where status = 'placed' group by 1"
    )
    assert [row[1:] for row in found.rows] == [(9890, 98.9)]


async def test_what_did_i_remove_from_the_cart(past: Past):
    found = await past.ask("select args ->> 'sku' from changes where type = 'remove'")
    assert found.rows == (("BOOT-002",),)


async def test_which_payments_failed_and_why(past: Past):
    found = await past.ask("select amount, card_id, reason from payments where status = 'failed'")
    assert found.rows == ((9890, "card_dan_1", "The card was declined."),)
    same = await past.ask(
        "select reason from effects where tool ilike '%charge%' and state = 'negative'"
    )
    assert same.rows == (("The card was declined.",),)


async def test_what_do_you_know_about_me(past: Past):
    found = await past.ask("select subject, value, kind, source from facts")
    assert found.rows == (("shoe size", "43", "fact", past.talk.thread_id),)


async def test_what_did_i_approve_and_what_came_of_it(past: Past):
    found = await past.ask(
        "select tool, decision, decided_by, succeeded, total, reason from plans order by opened_at"
    )
    assert found.rows == (
        ("checkout", "approved", ASKER, False, 9890, "The card was declined."),
        ("checkout", "approved", ASKER, True, 9890, None),
        ("cancel_order", "approved", ASKER, True, 9890, None),
        ("checkout", "approved", ASKER, True, 9890, None),
    )


async def test_what_did_i_look_for_and_find(past: Past):
    found = await past.ask(
        "select r.args ->> 'query' as query, count(*) as hits, min((hit ->> 'price')::bigint) > 0 "
        "from reads r cross join lateral jsonb_array_elements(r.result -> 'hits') as hit "
        "group by 1 order by 2 desc"
    )
    assert found.rows[0][0] == "boots boots"
    assert found.rows[0][2] is True


async def test_the_chain_of_events_can_be_walked_over_all_threads(past: Past):
    found = await past.ask(
        "with mine as (select thread_id, seq, at, lag(at) over w as before from events "
        "window w as (partition by thread_id order by seq)) "
        "select count(distinct thread_id), bool_and(at >= before), count(*) from mine"
    )
    ((threads, in_order, count),) = found.rows
    assert (threads, in_order) == (3, True)
    with psycopg.connect(past.url) as owner:
        assert owner.execute(
            "select count(*) from ledger_event where tenant_id = 'default' and user_id = %s",
            (ASKER,),
        ).fetchone() == (count,)


async def test_a_union_is_answered_and_two_columns_of_one_name_are_both_told(past: Past):
    found = await past.ask(
        "select 'turns' as what, count(*) from turns union all select 'done', count(done_at) from turns"
    )
    assert found.rows[0][1] == found.rows[1][1] > 3
    both = await past.ask("select t.at, e.at from turns t join events e using (thread_id) limit 1")
    assert both.columns == ("at", "at")


async def test_only_the_first_rows_are_told_and_that_there_are_more(past: Past):
    found = await past.ask("select seq from events order by thread_id, seq")
    assert (len(found.rows), found.is_truncated) == (MOST_ROWS, True)
    long = await past.ask("select result, text from changes, reads where false")
    assert long == Rows((), (), False)
    wide = await past.ask("select result from effects, turns")
    assert wide.is_truncated
    assert len(str(wide.rows)) < MOST_BYTES * 1.2


ANSWERED = [
    "select date_trunc('month', at) m, sum(total) from orders where at >= now() - interval '1 month' group by 1",
    "select to_char(at,'YYYY-MM') m, count(*) filter (where state='done') from effects group by 1 having count(*)>0 order by m desc nulls last limit 5 offset 0",
    "select extract(year from at)::int y, age(at) from turns where at::date = current_date - 1",
    "select tool, row_number() over (partition by tool order by at desc), lag(at) over w from effects window w as (order by at)",
    "select distinct on (tool) tool, at from effects order by tool, at desc",
    "select coalesce(reason,'-'), nullif(tool,''), substring(tool from 1 for 2), trim(tool), left(tool,3), round(1.5,1) from effects",
    "select case tool when 'a' then 1 else 2 end, at between now() - interval '1 day' and now(), tool in ('a','b'), tool not in (select tool from reads) from effects",
    "select at at time zone 'Europe/Berlin', at - lag(at) over (order by at) from turns",
    "select args #>> '{line,sku}', args @> '{\"type\":\"add\"}', args ? 'x', args->'line'->>'sku' from changes",
    "select * from plans p left join lateral (select count(*) n from effects e where e.plan_id = p.plan_id) c on true",
    "select count(*) from turns where exists (select 1 from plans where plans.thread_id = turns.thread_id)",
    "(select tool from effects) union (select tool from reads) order by 1",
    "select sum(x) over (order by at rows between 1 preceding and current row) from (select 1 x, at from turns) y",
    "select jsonb_array_length(result->'hits'), jsonb_typeof(args) from reads where not refused",
    "select date(at), date_part('month', at), timestamptz '2026-01-01', date '2026-01-01' from turns",
    "select -total, total % 2, total/100.0, 5 is distinct from total, not (total > 1) from plans",
    "select e.value, e.key from changes, jsonb_each_text(args) as e(key, value)",
    "select subject || ': ' || value as line from facts where subject ilike '%shoe%'",
    "select h ->> 'name' as name, (h ->> 'price')::numeric / 100 as price from reads r, jsonb_array_elements(r.result -> 'hits') h order by price limit 3",
    "select thread_id from turns except select thread_id from plans",
    "select max(at)::text, min(at) from turns group by thread_id",
    "select exists(select 1 from plans where decision = 'rejected') as any_rejected",
    "select decided_by is null, ended_at - opened_at > interval '2 minutes' from plans",
]
"""What people write who know the words of Postgres."""


async def test_the_usual_words_of_postgres_are_understood(past: Past):
    for sql in ANSWERED:
        assert isinstance(await past.ask(sql), Rows), sql


# -- what is wrong without malice -----------------------------------------------------------------

MISTAKES = {
    "select totel from orders": "There is no column totel. .* orders\\(order_id",
    "select * from purchases": "There is no view purchases. .*turns, effects, plans",
    "select 1 / (count(*) - count(*)) from turns": "divides by zero",
    "select tool::integer from effects": "cannot be cast",
    "select thread_id + 1 from turns": "operator does not exist: text \\+ integer",
    "select at, count(*) from turns": "must appear in the GROUP BY",
    "select (select at from turns) from plans": "more than one row",
    "select at from turns, events": "ambiguous",
    "select sum(total * 1000000000 * 1000000000 * 1000000000) from orders": "too large",
    "select a.seq from events a, events b, events c, events d, events e": "",
    "select sum(a.seq) from events a, events b, events c, events d, events e": "longer than 0.5 s",
    "selec * from turns": "Only a SELECT",
    "select from where": "no SQL that can be read",
    "": "Only a SELECT",
    "select string_agg(tool, ',') from effects": "function string_agg .* aggregates and",
}


@pytest.mark.parametrize("sql", MISTAKES)
async def test_a_mistake_is_told_in_a_sentence_by_which_it_can_be_mended(past: Past, sql: str):
    if not MISTAKES[sql]:
        assert (await past.ask(sql)).is_truncated
        return
    with pytest.raises(ToolRefused, match=MISTAKES[sql]) as refused:
        await past.ask(sql)
    assert "\n" not in str(refused.value)
    assert "Nothing was" in str(refused.value)
    # No driver's words behind it either, which may quote a row.
    assert refused.value.__cause__ is None


async def test_a_row_that_is_too_long_is_refused_with_a_way_out(past: Past):
    wide = ", ".join(["args", "result"] * 120)
    with pytest.raises(ToolRefused, match="select single fields"):
        await past.ask(f"select {wide} from effects where tool = 'place_order' limit 1")


# -- what is hostile ------------------------------------------------------------------------------

REACHES = [
    # Other people's rows, and another tenant's.
    f"select * from events where thread_id like '%{MARK}%'",
    "select * from facts where value <> '43'",
    "select * from events where author <> 'dan' or author is null",
    "select * from history.own",
    "select * from history.turns t full outer join history.reads r on true",
    "select args from reads where args::text like '%q%' order by 1 desc",
    "select * from orders where order_id is not null or true",
    "with facts2 as (select * from facts) select * from facts2 where true or value = ''",
    f"select (text::integer) from changes where text like '%{MARK}%'",
    f"select 1 / (case when value = '{MARK}' then 0 else 1 end) from facts",
    # Tables, catalogues, the scope.
    "select * from ledger_payload",
    "select * from public.ledger_payload",
    "select * from store",
    "select * from thread",
    "select * from token",
    "select * from checkpoints",
    "select * from history_scope",
    "select * from pg_catalog.pg_authid",
    "select * from pg_stat_activity",
    "select * from pg_settings",
    "select * from information_schema.tables",
    'select * from "pg_class"',
    'select * from U&"\\0070g_class"',
    "select * from daybook.public.ledger_payload",
    "select * from history.pg_class",
    "select 'ledger_payload'::regclass::oid",
    "select 1::oid::regrole",
    "select ledger_payload.body from turns, ledger_payload",
    # A name of the query in the place of a table, out of its sight.
    "with ledger_payload as (select 1) select * from ledger_payload l, public.ledger_payload p",
    "with a as (select * from ledger_payload), ledger_payload as (select 1) select * from a",
    "select * from (with token as (select 1) select * from token) x, token",
    "with turns as (select * from token) select * from turns",
    # Functions that go round roles and row-level security.
    "select set_config('role', 'daybook_app', true)",
    "select set_config('daybook.tenant', 'other', true), count(*) from events",
    "select current_setting('daybook.tenant')",
    "select pg_catalog.set_config('role', 'none', false)",
    "select query_to_xml('select * from ledger_payload', true, true, '')",
    "select table_to_xml('ledger_payload', true, true, '')",
    "select database_to_xml(true, true, '')",
    "select cursor_to_xml('c', 1, true, true, '')",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/passwd')",
    "select lo_from_bytea(0, 'x')",
    "select dblink('dbname=postgres', 'select 1')",
    "select pg_terminate_backend(pg_backend_pid())",
    "select pg_advisory_lock(1)",
    "select pg_notify('x', 'y')",
    "select nextval('procrastinate_jobs_id_seq')",
    "select txid_current(), pg_current_xact_id()",
    "select pg_export_snapshot()",
    "select pg_get_viewdef('history.turns')",
    "select has_table_privilege('ledger_payload', 'select')",
    "select current_user, session_user, current_database(), version()",
    "select user",
    "select inet_server_addr()",
    "select turns.pg_sleep from turns",
    "select (turns).row_to_json from turns",
    "select pg_typeof(turns) from turns",
    "select jsonb_path_query(args, '$.**') from effects",
    "select ts_stat('select 1')",
    "select xmlparse(document '<a/>')",
    "select 1 operator(pg_catalog.+) 1",
    # A name behind a table is a call of a function too, where the query has made it a name.
    *(
        f"select 1 as {name}, x.{name} from jsonb_array_elements_text('[\"{text}\"]') x"
        for name, text in (
            ("current_setting", "daybook.tenant"),
            ("to_regclass", "public.ledger_payload"),
            ("pg_read_file", "/etc/passwd"),
            (
                "ts_stat",
                "select to_tsvector($$simple$$, set_config($$role$$, $$none$$, true) || "
                "(select string_agg(thread_id, $$ $$) from public.thread))",
            ),
        )
    ),
    "select 1 as pg_typeof, t.pg_typeof from turns t",
    # Writes and other statements.
    "insert into thread values ('x')",
    "update thread set user_id = 'dan'",
    "delete from open_step",
    "truncate thread",
    "drop schema history cascade",
    "create table x (y int)",
    "grant all on all tables in schema public to daybook_reader",
    "select * into x from turns",
    "select * from turns for update",
    "with gone as (delete from open_step returning *) select * from gone",
    "with made as (insert into thread values ('x') returning *) select 1",
    "copy ledger_payload to stdout",
    "copy (select 1) to program 'touch /tmp/x'",
    "do $$ begin perform pg_sleep(1); end $$",
    "set role daybook_app",
    "reset role",
    "set session authorization default",
    "begin",
    "commit",
    "rollback",
    "explain analyze select * from turns",
    "declare c cursor for select 1",
    "fetch all from past",
    "close past",
    "prepare p as select 1",
    "listen x",
    "vacuum",
    "lock table thread",
    "call refuse()",
    "show all",
    "table ledger_payload",
    "values (1)",
    # Stacked statements and comments.
    "select 1; select * from ledger_payload",
    "select 1; commit; set role daybook_app; select * from ledger_payload",
    "select 1;;drop table thread",
    "select 1 -- ; \n; delete from open_step",
    "select 1 /* ; */ ; delete from open_step",
    "select 1 /* /* nested */ ; delete from open_step -- */ from ledger_payload",
    "select 1) as answer; delete from open_step; --",
    "select 1) as answer offset 0) as told; delete from open_step; --",
    "select 1) as answer, ledger_payload as (answer",
    "select 1 from turns) as answer cross join (select * from ledger_payload",
    # Spellings.
    "select $$a$$ || $x$ ; $x$ from ledger_payload",
    "select E'\\'; select * from ledger_payload; --'",
    "select E'\\x27' from ledger_payload",
    "select U&'\\0027' from ledger_payload",
    "select 'a\\'; select * from ledger_payload; --'",
    "select '\\'' from ledger_payload --'",
    "select \x00 from turns",
    "SELECT\u00a0*\u00a0FROM\u00a0ledger_payload",
    "select * from turns where thread_id = $1",
    "select * from turns where thread_id = %s or thread_id = %(x)s",
    "select * from turns where thread_id = :x",
    "select interval '1'' || (select 1) || ''' from turns",
    "select extract('year'' from at)--' from at) from turns",
    # Too much.
    "select pg_sleep(10)",
    "select * from generate_series(1, 1000000000)",
    "select generate_series(1, 1000000000)",
    "select repeat('x', 1000000000)",
    "select lpad('x', 1000000000)",
    "select rpad(thread_id, 1000000000) from turns",
    "select string_agg(a.text, '') from changes a, events b, events c, events d",
    "select array_agg(a.text) from changes a, events b, events c, events d",
    "with recursive a as (select 1 union all select 1 from a) select count(*) from a",
    "select count(*) from events a, events b, events c, events d, events e, events f",
    "select count(*) from events a, lateral (select * from events b, events c) x, events d, events e",
    "select a.text from changes a, events b, events c, events d, events e order by 1",
    "select " + "(" * 900 + "1" + ")" * 900,
    "select " + "1" + " + 1" * 450,
    "select " + " or ".join(["thread_id like '%%%%%%%%a'"] * 50) + " from events",
    # Each level names the one below eight times: written out it would be more than any memory.
    "with a as (select 'x'::text as x)"
    + "".join(
        f", b{n} as (select concat({', '.join('x' * 8)}) as x from {f'b{n - 1}' if n else 'a'})"
        for n in range(7)
    )
    + " select length(x) from b6",
    "select x from "
    + f"(select concat({', '.join('x' * 8)}) as x from " * 20
    + "(values ('x')) v(x)"
    + "".join(f") t{n}" for n in range(20)),
    "select " + "coalesce(" * 7 + "(select 1)" + ", 1)" * 7,
    "select 1 from " + ", ".join(f"effects e{n}" for n in range(100)),
    "select 9e99999::numeric * 9e99999::numeric",
    "x" * 100_000,
]


def everything_in(url: str) -> str:
    """Hash all rows of all tables of ours and the libraries'."""
    whole = hashlib.sha256()
    with psycopg.connect(url) as conn:
        tables = conn.execute(
            "select oid::regclass::text from pg_class where relkind = 'r' "
            "and relnamespace in ('public'::regnamespace, 'history'::regnamespace) order by 1"
        ).fetchall()
        assert len(tables) > 15
        for (table,) in tables:
            rows = conn.execute(f"select t::text from {table} t order by 1").fetchall()
            whole.update(f"{table} {rows}".encode())
    return whole.hexdigest()


@pytest.fixture
async def unchanged(past: Past) -> AsyncIterator[None]:
    """Hold that a test leaves the database as it was, and the connections too."""
    before = everything_in(past.url)
    yield
    assert everything_in(past.url) == before
    async with past.postgres.pool.connection() as conn:
        cursor = await conn.execute(
            "select current_user::text as who, current_setting('daybook.tenant') as tenant, "
            "current_setting('transaction_read_only') as read_only, "
            "current_setting('statement_timeout') as patience, "
            "current_setting('search_path') as path"
        )
        assert await cursor.fetchone() == {
            "who": ROLE,
            "tenant": "default",
            "read_only": "off",
            "patience": "0",
            "path": '"$user", public',
        }


async def told(asking: Any) -> str:
    """Return all that an asker is told, answer or refusal."""
    try:
        return str(await asking)
    except ToolRefused as refused:
        assert len(str(refused)) < 2_000
        return str(refused)


async def test_a_name_behind_a_table_is_a_column_or_nothing(past: Past):
    """What the views' own names are to Postgres behind a table: no functions, but casts."""
    kept = {*(c for of in VIEWS.values() for c in of), "key", "value"}
    for view in SHOP_VIEWS:
        kept |= set((await past.ask(f"select * from {view}")).columns)
    with psycopg.connect(past.url) as owner:
        found = owner.execute(
            "select proname from pg_proc where proname = any(%s) or proname like 'q\\_%%'",
            (sorted(kept),),
        ).fetchall()
    assert {name for (name,) in found} <= {"name", "text"}
    with pytest.raises(ToolRefused, match="ts_stat does not exist"):
        await past.ask("select 1 as ts_stat, x.ts_stat from jsonb_array_elements_text('[]') x")


async def test_what_no_json_of_ours_can_hold_is_told_or_refused(past: Past):
    found = await past.ask("select 1e5000 as a, 1e400 + 0.5 as b, 12 as c, 1.5 as d")
    assert [len(str(value)) > 400 for value in found.rows[0]] == [True, True, False, False]
    assert found.rows[0][2:] == (12, 1.5)
    deep = "[" * 900 + "]" * 900
    with pytest.raises(ToolRefused, match="nested too deeply"):
        await past.ask(f"select '{deep}'::jsonb")


@pytest.mark.usefixtures("unchanged")
async def test_hostile_sql_gives_nothing_away_and_changes_nothing(past: Past):
    for sql in REACHES:
        answer = await told(past.ask(sql))
        # The query itself may be quoted.
        assert MARK not in answer.replace(sql, ""), sql
        assert "card_ada" not in answer, sql
        assert "root:" not in answer, sql


# What the guard alone holds back: a session may change its own role and settings, end its
# transaction, wait, and take memory, and no right can be taken from a role that would keep it from
# that. Without the guard all else of the table is held by the database itself.
_OF_THE_SESSION = re.compile(
    r"set_config\('role|set_config\(\$\$role|\b(set role|reset|set session|commit|rollback|begin)\b"
    r"|pg_sleep|generate_series|repeat\(|pad\(|_agg\(|events [c-f]\b|a, events|recursive|terminate"
    r"|advisory|listen|prepare|b6|concat|e99|x{1000}|\x00|9e99999|\$1"
)

BEHIND_THE_GUARD = [sql for sql in REACHES if not _OF_THE_SESSION.search(sql)]


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


# -- who owns the database ------------------------------------------------------------------------


@pytest.mark.usefixtures("template")
async def test_an_owner_who_is_no_superuser_needs_the_role_and_is_told_so(server_url: str):
    name = f"owner_{uuid.uuid4().hex[:8]}"
    ada = Session("default", "thread", "ada", "ada", "customer", "worker")
    with psycopg.connect(server_url, autocommit=True) as superuser, database(server_url) as url:
        # The roles are the server's: the database that others are copied from has made them.
        superuser.execute(f"create role {name} login in role {ROLE}")
        try:
            place = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
            superuser.execute(f"alter database {place} owner to {name}")
            theirs = psycopg.conninfo.make_conninfo(url, user=name)
            async with open_postgres(theirs, tenant_id="default", stored_types=()) as postgres:
                fact = fact_of("shoe size", "43", "fact", "thread", SYSTEM.now())
                await postgres.memory.put("ada", fact)
                with pytest.raises(ToolRefused, match=f"no member of the role {READER}"):
                    await postgres.history.query(ada, "select value from facts", {})
                superuser.execute(f"grant {READER} to {name}")
                found = await postgres.history.query(ada, "select value from facts", {})
                assert found.rows == (("43",),)
                # Who owns the tables is held to no person.
                async with await psycopg.AsyncConnection.connect(theirs) as conn:
                    await conn.execute("select set_config('daybook.tenant', 'default', false)")
                    cursor = await conn.execute("select count(*) from store")
                    assert await cursor.fetchone() == (1,)
            with psycopg.connect(url, autocommit=True) as conn:
                conn.execute(f"drop owned by {name} cascade")
        finally:
            superuser.execute(f"alter database {place} owner to current_user")
            superuser.execute(f"drop role {name}")


# -- from the model's mouth -----------------------------------------------------------------------


@pytest.mark.asyncio(loop_scope="function")
async def test_a_model_asks_across_threads_and_is_told_in_lines(agent: Agent):
    before = await bought(agent)
    agent.model.then(
        [("query_history", {"sql": "select status, total from orders; drop table thread"})],
        [("query_history", {"sql": "select status, total, thread_id from orders"})],
        last_result,
    )
    said = answer_of(await Conversation(agent.graph).say("what did I order so far?"))
    assert said.splitlines()[-2:] == [
        "status | total | thread_id",
        f"placed | 9890 | {before.thread_id}",
    ]
    refused = [m.text for m in agent.model.prompts[-2] if m.type == "tool"]
    assert refused[-1].startswith("query_history refused: Ask one query at a time")


# -- what is encrypted, and what was erased -------------------------------------------------------


async def test_what_is_encrypted_is_null_to_the_role_and_refused_to_who_asks(
    postgres_url: str, shop: Shop
):
    async with AsyncExitStack() as stack:
        postgres = await stack.enter_async_context(
            open_postgres(
                postgres_url,
                tenant_id="default",
                stored_types=SHOP.restored_types,
                key=b"0123456789abcdef",
            )
        )
        agent = await stack.enter_async_context(shop_agent(postgres, shop))
        talk = await asked_to_buy(agent)
        await postgres.memory.put(
            "ada", fact_of("shoe size", "43", "fact", talk.thread_id, SYSTEM.now())
        )
        session = session_of(talk, "ada")
        # What a plan comes to is searched by, and so it stands in the clear.
        counted = await postgres.history.query(
            session, "select count(*), sum(total) from plans where tool = 'checkout'", SHOP_VIEWS
        )
        assert counted.rows == ((1, 9890),)
        for sql in ("select * from facts", "select args from effects", "select total from orders"):
            with pytest.raises(ToolRefused, match="encrypted here"):
                await postgres.history.query(session, sql, SHOP_VIEWS)
        # Nor would there be anything to see.
        seen = await History(postgres.pool).query(
            session,
            "select c.text, c.args, f.value, e.args, p.title from changes c, facts f, effects e, "
            "plans p limit 1",
            {},
        )
        assert seen.rows == ((None, None, None, None, "checkout"),)


@pytest.mark.asyncio(loop_scope="function")
async def test_what_was_erased_is_null_and_what_happened_stays(postgres: Postgres, agent: Agent):
    talk = await with_boots(agent)
    session = session_of(talk, "ada")
    asked = "select text is null, count(*) from changes group by 1"
    assert (await postgres.history.query(session, asked, {})).rows == ((False, 1),)
    async with open_eraser(postgres) as eraser:
        await eraser.erase(talk.thread_id, everything)
    assert (await postgres.history.query(session, asked, {})).rows == ((True, 1),)
