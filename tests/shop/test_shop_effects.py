"""What each endpoint does, refuses and shows."""

from datetime import datetime
from typing import Any

import pytest

from tests.shop.conftest import ENDPOINTS


async def refused(shop: Any, path: str, body: dict[str, Any]) -> tuple[int, str]:
    """Post what must be refused, and assert that nothing came of it."""
    before = await shop.effects()
    response = await shop.post(path, body)
    assert await shop.effects() == before
    assert response.json()["message"]
    return response.status_code, response.json()["error"]


async def stock_of(shop: Any, sku: str) -> int:
    stock: int = (await shop.get(f"/products/{sku}"))["stock"]
    return stock


@pytest.mark.parametrize("endpoint", ENDPOINTS)
async def test_what_was_performed_is_found_by_its_reference(shop: Any, endpoint: str) -> None:
    body = await shop.body_for(endpoint, "wanted")
    assert await shop.matches(endpoint, "wanted") == []
    done = await shop.done(f"/{endpoint}", body)
    (match,) = await shop.matches(endpoint, "wanted")
    assert done.items() <= match.items()
    assert match["state"]
    assert await shop.matches(endpoint, "want") == []
    response = await shop.http.get(f"/{endpoint}")
    assert (response.status_code, response.json()["error"]) == (400, "reference_missing")


async def test_a_hold_takes_from_what_is_available_and_a_release_gives_it_back(shop: Any) -> None:
    before = await stock_of(shop, "BOOT-002")
    hold = await shop.held(quantity=3)
    assert hold["state"] == "held"
    assert datetime.fromisoformat(hold["expires_at"]).utcoffset() is not None
    assert await stock_of(shop, "BOOT-002") == before - 3
    release = await shop.done("/releases", {"reference": "back", "hold_id": hold["hold_id"]})
    assert release["hold_id"] == hold["hold_id"]
    assert await stock_of(shop, "BOOT-002") == before
    assert (await shop.get(f"/holds/{hold['hold_id']}"))["state"] == "released"


async def test_more_than_is_available_is_refused_with_what_is_left(shop: Any) -> None:
    await shop.put("/admin/products/BOOT-002", stock=3)
    await shop.held(quantity=2)
    body = {"reference": "r", "user_id": "ada", "sku": "BOOT-002", "quantity": 2}
    assert await refused(shop, "/holds", body) == (409, "out_of_stock")
    assert (await shop.post("/holds", body)).json()["available"] == 1


async def test_a_charge_is_shown_with_what_was_refunded_of_it(shop: Any) -> None:
    charge = await shop.charged(amount=1_000)
    path = f"/charges/{charge['charge_id']}"
    refund = {"charge_id": charge["charge_id"], "currency": "USD"}
    assert (await shop.get(path))["state"] == "charged"
    await shop.done("/refunds", {"reference": "part", "amount": 400, **refund})
    shown = await shop.get(path)
    assert (shown["refunded"], shown["state"]) == (400, "partly_refunded")
    too_much = {"reference": "rest", "amount": 601, **refund}
    assert await refused(shop, "/refunds", too_much) == (409, "already_refunded")
    await shop.done("/refunds", {"reference": "rest", "amount": 600, **refund})
    shown = await shop.get(path)
    assert (shown["refunded"], shown["state"]) == (1_000, "refunded")
    again = {"reference": "again", "amount": 1, **refund}
    assert await refused(shop, "/refunds", again) == (409, "already_refunded")


async def test_every_effect_is_listed_once_in_order_with_what_it_did(shop: Any) -> None:
    order = await shop.ordered("o")
    refund = {"charge_id": order["charge_id"], "amount": 100, "currency": "USD"}
    await shop.done("/cancellations", {"reference": "c", "order_id": order["order_id"]})
    await shop.done("/refunds", {"reference": "f", **refund})
    hold = await shop.held("h")
    await shop.done("/releases", {"reference": "l", "hold_id": hold["hold_id"]})
    await shop.mail("m@example.org")
    effects = await shop.effects()
    assert [(e["effect"], e["reference"]) for e in effects] == [
        ("reserve", "o/hold"),
        ("charge", "o/charge"),
        ("order", "o"),
        ("cancel", "c"),
        ("refund", "f"),
        ("reserve", "h"),
        ("release", "l"),
        ("mail", "m@example.org"),
    ]
    assert [e["n"] for e in effects] == list(range(1, 9))
    assert {e["user_id"] for e in effects} == {"ada"}
    stamps = [datetime.fromisoformat(e["at"]) for e in effects]
    assert stamps == sorted(stamps)
    assert effects[1]["detail"] == {
        "charge_id": order["charge_id"],
        "card_id": "card_ada_1",
        "amount": 50_000,
        "currency": "USD",
    }
    assert effects[4]["detail"].items() >= refund.items()
    assert effects[7]["detail"] == {"to_domain": "example.org", "subject": "Your order"}
