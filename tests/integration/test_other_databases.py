"""In databases of other people: nothing but our schema is touched, and nothing of theirs disturbs us."""

import asyncio
import subprocess
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Any, TypedDict

import psycopg
import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.store.postgres import PostgresStore
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import namedtuple_row
from psycopg_pool import AsyncConnectionPool

from daybook.app.cli.operations import migration
from daybook.checkpoints.embedded.postgres import _find_install
from daybook.checkpoints.inspect import inspect
from daybook.checkpoints.migrate import migrate, script
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.people.tokens import Sessions, open_token_office
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.checkpoints.runs.jobs import open_jobs
from daybook.graph.settings.environment import settings_from
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError, DatabaseUnavailable, DaybookError, ToolRefused
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.people.facts import fact_of
from daybook.state.session import Person, Session
from daybook.tools.shop.domain import SHOP
from tests.conftest import Shop, shop_agent
from tests.databases import database
from tests.purchases import PURCHASE, bought, shop_database

HOUR = timedelta(hours=1)

NAMES = ("thread", "session", "runner", "migration", "lesson", "token", "fact", "ledger_event")
"""Of tables that an application may well have, too."""

SETTINGS = {
    "search_path": "app, public",
    "default_transaction_isolation": "serializable",
    "DateStyle": "SQL, DMY",
    "IntervalStyle": "sql_standard",
    "TimeZone": "Asia/Kathmandu",
    "bytea_output": "escape",
    "row_security": "off",
}


@contextmanager
def plain_database(server_url: str) -> Iterator[str]:
    """Yield an empty database as an application has it: no search path leads to our tables."""
    with database(server_url) as url:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
        del parts["options"]
        yield make_conninfo(**parts)


@pytest.fixture
def url(server_url: str, template: str) -> Iterator[str]:
    """Yield such a database; the roles are the server's, and there."""
    with plain_database(server_url) as url:
        yield url


def dump(url: str, *options: str) -> str:
    """Return all that a database holds, but for the schemas that are left out."""
    program = _find_install() / "bin" / "pg_dump"
    done = subprocess.run(
        [program, "-d", url, *options], capture_output=True, text=True, check=True
    )
    # Two lines of a dump hold a key that is made for it.
    lines = [line for line in done.stdout.splitlines() if "restrict" not in line]
    return "\n".join(lines)


def outside_of(url: str, schema: str) -> str:
    return dump(url, f"--exclude-schema={schema}")


def outside(url: str) -> str:
    return outside_of(url, "daybook")


class Counted(TypedDict):
    n: int


def application_runs(url: str, thread: str) -> int:
    """Run an application's own graph on its own checkpointer; how far its thread has counted."""
    graph = StateGraph(Counted).add_node("add", lambda state: {"n": state["n"] + 1})
    config: RunnableConfig = {"configurable": {"thread_id": thread}}
    with PostgresSaver.from_conn_string(url) as saver:
        compiled = graph.add_edge(START, "add").compile(checkpointer=saver)
        before = compiled.get_state(config).values.get("n", 0)
        return int(compiled.invoke({"n": before}, config)["n"])


@pytest.fixture
def application(url: str) -> str:
    """Let an application live in the database: tables of our names, and of our libraries."""
    name = str(conninfo_to_dict(url)["dbname"])
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create schema app")
        for setting, value in SETTINGS.items():
            value = value if setting == "search_path" else f"'{value}'"
            conn.execute(f"alter database {name} set {setting} = {value}")
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(SchemaManager.get_schema().encode())
        for table in NAMES:
            conn.execute(f"create table app.{table} (id int, name text)")
            conn.execute(f"create table public.{table} (id int, tenant_id text, thread_id text)")
            conn.execute(f"insert into {table} values (1, 'theirs')")
        conn.execute("create function app.daybook_now() returns text return 'never'")
    with PostgresSaver.from_conn_string(url) as saver:
        saver.setup()
    with PostgresStore.from_conn_string(url) as store:
        store.setup()
        store.put(("people", "ada"), "size", {"v": 42})
    assert application_runs(url, "theirs") == 1
    return url


