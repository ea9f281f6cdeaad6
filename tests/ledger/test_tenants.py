"""A row belongs to one tenant, and a thread to one person."""

import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.migrate import ROLE
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ForeignThread
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session
from evals.protocol.parts import ORDER, RESERVE
from tests.ledger.book import an_operation, opened, someone

pytestmark = pytest.mark.asyncio(loop_scope="session")

TABLES = ("ledger_event", "ledger_payload", "open_step", "read_call", "thread", "thread_head")


async def _visible(postgres: Postgres, ada: Session) -> dict[str, int]:
    seen = {}
    async with postgres.pool.connection() as conn:
        for table in TABLES:
            cursor = await conn.execute(
                f"select count(*) as n from {table} where thread_id = %s", (ada.thread_id,)
            )
            row = await cursor.fetchone()
            assert row is not None
            seen[table] = row["n"]
    return seen


async def test_another_tenants_rows_cannot_be_seen(postgres: Postgres, stranger: Postgres):
    ada = someone()
    plan_id = await opened(postgres.ledger, ada, RESERVE, ORDER)
    assert (await _visible(postgres, ada))["ledger_event"] == 4
    assert set((await _visible(stranger, ada)).values()) == {0}
    assert await stranger.ledger.entries(ada.thread_id) == []
    assert (await stranger.ledger.plan(ada.thread_id, plan_id))[0] is None
    assert await stranger.ledger.open_plan(ada.thread_id) is None
    assert await stranger.ledger.operation(f"op/{plan_id}/0/order") is None


async def test_a_connection_without_a_tenant_sees_and_writes_nothing(ledger: Ledger, owner):
    ada = someone()
    await opened(ledger, ada, ORDER)
    await owner.execute(f"set role {ROLE}")
    for table in TABLES:
        assert await (await owner.execute(f"select * from {table}")).fetchall() == []
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        await owner.execute(
            "insert into thread (thread_id, tenant_id, user_id) values ('x', 'default', 'eve')"
        )


async def test_a_thread_of_another_tenant_or_person_cannot_be_written(postgres, stranger):
    ada, op = someone(), an_operation()
    await opened(postgres.ledger, ada, ORDER, op=op)
    theirs = someone("ada", ada.thread_id, tenant="other")
    with pytest.raises(ForeignThread):
        async with stranger.ledger.page(theirs) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
    with pytest.raises(ForeignThread, match="belongs to another user"):
        async with postgres.ledger.page(someone("eve", ada.thread_id)) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
    assert await postgres.ledger.verify(ada.thread_id) == 3
    # Operations are a tenant's own.
    await opened(stranger.ledger, someone(tenant="other"), ORDER, op=op)


async def test_a_row_of_another_tenant_cannot_be_written(stranger: Postgres):
    eve = someone("eve", tenant="default")
    with pytest.raises(InsufficientPrivilege, match="row-level security"):
        async with stranger.ledger.page(eve) as page:
            page.write(Entry(Event.RECEIVED, turn_id="t"))
