"""Small words for tests of the ledger."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import psycopg

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.ledger.page import Page
from daybook.state.clock import SYSTEM
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session
from evals.protocol.parts import Part, opening


def someone(user: str = "ada", thread: str | None = None, tenant: str = "default") -> Session:
    """Name a person on a thread, a new one unless it is given."""
    return Session(
        tenant_id=tenant,
        thread_id=thread or str(uuid.uuid4()),
        user_id=user,
        author=user,
        role="customer",
        worker="worker",
    )


def an_operation() -> str:
    """Name an operation: they are global."""
    return f"checkout/{uuid.uuid4()}"


@asynccontextmanager
async def planned(ledger: Ledger, ada: Session, plan_id: str) -> AsyncIterator[tuple[Page, Plan]]:
    """Open a page of a thread, and its plan within it."""
    async with ledger.page(ada, plan_id) as page:
        plan = await page.plan(plan_id)
        assert plan is not None
        yield page, plan


async def opened(ledger: Ledger, ada: Session, *parts: Part, op: str | None = None) -> str:
    """Open an approved plan of one action and return its id."""
    plan_id = f"plan-{uuid.uuid4().hex[:8]}"
    async with ledger.page(ada) as page:
        drafted = opening(Plan(plan_id, "turn"), parts, op=op or f"op/{plan_id}")
        page.write(*drafted)
        plan = await page.plan(plan_id)
        assert plan is not None
        page.write(decision(plan))
    return plan_id


def decision(plan: Plan) -> Entry:
    bound = {"decisions": ["approved"], "bound_to": plan.binding_hash}
    return plan.entry(Event.DECISION, author="ada", detail=bound)


async def happens(
    ledger: Ledger, ada: Session, plan_id: str, name: str, event: Event, **more: Any
) -> None:
    """Let something happen to a step, in a page of its own."""
    async with planned(ledger, ada, plan_id) as (page, plan):
        page.write(plan.entry(event, plan.actions[0].step(name), **more))


async def claims(
    ledger: Ledger, ada: Session, plan_id: str, name: str, number: int = 1, *, undo: bool = False
) -> None:
    """Claim an attempt of a step, or of its undo."""
    async with planned(ledger, ada, plan_id) as (page, plan):
        page.write(claim(page, plan, name, number, undo=undo))


def claim(page: Page, plan: Plan, name: str, number: int = 1, *, undo: bool = False) -> Entry:
    return plan.entry(
        Event.UNDO_ATTEMPTED if undo else Event.ATTEMPTED,
        plan.actions[0].step(name),
        attempt=number,
        worker=page.session.worker,
        deadline_at=page.now + timedelta(seconds=5),
        settle_at=page.now + timedelta(seconds=15),
    )


async def written(ledger: Ledger, ada: Session) -> list[tuple[int, Event]]:
    return [(entry.seq, entry.event) for entry in await ledger.entries(ada.thread_id)]


async def a_plan_read(ledger: Ledger, ada: Session, plan_id: str) -> Plan:
    plan, _ = await ledger.plan(ada.thread_id, plan_id)
    assert plan is not None
    return plan


async def somebody_waits(owner: psycopg.AsyncConnection[Any]) -> None:
    """Wait until a connection to this database waits for a lock."""
    while True:
        cursor = await owner.execute(
            "select count(*) from pg_stat_activity "
            "where datname = current_database() and wait_event_type = 'Lock'"
        )
        row = await cursor.fetchone()
        if row is not None and row[0]:
            return
        await SYSTEM.sleep(0.01)
