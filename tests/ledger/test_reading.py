"""What is read back is what was written."""

from dataclasses import replace
from typing import Any

import pytest

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.errors import DaybookError
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from evals.protocol.parts import CHARGE, ORDER
from tests.ledger.book import claim, opened, planned, someone

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_what_is_read_back_is_what_was_written(ledger: Ledger):
    ada = someone()
    plan_id = await opened(ledger, ada, CHARGE, ORDER)
    async with planned(ledger, ada, plan_id) as (page, plan):
        page.write(claim(page, plan, "charge"))
        step = plan.actions[0].step("charge")
        page.write(
            plan.entry(Event.ACKNOWLEDGED, step, attempt=1, payload={"result": {"charge_id": "ö"}})
        )
    read, now = await ledger.plan(ada.thread_id, plan_id)
    assert read == plan
    assert read is not plan
    assert now > page.now
    assert read.actions[0].results == {"charge": {"charge_id": "ö"}}


async def test_arguments_and_free_text_stand_outside_the_chain(ledger: Ledger, owner):
    ada = someone()
    await opened(ledger, ada, replace(ORDER, args={"note": "a secret"}))
    events = await (await owner.execute("select e::text from ledger_event e")).fetchall()
    payloads = await (await owner.execute("select p::text from ledger_payload p")).fetchall()
    assert "a secret" in str(payloads)
    assert "a secret" not in str(events)


def _decided(value: Any, **detail: Any) -> Entry:
    """Write a decision with something odd in a model's arguments, or in a fact."""
    return Entry(
        Event.DECIDED,
        turn_id="t",
        detail={"ordinal": 0, "prompt": "p", **detail},
        payload={"calls": [{"name": "search", "args": {"odd": value}}], "text": "boots"},
    )


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(_decided("boots\x00"), id="NUL in arguments"),
        pytest.param(_decided("boots\ud800"), id="lone surrogate in arguments"),
        pytest.param(_decided(float("nan")), id="NaN"),
        pytest.param(_decided(float("inf")), id="infinity"),
        pytest.param(_decided("", reason="no\x00"), id="NUL in a reason"),
        pytest.param(_decided("", reason="no\ud800"), id="lone surrogate in a reason"),
    ],
)
async def test_what_postgres_cannot_hold_is_left_out_or_refused_in_words(ledger, entry):
    """It comes out of a model's arguments and a service's answers, and must not end a thread."""
    ada = someone()
    try:
        async with ledger.page(ada) as page:
            page.write(entry)
    except DaybookError as refused:
        assert str(refused)
        return
    (kept,) = await ledger.entries(ada.thread_id)
    assert "boots" in str(kept.payload)
    assert await ledger.verify(ada.thread_id) == 1


@pytest.mark.parametrize(
    "number", [1e16, 1e22, -1e20, -0.0, 123_456_789_012_345_678.0, 1e-7, 10**30]
)
async def test_a_number_that_postgres_writes_otherwise_does_not_break_the_chain(ledger, number):
    ada = someone()
    async with ledger.page(ada) as page:
        page.write(_decided(number, fact=number))
    assert await ledger.verify(ada.thread_id) == 1
