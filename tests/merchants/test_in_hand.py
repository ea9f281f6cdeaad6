"""An order that was accepted and is not placed yet: waited for, never sent again, never confirmed."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from daybook.graph.merchants.events import Polls
from daybook.state.effects.guarantees import Patience
from daybook.state.ledger.recovery import Event
from daybook.state.receipts import ReceiptStatus
from daybook.tools.merchants.panels import panels
from tests.conversation import Conversation, answer_of, turn_receipt_lines, turn_receipt_text
from tests.cuts import cut_at
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import LOST, Asked, Said, Stranger, said
from tests.merchants.test_events import keys, told  # noqa: F401

SOON = replace(
    Patience(),
    budget=timedelta(seconds=2),
    backoff=timedelta(seconds=0.01),
    backoff_limit=timedelta(seconds=0.05),
)
DECLINED = {
    "type": "error",
    "code": "payment_failed",
    "severity": "recoverable",
    "content": "Card declined.",
}


@pytest.fixture
def hasty(buyer: Buyer) -> Buyer:
    """A buyer that looks often, and parks what takes longer than a moment."""
    return buyer.patient(SOON, 0.3)


def accepted(merchant: Stranger, then: Said | None = None) -> Callable[[Asked], Any]:
    """Let Complete be accepted only; its answer may be another one, or be lost."""

    async def accept(asked: Asked) -> Said:
        merchant.sessions["chk_1"]["status"] = "complete_in_progress"
        return then or said(merchant.sessions["chk_1"])

    return accept


async def in_hand(buyer: Buyer, merchant: Stranger, then: Said | None = None) -> Conversation:
    """Bring a conversation to where its order is in hand, and it is parked."""
    talk = await buyer.asked(merchant)
    merchant.does("complete", accepted(merchant, then))
    await talk.approve()
    return talk


async def looked_again(buyer: Buyer, talk: Conversation) -> Any:
    """Go on as a worker does; the model says the result where it is asked."""
    buyer.model.script.clear()
    buyer.model.then("That is how it stands.")
    return await talk.run({"events": []})


async def orders(talk: Conversation) -> list[str]:
    return [one.order_id for one in (await talk.state()).values["orders"]]


@pytest.mark.parametrize("then", [None, LOST], ids=["answered", "answer lost"])
async def test_it_is_parked_and_told_and_no_confirmation(
    hasty: Buyer, merchant: Stranger, then: Said | None
):
    talk = await in_hand(hasty, merchant, then)
    found = await talk.state()
    assert "is processing it" in turn_receipt_text(found)
    assert [one.status for one in turn_receipt_lines(found)] == [ReceiptStatus.PENDING]
    assert not found.next
    assert not found.interrupts, "nobody is asked while the merchant says that it is processing it"
    assert await orders(talk) == []
    (shown,) = [one for one in panels(found.values) if one.title == f"Checkout at {merchant.name}"]
    assert "is being ordered" in shown.lines[0].cells
    for _ in range(3):
        await talk.run({"events": []})
    await Polls()(hasty.resources)
    assert len(merchant.of("complete")) == 1


@pytest.mark.parametrize("how", ["worker", "event"])
async def test_what_came_of_it_is_found_or_told(hasty: Buyer, merchant: Stranger, how: str):
    talk = await in_hand(hasty, merchant)
    merchant.completed("chk_1")
    if how == "worker":
        await looked_again(hasty, talk)
    else:
        merchant.does("get", *[_away] * 200)
        hasty.model.script.clear()
        hasty.model.then("It is there.")
        assert (await told(hasty, merchant, merchant.event("order_1"))).status == 202
    assert await orders(talk) == ["order_1"]
    assert len(merchant.of("complete")) == 1


async def _away(asked: Asked) -> Said:
    return said({"detail": "later"}, 503)


@pytest.mark.parametrize("messages", [[DECLINED], []], ids=["said why", "said nothing"])
async def test_what_came_to_nothing_is_not_sent_again(
    hasty: Buyer, merchant: Stranger, messages: list[dict[str, Any]]
):
    talk = await in_hand(hasty, merchant)
    merchant.sessions["chk_1"] |= {"status": "ready_for_complete", "messages": messages}
    hasty.model.script.clear()
    hasty.model.then("It came to nothing.")
    found = await talk.run({"events": []})
    while found.values["flow"] == "ordering":
        found = await talk.run({"events": []})
    assert len(merchant.of("complete")) == 1
    assert await orders(talk) == []
    entries = await hasty.postgres.ledger.entries(talk.thread_id)
    failed = next(one for one in entries if one.event is Event.FAILED)
    assert ("Card declined." in failed.reason) == bool(messages)
    # A new order of it is another one, under another key.
    merchant.sessions["chk_1"]["messages"] = []
    hasty.model.script.clear()
    await hasty.says(talk, ("place_order", {"merchant": merchant.name}))
    await talk.approve()
    sent = merchant.of("complete")
    assert (len(sent), len({one.key for one in sent})) == (2, 2)
    assert await orders(talk) == ["order_1"]


async def test_what_is_in_hand_for_too_long_is_put_to_a_person_whose_no_sends_nothing(
    buyer: Buyer, merchant: Stranger
):
    soon = replace(SOON, in_hand=timedelta(seconds=0.1))
    hasty = buyer.patient(soon, 6)
    talk = await in_hand(hasty, merchant)
    found = await talk.state()
    assert "processing it for too long" in str(found.interrupts)
    await talk.answer({"type": "respond", "message": "it did not happen"})
    assert len(merchant.of("complete")) == 1, "it is processing it, whatever a person says"
    merchant.completed("chk_1")
    await told(hasty, merchant, merchant.event("order_1"))
    await looked_again(hasty, talk)
    assert await orders(talk) == ["order_1"]
    assert len(merchant.of("complete")) == 1


@pytest.mark.parametrize(
    ("moment", "comes_to"),
    [
        ("before_request:complete_session", "order"),
        ("after_reply:complete_session", "order"),
        ("after_reply:complete_session", "nothing"),
        ("before_look:complete_session", "order"),
        ("after_commit:attempted/complete_session", "nothing"),
        ("before_commit:unanswered/complete_session", "order"),
        ("after_commit:unanswered/complete_session", "nothing"),
        ("before_commit:unreachable/complete_session", "order"),
    ],
)
async def test_killed_at_any_moment_it_is_one_order_or_none(
    hasty: Buyer, merchant: Stranger, moment: str, comes_to: str
):
    talk = await hasty.asked(merchant)
    merchant.does("complete", accepted(merchant))
    with cut_at(moment):
        await talk.approve()
    hasty.model.script.clear()
    hasty.model.then(*["It is so."] * 9)
    await talk.run(None)
    while not merchant.of("complete"):
        # It was claimed and never sent: that is known once it cannot be on its way any more.
        await talk.run({"events": []})
    for _ in range(2):
        await talk.run({"events": []})
    assert len(merchant.of("complete")) == 1
    assert await orders(talk) == []
    if comes_to == "order":
        merchant.completed("chk_1")
    else:
        merchant.sessions["chk_1"] |= {"status": "ready_for_complete", "messages": [DECLINED]}
    found = await talk.run({"events": []})
    while found.values["flow"] == "ordering":
        found = await talk.run({"events": []})
    assert len(merchant.of("complete")) == 1
    assert await orders(talk) == (["order_1"] if comes_to == "order" else [])
    assert len(merchant.orders) == (comes_to == "order")


async def test_what_has_moved_since_a_lost_request_is_not_sent_again(
    hasty: Buyer, merchant: Stranger
):
    async def lost(asked: Asked) -> Said:
        merchant.price = 99_900
        merchant.summed("chk_1")
        return LOST

    slow = hasty.patient(SOON, 6)
    talk = await slow.asked(merchant)
    merchant.does("complete", lost)
    found = await talk.approve()
    assert len(merchant.of("complete")) == 1
    assert "has changed the checkout since it was approved" in answer_of(found)
    assert merchant.orders == {}
