"""Bringing a database to this release's schema, beside other processes."""

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from procrastinate.schema import SchemaManager
from psycopg.rows import dict_row

from daybook.checkpoints import migrate as migrating
from daybook.checkpoints.migrate import migrate, missing
from daybook.state.errors import UnknownSchema
from daybook.state.ledger.recovery import Event, StepState
from tests.databases import database
from tests.integration.processes import User
from tests.purchases import shop_database


@pytest.fixture
def empty_url(server_url: str) -> Iterator[str]:
    """Yield an empty database of this test's own."""
    with database(server_url) as url:
        yield url


async def rows(url: str, statement: str) -> list[tuple[Any, ...]]:
    async with await psycopg.AsyncConnection.connect(url) as conn:
        return await (await conn.execute(statement)).fetchall()


async def schema(url: str) -> list[tuple[Any, ...]]:
    """Return all that the migrations made: columns, constraints, indexes, policies, triggers."""
    return await rows(
        url,
        "select 'column', table_name::text, column_name::text, data_type::text "
        "from information_schema.columns where table_schema = 'daybook' "
        "union all select 'constraint', conrelid::regclass::text, conname::text, "
        "pg_get_constraintdef(oid) from pg_constraint where connamespace = 'daybook'::regnamespace "
        "union all select 'index', tablename::text, indexname::text, indexdef from pg_indexes "
        "where schemaname = 'daybook' "
        "union all select 'policy', tablename::text, policyname::text, qual from pg_policies "
        "union all select 'trigger', tgrelid::regclass::text, tgname::text, "
        "pg_get_triggerdef(oid) from pg_trigger where not tgisinternal "
        "order by 1, 2, 3",
    )


LIBRARIES = ("langgraph-checkpoint-postgres", "procrastinate")

OURS = [step.name for step in migrating._own()]

RIGHTS = ["rights of daybook_app", "rights of daybook_reader"]

ALL = len(LIBRARIES) + len(OURS) + len(RIGHTS)
"""How many migrations there are, with the libraries' and those of the roles."""


async def test_an_empty_database_gets_everything_once(empty_url: str):
    connect = psycopg.AsyncConnection.connect(empty_url, autocommit=True, row_factory=dict_row)
    async with await connect as conn:
        everything = await missing(conn)
        done = await migrate(empty_url)
        assert done == everything
        assert await missing(conn) == []
    libraries = [name.partition(" ")[0] for name in done[: len(LIBRARIES)]]
    assert (*libraries, *done[len(LIBRARIES) :]) == (*LIBRARIES, *OURS, *RIGHTS)
    applied = await rows(empty_url, "select * from migration")
    names = [name for (name,) in await rows(empty_url, "select name from migration")]
    assert sorted(names) == sorted(done)
    before = await schema(empty_url)
    assert await migrate(empty_url) == []
    assert await schema(empty_url) == before
    assert await rows(empty_url, "select * from migration") == applied


_GATE = 42

_MIGRATES = f"""
import asyncio, sys
import psycopg
from daybook.checkpoints.migrate import migrate
with psycopg.connect(sys.argv[1], autocommit=True) as conn:
    print("ready", flush=True)
    conn.execute("select pg_advisory_lock_shared({_GATE})")
print(len(asyncio.run(migrate(sys.argv[1]))), flush=True)
"""


async def test_several_processes_that_migrate_one_empty_database_at_once_do_it_once(
    postgres_url: str, empty_url: str
):
    with ExitStack() as ended:
        gate = ended.enter_context(psycopg.connect(empty_url, autocommit=True))
        gate.execute("select pg_advisory_lock(%s)", (_GATE,))
        users = [ended.enter_context(User(_MIGRATES, empty_url)) for _ in range(3)]
        assert [user.line() for user in users] == ["ready"] * 3
        gate.execute("select pg_advisory_unlock(%s)", (_GATE,))
        assert sorted(user.line() for user in users) == ["0", "0", str(ALL)]
    assert await schema(empty_url) == await schema(postgres_url)


_SUSPENDED = """
import asyncio, os, signal, sys
from datetime import timedelta
from daybook.checkpoints.migrate import migrate
from daybook.state.fault_points import arm

def suspend(point, about):
    if f"{point}:{about}" == sys.argv[2]:
        arm(None)
        os.kill(os.getpid(), signal.SIGSTOP)

arm(suspend)
asyncio.run(migrate(sys.argv[1], silence=timedelta(seconds=0.2)))
"""


