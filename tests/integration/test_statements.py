"""What runs unasked finds its rows by an index, and a step commits and asks as often as is written here."""

import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from daybook.app.operating.metrics import Scraper
from daybook.checkpoints.ledger.search import Search
from daybook.checkpoints.ledger.steps import Questions
from daybook.checkpoints.people.erasure import Part, retain
from daybook.checkpoints.runs.jobs import open_jobs
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import FaultPoint, arm
from daybook.tools.shop.domain import SHOP
from evals.bench.agents import Kind, open_daybook
from evals.scale.copies import TABLES, as_owner, put, template_of
from tests.conftest import Agent
from tests.conversation import Conversation
from tests.purchases import asked_to_buy, bought

WAITING = 2000
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


async def test_nothing_that_runs_unasked_or_in_a_purchase_reads_a_growing_table_from_end_to_end(
    agent: Agent, crowd: list[str], monkeypatch: pytest.MonkeyPatch
):
    postgres = agent.resources.postgres
    scraper = Scraper(postgres)
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
    # The owner's, of a table that no thread waits in.
    del ran[statements("erasure.sql")["drop_usage"]]
    assert len(ran) > 15
    assert await tables_read_whole(agent, ran) == {}
    with noted(monkeypatch) as ran:
        await bought(agent)
    assert len(ran) > 15
    assert await tables_read_whole(agent, ran) == {}


STEPS = 3
RENEW = statements("runner.sql")["renew"]
OF_A_TURN = {"pages": 3, "checkpoints": 4, "transactions": 14, "statements": 46}
"""Received, the answer, done; what is stored with the first and the last of them, before the answer, at the end."""

OF_A_STEP = {
    Kind.READ: {"pages": 1, "checkpoints": 1, "transactions": 3, "statements": 16},
    # Decided; intended and claimed; done.
    Kind.AUTO_WRITE: {"pages": 3, "checkpoints": 2, "transactions": 5, "statements": 31},
    # Decided; intended; approved and claimed; done. A question is stored with the end of its run.
    Kind.APPROVED_WRITE: {"pages": 4, "checkpoints": 3, "transactions": 10, "statements": 49},
}


@pytest.mark.parametrize("kind", Kind)
async def test_a_step_commits_and_asks_as_often_as_is_written_here(
    postgres_url: str, kind: Kind, monkeypatch: pytest.MonkeyPatch
):
    counted: Counter[str] = Counter()
    execute = psycopg.AsyncCursor.execute

    lent = AsyncConnectionPool.getconn

    async def lending(self: Any, *given: Any) -> Any:
        # What one connection is lent for is one transaction.
        counted["transactions"] += 1
        return await lent(self, *given)

    async def counting(self: Any, query: Any, *given: Any, **more: Any) -> Any:
        # By the clock a lease is renewed, and for each connection it is said who it is.
        is_of_a_step = query != RENEW and "set_config" not in str(query)
        counted["statements"] += is_of_a_step
        return await execute(self, query, *given, **more)

    def passing(point: FaultPoint, about: str) -> None:
        # A page that decides and claims passes twice.
        is_claim_behind = about.startswith("attempted") and kind is not Kind.READ
        counted["pages"] += point is FaultPoint.AFTER_COMMIT and not is_claim_behind
        counted["checkpoints"] += point is FaultPoint.AFTER_CHECKPOINT

    async with open_daybook(postgres_url, kind, STEPS) as ours:
        monkeypatch.setattr(psycopg.AsyncCursor, "execute", counting)
        monkeypatch.setattr(AsyncConnectionPool, "getconn", lending)
        arm(passing)
        try:
            await ours.turn()
        finally:
            arm(None)
    assert counted == {
        name: number + STEPS * OF_A_STEP[kind][name] for name, number in OF_A_TURN.items()
    }
