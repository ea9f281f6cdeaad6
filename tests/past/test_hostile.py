"""Hostile SQL over a person's past: nothing else comes out, and nothing changes."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from daybook.checkpoints.people.history_sql import VIEWS
from daybook.state.errors import ToolRefused
from daybook.tools.shop.spoken.history import VIEWS as SHOP_VIEWS
from tests.past.hostile import REACHES
from tests.past.shopped import MARK, Past

pytestmark = pytest.mark.asyncio(loop_scope="session")


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
