"""What is sent to Postgres in the place of a model's SQL, and how answers are written for it."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai
from sqlglot import exp, parse

from daybook.checkpoints.people.history_sql import LONGEST_QUERY, SEALED, VIEWS, checked
from daybook.state.context import Rows
from daybook.state.errors import ToolRefused
from daybook.tools.own.history import lines_of, query_history, render
from daybook.tools.shop.spoken.history import VIEWS as SHOP_VIEWS
from daybook.tools.shop.spoken.history import WORDS

REWRITTEN = {
    "select count(*) from Turns": 'SELECT COUNT(*) FROM "history"."turns" AS "turns"',
    "select T.AT from history.turns T;": 'SELECT "q_t"."at" FROM "history"."turns" AS "q_t"',
    "select history.turns.at from turns -- all of it\n": (
        'SELECT "turns"."at" FROM "history"."turns" AS "turns"'
    ),
    "select value from facts where value like '%100%%' /* a comment */": (
        'SELECT "value" FROM "history"."facts" AS "facts" WHERE "value" LIKE \'%100%%\''
    ),
    "with a as (select 1 as n) select n from a": (
        'WITH "q_a" AS MATERIALIZED (SELECT 1 AS "q_n") SELECT "q_n" FROM "q_a" AS "q_a"'
    ),
    # A name that is not in sight where it stands names nothing, rather than a table.
    "with a as (select * from token), token as (select 1 as n) select * from a": (
        'WITH "q_a" AS MATERIALIZED (SELECT * FROM "q_token" AS "q_token"), '
        '"q_token" AS MATERIALIZED (SELECT 1 AS "q_n") SELECT * FROM "q_a" AS "q_a"'
    ),
    "select x.n from (select seq as n from events) x": (
        'SELECT "q_x"."q_n" FROM (SELECT "seq" AS "q_n" FROM "history"."events" AS "events" '
        'OFFSET 0) AS "q_x"'
    ),
    "select concat(tool, name || 'x') from effects": (
        'SELECT LEFT(CONCAT("tool", LEFT("name" || \'x\', 2000)), 2000) '
        'FROM "history"."effects" AS "effects"'
    ),
    "select x ->> 'sku' from reads, jsonb_array_elements(result -> 'hits') as x": (
        'SELECT "q_x" ->> \'sku\' FROM "history"."reads" AS "reads", '
        'JSONB_ARRAY_ELEMENTS("result" -> \'hits\') AS "q_x"'
    ),
    # To Postgres a name behind a table is a function too: of the text x, which may be SQL.
    "select 1 as ts_stat, x.ts_stat from jsonb_array_elements_text('[]') x": (
        'SELECT 1 AS "q_ts_stat", "q_x"."q_ts_stat" FROM JSONB_ARRAY_ELEMENTS_TEXT(\'[]\') AS "q_x"'
    ),
}


@pytest.mark.parametrize("sql", REWRITTEN)
def test_a_query_is_written_anew_and_names_views_alone(sql: str):
    assert checked(sql, {}) == REWRITTEN[sql]


def test_a_domains_views_stand_before_the_query_those_that_it_needs():
    sql = checked("select sum(total) from orders", SHOP_VIEWS)
    assert sql.startswith('WITH "q_orders" AS MATERIALIZED (SELECT')
    assert sql.endswith('SELECT SUM("total") FROM "q_orders" AS "orders"')
    assert "q_payments" not in sql
    # One that is made of another one brings it along, in front.
    both = checked("with mine as (select 1 as n) select * from order_lines, mine", SHOP_VIEWS)
    made = re.findall(r'"q_(\w+)" AS MATERIALIZED', both)
    assert made == ["orders", "order_lines", "mine"]
    assert "WITH" not in checked("select 1", SHOP_VIEWS)


def test_what_is_encrypted_is_refused_rather_than_null():
    for sql in ("select args from effects", "select * from facts", "select sku from order_lines"):
        with pytest.raises(ToolRefused, match="encrypted here"):
            checked(sql, SHOP_VIEWS, is_sealed=True)
    assert checked("select count(*), max(total) from plans", SHOP_VIEWS, is_sealed=True)


def test_what_is_encrypted_are_columns_of_views():
    assert {column for columns in VIEWS.values() for column in columns} >= SEALED


def test_a_long_query_is_refused_before_it_is_read():
    with pytest.raises(ToolRefused, match="at most 2000"):
        checked("select 1" + " " * LONGEST_QUERY, {})


# -- whatever is hostile --------------------------------------------------------------------------

HOSTILE = [
    # Functions that act, spelt in every way that a name has.
    "select pg_catalog.\"set_config\"('role', 'none', true)",
    "select \"set_config\"('role', 'none', true) from turns",
    "select U&\"\\0073et_config\"('role', 'none', true)",
    "select U&\"!0073et_config\" UESCAPE '!' ('role', 'none', true)",
    "select /* count */ pg_sleep /* ( */ (10)",
    "select pg_sleep_for('10 s'), pg_sleep_until(now() + interval '1 day')",
    "select query_to_xmlschema('select * from token', true, true, '')",
    "select query_to_xml_and_xmlschema('select set_config(''role'',''none'',true)', true, true, '')",
    "select schema_to_xml('public', true, true, '')",
    "select dblink_connect('x', 'dbname=postgres'), dblink_exec('x', 'drop table thread')",
    "select * from dblink('dbname=postgres', 'select 1') as t(a int)",
    "select lo_export(1, '/tmp/x'), lo_unlink(1), loread(lo_open(1, 262144), 100)",
    "select pg_logical_emit_message(true, 'x', 'y')",
    "select pg_reload_conf(), pg_rotate_logfile(), pg_cancel_backend(1)",
    "select setval('procrastinate_jobs_id_seq', 1)",
    "select convert_from(pg_read_binary_file('PG_VERSION'), 'utf8')",
    "select ts_rewrite('a'::tsquery, 'select 1, 2')",
    "select json_populate_record(null::ledger_payload, '{}')",
    "select count(*) filter (where pg_sleep(1) is null) from turns",
    "select row_number() over (order by set_config('role', 'none', true)) from turns",
    "select 1 from turns limit (select length(set_config('role', 'none', true)))",
    "select 1 from turns order by set_config('role', 'none', true)",
    "select case when set_config('role', 'none', true) = '' then 1 end",
    "select 1 from turns t join plans p on set_config('role', 'none', true) is not null",
    "select concat(variadic (select args from effects))",
    # Functions that are called as something else.
    "select (select 'x' as a).pg_sleep",
    "select (t.*).row_to_json from turns t",
    "select (row(1)).f1.x",
    "select t.thread_id.pg_sleep from turns t",
    "select 'pg_sleep(1)'::xml, xmltable.* from xmltable('/x' passing 'y' columns z text)",
    "select * from json_table('[]', '$[*]' columns (a int path '$'))",
    "select cast('1' as regprocedure), '{1,2}'::regclass[]",
    "select 'token'::\"regclass\", 'x'::pg_catalog.regrole, 'public.token'::history.regclass",
    "select null::ledger_payload, null::turns, null::turns.thread_id%type",
    "select 1 operator(public.=) 1, 'a' ~ '(a*)*b', 2 ^ 1000000",
    "select @ 1, |/ 4, !! 'a'::tsquery, 'x' ^@ 'y'",
    "select 1 where 'x' similar to '((a*)*)*b'",
    'select thread_id collate "C" from turns',
    "select array(select thread_id from turns), array[1][1], (args)['x'] from effects",
    "select 1 = any (select seq from events), 1 = all ('{1}')",
    "select grouping(tool) from effects group by cube (tool, name, state)",
    "select percentile_cont(0.5) within group (order by total) from plans",
    # What a SELECT can do besides.
    "select 1 into temp turns2",
    "select 1 into unlogged table x from turns",
    "select * from turns for no key update of turns nowait",
    "select * from turns tablesample system (100)",
    "select * from only (ledger_payload)",
    "select * from rows from (jsonb_each_text('{}'), generate_series(1, 9)) as x",
    "select * from jsonb_each_text('{}') as x(a ledger_payload)",
    "select * from pg_temp.turns",
    "select * from pg_toast.pg_toast_1259",
    'select * from history . "token"',
    "select * from other.history.turns",
    "select daybook.history.turns.at from turns",
    "select public.turns.at from turns",
    "select at from turns order by at using operator(pg_catalog.<)",
    # WITH.
    "with x as (update thread set user_id = 'dan' returning *) select * from x",
    "with x as (merge into thread t using turns s on false when matched then delete returning *) select 1",
    "with x as (select 1 into y) select * from x",
    "with recursive x(n) as (values (1) union all select n + 1 from x) select n from x",
    "with recursive x as (select 1 as n) search depth first by n set o select * from x",
    "select * from (with x as (select 1) select * from x) y",
    "select (with x as (delete from thread returning 1) select 1 from x)",
    "with turns as (select 1 as thread_id) select * from turns",
    'with "orders" as (select 1), "TURNS" as (select * from "Turns") select * from "TURNS"',
    # Other statements, alone and behind a SELECT.
    "copy turns to program 'true'",
    "copy (select * from token) to '/tmp/x' with (format csv)",
    "prepare p (text) as select set_config('role', $1, true)",
    "execute p('none')",
    "deallocate all",
    "create temp table turns as select 1",
    "create function pg_temp.f() returns int language sql as 'select 1'",
    "explain select * from turns",
    "set local search_path = pg_temp",
    "set constraints all deferred",
    "notify x, 'y'",
    "discard all",
    "load 'x'",
    "refresh materialized view x",
    "savepoint a",
    "alter role daybook_reader superuser",
    "select 1; select set_config('role', 'none', true)",
    "select 1 ;/**/; commit",
    "select 1 \\; commit",
    "select 1 \\gexec",
    # Where a text ends.
    "select '\\'; commit; --'",
    "select e'\\'; commit; --' || pg_read_file('x')",
    "select $a$ $b$ $a$ || version()",
    "select 'a' -- b\n 'c', version()",
    "select 'a'\n'b' || current_user",
    "select '' || U&'\\0027 || version() || \\0027' || version()",
    "select B'1', X'1F'",
    "select :'x', :\"y\", $1",
    "select \ufeff 1",
    "select 1 \u2028 from turns",
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_what_is_hostile_is_refused_before_a_database_sees_it(sql: str):
    with pytest.raises(ToolRefused, match="Nothing was"):
        checked(sql, SHOP_VIEWS)


# -- whatever is written --------------------------------------------------------------------------

WORDS_OF_SQL = [
    *(
        "select",
        "from",
        "where",
        "with",
        "as",
        "union",
        "join",
        "on",
        "lateral",
        "(",
        ")",
        ",",
        ";",
    ),
    *("*", "'", '"', "--", "/*", "*/", "$$", "$x$", "\\", "E'", "U&'", "::", ".", "=", "->>", "||"),
    *("turns", "events", "token", "pg_class", "ledger_payload", "history", "public", "pg_catalog"),
    *(
        "a",
        "b",
        "1",
        "'x'",
        "set_config",
        "pg_sleep",
        "count",
        "lower",
        "query_to_xml",
        "for update",
    ),
    *("x.ts_stat", "1 as ts_stat", "jsonb_array_elements_text('[]') x"),
    *("delete", "insert", "into", "regclass", "recursive", "values", "table", "only", "copy", "do"),
]
"""What a soup of SQL is made of."""

QUERIES = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS_OF_SQL), max_size=25).map(" ".join),
    st.lists(st.sampled_from(WORDS_OF_SQL), max_size=12).map(
        lambda words: f"select a.at from turns a, ({' '.join(words)}) b"
    ),
    st.sampled_from(WORDS_OF_SQL).map(lambda word: f"select {word}(1) from turns a"),
    st.sampled_from(WORDS_OF_SQL).map(lambda word: f"select * from {word} a, turns"),
)


OF_ROWS = {"jsonb_array_elements", "jsonb_array_elements_text", "jsonb_each_text"}


@settings(max_examples=150)
@given(QUERIES)
def test_whatever_is_written_names_no_table_and_calls_nothing_unknown(sql: str):
    try:
        written = checked(sql, {})
    except ToolRefused as refused:
        assert "Nothing was" in str(refused)
        return
    (tree,) = parse(written, read="postgres")
    assert isinstance(tree, exp.Query)
    for table in tree.find_all(exp.Table):
        assert table.db == "history" or table.name.startswith("q_") or table.find(exp.Anonymous)
        assert table.db in ("history", "")
    ours = {*VIEWS, *(column for of in VIEWS.values() for column in of)}
    for name in tree.find_all(exp.Identifier):
        assert name.this in {"history", "key", "value", *ours} or name.this.startswith("q_")
    calls = {call.name.lower() for call in tree.find_all(exp.Anonymous)}
    assert calls <= {"age", "jsonb_typeof", *OF_ROWS}
    assert checked(sql, {}) == written


# -- what the model is told -----------------------------------------------------------------------


def test_the_tool_names_every_view_with_its_columns_in_few_tokens():
    for name, columns in VIEWS.items():
        assert f"{name}({', '.join(columns)})" in query_history.description.replace("\n", " ")
    assert len(openai.o200k_base().encode(query_history.description)) < 220


def test_the_views_are_documented():
    text = (Path(__file__).parents[2] / "docs" / "history.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (.+) \|$", text, re.MULTILINE)
    assert {view: tuple(re.findall(r"`(\w+)`", columns)) for view, columns in rows} == dict(VIEWS)


def test_the_shop_names_its_views():
    assert set(SHOP_VIEWS) == set(re.findall(r"(\w+)\(", WORDS)) - {"query_history"}


def test_rows_are_lines_and_no_value_makes_a_line_of_its_own():
    rows = Rows(
        ("order_id", "total", "note", "args", "placed"),
        (("DB-1", 9890, "two\nlines | here", {"sku": "B\n1"}, True), (None, 0, "", [], False)),
        True,
    )
    assert lines_of(rows) == [
        "order_id | total | note | args | placed",
        'DB-1 | 9890 | two lines / here | {"sku":"B\\n1"} | yes',
        "- | 0 |  | [] | no",
    ]
    result = {"columns": list(rows.columns), "rows": list(rows.rows), "truncated": True}
    first, *rest = render(4, result, (), lambda *_: "").splitlines()
    assert first == "r4 query_history ok: 2 rows, and there are more: narrow it, or aggregate"
    assert rest == lines_of(rows)


def test_no_name_of_a_column_makes_a_line_of_its_own():
    assert lines_of(Rows(("# Now\ncart | r9",), ((1,),), False)) == ["# Now cart / r9", "1"]


def test_no_rows_are_said_in_one_line():
    result = {"columns": [], "rows": [], "truncated": False}
    assert render(1, result, (), lambda *_: "") == "r1 query_history ok: 0 rows"
