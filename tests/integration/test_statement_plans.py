"""What runs without being asked finds what it looks for by an index, however many threads wait."""

import random
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from daybook.app.operating.scraper import Scraper
from daybook.checkpoints.ledger.search import Search
from daybook.checkpoints.ledger.steps import Questions
from daybook.checkpoints.people.erasure import Part, retain
from daybook.checkpoints.runs.jobs import open_jobs
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM
from daybook.tools.shop.domain import SHOP
from evals.scale.copies import TABLES, as_owner, put, template_of
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, bought

WAITING = 3000
GROWING = {*TABLES}
"""Tables with rows of each thread that waits. Leases and jobs are as many as are at work."""

Ran = dict[str, Any]
"""What ran: a statement, and what it was told last."""


@contextmanager
def noted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ran]:
    """Note every statement that runs within the block, and that Postgres makes a plan for."""
    ran: Ran = {}
    execute = psycopg.AsyncCursor.execute

    async def noting(self: Any, query: Any, params: Any = None, **more: Any) -> Any:
        text = query if isinstance(query, str) else ""
        words = re.sub(r"--.*", "", text).split(None, 1)
        if words and words[0].lower() in ("select", "with", "insert", "update", "delete"):
            ran[text] = params
        return await execute(self, query, params, **more)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.AsyncCursor, "execute", noting)
        yield ran


def read_whole(plan: Mapping[str, Any]) -> Iterator[str]:
    """Name the tables that a plan reads from end to end."""
    if plan["Node Type"] == "Seq Scan" and plan["Relation Name"] in GROWING:
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from read_whole(part)


async def tables_read_whole(agent: Agent, ran: Ran) -> dict[str, list[str]]:
    """Tell of the statements that ran which tables they read from end to end."""
    found: dict[str, list[str]] = {}
    for statement, params in ran.items():
        async with agent.resources.postgres.pool.connection() as conn, conn.transaction():
            cursor = await conn.execute(f"explain (format json) {statement}", params)
            row = await cursor.fetchone()
        assert row is not None
        if tables := [*read_whole(row["QUERY PLAN"][0]["Plan"])]:
            found[statement] = tables
    return found


@pytest.fixture
async def crowd(agent: Agent, postgres_url: str) -> AsyncIterator[list[str]]:
    """Let many people wait for an approval; yield their threads."""
    talk = Conversation(agent.graph, "person-0000")
    agent.model.then([("search_products", {"query": "wool socks"})], "There are wool socks.")
    await talk.say("are there wool socks?")
    await asked_to_buy(agent, "person-0000", talk.thread_id)
    agent.model.script.clear()
    cart = (await talk.state()).values["cart"].cart_id
    async with as_owner(postgres_url) as conn:
        template = await template_of(conn, talk.thread_id, "person-0000", cart)
        people = [f"person-{number:04}" for number in range(1, WAITING + 1)]
        until = SYSTEM.now() + timedelta(days=9)
        threads = await put(conn, template, people, random.Random(1), until)
        await conn.execute("vacuum analyze")
        yield threads


async def test_no_statement_that_runs_unasked_reads_a_growing_table_from_end_to_end(
    agent: Agent, crowd: list[str], monkeypatch: pytest.MonkeyPatch
):
    postgres = agent.resources.postgres
    scraper = Scraper(postgres, [SHOP])
    # What went before is counted once.
    await scraper.scrape()

    async def finish(thread_id: str, why: str) -> None:
        raise AssertionError("nothing stands still")

    with noted(monkeypatch) as ran:
        async with open_jobs(postgres, SHOP.name, agent.resources.world, finish) as jobs:
            await jobs.drop_left_behind()
            about = SHOP.name, timedelta(seconds=30), agent.resources.world, jobs.queue
            async with postgres.stalled.claimed(*about):
                pass
        await retain(postgres, dict.fromkeys(Part, timedelta(days=30)))
        # A page that is open is looked after once a second.
        assert len(await Questions(postgres.pool).waiting([SHOP.name], None, 200)) == 200
        await Search(postgres.pool).heads(crowd[:3])
        await scraper.scrape()
        async with postgres.locks.hold(crowd[0]):
            pass
    ran[statements("runner.sql")["renew"]] = {
        **{"tenant_id": "default", "threads": crowd[:2], "process": "daybook-1"},
        "lease": timedelta(seconds=10),
    }
    assert len(ran) > 15
    assert await tables_read_whole(agent, ran) == {}