async def everything_works(postgres: Postgres, shop: Shop, *, in_sql: bool = True) -> None:
    """Buy, ask, remember, sign in, look for what stands still, and forget."""
    async with shop_agent(postgres, shop) as agent:
        before = len(shop.happened())
        talk = await bought(agent)
        assert shop.happened()[before:] == PURCHASE
    assert await postgres.ledger.verify(talk.thread_id) > 0
    session = Session(postgres.tenant_id, talk.thread_id, "ada", "ada", "customer", "worker")
    await postgres.memory.put("ada", fact_of("shoe size", "43", "fact", "thread", SYSTEM.now()))
    if in_sql:
        found = await postgres.history.query(session, "select value from facts", {})
        assert found.rows == (("43",),)
    else:
        with pytest.raises(ToolRefused):
            await postgres.history.query(session, "select value from facts", {})
    async with open_token_office(postgres) as office:
        made = await office.make(Person("cleo", "clerk"), HOUR)
    sessions = Sessions(postgres.pool)
    assert await sessions.person_with(await sessions.begin(made.text, HOUR) or "")

    async def finish(thread_id: str, why: str) -> None:
        raise AssertionError("nothing stands still")

    async with open_jobs(postgres, SHOP.name, None, finish) as jobs:
        await jobs.drop_left_behind()
        async with postgres.stalled.claimed(SHOP.name, HOUR, None, jobs.queue) as (claimed, conn):
            assert claimed == []
            await jobs.give(claimed, conn)
    async with open_eraser(postgres) as eraser:
        erased = await eraser.erase(talk.thread_id, everything)
        assert erased.parts
    assert await postgres.memory.forget_all("ada") == 1


async def test_an_application_with_tables_of_our_names_is_left_as_it_was(
    application: str, shop: Shop
):
    before = outside(application)
    async with shop_database(application) as postgres:
        await everything_works(postgres, shop)
    assert outside(application) == before
    assert application_runs(application, "theirs") == 2
    found = await inspect(application, "default")
    assert (found.missing, found.lacks, found.open_tables) == ([], [], [])
    assert found.is_append_only


@pytest.fixture
def owner(url: str) -> Iterator[str]:
    """Yield the same database as an owner who may create no roles and is a member of none."""
    name, place = f"owner_{uuid.uuid4().hex[:8]}", conninfo_to_dict(url)["dbname"]
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute(f"create role {name} login")
        superuser.execute(f"grant create on database {place} to {name}")
        yield make_conninfo(url, user=name)
        superuser.execute(f"drop owned by {name} cascade")
        superuser.execute(f"drop role {name}")


async def test_a_user_who_may_create_no_roles_runs_all_but_the_history_in_sql(
    owner: str, shop: Shop
):
    async with shop_database(owner) as postgres:
        assert postgres.place.role is None
        await everything_works(postgres, shop, in_sql=False)
        async with postgres.pool.connection() as conn:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await conn.execute("update ledger_event set worker = 'eve'")
    # Row-level security holds for the owner too.
    async with (
        shop_database(owner, "other") as other,
        other.pool.connection() as conn,
    ):
        assert await (await conn.execute("select from ledger_event")).fetchall() == []
    assert await migrate(owner) == []


async def test_roles_that_are_granted_later_are_used_from_the_next_start_on(
    owner: str, url: str, shop: Shop
):
    assert not any(name.startswith("rights") for name in await migrate(owner))
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute(f"grant daybook_app, daybook_reader to {conninfo_to_dict(owner)['user']}")
    async with shop_database(owner) as postgres:
        assert postgres.place.role == "daybook_app"
        await everything_works(postgres, shop)
        await postgres.memory.put("ada", fact_of("shoe size", "43", "fact", "thread", SYSTEM.now()))
        # Whoever owns the tables is limited to no user.
        async with postgres.as_owner() as conn:
            assert len(await (await conn.execute("select from fact")).fetchall()) == 1


def _a_schema_of_theirs(url: str) -> tuple[str, str]:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create schema daybook create table migration (version text)")
    return url, "daybook"


def _no_right_to_create(url: str) -> tuple[str, str]:
    name = f"reader_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(f"create role {name} login")
    return make_conninfo(url, user=name), "daybook"


def _the_search_path_of_a_user(url: str) -> tuple[str, str]:
    name = f"app_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(f"create role {name} login")
    return url, name


