"""What is optional may be absent; what is chosen is sent, kept, and shown before it is approved."""

import json
from typing import Any

import pytest

from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import STREET, Buyer
from tests.merchants.stranger import Asked, Said, Stranger, said

pytestmark = pytest.mark.usefixtures("offers")


@pytest.fixture
def offers(merchant: Stranger) -> None:
    merchant.options = {"Standard": 500, "Express": 1_500}
    merchant.codes = {"SAVE10": 1_000}


async def opens(buyer: Buyer, merchant: Stranger, talk: Conversation, **more: Any) -> Any:
    """Open a checkout, and return how it is known."""
    await buyer.says(talk, ("open_checkout", {"merchant": merchant.name, **more}))
    return (await talk.state()).values["carts"][0].checkout


async def approval(buyer: Buyer, merchant: Stranger, talk: Conversation) -> str:
    found = await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    (asked,) = found.interrupts[0].value["action_requests"]
    return str(asked["description"])


def sent(merchant: Stranger, operation: str = "update") -> Any:
    return json.loads(merchant.of(operation)[-1].body)


@pytest.mark.parametrize("transport", ["rest", "mcp"])
async def test_a_merchant_that_leaves_out_what_is_optional_is_bought_from(
    buyer: Buyer, merchant: Stranger, transport: str
):
    merchant.is_terse, merchant.transport = True, transport
    talk = await buyer.opened(merchant)
    shown = await approval(buyer, merchant, talk)
    assert "1 x Trail Boot (BOOT): 129.00 USD each" in shown
    found = await talk.approve()
    assert [one.order_id for one in found.values["orders"]] == ["order_1"]
    order = {"merchant": merchant.name, "order_id": "order_1"}
    assert "order_1" in answer_of(await buyer.says(talk, ("get_order", order)))


async def test_the_approval_shows_address_and_delivery_and_another_one_can_be_chosen(
    buyer: Buyer, merchant: Stranger
):
    talk = await buyer.opened(merchant)
    shown = await approval(buyer, merchant, talk)
    assert "deliver to Home (home)" in shown
    assert "delivery: Standard: 5.00 USD (arrives 09 May 2031)" in shown
    assert STREET not in shown
    await talk.answer({"type": "reject"})
    for option in ("express", "Standard", "express"):
        known = await opens(buyer, merchant, talk, delivery_options=[option])
    assert known.delivery == ("Express: 15.00 USD",)
    assert "delivery: Express: 15.00 USD" in await approval(buyer, merchant, talk)
    found = await talk.approve()
    assert found.values["orders"][0].total.amount == 12_900 + 1_500


async def test_a_delivery_that_moves_after_the_approval_is_asked_about_again(
    buyer: Buyer, merchant: Stranger
):
    talk = await buyer.opened(merchant)
    await approval(buyer, merchant, talk)
    (method,) = merchant.sessions["chk_1"]["fulfillment"]["methods"]
    method["groups"][0]["options"][0]["title"] = "Pick it up yourself"
    found = await talk.approve()
    assert merchant.orders == {}
    assert found.interrupts or "delivery" in answer_of(found)


async def test_nothing_is_delivered_to_an_address_that_the_merchant_prefers(
    buyer: Buyer, merchant: Stranger
):
    other = {"id": "saved", "street_address": "1 Elsewhere", "postal_code": "10115"}

    async def prefers(asked: Asked) -> Said:
        await merchant.as_usual(asked)
        (method,) = merchant.sessions["chk_1"]["fulfillment"]["methods"]
        method |= {"destinations": [other], "selected_destination_id": "saved"}
        return said(merchant.sessions["chk_1"])

    merchant.does("create", prefers)
    talk = await buyer.opened(merchant)
    (method,) = json.loads(merchant.of("update")[0].body)["fulfillment"]["methods"]
    assert method["selected_destination_id"] == "home"
    merchant.does("update", prefers, prefers)
    await opens(buyer, merchant, talk, delivery_options=["Express"])
    found = await buyer.says(talk, ("place_order", {"merchant": merchant.name}))
    assert not found.interrupts
    assert "would deliver to another address than home" in answer_of(found)


async def test_codes_are_sent_kept_through_updates_and_what_is_refused_is_told(
    buyer: Buyer, merchant: Stranger
):
    talk = buyer.talk()
    add = ("add_to_cart", {"merchant": merchant.name, "item_id": "BOOT"})
    await buyer.says(talk, add)
    known = await opens(buyer, merchant, talk, discount_codes=["SAVE10", "NONE"])
    assert sent(merchant, "create")["discounts"] == {"codes": ["SAVE10", "NONE"]}
    assert known.total.amount == 12_900 + 500 - 1_000
    await buyer.says(talk, add)
    known = await opens(buyer, merchant, talk)
    assert sent(merchant)["discounts"] == {"codes": ["SAVE10", "NONE"]}
    shown = await approval(buyer, merchant, talk)
    assert "discount: -10.00 USD" in shown
    assert "discount code NONE: not applied" in shown
    assert "code SAVE10" not in shown
    await talk.answer({"type": "reject"})
    known = await opens(buyer, merchant, talk, discount_codes=[])
    assert sent(merchant)["discounts"] == {"codes": []}
    assert (known.discount_codes, known.total.amount) == ((), 2 * 12_900 + 500)


async def test_codes_are_not_sent_where_the_merchant_takes_none(buyer: Buyer, merchant: Stranger):
    merchant.codes = {}
    talk = buyer.talk()
    await buyer.says(talk, ("add_to_cart", {"merchant": merchant.name, "item_id": "BOOT"}))
    codes = {"merchant": merchant.name, "discount_codes": ["SAVE10"]}
    found = await buyer.says(talk, ("open_checkout", codes))
    assert "accepts no discount codes" in answer_of(found)
    assert merchant.of("create") == []


async def test_one_that_never_becomes_ready_is_told_once_and_asked_no_more(
    buyer: Buyer, merchant: Stranger
):
    merchant.is_never_ready = True
    talk = await buyer.opened(merchant)
    said_once = "does not say what is missing, so it cannot be ordered from here"
    assert answer_of(await talk.state()).count(said_once) == 1
    changes = len(merchant.of("create")) + len(merchant.of("update"))
    for tool in ("place_order", "open_checkout"):
        assert said_once in answer_of(await buyer.says(talk, (tool, {"merchant": merchant.name})))
    assert len(merchant.of("create")) + len(merchant.of("update")) == changes


@pytest.mark.parametrize("operation", ["create", "update"])
async def test_a_checkout_that_breaks_the_protocol_is_left_with_the_rule_that_it_breaks(
    buyer: Buyer, merchant: Stranger, operation: str
):
    async def breaks(asked: Asked) -> Said:
        body = json.loads((await merchant.as_usual(asked)).body)
        return said({**body, "totals": [{"type": "subtotal", "amount": 1}]})

    merchant.does(operation, *[breaks] * 20)
    talk = await buyer.opened(merchant)
    told = answer_of(await talk.state())
    assert "of a checkout `totals` must have exactly one `total`" in told
    assert len(merchant.of(operation)) == 1
    (cart,) = (await talk.state()).values["carts"]
    assert cart.checkout is None
    # What was opened is given back, or told where nobody can name it.
    assert bool(cart.perhaps_open) == (operation == "create")
    assert bool(merchant.open_sessions) == (operation == "create")
