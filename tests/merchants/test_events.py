"""What merchants tell by themselves is evidence: verified, kept once, and in any order harmless."""

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from daybook.checkpoints.inspect import inspect
from daybook.checkpoints.people.erasure import everything, open_eraser
from daybook.checkpoints.postgres import Postgres
from daybook.graph.merchants import events
from daybook.graph.merchants.events import Polls
from daybook.graph.merchants.resources import EVENTS_PATH
from daybook.graph.serve import Answered, Arrived
from daybook.state.clock import Clock
from daybook.state.ledger.recovery import Event
from daybook.tools.merchants.ucp.signatures import SigningKey, signing_key
from tests.conversation import Conversation, turn_receipt_text
from tests.cuts import cut_at
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import LOST, Asked, Said, Stranger, said

PUBLIC = "http://daybook.example"
SHIPPED = {
    "id": "ev_1",
    "type": "shipped",
    "occurred_at": "2031-05-07T10:00:00Z",
    "description": "by post",
    "line_items": [{"id": "li_1", "quantity": 1}],
}
REFUND = {
    "id": "adj_1",
    "type": "refund",
    "status": "completed",
    "occurred_at": "2031-05-09T10:00:00Z",
    "totals": [{"type": "total", "amount": -12_900}],
}


@pytest.fixture(autouse=True)
def keys(merchant: Stranger, other: Stranger, tmp_path: Path, monkeypatch: Any) -> None:
    """Give each merchant a key, and us a public URL."""
    monkeypatch.setenv("DAYBOOK_PUBLIC_URL", PUBLIC)
    monkeypatch.setenv("DAYBOOK_HOME", str(tmp_path))
    merchant.key = signing_key(tmp_path / "merchant.pem")
    other.key = signing_key(tmp_path / "other.pem")


async def told(
    buyer: Buyer,
    merchant: Stranger,
    order: dict[str, Any],
    event_id: str = "w1",
    key: SigningKey | None = None,
) -> Answered:
    """Let a merchant post an event, and let what follows from it be done."""
    body = json.dumps(order).encode()
    headers = merchant.signed(f"{PUBLIC}{EVENTS_PATH}", body, event_id, key)
    arrived = Arrived("POST", f"{PUBLIC}{EVENTS_PATH}", headers, body)
    answered = await events.hear_event(buyer.resources, arrived)
    if answered.later is not None:
        await answered.later()
    return answered


async def bought(buyer: Buyer, merchant: Stranger) -> Conversation:
    talk = await buyer.asked(merchant)
    await talk.approve()
    return talk


async def kept(buyer: Buyer, talk: Conversation) -> list[str]:
    """Return what is kept of what was told of a conversation."""
    about = "select event_id from outside_event where thread_id = %s order by event_id"
    async with buyer.postgres.pool.connection() as conn:
        rows = await (await conn.execute(about, (talk.thread_id,))).fetchall()
    return [row["event_id"] for row in rows]


async def forgotten(postgres: Postgres, user: str = "ada") -> None:
    """Forget a person as the command does."""
    async with open_eraser(postgres) as eraser:
        for held in await eraser.of_person(user):
            await eraser.erase(held.thread_id, everything)


async def lines(talk: Conversation) -> tuple[str, ...]:
    (order,) = (await talk.state()).values["orders"]
    return tuple(order.told)


async def test_what_is_shipped_and_paid_back_is_told(buyer: Buyer, merchant: Stranger):
    talk = await bought(buyer, merchant)
    shipped = merchant.event("order_1", fulfillment={"events": [SHIPPED]})
    assert (await told(buyer, merchant, shipped)).status == 202
    assert await lines(talk) == ("shipped 2031-05-07 by post",)
    await told(buyer, merchant, {**shipped, "adjustments": [REFUND]}, "w2")
    assert await lines(talk) == ("shipped 2031-05-07 by post", "refund of 129.00 USD completed")
    buyer.model.then("You are welcome.")
    found = await talk.say("thanks")
    assert "refund of 129.00 USD completed" in turn_receipt_text(found)


async def test_an_event_settles_an_order_of_which_the_merchant_cannot_be_asked(
    buyer: Buyer, merchant: Stranger
):
    async def done_and_lost(asked: Asked) -> Said:
        await merchant.as_usual(asked)
        merchant.does("get", *[away] * 200)
        return LOST

    async def away(asked: Asked) -> Said:
        return said({"detail": "later"}, 503)

    talk = await buyer.asked(merchant)
    merchant.does("complete", done_and_lost)
    await talk.approve()
    assert not (await talk.state()).values["orders"]
    await told(buyer, merchant, merchant.event("order_1"))
    entries = await buyer.postgres.ledger.entries(talk.thread_id)
    assert Event.FOUND in [one.event for one in entries]
    found = await talk.run(None)
    assert [one.order_id for one in found.values["orders"]] == ["order_1"]
    assert len(merchant.of("complete")) == 1


