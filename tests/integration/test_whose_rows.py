"""Every row says whose it is; no tenant reaches another's, and who serves owns nothing."""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo
from psycopg.errors import InsufficientPrivilege, NotNullViolation

from daybook.checkpoints.migrate import ROLE
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.people.tokens import Sessions, open_token_office
from daybook.state.errors import ConfigurationError, ForeignThread
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop, shop_agent
from tests.conversation import Conversation
from tests.databases import Databases
from tests.integration.test_tokens import CLEO, HOUR, YEAR, made
from tests.purchases import PURCHASE, asked_to_buy, bought, rebuilt, shop_database, with_boots

WITHOUT_AN_OWNER = {
    "migration",
    "checkpoint_migrations",
    "procrastinate_events",
    "procrastinate_jobs",
    "procrastinate_periodic_defers",
    "procrastinate_workers",
}

"""Tables about the database and its schema; and jobs, which name a tenant and a thread, and nothing of a person."""

LIBRARYS = {"checkpoints", "checkpoint_blobs", "checkpoint_writes"}

"""They name their thread; whose that is stands in `thread`."""

OF_NO_PERSON = {
    "cluster",
    "declared_effect",
    "effect_reference",
    "encryption",
    "ledger_total",
    "lesson",
    "notification_delivery",
    "notification_switch",
    "signed_request",
    "spending",
    "thread_lease",
    "tool_rule",
}

FOUND_LATER = {"outside_event"}

"""What another side tells is nobody's until a step is found that it is of."""


async def rows(url: str, query: str, *params: Any) -> list[tuple[Any, ...]]:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
        return await (await conn.execute(query, params)).fetchall()


# -- the schema -----------------------------------------------------------------------------------


@pytest.fixture
async def columns(postgres_url: str) -> dict[str, set[str]]:
    """Return the columns, by table, that cannot be null."""
    found = await rows(
        postgres_url,
        "select table_name::text, array_agg(column_name::text) filter (where is_nullable = 'NO') "
        "from information_schema.columns join information_schema.tables using (table_name) "
        "where columns.table_schema = 'daybook' and table_type = 'BASE TABLE' group by table_name",
    )
    return {table: set(names) for table, names in found if table not in WITHOUT_AN_OWNER}


async def test_every_row_has_a_tenant(columns: dict[str, set[str]]):
    assert {"thread", "ledger_event", "checkpoints"} <= columns.keys()
    assert [table for table, names in columns.items() if "tenant_id" not in names] == []


async def test_every_row_of_ours_has_a_person(columns: dict[str, set[str]]):
    ours = columns.keys() - LIBRARYS - OF_NO_PERSON - FOUND_LATER
    assert [table for table in ours if "user_id" not in columns[table]] == []


async def test_row_level_security_is_forced_on_every_table(postgres_url, columns):
    forced = await rows(
        postgres_url,
        "select relname::text from pg_class where relnamespace = 'daybook'::regnamespace "
        "and relkind = 'r' and relrowsecurity and relforcerowsecurity",
    )
    assert {name for (name,) in forced} == columns.keys()


# -- two tenants on one database ------------------------------------------------------------------


@pytest.fixture
async def stranger(postgres_url: str, agent: Agent) -> AsyncIterator[Agent]:
    """Yield the agent of another tenant on the same database."""
    async with shop_database(postgres_url, "other") as other:
        yield rebuilt(agent, postgres=other)


async def test_another_tenant_reads_nothing_of_a_thread(agent: Agent, stranger: Agent):
    talk = await asked_to_buy(agent)
    theirs = Conversation(stranger.graph, "ada", talk.thread_id)
    seen = await theirs.state()
    assert (seen.values, seen.interrupts, seen.tasks) == ({}, (), ())
    assert [s async for s in stranger.graph.aget_state_history(theirs.config)] == []
    postgres = stranger.resources.postgres
    assert await postgres.ledger.entries(talk.thread_id) == []
    assert await postgres.threads.of_user("ada", "shop") == []
    assert await postgres.reads.of_turns(talk.thread_id, ["any"]) == []


