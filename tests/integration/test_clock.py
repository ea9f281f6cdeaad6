"""Time has one owner: `Clock` in a process, `daybook_now()` in the database."""

import psycopg
import pytest

from daybook.checkpoints.migrate import ROLE
from tests.databases import Databases

_DEFAULTS = """
select table_name || '.' || column_name from information_schema.columns
where table_schema = 'daybook' and column_default like '%%clock_timestamp%%'
"""

_REPLACED = """
create or replace function daybook_now() returns timestamptz language sql as 'select now()'
"""


async def test_the_databases_clock_is_the_servers(databases: Databases, template: str):
    with databases.lent(template) as one:
        told, server, _, began = (
            one.conn.execute(
                "select daybook_now(), clock_timestamp(), pg_sleep(0), now()"
            ).fetchone()
            or ()
        )
    assert began < told <= server


async def test_whoever_the_application_runs_as_cannot_move_it(postgres_url: str):
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        await conn.execute(f"set role {ROLE}")
        for attack in (
            _REPLACED,
            "alter function daybook_now() owner to current_user",
            "drop function daybook_now()",
            _REPLACED.replace("daybook_now()", "public.daybook_now(at int)"),
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await conn.execute(attack)
        await conn.execute(_REPLACED.replace("daybook_now()", "pg_temp.daybook_now()"))
        await conn.execute("begin")
        first = await (await conn.execute("select daybook_now() = now()")).fetchone()
    assert first == (False,), "it stands still, as one of the session's own would"


async def test_no_table_dates_its_rows_by_another(postgres_url: str):
    async with await psycopg.AsyncConnection.connect(postgres_url) as conn:
        assert await (await conn.execute(_DEFAULTS)).fetchall() == []
