"""A database of 0.1.0 is migrated by a later release, under load, and both releases work on it."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from daybook.checkpoints import migrate as migrating
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.ledger.recovery import StepState
from daybook.testing.model import last_result
from daybook.tools.shop.domain import SHOP
from tests.conftest import Agent, Shop
from tests.conversation import Conversation
from tests.integration.processes import User
from tests.purchases import LONG, PURCHASE, agent_of, asked_to_buy, bought, entries

NAME = "0002_expand_notes"

SCRIPT = """
lock table thread, thread_head, ledger_event, ledger_payload, open_step, effect_reference,
    outside_event, read_call, progress, runner, thread_lease, lesson, token, session,
    tool_rule, encryption;
alter table thread add column title text not null default '';
do $$
declare t text;
begin
    foreach t in array array[
        'thread_head', 'ledger_event', 'ledger_payload', 'open_step', 'effect_reference',
        'outside_event', 'read_call', 'progress', 'runner', 'thread_lease', 'lesson',
        'token', 'session', 'tool_rule', 'encryption']
    loop
        execute format('alter table %I add column added text', t);
    end loop;
end $$;
create table thread_note (
    thread_id text primary key references thread,
    tenant_id text not null,
    user_id   text not null,
    entries   bigint not null
);
alter table thread_note enable row level security;
alter table thread_note force row level security;
create policy of_this_tenant on thread_note
    using (tenant_id = current_setting('daybook.tenant', true))
    with check (tenant_id = current_setting('daybook.tenant', true));
grant select, insert, update on thread_note to daybook_app;
insert into thread_note (thread_id, tenant_id, user_id, entries)
select t.thread_id, t.tenant_id, t.user_id,
    (select count(*) from ledger_event e where e.thread_id = t.thread_id)
from thread t;
"""
"""What a release could add: columns of every table, and a table that is filled from others."""

GATE = 42

NEXT_RELEASE = f"""
import asyncio, sys
from pathlib import Path
import psycopg
from daybook.checkpoints import migrate as migrating
from daybook.checkpoints.postgres import open_postgres
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session

url, thread = sys.argv[1], sys.argv[3]
migrating.MIGRATIONS = Path(sys.argv[2])

async def main():
    with psycopg.connect(url, autocommit=True) as conn:
        print("ready", flush=True)
        conn.execute("select pg_advisory_lock_shared({GATE})")
    print(await migrating.migrate(url), flush=True)
    async with open_postgres(url, tenant_id="default", stored_types=()) as postgres:
        session = Session("default", thread, "ada", "ada", "customer", "next")
        async with postgres.ledger.page(session) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
        async with postgres.pool.connection() as conn:
            await conn.execute(
                "insert into thread_note (thread_id, tenant_id, user_id, entries) "
                "select thread_id, tenant_id, user_id, 1 from thread where thread_id = %s "
                "and title = ''", (thread,))
        print(await postgres.ledger.verify(thread), flush=True)

asyncio.run(main())
"""

THIS_RELEASE = """
import asyncio, sys, threading
from daybook.checkpoints.postgres import open_postgres
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session

async def main():
    # A daemon: a writer that fails ends, and says why.
    told = threading.Thread(target=sys.stdin.readline, daemon=True)
    told.start()
    async with open_postgres(sys.argv[1], tenant_id="default", stored_types=()) as postgres:
        written = 0
        session = Session("default", "busy", "ada", "ada", "customer", "this")
        while told.is_alive():
            async with postgres.ledger.page(session) as page:
                page.write(Entry(Event.RECEIVED, turn_id=f"turn-{written}"))
            written += 1
            assert len(await postgres.ledger.entries("busy")) == written
            if written in (20, 200):
                print(written, flush=True)
        print(written, flush=True)

asyncio.run(main())
"""
"""Writes and reads one thread without a pause, and says so after 20 entries and after 200."""


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """Write the folder of the next release's migrations."""
    (tmp_path / f"{NAME}.sql").write_text(SCRIPT)
    return tmp_path


async def rows(url: str, query: str) -> list[tuple[object, ...]]:
    async with await psycopg.AsyncConnection.connect(url) as conn:
        return await (await conn.execute(query.encode())).fetchall()


async def test_two_processes_migrate_under_load_once_and_both_releases_go_on(
    agent: Agent, shop: Shop, postgres: Postgres, postgres_url: str, migrations: Path, monkeypatch
):
    finished = await bought(agent)
    asked = await asked_to_buy(agent)
    agent.model.script.clear()
    other = await asked_to_buy(agent)
    agent.model.script.clear()
    threads = (finished, asked, other)
    before = {one.thread_id: await entries(agent, one) for one in threads}
    with ExitStack() as ended:
        busy = ended.enter_context(User(THIS_RELEASE, postgres_url))
        gate = ended.enter_context(psycopg.connect(postgres_url, autocommit=True))
        gate.execute("select pg_advisory_lock(%s)", (GATE,))
        both = [
            ended.enter_context(User(NEXT_RELEASE, postgres_url, str(migrations), f"of-{name}"))
            for name in ("one", "two")
        ]
        assert [await asyncio.to_thread(user.line) for user in both] == ["ready", "ready"]
        assert await asyncio.to_thread(busy.line) == "20", "it is under load"
        gate.execute("select pg_advisory_unlock(%s)", (GATE,))
        applied = [await asyncio.to_thread(user.line) for user in both]
        assert sorted(applied) == [repr([NAME]), repr([])], "one of them did it, once"
        assert [await asyncio.to_thread(user.line) for user in both] == ["1", "1"], "both serve"
        assert await asyncio.to_thread(busy.line) == "200", "the former release serves beside them"
        written = int(await asyncio.to_thread(busy.leaves_saying))
    assert await postgres.ledger.verify("busy") == written
    assert {one.thread_id: await entries(agent, one) for one in threads} == before
    noted = await rows(postgres_url, "select thread_id, entries from thread_note")
    assert {one.thread_id: len(before[one.thread_id]) for one in threads}.items() <= dict(
        noted
    ).items()
    assert {"of-one", "of-two", "busy"} <= dict(noted).keys()

    # This release, which was open all the time, carries out what waited.
    agent.model.then(last_result)
    assert (await asked.approve()).values["flow"] == "ordered"
    assert shop.happened() == PURCHASE * 2
    # The next one, too.
    monkeypatch.setattr(migrating, "MIGRATIONS", migrations)
    async with (
        open_postgres(postgres_url, tenant_id="default", stored_types=SHOP.restored_types) as later,
        agent_of(later, shop, LONG) as upgraded,
    ):
        upgraded.model.then(last_result)
        talk = Conversation(upgraded.graph, "ada", other.thread_id)
        assert (await talk.approve()).values["flow"] == "ordered"
        plans = await later.ledger.ended_plans(finished.thread_id, after=0)
        assert {step.state for plan in plans for step in plan.steps} == {StepState.DONE}
    assert shop.happened() == PURCHASE * 3
    # And this one can be started anew beside it.
    monkeypatch.undo()
    assert await migrating.migrate(postgres_url) == []
    async with open_postgres(
        postgres_url, tenant_id="default", stored_types=SHOP.restored_types
    ) as again:
        for one in threads:
            assert await again.ledger.verify(one.thread_id) > 0
