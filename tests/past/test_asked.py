"""A user's history in SQL: what is asked is answered, and a mistake is explained."""

from __future__ import annotations

import psycopg
import pytest

from daybook.checkpoints.people.history import MOST_BYTES, MOST_ROWS
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from daybook.tools.own import query_history
from tests.past.shopped import ASKER, VIEWS, Past

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_orders_and_their_lines(past: Past):
    found = await past.ask(
        "select order_id, status, total, currency from orders "
        "where at >= now() - interval '1 month' order by at;"
    )
    orders = (past.cancelled, "cancelled", 9890, "USD"), (past.order_id, "placed", 9890, "USD")
    assert found == Rows(("order_id", "status", "total", "currency"), orders, False)
    lines = await past.ask(
        "select l.sku, l.quantity, l.unit_price from order_lines l join orders o using (order_id) "
        "where o.status = 'placed' -- a comment"
    )
    assert lines.rows == (("BOOT-001", 1, 9890),)


async def test_effects_changes_facts_and_plans(past: Past):
    spent = await past.ask("select round(avg(total) / 100, 2), sum(total) from orders group by ()")
    assert spent.rows == ((98.9, 19780),)
    failed = await past.ask("select amount, card_id, reason from payments where status = 'failed'")
    assert failed.rows == ((9890, "card_dan_1", "The card was declined."),)
    removed = await past.ask("select args ->> 'sku' from changes where type = 'remove'")
    assert removed.rows == (("BOOT-002",),)
    facts = await past.ask("select subject, value, kind, source from facts")
    assert facts.rows == (("shoe size", "43", "fact", past.talk.thread_id),)
    plans = await past.ask(
        "select tool, decision, decided_by, succeeded, total, reason from plans order by opened_at"
    )
    assert plans.rows == (
        ("checkout", "approved", ASKER, False, 9890, "The card was declined."),
        ("checkout", "approved", ASKER, True, 9890, None),
        ("cancel_order", "approved", ASKER, True, 9890, None),
        ("checkout", "approved", ASKER, True, 9890, None),
    )


async def test_events_over_all_threads(past: Past):
    found = await past.ask(
        "with mine as (select thread_id, at, lag(at) over (partition by thread_id order by seq) "
        "as before from events) select count(distinct thread_id), bool_and(at >= before), count(*) "
        "from mine"
    )
    ((threads, in_order, count),) = found.rows
    assert (threads, in_order) == (3, True)
    with psycopg.connect(past.url) as owner:
        assert owner.execute(
            "select count(*) from ledger_event where tenant_id = 'default' and user_id = %s",
            (ASKER,),
        ).fetchone() == (count,)


async def test_the_answer_is_limited_in_rows_and_bytes(past: Past):
    found = await past.ask("select seq from events order by thread_id, seq")
    assert (len(found.rows), found.is_truncated) == (MOST_ROWS, True)
    assert await past.ask("select result from reads where false") == Rows((), (), False)
    wide = await past.ask("select result from effects, turns")
    assert wide.is_truncated
    assert len(str(wide.rows)) < MOST_BYTES * 1.2
    with pytest.raises(ToolRefused, match="select single fields"):
        await past.ask("select repeat('x', 100000) from turns")


async def test_names_and_values_that_json_has_no_room_for(past: Past):
    both = await past.ask("select t.at, e.at from turns t join events e using (thread_id) limit 1")
    assert both.columns == ("at", "at")
    found = await past.ask("select 1e5000 as a, 1e400 + 0.5 as b, 12 as c, 1.5 as d")
    assert [len(str(value)) > 400 for value in found.rows[0]] == [True, True, False, False]
    assert found.rows[0][2:] == (12, 1.5)
    with pytest.raises(ToolRefused, match="nested too deeply"):
        await past.ask(f"select '{'[' * 900}{']' * 900}'::jsonb")


MISTAKES = {
    "select totel from orders": 'column "totel" does not exist.*orders.total',
    "select * from purchases": 'relation "purchases" does not exist',
    "select 1 / (count(*) - count(*)) from turns": "divides by zero",
    "select tool::integer from effects": "cannot be cast",
    "select thread_id + 1 from turns": "operator does not exist: text \\+ integer",
    "select (select at from turns) from plans": "more than one row",
    "select sum(total * 1e308::float8 * 1e308) from orders": "too large",
    "select sum(a.seq) from events a, events b, events c, events d, events e": "longer than 0.5 s",
    "selec * from turns": "syntax error",
    "select 1; select 2": "syntax error",
    "": "syntax error",
    "select '\0'": "cannot be run",
    "select '\ud800'": "cannot be run",
}


@pytest.mark.parametrize("sql", MISTAKES, ids=ascii)
async def test_a_mistake_is_explained_in_one_sentence(past: Past, sql: str):
    with pytest.raises(ToolRefused, match=MISTAKES[sql]) as refused:
        await past.ask(sql)
    assert "\n" not in str(refused.value)
    # The driver's error may quote a row.
    assert refused.value.__cause__ is None


async def test_the_views_have_the_columns_that_the_tool_names(past: Past):
    with psycopg.connect(past.url) as owner:
        found = owner.execute(
            "select table_name::text, string_agg(column_name::text, ', ' order by ordinal_position)"
            " from information_schema.views join information_schema.columns"
            " using (table_schema, table_name) where table_schema = 'daybook' "
            "and table_name <> 'own_threads' group by 1"
        ).fetchall()
    assert sorted(name for name, _ in found) == sorted(VIEWS)
    for name, columns in found:
        assert f"{name}({columns})" in query_history.description.replace("\n", " ")
