"""A session that may stand at a merchant, and that nobody can name any more, is told of."""

import pytest

from daybook.state.ledger.stopping import STOP
from daybook.tools.merchants.domain import MERCHANTS
from tests.conversation import turn_receipt_text
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import LOST, Asked, Said, Stranger

TOLD = "another checkout may be open there"


@pytest.fixture(autouse=True)
def ignoring(merchant: Stranger) -> None:
    merchant.honours_keys = False


async def _opened_and_lost(merchant: Stranger, asked: Asked) -> Said:
    await merchant.as_usual(asked)
    return LOST


async def test_it_is_said_and_stands_beside_the_conversation(buyer: Buyer, merchant: Stranger):
    merchant.does("create", lambda asked: _opened_and_lost(merchant, asked))
    found = await (await buyer.opened(merchant)).state()
    assert merchant.open_sessions == ["chk_1", "chk_2"]
    assert turn_receipt_text(found).count(TOLD) == 1
    (cart,) = found.values["carts"]
    assert [one.count for one in cart.perhaps_open] == [1]
    (_, checkout) = MERCHANTS.panels(found.values)
    assert TOLD in checkout.note


async def test_it_is_said_where_its_person_stops_what_is_under_way(
    buyer: Buyer, merchant: Stranger
):
    talk = buyer.talk()

    async def stopped(asked: Asked) -> Said:
        await merchant.as_usual(asked)
        return LOST

    async def opened_as_its_person_stops(asked: Asked) -> Said:
        await talk.happens("enough", type=STOP)
        return await merchant.as_usual(asked)

    merchant.does("create", stopped, opened_as_its_person_stops)
    line = {"merchant": merchant.name, "item_id": "BOOT", "quantity": 1}
    await buyer.says(talk, ("add_to_cart", line))
    await buyer.says(talk, ("open_checkout", {"merchant": merchant.name}))
    found = await talk.state()
    assert merchant.open_sessions == ["chk_1"]
    assert any(TOLD in one.text for one in found.values["messages"])
