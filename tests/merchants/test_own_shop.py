"""Buying from the demo shop by its face of the protocol: over both transports, and as it fails."""

import json
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.graph.build import build
from daybook.graph.merchants.resources import told_by
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp.keys import signing_key
from daybook.tools.merchants.ucp.operations import Asked, Mcp, Rest
from daybook.tools.merchants.wallet import FileWallet
from tests.conversation import Conversation
from tests.merchants.conftest import LATE, WALLET, Buyer
from tests.scripted import ScriptedModel
from tests.shop_process import PATIENCE, ShopProcess
from tests.ucp_schemas import check_request

CARD = {
    "id": "visa",
    "handler_id": "shop_card",
    "type": "card",
    "label": "Visa ending in 4242",
    "credential": {"type": "token", "token": "card_ada_1"},
}
EMPTY = {**CARD, "id": "empty", "credential": {"type": "token", "token": "card_gita_1"}}
BOOT, PACK = "BOOT-002", "PACK-015"


@dataclass
class Own:
    """A buyer at the demo shop; what it asks for is held to the protocol's schemas."""

    buyer: Buyer
    http: httpx.AsyncClient
    name: str

    async def effects(self) -> list[str]:
        return [one["effect"] for one in (await self.http.get("/effects")).json()]

    async def fault(self, endpoint: str, mode: str, **more: Any) -> None:
        fault = {"endpoint": endpoint, "mode": mode, **more}
        (await self.http.post("/admin/faults", json=fault)).raise_for_status()

    async def opened(self) -> Conversation:
        talk = self.buyer.talk()
        line = {"merchant": self.name, "item_id": BOOT, "quantity": 1}
        await self.buyer.says(talk, ("add_to_cart", line))
        await self.buyer.says(talk, ("open_checkout", {"merchant": self.name}))
        return talk

    async def asked(self, instrument_id: str = "visa") -> Conversation:
        talk = await self.opened()
        order = {"merchant": self.name, "instrument_id": instrument_id}
        found = await self.buyer.says(talk, ("place_order", order))
        assert len(found.interrupts) == 1, found.values["messages"][-1].text
        return talk


@pytest.fixture(scope="module")
def shop_process() -> Iterator[ShopProcess]:
    with tempfile.TemporaryDirectory(prefix="shop-") as folder:
        process = ShopProcess(Path(folder))
        try:
            yield process
            assert process.terminate() == 0
            assert process.log() == ""
        finally:
            process.end()


@pytest.fixture(params=["rest", "mcp"])
async def own(
    request: pytest.FixtureRequest,
    shop_process: ShopProcess,
    postgres: Postgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Own]:
    for binding in (Rest, Mcp):
        monkeypatch.setattr(binding, "call", _checked(binding.call))
    wallet = {"*": {**WALLET["*"], "instruments": [CARD, EMPTY]}}
    (tmp_path / "wallet.json").write_text(json.dumps(wallet))
    client = Merchant(
        shop_process.url,
        profile_url="http://127.0.0.1:9/profile.json",
        key=signing_key(tmp_path / "key.pem"),
        transport=request.param,
    )
    services = MerchantServices(
        merchants=[client],
        wallet=FileWallet(tmp_path / "wallet.json"),
        late=LATE,
        told=told_by(postgres),
    )
    model = ScriptedModel()
    resources = Resources(
        postgres=postgres,
        model=model,
        services=services,
        promises=services.guarantees,
        user="ada",
        patience=replace(Patience(), budget=timedelta(seconds=2)),
        node_seconds=6,
    )
    graph = build(MERCHANTS, lambda: resources, postgres.saver)
    async with httpx.AsyncClient(base_url=shop_process.url, timeout=PATIENCE) as http:
        (await http.post("/admin/reset")).raise_for_status()
        yield Own(Buyer(graph, model, resources, postgres), http, client.name)
    await services.close()


def _checked(call: Any) -> Any:
    """Hold what is asked for to the schemas, and let it go on as it was."""

    def checked(self: Any, asked: Asked, profile_url: str) -> Any:
        body = json.loads(asked.body) if asked.body else None
        check_request(asked.operation.name, body)
        return call(self, asked, profile_url)

    return checked


async def test_an_order_is_placed_once_and_shown_as_the_shop_has_it(own: Own):
    talk = await own.asked()
    await talk.approve()
    assert await own.effects() == ["reserve", "charge", "order"]
    (order,) = (await talk.state()).values["orders"]
    shown = (await own.http.get(f"/orders/{order.order_id}")).json()
    assert (shown["state"], shown["total"]) == ("placed", order.total)
    facts = {"merchant": own.name, "order_id": order.order_id}
    found = await own.buyer.says(talk, ("get_order", facts))
    assert order.order_id in found.values["messages"][-1].text


async def test_the_catalogue_is_read(own: Own):
    talk = own.buyer.talk()
    found = await own.buyer.says(talk, ("search_catalog", {"query": "backpack"}))
    assert "PACK-" in found.values["messages"][-1].text
    item = {"merchant": own.name, "item_id": PACK}
    found = await own.buyer.says(talk, ("get_item", item))
    assert PACK in found.values["messages"][-1].text


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


async def test_a_price_that_moves_is_asked_about_again(own: Own):
    talk = await own.asked()
    price = {"price": 9_900}
    (await own.http.put(f"/admin/products/{BOOT}", json=price)).raise_for_status()
    await talk.approve()
    assert "order" not in await own.effects()


async def test_a_card_that_is_declined_places_nothing(own: Own):
    talk = await own.asked(instrument_id="empty")
    await talk.approve()
    assert await own.effects() == ["reserve"]
    assert not (await talk.state()).values["orders"]


async def test_what_is_given_back_holds_nothing(own: Own):
    talk = await own.opened()
    await own.buyer.says(talk, ("cancel_checkout", {"merchant": own.name}))
    assert await own.effects() == ["reserve", "release"]


async def test_nothing_is_ordered_where_the_session_cannot_be_seen(own: Own):
    await own.fault("lookups", "refuse", times=20)
    talk = await own.opened()
    order = {"merchant": own.name, "instrument_id": "visa"}
    await own.buyer.says(talk, ("place_order", order))
    assert "order" not in await own.effects()