async def test_a_purchase_beside_many_reads_no_growing_table_from_end_to_end(
    agent: Agent, crowd: list[str], monkeypatch: pytest.MonkeyPatch
):
    with noted(monkeypatch) as ran:
        await bought(agent)
    assert len(ran) > 15
    assert await tables_read_whole(agent, ran) == {}


async def test_a_plan_that_was_made_when_there_was_little_serves_when_there_is_much(
    agent: Agent, postgres_url: str
):
    """A connection keeps the plan of a statement, until the table is analysed next."""
    talk = await bought(agent)
    about = {"thread_id": talk.thread_id, "after": "0"}
    touched: list[dict[str, int]] = []
    async with as_owner(postgres_url) as conn:
        await conn.execute("alter table ledger_event set (autovacuum_enabled = false)")
        await conn.execute("set plan_cache_mode = force_generic_plan")
        cursor = await conn.execute(
            "select turn_id from ledger_event where thread_id = %(thread_id)s and event = 'received'",
            about,
        )
        row = await cursor.fetchone()
        assert row is not None
        about["turn_id"] = row["turn_id"]
        for name in _OF_PLANS:
            statement, names = _numbered(statements("ledger.sql")[name])
            await conn.execute(f"prepare {name}({', '.join(names.values())}) as {statement}")
        for plans in (0, 200, 800):
            await conn.execute(_MANY_EDITED, {"thread_id": talk.thread_id, "plans": plans})
            touched.append({name: await _blocks(conn, name, about) for name in _OF_PLANS})
    _, few, many = touched
    assert {name: many[name] for name in few if many[name] > 8 * few[name]} == {}


_OF_PLANS = "edited_plans", "ended_plans"
_TYPES = {"thread_id": "text", "turn_id": "text", "after": "bigint"}


def _numbered(statement: str) -> tuple[str, dict[str, str]]:
    """Return a statement with numbers for its names, and the types of these in order."""
    names = {name: _TYPES[name] for name in re.findall(r"%\((\w+)\)s", statement)}
    for number, name in enumerate(names, 1):
        statement = statement.replace(f"%({name})s", f"${number}")
    return statement, names


_MANY_EDITED = """
insert into ledger_event
select copied.*
from (
    select distinct on (e.event) e, f.last, e.event = 'ended' as is_end
    from ledger_event e, (
        select max(seq) as last from ledger_event where thread_id = %(thread_id)s) f
    where e.thread_id = %(thread_id)s and e.event in ('decision', 'ended')
) one, generate_series(1, %(plans)s) as number, jsonb_populate_record(one.e, jsonb_build_object(
    'seq', one.last + 2 * number + one.is_end::int,
    'plan_id', format('many-%%s-%%s', %(plans)s, number),
    'detail', (one.e).detail || '{"decisions": {"edited": {}}}')) as copied"""
"""A decision and an end of each of so many plans more, behind the thread's last entry."""


async def _blocks(conn: psycopg.AsyncConnection[Any], name: str, about: Ran) -> int:
    """Return how many blocks a prepared statement looks at."""
    _, names = _numbered(statements("ledger.sql")[name])
    given = ", ".join(f"%({each})s" for each in names)
    call = f"explain (analyze, buffers, format json) execute {name}({given})"
    async with psycopg.AsyncClientCursor(conn) as cursor:
        row = await (await cursor.execute(call, about)).fetchone()
    assert row is not None
    plan = row["QUERY PLAN"][0]["Plan"]
    return int(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"])
