"""Buying from the demo shop by its face of the protocol: over both transports, and as it fails."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.tools.merchants import merchant
from daybook.tools.merchants.ucp.signatures import signing_key
from tests.merchants.own import Own, buying_at, checked
from tests.shop_process import ShopProcess


@pytest.fixture(params=["rest", "mcp"])
async def own(
    request: pytest.FixtureRequest,
    shop_process: ShopProcess,
    postgres: Postgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Own]:
    monkeypatch.setattr(merchant, "call_of", checked)
    key, profile = signing_key(tmp_path / "key.pem"), "http://127.0.0.1:9/profile.json"
    async with buying_at(
        shop_process.url, request.param, postgres, tmp_path, key, profile
    ) as opened:
        yield opened


async def test_an_order_is_placed_once_and_shown_as_the_shop_has_it(own: Own):
    talk = await own.asked()
    await talk.approve()
    assert await own.effects() == ["reserve", "charge", "order"]
    (order,) = (await talk.state()).values["orders"]
    shown = (await own.http.get(f"/orders/{order.order_id}")).json()
    assert (shown["state"], shown["total"]) == ("placed", order.total.amount)
    facts = {"merchant": own.name, "order_id": order.order_id}
    found = await own.buyer.says(talk, ("get_order", facts))
    assert order.order_id in found.values["messages"][-1].text


@pytest.mark.parametrize("mode", ["drop", "late", "refuse", "slow"])
@pytest.mark.parametrize("honours_keys", [True, False])
async def test_whatever_becomes_of_the_answer_it_is_one_order(
    own: Own, mode: str, honours_keys: bool
):
    keys = {"endpoint": "*", "honour": honours_keys}
    (await own.http.put("/admin/keys", json=keys)).raise_for_status()
    talk = await own.asked()
    await own.fault("completions", mode, **({"seconds": 0.1} if mode in ("late", "slow") else {}))
    await talk.approve()
    assert await own.effects() == ["reserve", "charge", "order"]
    assert len((await talk.state()).values["orders"]) == 1


@pytest.mark.parametrize("operation", ["create_checkout", "update_checkout"])
async def test_a_session_whose_answer_is_lost_is_found_or_opened_once(own: Own, operation: str):
    await own.fault("sessions", "drop", match=operation)
    talk = await own.opened()
    assert await own.effects() == ["reserve"]
    (cart,) = (await talk.state()).values["carts"]
    assert cart.checkout is not None
    assert cart.checkout.status == "ready_for_complete"
