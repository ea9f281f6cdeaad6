"""What others told stays as it was told, and whose it is stays too."""

from dataclasses import replace
from uuid import uuid4

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.outside import OutsideEvent, Owner
from daybook.checkpoints.postgres import Postgres
from evals.protocol.parts import ORDER
from tests.ledger.book import opened, someone

pytestmark = pytest.mark.asyncio(loop_scope="session")


def told() -> OutsideEvent:
    return OutsideEvent("shop.example", uuid4().hex, "co_1", "order_1", "1", {"total": 100})


async def owner_of_a_thread(ledger: Ledger) -> Owner:
    person = someone()
    await opened(ledger, person, ORDER)
    return Owner(person.thread_id, person.user_id, "op", 1, "plan")


async def kept(postgres: Postgres, event: OutsideEvent) -> OutsideEvent:
    async with postgres.pool.connection() as conn:
        found = await conn.execute(
            "select source, event_id, about, reference, newness, facts, thread_id, user_id "
            "from outside_event where event_id = %s",
            (event.event_id,),
        )
        row = await found.fetchone()
    assert row is not None
    return OutsideEvent(**row)


async def test_whose_an_event_is_its_thread_says_and_once(ledger: Ledger, postgres: Postgres):
    event, ada, ben = told(), await owner_of_a_thread(ledger), await owner_of_a_thread(ledger)
    assert await postgres.outside.keep(event)
    assert not await postgres.outside.keep(event)
    waits = [one.event_id for one in await postgres.outside.left([event.source], 100)]
    assert event.event_id in waits
    for is_taken in (False, True, False):
        await postgres.outside.owned(event, replace(ada, user_id="eve"), is_taken=is_taken)
    assert await kept(postgres, event) == replace(
        event, thread_id=ada.thread_id, user_id=ada.user_id
    )
    waits = [one.event_id for one in await postgres.outside.left([event.source], 100)]
    assert event.event_id not in waits, "what was taken up is not taken up again"
    with pytest.raises(InsufficientPrivilege, match="of another thread"):
        await postgres.outside.owned(event, ben, is_taken=True)
    with pytest.raises(InsufficientPrivilege, match="there is none"):
        await postgres.outside.owned(told(), ben, is_taken=True)


@pytest.mark.parametrize(
    "statement",
    [
        "update outside_event set user_id = 'eve'",
        "update outside_event set thread_id = null",
        "update outside_event set taken_at = null",
        "update outside_event set facts = '{}'",
        "delete from outside_event",
        "insert into outside_event (tenant_id, source, event_id, about, reference, newness, facts, "
        "user_id) values ('default', 'x', 'y', '', '', '', '{}', 'eve')",
    ],
)
async def test_the_application_changes_none_of_it(
    application: psycopg.AsyncConnection, postgres: Postgres, statement: str
):
    event = told()
    await postgres.outside.keep(event)
    with pytest.raises(InsufficientPrivilege):
        await application.execute(statement)
    assert await kept(postgres, event) == event


async def test_another_tenant_owns_none_of_them(
    ledger: Ledger, postgres: Postgres, stranger: Postgres
):
    event, ada = told(), await owner_of_a_thread(ledger)
    await postgres.outside.keep(event)
    with pytest.raises(InsufficientPrivilege):
        await stranger.outside.owned(event, ada, is_taken=True)
    assert await kept(postgres, event) == event
