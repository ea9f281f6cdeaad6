"""Refusals before the effect: tried again under the same key, and given up in good order."""

import asyncio

from daybook.state.ledger.recovery import Event
from daybook.state.receipts import ReceiptStatus
from daybook.testing.model import last_result
from tests.conftest import Agent, Shop
from tests.conversation import answer_of, turn_receipt_lines, turn_receipt_text
from tests.purchases import (
    LONG,
    PURCHASE,
    asked_to_buy,
    entries,
    events,
    hurry,
    met,
    rebuilt,
    still_held,
)

BUDGET = LONG

FOR_EVER = 1_000


async def test_a_refused_step_is_tried_again_under_the_same_key(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    for endpoint in ("holds", "charges", "orders", "mail"):
        shop.fault(endpoint, "refuse", times=2)
    await talk.approve()
    assert shop.happened() == PURCHASE
    written = await entries(agent, talk)
    for op in ("/reserve/BOOT-001", "/charge", "/place_order", "/send_email"):
        step = [e for e in written if e.op and e.op.endswith(op)]
        attempts = [e for e in step if e.event is Event.ATTEMPTED]
        assert [e.attempt for e in attempts] == [1, 2, 3]
        assert len({e.step_id for e in attempts}) == 1
        answered = [e.event for e in step if e.event in (Event.REFUSED, Event.ACKNOWLEDGED)]
        assert answered == [Event.REFUSED, Event.REFUSED, Event.ACKNOWLEDGED]


async def test_an_order_that_is_refused_for_good_is_compensated_in_reverse_and_can_be_tried_again(
    agent: Agent, shop: Shop
):
    talk = await asked_to_buy(agent)
    shop.fault("orders", "refuse", times=FOR_EVER)
    done = await talk.approve()
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert still_held(shop) == []
    tried = [Event.ATTEMPTED, Event.REFUSED] * agent.resources.patience.attempts
    undone = [Event.UNDO_ATTEMPTED, Event.UNDONE]
    assert await events(agent, talk, "/place_order") == [Event.INTENDED, *tried, Event.FAILED]
    assert (await events(agent, talk, "/charge"))[-2:] == undone
    assert (await events(agent, talk, "/reserve/BOOT-001"))[-2:] == undone
    assert await events(agent, talk, "/send_email") == [Event.INTENDED, Event.CANCELLED]
    told = answer_of(done)
    assert "checkout failed: The service is unavailable." in told
    assert "Undone: reserve BOOT-001, charge." in told
    (_, hold), (_, charge), (_, refund), (_, release) = shop.effects()
    assert (refund, release) == (f"{charge}/undo", f"{hold}/undo")
    # And its cart can be bought again.
    assert done.values["flow"] == "shopping"
    assert [line.sku for line in done.values["cart"].lines] == ["BOOT-001"]
    shop.http.delete("/admin/faults").raise_for_status()
    agent.model.then([("checkout", {})], last_result)
    await talk.say("try again")
    done = await talk.approve()
    assert shop.happened() == ["reserve", "charge", "refund", "release", *PURCHASE]
    assert done.values["flow"] == "ordered"
    assert len({e.op.split("/")[1] for e in await entries(agent, talk) if e.op}) == 2


async def test_a_price_that_rises_after_the_charge_is_refunded(agent: Agent, shop: Shop):
    talk = await asked_to_buy(agent)
    shop.fault("orders", "slow", seconds=LONG)
    approved = asyncio.create_task(talk.approve())
    await met(shop)
    shop.product("BOOT-001", price=12_345)
    hurry(shop)
    done = await approved
    assert shop.happened() == ["reserve", "charge", "refund", "release"]
    assert "The charge is below the total." in answer_of(done)


async def test_a_release_that_is_refused_for_long_is_left_open_and_made_up_for(
    agent: Agent, shop: Shop
):
    short = rebuilt(agent, node_seconds=0.3)
    talk = await asked_to_buy(short, "dan")
    shop.fault("releases", "refuse", times=FOR_EVER)
    left = await talk.approve()
    assert "The outcome is not known yet: Check out for 98.90 USD." in turn_receipt_text(left)
    told = [(one.kind, one.status) for one in turn_receipt_lines(left)]
    assert told == [
        ("reserve_inventory", ReceiptStatus.PENDING),
        ("charge_payment", ReceiptStatus.DECLINED),
    ]
    assert len(still_held(shop)) == 1
    shop.http.delete("/admin/faults").raise_for_status()
    agent.model.script.insert(0, "Your card was declined.")
    await talk.say("what now?")
    assert still_held(shop) == []
    assert shop.happened() == ["reserve", "release"]