class _Ahead(Clock):
    """The clock of a process that is wrong by a quarter of an hour."""

    def now(self) -> datetime:
        return super().now() + timedelta(minutes=15)


async def test_an_event_that_comes_before_the_answer_is_dated_by_the_database(
    buyer: Buyer, merchant: Stranger, monkeypatch: pytest.MonkeyPatch
):
    async def told_first(asked: Asked) -> Said:
        answer = await merchant.as_usual(asked)
        with monkeypatch.context() as wrong:
            wrong.setattr(buyer.postgres, "clock", _Ahead())
            await told(buyer, merchant, merchant.event("order_1"))
        return answer

    talk = await buyer.asked(merchant)
    merchant.does("complete", told_first)
    found = await talk.approve()
    assert [one.order_id for one in found.values["orders"]] == ["order_1"]
    entries = await buyer.postgres.ledger.entries(talk.thread_id)
    (seen,) = [one for one in entries if one.event is Event.FOUND]
    assert seen.at is not None
    assert datetime.fromisoformat(seen.detail["began_at"]) <= seen.at


@pytest.mark.parametrize("how", ["another's key", "nobody's key", "another body", "no signature"])
async def test_a_forged_event_is_refused_and_leaves_nothing(
    buyer: Buyer, merchant: Stranger, other: Stranger, tmp_path: Path, how: str
):
    talk = await bought(buyer, merchant)
    order = merchant.event("order_1", fulfillment={"events": [SHIPPED]})
    # A merchant speaks for itself alone.
    await told(buyer, other, order)
    body = json.dumps(order).encode()
    key = signing_key(tmp_path / "nobody.pem") if how == "nobody's key" else merchant.key
    headers = merchant.signed(f"{PUBLIC}{EVENTS_PATH}", body, "w1", key)
    if how == "another's key":
        # The name of the merchant's key, and a signature by another one.
        forged = SigningKey(merchant.key.key_id, signing_key(tmp_path / "nobody.pem").private)  # type: ignore[union-attr]
        headers = merchant.signed(f"{PUBLIC}{EVENTS_PATH}", body, "w1", forged)
    if how == "another body":
        body = body.replace(b"shipped", b"refused")
    if how == "no signature":
        headers = {"content-type": "application/json", "webhook-id": "w1"}
    answered = await events.hear_event(
        buyer.resources, Arrived("POST", f"{PUBLIC}{EVENTS_PATH}", headers, body)
    )
    assert (answered.status, answered.later) == (401, None)
    assert await lines(talk) == ()


async def events_kept(buyer: Buyer) -> list[tuple[str, str]]:
    """Return the source and the order of every event that is kept."""
    async with buyer.postgres.pool.connection() as conn:
        rows = await conn.execute("select source, reference from outside_event")
        return [(row["source"], row["reference"]) for row in await rows.fetchall()]


async def test_an_event_that_is_replayed_under_new_ids_is_kept_once(
    buyer: Buyer, merchant: Stranger
):
    talk = await bought(buyer, merchant)
    body = json.dumps(merchant.event("order_1", fulfillment={"events": [SHIPPED]})).encode()
    headers = merchant.signed(f"{PUBLIC}{EVENTS_PATH}", body, "w1")
    assert "webhook-id" not in headers["signature-input"]
    for n in range(5):
        replayed = {**headers, "webhook-id": f"w{n}"}
        arrived = Arrived("POST", f"{PUBLIC}{EVENTS_PATH}", replayed, body)
        answered = await events.hear_event(buyer.resources, arrived)
        assert answered.status == 202
        if answered.later is not None:
            await answered.later()
    assert await events_kept(buyer) == [(merchant.name, "order_1")]
    assert await lines(talk) == ("shipped 2031-05-07 by post",)


@pytest.mark.parametrize("what", ["the name of its key", "its key"])
@pytest.mark.parametrize("whose", ["the first", "the second"])
async def test_a_merchant_that_publishes_the_key_of_another_neither_takes_nor_silences_its_events(
    buyer: Buyer, merchant: Stranger, other: Stranger, what: str, whose: str
):
    honest, thief = (merchant, other) if whose == "the first" else (other, merchant)
    assert honest.key is not None
    assert thief.key is not None
    stolen = honest.key if what == "its key" else thief.key
    thief.key = SigningKey(honest.key.key_id, stolen.private)
    talk = await bought(buyer, honest)
    shipped = honest.event("order_1", fulfillment={"events": [SHIPPED]})
    assert (await told(buyer, honest, shipped)).status == 202
    assert await lines(talk) == ("shipped 2031-05-07 by post",)
    assert await events_kept(buyer) == [(honest.name, "order_1")]


