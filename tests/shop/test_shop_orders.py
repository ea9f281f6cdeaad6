"""Orders: what they need, what they consume, and how they are cancelled."""

import re
from typing import Any


async def basket(shop: Any, user_id: str = "ada") -> dict[str, Any]:
    """Return a body that would be placed."""
    hold = await shop.held("hold", user_id, quantity=2)
    charge = await shop.charged("charge", user_id)
    return {
        "reference": "order",
        "user_id": user_id,
        "hold_ids": [hold["hold_id"]],
        "charge_id": charge["charge_id"],
        "address_id": f"addr_{user_id}_1",
    }


async def refused(shop: Any, body: dict[str, Any]) -> str:
    """Post an order that must be refused with 409, and assert that nothing came of it."""
    before = await shop.effects()
    response = await shop.post("/orders", body)
    assert response.status_code == 409, response.text
    assert await shop.effects() == before
    assert await shop.matches("orders", body["reference"]) == []
    error: str = response.json()["error"]
    return error


async def test_an_order_consumes_its_holds_and_shows_its_lines(shop: Any) -> None:
    body = await basket(shop)
    product = await shop.get("/products/BOOT-002")
    order = await shop.done("/orders", body)
    assert re.fullmatch(r"DB-\d{8}", order["order_id"])
    assert order["state"] == "placed"
    assert order["total"] == 2 * product["price"]
    assert order["lines"] == [
        {"sku": "BOOT-002", "name": product["name"], "quantity": 2, "unit_price": product["price"]}
    ]
    assert (await shop.get(f"/holds/{body['hold_ids'][0]}"))["state"] == "consumed"
    assert (await shop.get("/products/BOOT-002"))["stock"] == product["stock"]
    assert await shop.get(f"/orders/{order['order_id']}") == order


async def test_only_a_hold_of_ones_own_that_still_holds_is_a_hold(shop: Any) -> None:
    body = await basket(shop)
    [hold], theirs = body["hold_ids"], await shop.held("theirs", "esme")
    assert await refused(shop, {**body, "hold_ids": [hold, "H-9999"]}) == "holds_missing"
    assert (await shop.get(f"/holds/{hold}"))["state"] == "held"
    assert await refused(shop, {**body, "hold_ids": [hold, hold]}) == "holds_missing"
    assert await refused(shop, {**body, "hold_ids": [theirs["hold_id"]]}) == "holds_missing"
    released = await shop.held("released")
    await shop.done("/releases", {"reference": "r", "hold_id": released["hold_id"]})
    assert await refused(shop, {**body, "hold_ids": [released["hold_id"]]}) == "holds_missing"
    await shop.done("/orders", body)
    charge = await shop.charged("another")
    again = {**body, "reference": "again", "charge_id": charge["charge_id"]}
    assert await refused(shop, again) == "holds_missing", "it was consumed"
    await shop.put("/admin/settings", hold_seconds=0)
    expired = (await shop.held("expired"))["hold_id"]
    assert await refused(shop, {**again, "hold_ids": [expired]}) == "holds_missing"


async def test_only_a_charge_of_ones_own_that_covers_the_total_pays(shop: Any) -> None:
    body = await basket(shop)
    total = 2 * (await shop.get("/products/BOOT-002"))["price"]
    theirs = await shop.charged("theirs", "esme")
    small = await shop.charged("small", amount=total - 1)
    exact = await shop.charged("exact", amount=total)
    for charge_id in ("CH-9999", theirs["charge_id"], small["charge_id"]):
        assert (charge_id, await refused(shop, {**body, "charge_id": charge_id})) == (
            charge_id,
            "charge_missing",
        )
    refund = {"charge_id": body["charge_id"], "amount": 1, "currency": "USD"}
    await shop.done("/refunds", {"reference": "r", **refund})
    assert await refused(shop, body) == "charge_missing"
    await shop.done("/orders", {**body, "charge_id": exact["charge_id"]})


async def test_a_cancellation_restocks_does_not_refund_and_is_done_once(shop: Any) -> None:
    before = (await shop.get("/products/BOOT-002"))["stock"]
    order = await shop.ordered()
    assert (await shop.get("/products/BOOT-002"))["stock"] == before - 1
    body = {"reference": "c", "order_id": order["order_id"], "reason": "too small"}
    assert (await shop.done("/cancellations", body))["order_id"] == order["order_id"]
    shown = await shop.get(f"/orders/{order['order_id']}")
    assert (shown["state"], shown["refunded"]) == ("cancelled", 0)
    assert (await shop.get("/products/BOOT-002"))["stock"] == before
    again = await shop.post("/cancellations", body)
    assert (again.status_code, again.json()["error"]) == (409, "already_cancelled")
    assert len(await shop.matches("cancellations", "c")) == 1
    refund = {"charge_id": order["charge_id"], "amount": 700, "currency": "USD"}
    await shop.done("/refunds", {"reference": "r", **refund})
    assert (await shop.get(f"/orders/{order['order_id']}"))["refunded"] == 700
