"""A person's past in SQL: what is asked honestly is answered, and a mistake is told."""

from __future__ import annotations

import psycopg
import pytest

from daybook.checkpoints.people.history import MOST_BYTES, MOST_ROWS
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from tests.past.shopped import ASKER, Past

pytestmark = pytest.mark.asyncio(loop_scope="session")


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
