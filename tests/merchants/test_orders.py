"""An order is placed once, whatever becomes of the answer to Complete Checkout."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier

from daybook.state.ledger.recovery import Event
from tests.conversation import answer_of
from tests.merchants.conftest import SECRET, STREET, Buyer
from tests.merchants.stranger import LOST, Asked, Said, Stranger, said


async def _done_and_lost(merchant: Stranger, asked: Asked) -> Said:
    await merchant.as_usual(asked)
    return LOST


def _bytes(asked: Sequence[Asked]) -> set[tuple[str, bytes]]:
    return {(one.key, one.body) for one in asked}


async def test_what_is_approved_is_ordered_once(buyer: Buyer, merchant: Stranger):
    talk = await buyer.asked(merchant, quantity=2)
    found = await talk.approve()
    assert len(merchant.orders) == 1
    (order,) = found.values["orders"]
    assert (order.order_id, order.total.amount) == ("order_1", 26_300)
    assert "263.00 USD" in answer_of(found)
    (sent,) = merchant.of("complete")
    (instrument,) = json.loads(sent.body)["payment"]["instruments"]
    assert instrument["credential"]["token"] == SECRET
    assert merchant.open_sessions == []


@pytest.mark.parametrize("honours_keys", [True, False])
async def test_an_order_whose_answer_was_lost_is_found_and_not_sent_again(
    buyer: Buyer, merchant: Stranger, honours_keys: bool
):
    merchant.honours_keys = honours_keys
    talk = await buyer.asked(merchant)
    merchant.does("complete", lambda asked: _done_and_lost(merchant, asked))
    found = await talk.approve()
    assert len(merchant.of("complete")) == len(merchant.orders) == 1
    assert [one.order_id for one in found.values["orders"]] == ["order_1"]


async def test_a_request_that_was_lost_is_sent_again_as_it_was_once_a_look_shows_nothing(
    buyer: Buyer, merchant: Stranger
):
    async def lost(asked: Asked) -> Said:
        return LOST

    talk = await buyer.asked(merchant)
    merchant.does("complete", lost)
    before = len(merchant.asked)
    found = await talk.approve()
    sent = merchant.of("complete")
    assert (len(sent), len(_bytes(sent))) == (2, 1)
    assert [one.order_id for one in found.values["orders"]] == ["order_1"]
    # It was looked up between the two.
    between = merchant.asked[before:]
    first, second = (at for at, one in enumerate(between) if one in sent)
    assert any("/checkout-sessions/chk_1" in one.path for one in between[first + 1 : second])


async def test_a_declined_payment_is_no_order_and_the_next_try_has_a_key_of_its_own(
    buyer: Buyer, merchant: Stranger
):
    error = {"type": "error", "code": "payment_failed", "severity": "recoverable"}

    async def declined(asked: Asked) -> Said:
        shown = {**merchant.sessions["chk_1"], "messages": [{**error, "content": "Card declined"}]}
        return said(shown)

    talk = await buyer.asked(merchant)
    merchant.does("complete", declined)
    found = await talk.approve()
    assert "Card declined" in answer_of(found)
    assert not found.values["orders"]
    await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    await talk.approve()
    sent = merchant.of("complete")
    assert len({one.key for one in sent}) == 2
    assert len({one.body for one in sent}) == 1
    assert len(merchant.orders) == 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"price": 15_000}, "155.00 USD"), ({"warning": "Final sale."}, "Final sale.")],
)
async def test_what_moved_since_the_question_is_asked_about_again(
    buyer: Buyer, merchant: Stranger, changed: dict[str, Any], said: str
):
    talk = await buyer.asked(merchant)
    vars(merchant).update(changed)
    merchant.summed("chk_1")
    found = await talk.approve()
    assert merchant.of("complete") == []
    (again,) = found.interrupts
    assert said in str(again.value)


async def test_a_checkout_that_is_not_wanted_is_given_back(buyer: Buyer, merchant: Stranger):
    talk = await buyer.opened(merchant)
    assert merchant.open_sessions == ["chk_1"]
    found = await buyer.says(talk, ("cancel_checkout", {"merchant": merchant.name}))
    assert merchant.open_sessions == []
    assert found.values["carts"][0].checkout is None
    await buyer.says(talk, ("open_checkout", {"merchant": merchant.name}))
    assert merchant.open_sessions == ["chk_2"]


@pytest.mark.parametrize("private", [SECRET, STREET, "ada@example.com"])
async def test_what_is_in_the_wallet_stays_out_of_messages_ledger_and_traces(
    buyer: Buyer, merchant: Stranger, private: str
):
    talk = await buyer.asked(merchant)
    await talk.approve()
    assert any(private in one.body.decode() for one in merchant.asked)
    found = await stored(buyer)
    assert len(found) > 10
    assert [table for table, rows in found.items() if private in rows] == []
    assert private not in str((await talk.state()).values)


async def stored(buyer: Buyer) -> dict[str, str]:
    """Return all that the database holds, by table, as its owner sees it."""
    async with await AsyncConnection.connect(buyer.postgres.url, autocommit=True) as conn:
        await conn.execute("set row_security = off")
        found = await conn.execute("select tablename from pg_tables where schemaname = 'daybook'")
        tables = [str(row[0]) for row in await found.fetchall()]
        return {
            one: str(
                await (
                    await conn.execute(SQL("select t::text from {} t").format(Identifier(one)))
                ).fetchall()
            )
            for one in tables
        }


async def test_the_ledger_holds_the_bytes_that_are_sent(buyer: Buyer, merchant: Stranger):
    talk = await buyer.asked(merchant)
    await talk.approve()
    entries = await buyer.postgres.ledger.entries(talk.thread_id)
    (body,) = [
        one.payload["args"]["body"]
        for one in entries
        if one.event is Event.INTENDED and one.payload and "body" in one.payload.get("args", {})
    ]
    (sent,) = merchant.of("complete")
    credential = json.dumps({"type": "token", "token": SECRET}, separators=(",", ":"))
    assert body.replace('"$credential"', credential).encode() == sent.body
