"""A user's history in SQL: what is asked is answered, and a mistake is explained."""

from __future__ import annotations

import psycopg
import pytest

from daybook.checkpoints.people.history import MOST_BYTES, MOST_ROWS
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from daybook.tools.builtin import query_history
from tests.past.shopped import VIEWS, Past

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


async def test_the_answer_is_limited_in_rows_and_bytes(past: Past):
    found = await past.ask("select seq from events order by thread_id, seq")
    assert (len(found.rows), found.is_truncated) == (MOST_ROWS, True)
    assert await past.ask("select result from reads where false") == Rows((), (), False)
    wide = await past.ask("select result from effects, turns")
    assert wide.is_truncated
    assert len(str(wide.rows)) < MOST_BYTES * 1.2
    with pytest.raises(ToolRefused, match="select single fields"):
        await past.ask("select repeat('x', 100000) from turns")


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