async def test_a_key_that_two_merchants_publish_proves_nothing_of_a_checkout_that_is_not_ours(
    buyer: Buyer, merchant: Stranger, other: Stranger
):
    await bought(buyer, merchant)
    other.key = merchant.key
    strange = merchant.event("order_1", id="order_9", checkout_id="chk_9")
    assert (await told(buyer, merchant, strange)).status == 401
    assert await events_kept(buyer) == []


async def test_an_event_that_is_nested_without_end_is_no_event(buyer: Buyer, merchant: Stranger):
    for body in (b"[" * 100_000, b"[" * 900 + b"]" * 900):
        headers = merchant.signed(f"{PUBLIC}{EVENTS_PATH}", body, "w1")
        arrived = Arrived("POST", f"{PUBLIC}{EVENTS_PATH}", headers, body)
        assert (await events.hear_event(buyer.resources, arrived)).status == 422


async def unsigned(buyer: Buyer, order: dict[str, Any], **headers: str) -> Answered:
    """Let anybody post an event that carries no signature."""
    body = json.dumps(order).encode()
    arrived = Arrived("POST", f"{PUBLIC}{EVENTS_PATH}", headers, body)
    return await events.hear_event(buyer.resources, arrived)


async def test_an_unsigned_event_of_a_merchant_that_is_named_so_makes_us_ask_and_is_not_believed(
    buyer: Buyer, merchant: Stranger
):
    talk = await bought(buyer, merchant)
    forged = merchant.event("order_1", adjustments=[REFUND])
    assert (await unsigned(buyer, forged)).status == 401
    (client, _) = buyer.resources.services.merchants
    client.is_unsigned = True
    merchant.orders["order_1"]["fulfillment"] = {"events": [SHIPPED]}
    answered = await unsigned(buyer, forged)
    assert answered.status == 202
    assert answered.later is not None
    await answered.later()
    assert await lines(talk) == ("shipped 2031-05-07 by post",)
    signature = {"signature": "sig1=:AAAA:", "signature-input": 'sig1=();keyid="x"'}
    assert (await unsigned(buyer, forged, **signature)).status == 401


async def test_a_flood_of_unsigned_events_makes_us_ask_once_now_and_once_later(
    buyer: Buyer, merchant: Stranger
):
    await bought(buyer, merchant)
    (client, _) = buyer.resources.services.merchants
    client.is_unsigned = True
    order = merchant.event("order_1")
    strange = {**order, "id": "order_9", "checkout_id": "chk_9"}
    flood = [unsigned(buyer, one) for one in [order, strange] * 50]
    answered = await asyncio.gather(*flood)
    assert {one.status for one in answered} == {202}
    assert sum(one.later is not None for one in answered) <= 2
    assert merchant.of("order") == []


async def test_an_order_that_nobody_intended_is_put_to_an_operator(
    buyer: Buyer, merchant: Stranger
):
    talk = await buyer.opened(merchant)
    merchant.completed("chk_1")
    await told(buyer, merchant, merchant.event("order_1"))
    assert not (await talk.state()).values["orders"]
    found = await inspect(buyer.postgres.url, "default")
    assert found.of_nobody == [f"{merchant.name} order_1"]


async def test_an_event_finds_a_conversation_whose_last_checkpoint_was_lost(
    buyer: Buyer, merchant: Stranger
):
    talk = await buyer.asked(merchant)
    with cut_at("after_commit:turn_done"):
        await talk.approve()
    assert (await talk.state()).next
    shipped = merchant.event("order_1", fulfillment={"events": [SHIPPED]})
    await told(buyer, merchant, shipped)
    assert await lines(talk) == ("shipped 2031-05-07 by post",)
    found = await talk.state()
    assert (found.next, len(merchant.of("complete"))) == ((), 1)
    assert "order_1" in found.values["messages"][-1].text


async def test_a_merchant_that_tells_nothing_is_asked(buyer: Buyer, merchant: Stranger):
    talk = await bought(buyer, merchant)
    merchant.orders["order_1"]["adjustments"] = [REFUND]
    assert len(await Polls()(buyer.resources)) == 1
    assert await lines(talk) == ("refund of 129.00 USD completed",)


async def test_what_is_told_of_a_conversation_that_was_forgotten_is_taken_in_and_erased_with_it(
    buyer: Buyer, merchant: Stranger
):
    talk = await bought(buyer, merchant)
    shipped = merchant.event("order_1", fulfillment={"events": [SHIPPED]})
    await told(buyer, merchant, shipped)
    assert len(await kept(buyer, talk)) == 1
    await forgotten(buyer.postgres)
    assert await kept(buyer, talk) == []
    refund = {**shipped, "adjustments": [REFUND]}
    assert (await told(buyer, merchant, refund, "w2")).status == 202
    assert not (await talk.state()).values, "nothing of it begins again"
    await forgotten(buyer.postgres)
    assert await kept(buyer, talk) == []