@pytest.mark.parametrize(
    "hinders", [_a_schema_of_theirs, _no_right_to_create, _the_search_path_of_a_user]
)
async def test_a_database_that_is_refused_is_left_as_it_was(application: str, hinders: Any):
    refused, schema = hinders(application)
    before = dump(application)
    with pytest.raises(ConfigurationError):
        async with shop_database(refused, schema=schema):
            pass
    assert dump(application) == before


async def test_a_database_that_is_not_encoded_in_utf_8_is_refused_in_a_sentence(server_url: str):
    name = f"ascii_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(
            f"create database {name} encoding 'SQL_ASCII' template template0 "
            "locale_provider libc locale 'C'"
        )
        try:
            ascii_ = make_conninfo(server_url, dbname=name)
            with pytest.raises(ConfigurationError, match="SQL_ASCII"):
                async with shop_database(ascii_):
                    pass
        finally:
            conn.execute(f"drop database {name} with (force)")


@pytest.mark.parametrize("schema", ["public", "pg_daybook", "Daybook; drop table thread", ""])
async def test_a_schema_that_is_not_for_daybook_alone_is_refused(url: str, schema: str):
    with pytest.raises(ConfigurationError, match="DAYBOOK_SCHEMA"):
        async with shop_database(url, schema=schema):
            pass


async def test_two_schemas_of_one_database_know_nothing_of_each_other(url: str, shop: Shop):
    stored = SHOP.restored_types
    async with open_postgres(url, tenant_id="default", stored_types=stored) as one:
        await everything_works(one, shop)
        before = dump(url, "--schema=daybook")
        async with open_postgres(
            url, tenant_id="default", stored_types=stored, schema="order_book"
        ) as other:
            await everything_works(other, shop)
        assert dump(url, "--schema=daybook") == before


async def test_what_would_be_migrated_is_printed_and_can_be_run_by_hand(
    url: str, capsys: pytest.CaptureFixture[str]
):
    before = dump(url)
    settings = settings_from({"DATABASE_URL": url, "DAYBOOK_SCHEMA": "order_book"})
    await migration(settings, prints=True)
    assert dump(url) == before
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(capsys.readouterr().out.encode())
    assert await migrate(url, schema="order_book") == []
    assert await script(url, "order_book") == ""
    assert outside_of(url, "order_book") == before


# -- on the pool of an application ----------------------------------------------------------------

OF_A_SESSION = (*SETTINGS, "role", "daybook.tenant", "client_encoding", "jit")


async def set_up(conn: psycopg.AsyncConnection[Any]) -> None:
    await conn.execute("set statement_timeout = '7s'")
    await conn.execute("set search_path = app")
    await conn.commit()


@asynccontextmanager
async def their_pool(url: str, size: int = 4) -> AsyncIterator[AsyncConnectionPool[Any]]:
    """Open a pool as an application likes it: no autocommit, rows of its own, settings of its own."""
    async with AsyncConnectionPool(
        url,
        min_size=size,
        max_size=size,
        open=False,
        configure=set_up,
        kwargs={"row_factory": namedtuple_row, "prepare_threshold": 1},
    ) as pool:
        yield pool


async def how_it_is(pool: AsyncConnectionPool[Any], size: int = 4) -> list[Any]:
    """Return what each of its connections is set to."""
    seen = []
    connections = [await pool.getconn() for _ in range(size)]
    for conn in connections:
        jsonb = await (
            await conn.execute("select '{\"daybook_sealed\": 1}'::jsonb as it")
        ).fetchone()
        settings = [
            (await (await conn.execute("select current_setting(%s, true)", (name,))).fetchone())[0]
            for name in OF_A_SESSION
        ]
        await conn.commit()
        attributes = (
            conn.autocommit,
            conn.row_factory,
            conn.prepare_threshold,
            conn.isolation_level,
        )
        seen.append((settings, attributes, jsonb.it, conn.info.transaction_status))
        await pool.putconn(conn)
    return seen


async def test_connections_of_an_applications_pool_are_given_back_as_they_were(
    application: str, shop: Shop
):
    before = outside(application)
    async with their_pool(application) as pool:
        was = await how_it_is(pool)
        async with shop_database(pool) as postgres:
            await everything_works(postgres, shop)
            with pytest.raises(psycopg.errors.DivisionByZero):
                async with postgres.pool.connection() as conn, conn.transaction():
                    await conn.execute("select 1 / 0")
        now = await how_it_is(pool)
        # A setting that was never made cannot be taken back: it is empty.
        assert [[value or None for value in each[0]] for each in now] == [
            [value or None for value in each[0]] for each in was
        ]
        assert [each[1:] for each in now] == [each[1:] for each in was]
        async with pool.connection() as conn:
            row = await (await conn.execute("select name from thread")).fetchone()
            assert row is not None
            assert row.name == "theirs"
    assert outside(application) == before


