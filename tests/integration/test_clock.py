"""Time has one owner: `Clock` in a process, `daybook_now()` in the database."""

import asyncio
import subprocess
import sys

import psycopg
import pytest

from daybook.checkpoints.migrate import ROLE
from daybook.state.clock import SYSTEM
from tests.databases import Databases

_DEFAULTS = """
select table_name || '.' || column_name from information_schema.columns
where table_schema = 'public' and column_default like '%%clock_timestamp%%'
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


@pytest.mark.parametrize(
    "attack",
    [
        _REPLACED,
        "alter function daybook_now() owner to current_user",
        "drop function daybook_now()",
        "create function public.daybook_now(at int) returns timestamptz language sql as 'select now()'",
    ],
)
async def test_whoever_the_application_runs_as_cannot_move_it(postgres_url: str, attack: str):
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        await conn.execute(f"set role {ROLE}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await conn.execute(attack)


async def test_a_function_of_a_sessions_own_does_not_stand_before_it(postgres_url: str):
    async with await psycopg.AsyncConnection.connect(postgres_url, autocommit=True) as conn:
        await conn.execute(f"set role {ROLE}")
        await conn.execute(_REPLACED.replace("daybook_now()", "pg_temp.daybook_now()"))
        await conn.execute("begin")
        first = await (await conn.execute("select daybook_now() = now()")).fetchone()
    assert first == (False,), "it stands still, as its own would"


async def test_no_table_dates_its_rows_by_another(postgres_url: str):
    async with await psycopg.AsyncConnection.connect(postgres_url) as conn:
        assert await (await conn.execute(_DEFAULTS)).fetchall() == []


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "from time import monotonic",
        "import asyncio\n\nWAIT = asyncio.sleep",
        "import asyncio\n\nWAIT = asyncio.timeout",
        "import asyncio\n\nWAIT = asyncio.wait_for",
        "from datetime import datetime\n\nNOW = datetime.now",
        "import datetime as dt\n\nNOW = dt.datetime.utcnow",
    ],
)
def test_whoever_reads_another_clock_is_told_so(line: str):
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--stdin-filename", "nodes/execute.py", "-"],
        input=line.encode(),
        capture_output=True,
        check=False,
    )
    assert b"Use a Clock" in checked.stdout


async def test_what_waits_for_a_task_is_told_whether_it_ended():
    over = asyncio.Event()
    task = asyncio.create_task(over.wait())
    assert not await SYSTEM.ended(task, 0)
    over.set()
    assert await SYSTEM.ended(task, 60)