async def test_another_tenant_is_refused_before_anything_is_stored(agent, stranger, postgres_url):
    talk = await asked_to_buy(agent)
    before = (await talk.state()).values
    with pytest.raises(ForeignThread, match="belongs to another user"):
        await Conversation(stranger.graph, "ada", talk.thread_id).say("let me in")
    tenants = await rows(postgres_url, "select distinct tenant_id from checkpoints")
    assert tenants == [("default",)]
    assert (await talk.state()).values == before
    assert (await talk.approve()).values["flow"] == "ordered"


async def test_another_tenant_cannot_delete_a_thread(agent: Agent, stranger: Agent):
    talk = await asked_to_buy(agent)
    await stranger.resources.postgres.saver.adelete_thread(talk.thread_id)
    assert len((await talk.state()).interrupts) == 1


# -- the checkpointer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "take_away", ["reset daybook.tenant", "select set_config('daybook.tenant', '', false)"]
)
async def test_a_session_whose_tenant_was_taken_back_stores_no_checkpoint(postgres, take_away):
    async with postgres.pool.connection() as conn:
        await conn.execute(take_away)
        # Whether the column or the policy is looked at first is the server's.
        with pytest.raises((NotNullViolation, InsufficientPrivilege)):
            await conn.execute(
                "insert into checkpoints (thread_id, checkpoint_id, checkpoint) "
                "values ('x', 'y', '{}')"
            )
        await conn.execute("select set_config('daybook.tenant', 'default', false)")


# -- an owner who is no superuser -----------------------------------------------------------------


async def test_a_user_who_does_not_own_the_tables_may_not_erase(postgres_url: str, agent: Agent):
    talk = await with_boots(agent)
    with serving_login(postgres_url) as url:
        async with shop_database(url) as postgres:
            with pytest.raises(ConfigurationError, match="may not erase"):
                async with open_eraser(postgres) as eraser:
                    await eraser.erase(talk.thread_id, everything)
    agent.model.then("Nothing is lost.")
    assert len((await talk.say("hello")).values["cart"].lines) == 1


@contextmanager
def serving_login(url: str) -> Iterator[str]:
    """Yield the URL of a user that is a member of the role, as docs/database.md makes it."""
    name = sql.Identifier(f"serves_{uuid.uuid4().hex[:8]}")
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute(sql.SQL("create role {} login in role daybook_app").format(name))
        try:
            yield make_conninfo(url, user=name.as_string(None).strip('"'))
        finally:
            superuser.execute(sql.SQL("drop role {}").format(name))


async def test_the_first_process_of_a_tenant_may_own_nothing(databases: Databases, template: str):
    with databases.lent(template) as one, serving_login(one.url) as url:
        async with shop_database(url) as serving:
            await serving.cluster.check("shop")
            assert not serving.cluster.was_restored


async def test_who_owns_nothing_serves_everything(postgres, postgres_url: str, shop: Shop):
    token = await made(postgres)
    with serving_login(postgres_url) as url:
        async with (
            shop_database(url) as serving,
            shop_agent(serving, shop) as agent,
        ):
            talk = await bought(agent)
            assert shop.happened() == PURCHASE
            asked = [("query_history", {"sql": "select count(*) as n from turns"})]
            agent.model.then(asked, last_result)
            await talk.say("how often did we talk?")
            assert await serving.ledger.verify(talk.thread_id)
            secret = await Sessions(serving.pool).begin(token, HOUR)
            assert await Sessions(serving.pool).person_with(secret or "") == CLEO
            with pytest.raises(ConfigurationError, match="may not make or revoke tokens"):
                async with open_token_office(serving) as office:
                    await office.make(CLEO, YEAR)


_DEFAULTS = """
select table_name || '.' || column_name from information_schema.columns
where table_schema = 'daybook' and column_default like '%%clock_timestamp%%'
  -- Compared with nothing but what a host has kept of it.
  and table_name <> 'cluster'
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
