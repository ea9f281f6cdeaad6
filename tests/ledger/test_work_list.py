"""Whom somebody must come for, and who waits for whom."""

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import Event
from daybook.state.session import Session
from evals.protocol.parts import CHARGE, ORDER, opening
from tests.ledger.book import (
    a_plan_read,
    an_operation,
    claims,
    decision,
    happens,
    opened,
    planned,
    someone,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def work_list(postgres: Postgres, plan_id: str) -> dict[str, str]:
    async with postgres.pool.connection() as conn:
        cursor = await conn.execute(
            "select op, state from open_step where plan_id = %s", (plan_id,)
        )
        return {row["op"].rsplit("/", 1)[1]: row["state"] for row in await cursor.fetchall()}


async def test_steps_are_on_the_work_list_until_their_plan_is_over(postgres: Postgres):
    ada, ledger = someone(), postgres.ledger
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    assert await work_list(postgres, plan_id) == {"charge": "intended", "order": "intended"}
    await claims(ledger, ada, plan_id, "charge")
    await happens(ledger, ada, plan_id, "charge", Event.ACKNOWLEDGED, attempt=1)
    await claims(ledger, ada, plan_id, "order")
    assert await work_list(postgres, plan_id) == {"charge": "done", "order": "unknown"}
    await happens(ledger, ada, plan_id, "order", Event.ACKNOWLEDGED, attempt=1)
    async with planned(ledger, ada, plan_id) as (page, plan):
        page.write(plan.entry(Event.SUCCEEDED))
    assert await work_list(postgres, plan_id) == {}


async def test_a_step_is_due_when_its_last_open_attempt_has_settled(postgres: Postgres, owner):
    ada, ledger = someone(), postgres.ledger
    plan_id = await opened(ledger, ada, ORDER)
    await claims(ledger, ada, plan_id, "order")
    plan = await a_plan_read(ledger, ada, plan_id)
    due = "select due_at from open_step where plan_id = %s"
    assert await (await owner.execute(due, (plan_id,))).fetchall() == [
        (plan.steps[0].attempts[0].settle_at,)
    ]
    await happens(ledger, ada, plan_id, "order", Event.REFUSED, attempt=1)
    # It is known not to be out there: somebody may come at once.
    assert await (await owner.execute(due, (plan_id,))).fetchall() == [(plan.steps[0].intended_at,)]


async def test_a_step_that_a_late_answer_reopens_is_on_the_work_list_until_it_is_undone(postgres):
    """Nobody would come to undo it otherwise: the plan is over and the thread has no open one."""
    ada, ledger = someone(), postgres.ledger
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    await claims(ledger, ada, plan_id, "charge")
    async with planned(ledger, ada, plan_id) as (page, plan):
        charge, order = plan.steps
        page.write(
            plan.entry(Event.FAILED, charge),
            plan.entry(Event.CLOSING, detail={"action": 0, "reason": "absent"}),
            plan.entry(Event.CANCELLED, order),
            plan.entry(Event.ENDED),
        )
    assert await work_list(postgres, plan_id) == {}
    await happens(ledger, ada, plan_id, "charge", Event.ACKNOWLEDGED, attempt=1)
    assert await work_list(postgres, plan_id) == {"charge": "done"}
    await claims(ledger, ada, plan_id, "charge", undo=True)
    assert await work_list(postgres, plan_id) == {"charge": "undoing"}
    await happens(ledger, ada, plan_id, "charge", Event.UNDONE, attempt=1)
    assert await work_list(postgres, plan_id) == {}


# -- who waits for whom ---------------------------------------------------------------------------


async def status(postgres: Postgres, ada: Session) -> str:
    threads = await postgres.threads.of_user(ada.user_id, "shop")
    return next(thread.status for thread in threads if thread.thread_id == ada.thread_id)


async def test_a_thread_waits_while_a_person_is_asked_and_is_idle_when_its_turn_is_done(postgres):
    ada, ledger = someone(), postgres.ledger
    async with ledger.page(ada) as page:
        page.write(Entry(Event.RECEIVED, turn_id="turn"))
    assert await status(postgres, ada) == "active"
    async with ledger.page(ada) as page:
        page.write(*opening(Plan("asked", "turn"), (ORDER,), op=an_operation()))
    assert await status(postgres, ada) == "waiting"
    async with planned(ledger, ada, "asked") as (page, plan):
        page.write(decision(plan))
    assert await status(postgres, ada) == "active"
    await claims(ledger, ada, "asked", "order")
    await happens(ledger, ada, "asked", "order", Event.IN_DOUBT)
    assert await status(postgres, ada) == "waiting"
    await happens(ledger, ada, "asked", "order", Event.HAPPENED)
    assert await status(postgres, ada) == "active"
    async with ledger.page(ada) as page:
        page.write(Entry(Event.TURN_DONE, turn_id="turn"))
    assert await status(postgres, ada) == "idle"


async def test_what_policy_approves_makes_no_thread_wait(postgres: Postgres):
    ada = someone()
    async with postgres.ledger.page(ada) as page:
        page.write(Entry(Event.RECEIVED, turn_id="turn"))
        drafted = opening(Plan("sure", "turn"), (ORDER,), approval="policy", op=an_operation())
        page.write(*drafted)
    assert await status(postgres, ada) == "active"