async def test_a_migration_that_is_suspended_is_ended_and_done_by_another(
    postgres_url: str, empty_url: str
):
    at = f"before_commit:{RIGHTS[-1]}"
    with User(_SUSPENDED, empty_url, at) as suspended:
        await asyncio.to_thread(os.waitid, os.P_PID, suspended.pid, os.WSTOPPED)
        assert len(await migrate(empty_url)) == ALL
        os.kill(suspended.pid, signal.SIGCONT)
        assert "IdleInTransactionSessionTimeout" in await asyncio.to_thread(suspended.error)
    assert await schema(empty_url) == await schema(postgres_url)


async def test_two_databases_of_one_server_may_be_migrated_at_once(server_url: str):
    """The role is the server's, and not the database's."""
    with database(server_url) as one, database(server_url) as other:
        done = await asyncio.gather(migrate(one), migrate(other))
    assert [len(names) for names in done] == [ALL, ALL]


async def test_a_script_that_fails_is_rolled_back_whole_and_the_next_one_finishes(
    postgres_url: str, empty_url: str, monkeypatch: pytest.MonkeyPatch
):
    script = migrating._read

    def broken(file: str) -> str:
        return script(file) + ("select 1 / 0;" if file == "rights_app.sql" else "")

    monkeypatch.setattr(migrating, "_read", broken)
    with pytest.raises(psycopg.errors.DivisionByZero):
        await migrate(empty_url)
    assert await rows(empty_url, "select to_regnamespace('daybook')") == [(None,)]
    monkeypatch.undo()
    assert len(await migrate(empty_url)) == ALL
    assert await schema(empty_url) == await schema(postgres_url)


async def test_the_first_migration_is_that_of_0_1_0_and_the_later_ones_say_what_they_do():
    """A release tells by the name whether it can work beside a migration that it does not know."""
    first, *later = OURS
    assert first == "0001_schema"
    for number, name in enumerate(later, 2):
        assert re.match(rf"{number:04}_(expand|contract)_\w+$", name)


@pytest.mark.parametrize("name", ["0002_contract_notes", "0001_ledger"])
async def test_a_database_that_another_release_made_its_own_is_refused(empty_url: str, name: str):
    await migrate(empty_url)
    before = await schema(empty_url)
    async with await psycopg.AsyncConnection.connect(empty_url, autocommit=True) as conn:
        await conn.execute("insert into migration (name) values (%s)", (name,))
    with pytest.raises(UnknownSchema, match=name):
        await migrate(empty_url)
    with pytest.raises(UnknownSchema, match=name):
        async with shop_database(empty_url):
            pass
    assert await schema(empty_url) == before


async def test_a_migration_that_only_expands_is_no_hindrance_to_the_release_before(empty_url: str):
    await migrate(empty_url)
    async with await psycopg.AsyncConnection.connect(empty_url, autocommit=True) as conn:
        await conn.execute("insert into migration (name) values ('0002_expand_notes')")
    assert await migrate(empty_url) == []


@pytest.fixture
def later_procrastinate(tmp_path: Path) -> Path:
    """Write the migrations of a later release of procrastinate: one more than of this one."""
    (place := tmp_path / "sql" / "migrations").mkdir(parents=True)
    for known in Path(SchemaManager.get_migrations_path()).glob("*.sql"):
        (place / known.name).write_text("this was applied with the schema")
    (place / "99.00.00_01_pre_more.sql").write_text("create table procrastinate_more (id int)")
    return tmp_path / "__init__.py"


async def test_a_later_release_of_procrastinate_brings_its_own_migrations(
    empty_url: str, later_procrastinate: Path, monkeypatch: pytest.MonkeyPatch
):
    await migrate(empty_url)
    later = SimpleNamespace(origin=str(later_procrastinate))
    monkeypatch.setattr(migrating, "find_spec", lambda module: later)
    assert await migrate(empty_url) == ["procrastinate 99.00.00_01_pre_more"]
    assert await rows(empty_url, "select * from procrastinate_more") == []
    assert await migrate(empty_url) == []
    monkeypatch.undo()
    assert await migrate(empty_url) == [], "the release before has nothing to do"


@pytest.mark.parametrize(
    ("table", "column", "enum"),
    [("ledger_event", "event", Event), ("open_step", "state", StepState)],
)
async def test_what_the_database_checks_is_the_enum(
    postgres_url: str, table: str, column: str, enum: type[StrEnum]
):
    found = await rows(
        postgres_url,
        f"select pg_get_constraintdef(oid) from pg_constraint where contype = 'c' "
        f"and conrelid = '{table}'::regclass and conname = '{table}_{column}_check'",
    )
    ((definition,),) = found
    assert set(re.findall(r"'(\w+)'::text", definition)) == {member.value for member in enum}