@pytest.mark.parametrize("cancels", ["once", "again and again"])
async def test_a_connection_is_given_back_as_it_was_whenever_its_request_is_cancelled(
    application: str, cancels: str
):
    async with their_pool(application, 1) as pool, shop_database(pool) as postgres:

        async def asks() -> None:
            async with postgres.pool.connection() as conn:
                await conn.execute("select from thread")

        async def ends(task: asyncio.Task[None]) -> None:
            task.cancel()
            # As anyio does it with a request whose client has gone.
            while not task.done():
                await SYSTEM.sleep(0)
                if cancels != "once":
                    task.cancel()

        await asks()
        [was] = await how_it_is(pool, 1)
        for steps in range(0, 400, 3):
            task = asyncio.create_task(asks())
            for _ in range(steps):
                await SYSTEM.sleep(0)
            await ends(task)
            [now] = await how_it_is(pool, 1)
            assert [one or None for one in now[0]] == [one or None for one in was[0]], steps
            assert now[1:] == was[1:], steps


async def test_several_tenants_and_their_application_share_one_pool(application: str):
    async with their_pool(application) as pool:
        tenants = [f"tenant-{number}" for number in range(3)]
        opened = [open_postgres(pool, tenant_id=name, stored_types=()) for name in tenants]
        one, two, three = [await each.__aenter__() for each in opened]

        async def writes(postgres: Postgres, number: int) -> None:
            thread = f"{postgres.tenant_id}-{number}"
            ada = Session(postgres.tenant_id, thread, "ada", "ada", "customer", "worker")
            async with postgres.ledger.page(ada) as page:
                page.write(Entry(Event.RECEIVED, turn_id="t"))

        async def reads_its_own() -> None:
            async with pool.connection() as conn:
                row = await (await conn.execute("select name from thread")).fetchone()
                assert row is not None
                assert row.name == "theirs"

        async with asyncio.TaskGroup() as group:
            for number in range(10):
                for each in (one, two, three):
                    group.create_task(writes(each, number))
                group.create_task(reads_its_own())
        for each in (one, two, three):
            async with each.pool.connection() as conn:
                rows = await (await conn.execute("select thread_id from thread")).fetchall()
            assert {row["thread_id"].rpartition("-")[0] for row in rows} == {each.tenant_id}
            assert len(rows) == 10
        for opener in opened:
            await opener.__aexit__(None, None, None)


# -- when the server ends connections --------------------------------------------------------------


def end_all(url: str) -> None:
    """End all sessions of the database, as a restart of the server does."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity "
            "where datname = current_database() and pid <> pg_backend_pid()"
        )


@pytest.mark.parametrize("is_theirs", [False, True])
async def test_connections_that_the_server_ended_while_they_were_idle_fail_nobody(
    url: str, is_theirs: bool
):
    async with their_pool(url) as pool:
        where = pool if is_theirs else url
        async with shop_database(where) as postgres:

            async def writes(number: int) -> None:
                ada = Session("default", f"t-{number}", "ada", "ada", "customer", "worker")
                async with postgres.locks.hold(ada.thread_id), postgres.ledger.page(ada) as page:
                    page.write(Entry(Event.RECEIVED, turn_id="t"))

            await asyncio.gather(*map(writes, range(20)))
            await asyncio.to_thread(end_all, url)
            for number in range(20, 30):
                await writes(number)


async def test_a_connection_that_the_server_ends_while_it_is_used_is_told_as_our_error(url: str):
    async with shop_database(url) as postgres:
        with pytest.raises(DatabaseUnavailable) as raised:
            async with postgres.pool.connection() as conn:
                await asyncio.to_thread(end_all, url)
                await conn.execute("select 1")
        assert isinstance(raised.value, DaybookError)
        # Whoever takes psycopg's own error takes this one too.
        assert isinstance(raised.value, psycopg.OperationalError)
        async with postgres.pool.connection() as conn:
            await conn.execute("select 1")
