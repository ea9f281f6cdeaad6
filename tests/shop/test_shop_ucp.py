"""The shop's face of the Universal Commerce Protocol: every answer by the protocol's own schemas."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from tests.shop.conftest import Shop
from tests.ucp_schemas import check_answer

AGENT = "http://127.0.0.1:9/profile.json"
PLACE = {"id": "home", "street_address": "12 Birch Street", "address_country": "US"}
OPERATIONS = {
    "search_catalog": ("POST", "/catalog/search", "catalog"),
    "lookup_catalog": ("POST", "/catalog/lookup", "catalog"),
    "get_product": ("POST", "/catalog/product", "catalog"),
    "create_checkout": ("POST", "/checkout-sessions", "checkout"),
    "get_checkout": ("GET", "/checkout-sessions/{id}", ""),
    "update_checkout": ("PUT", "/checkout-sessions/{id}", "checkout"),
    "complete_checkout": ("POST", "/checkout-sessions/{id}/complete", "checkout"),
    "cancel_checkout": ("POST", "/checkout-sessions/{id}/cancel", ""),
    "get_order": ("GET", "/orders/{id}", ""),
}


@dataclass
class Face:
    """Ask the shop as an agent does, over either transport; each answer is held to the schemas."""

    shop: Shop
    transport: str = "rest"
    status: int = field(default=0)
    agent: str = AGENT
    code: int = 0

    async def ask(
        self, name: str, body: Any = None, about: str = "", key: str | None = None
    ) -> dict[str, Any]:
        key = key or str(uuid.uuid4())
        sent = self._mcp if self.transport == "mcp" else self._rest
        found = await sent(name, body, about, key)
        check_answer(name, found)
        return found

    async def _rest(self, name: str, body: Any, about: str, key: str) -> dict[str, Any]:
        method, path, _ = OPERATIONS[name]
        headers = {"UCP-Agent": f'profile="{self.agent}"', "Idempotency-Key": key}
        headers["Content-Type"] = "application/json"
        raw = b"" if body is None else json.dumps(body).encode()
        reply = await self.shop.http.request(
            method, f"/ucp{path.format(id=about)}", content=raw, headers=headers
        )
        self.status = reply.status_code
        found: dict[str, Any] = reply.json()
        return found

    async def _mcp(self, name: str, body: Any, about: str, key: str) -> dict[str, Any]:
        meta = {"ucp-agent": {"profile": self.agent}, "idempotency-key": key}
        arguments: dict[str, Any] = {"meta": meta, **({"id": about} if about else {})}
        if body is not None:
            arguments[OPERATIONS[name][2]] = body
        rpc = {"jsonrpc": "2.0", "id": 7, "method": "tools/call"}
        params = {"name": name, "arguments": arguments}
        headers = {"UCP-Agent": f'profile="{self.agent}"'}
        reply = await self.shop.http.post(
            "/ucp/mcp", json={**rpc, "params": params}, headers=headers
        )
        told = reply.json()
        assert (told["jsonrpc"], told["id"]) == ("2.0", 7)
        if "error" in told:
            self.code = told["error"]["code"]
            self.status = 409 if self.code == -32000 else 400
            refused: dict[str, Any] = told["error"]["data"]
            return refused
        found: dict[str, Any] = told["result"]["structuredContent"]
        assert json.loads(told["result"]["content"][0]["text"]) == found
        self.status = 404 if told["result"]["isError"] else 200
        return found

    async def ready(self, sku: str = "BOOT-002", quantity: int = 1) -> dict[str, Any]:
        """Open a session that can be completed."""
        found = await self.ask("create_checkout", wanted(sku, quantity))
        assert found["status"] == "ready_for_complete", found
        return found

    async def complete(
        self, checkout_id: str, token: str = "card_ada_1", key: str | None = None
    ) -> dict[str, Any]:
        return await self.ask("complete_checkout", payment(token), checkout_id, key)


def wanted(sku: str = "BOOT-002", quantity: int = 1, **more: Any) -> dict[str, Any]:
    method = {
        "type": "shipping",
        "destinations": [PLACE],
        "selected_destination_id": "home",
        "groups": [{"selected_option_id": "standard"}],
    }
    lines = [{"item": {"id": sku}, "quantity": quantity}]
    return {"line_items": lines, "fulfillment": {"methods": [method]}, **more}


def payment(token: str = "card_ada_1", handler: str = "shop_card") -> dict[str, Any]:
    credential = {"type": "token", "token": token}
    one = {"id": "visa", "handler_id": handler, "type": "card", "credential": credential}
    return {"payment": {"instruments": [{**one, "selected": True}]}}


def codes(body: dict[str, Any]) -> list[str]:
    return [one["code"] for one in body.get("messages", ())]


@pytest.fixture(params=["rest", "mcp"])
def face(shop: Shop, request: pytest.FixtureRequest) -> Face:
    return Face(shop, request.param)


@pytest.fixture
def rest(shop: Shop) -> Face:
    return Face(shop)


async def happened(shop: Shop) -> list[str]:
    return [one["effect"] for one in await shop.effects()]


async def test_a_purchase_is_one_charge_and_one_order(face: Face):
    session = await face.ready(quantity=2)
    done = await face.complete(session["id"])
    assert done["status"] == "completed"
    assert await happened(face.shop) == ["reserve", "charge", "order"]
    order = await face.ask("get_order", None, done["order"]["id"])
    assert order["checkout_id"] == session["id"]
    assert order["totals"] == done["totals"]
    assert (await face.shop.get(f"/orders/{order['id']}"))["state"] == "placed"
    again = await face.ask("get_checkout", None, session["id"])
    assert again["order"] == done["order"]
    assert "card_ada_1" not in json.dumps([done, again]), "no answer shows a credential"


@pytest.mark.parametrize("token", ["card_gita_1", "nobody's"])
async def test_a_card_that_is_declined_leaves_the_session_open(face: Face, token: str):
    session = await face.ready()
    no = await face.complete(session["id"], token, "one")
    assert (no["status"], codes(no)) == ("ready_for_complete", ["payment_failed"])
    assert await face.complete(session["id"], token, "one") == no, "a no is stored as well"
    assert await happened(face.shop) == ["reserve"]
    assert (await face.complete(session["id"], key="two"))["status"] == "completed"


async def test_a_price_that_moved_is_looked_at_before_it_is_paid(face: Face):
    session = await face.ready()
    await face.shop.put("/admin/products/BOOT-002", price=9_900)
    moved = await face.complete(session["id"])
    assert (moved["status"], "price_changed" in codes(moved)) == ("ready_for_complete", True)
    assert moved["totals"][-1]["amount"] == 9_900
    assert await happened(face.shop) == ["reserve"]
    done = await face.complete(session["id"])
    assert (done["status"], done["totals"][-1]["amount"]) == ("completed", 9_900)


# -- discounts and delivery -----------------------------------------------------------------------


def sums(body: dict[str, Any]) -> dict[str, int]:
    """Return its sums, which come to the total."""
    found = {one["type"]: one["amount"] for one in body["totals"]}
    assert sum(found.values()) == 2 * found["total"]
    return found


async def test_a_code_takes_off_what_is_charged_and_an_unknown_one_is_told(face: Face):
    plain = sums(await face.ready())
    codes_given = {"discounts": {"codes": ["trail10", "NOPE"]}}
    session = await face.ask("create_checkout", wanted(**codes_given))
    off = -(plain["subtotal"] // 10)
    assert sums(session) == {**plain, "discount": off, "total": plain["total"] + off}
    assert [one["code"] for one in session["discounts"]["applied"]] == ["TRAIL10"]
    assert [one["path"] for one in session["messages"]] == ["$.discounts.codes[1]"]
    done = await face.complete(session["id"])
    order = await face.ask("get_order", None, done["order"]["id"])
    assert sums(order) == sums(done) == sums(session)
    (charge,) = [one["detail"] for one in await face.shop.effects() if one["effect"] == "charge"]
    assert charge["amount"] == plain["total"] + off


async def test_of_the_ways_to_send_one_is_chosen_and_no_other_is_shown(face: Face):
    session = await face.ready()
    body = {**wanted(), **{"line_items": session["line_items"]}}
    (method,) = body["fulfillment"]["methods"]
    method["line_item_ids"] = [one["id"] for one in session["line_items"]]
    (group,) = session["fulfillment"]["methods"][0]["groups"]
    costs = {one["id"]: one["totals"][0]["amount"] for one in group["options"]}
    assert costs.keys() == {"standard", "express"}
    for option in ("teleport", "express"):
        method["groups"] = [{"id": group["id"], "selected_option_id": option}]
        session = await face.ask("update_checkout", body, session["id"])
        (shown,) = session["fulfillment"]["methods"][0]["groups"]
        assert shown["selected_option_id"] == (option if option in costs else None)
        assert session["status"] == ("ready_for_complete" if option in costs else "incomplete")
        assert sums(session).get("fulfillment") == costs.get(option)
    done = await face.complete(session["id"])
    order = await face.ask("get_order", None, done["order"]["id"])
    assert sums(order)["fulfillment"] == costs["express"] > 0


async def test_a_line_that_no_method_names_is_not_sent(face: Face):
    session = await face.ready()
    body, second = wanted(), {"item": {"id": "PACK-015"}, "quantity": 1}
    kept = [{"id": one["id"], **one} for one in session["line_items"]]
    (method,) = body["fulfillment"]["methods"]
    # What is new in a request has no id yet, and goes with what is named.
    method["line_item_ids"] = [kept[0]["id"]]
    session = await face.ask(
        "update_checkout", {**body, "line_items": [*kept, second]}, session["id"]
    )
    assert session["status"] == "ready_for_complete"
    body["line_items"] = session["line_items"]
    session = await face.ask("update_checkout", body, session["id"])
    assert session["status"] == "incomplete"
    assert [one["path"] for one in session["messages"]] == ["$.line_items[1]"]
    assert session["fulfillment"]["methods"][0]["line_item_ids"] == method["line_item_ids"]


# -- who asks -------------------------------------------------------------------------------------


async def test_whoever_asks_says_who_it_is(rest: Face):
    reply = await rest.shop.http.post("/ucp/catalog/search", json={"query": "boots"})
    assert reply.status_code == 400
    session = await rest.ready()
    headers = {"UCP-Agent": f'profile="{AGENT}"'}
    path = f"/ucp/checkout-sessions/{session['id']}/complete"
    reply = await rest.shop.http.post(path, json=payment(), headers=headers)
    assert reply.status_code == 400
    assert await happened(rest.shop) == ["reserve"]


# -- keys -----------------------------------------------------------------------------------------


async def test_the_same_bytes_under_a_key_give_the_stored_answer(face: Face):
    session = await face.ready()
    done = await face.complete(session["id"], key="one")
    assert await face.complete(session["id"], key="one") == done
    assert await happened(face.shop) == ["reserve", "charge", "order"]


async def test_other_bytes_under_a_key_do_nothing(face: Face):
    first, second = await face.ready(), await face.ready("PACK-015")
    await face.complete(first["id"], key="one")
    for checkout_id, token in ((first["id"], "card_esme_1"), (second["id"], "card_ada_1")):
        no = await face.complete(checkout_id, token, key="one")
        assert (face.status, codes(no)) == (409, ["idempotency_conflict"])
    assert (await happened(face.shop)).count("order") == 1


# -- faults ---------------------------------------------------------------------------------------


async def test_it_goes_on_from_its_file(start_shop: Callable[..., Shop]):
    shop = start_shop()
    face = Face(shop)
    keys = (await shop.get("/.well-known/ucp"))["keys"]
    session = await face.ready()
    await shop.fault("completions", "drop")
    with pytest.raises(httpx.RemoteProtocolError):
        await face.complete(session["id"], key="one")
    shop.process.kill()
    shop = start_shop()
    assert (await shop.get("/.well-known/ucp"))["keys"] == keys
    done = await Face(shop).complete(session["id"], key="one")
    assert done["status"] == "completed"
    assert await happened(shop) == ["reserve", "charge", "order"]


@pytest.mark.parametrize("levels", [900, 30_000])
async def test_a_body_that_is_nested_without_end_is_refused(shop: Shop, levels: int):
    headers = {"UCP-Agent": f'profile="{AGENT}"', "Content-Type": "application/json"}
    deep = "[" * levels + "]" * levels
    whole = f'{{"jsonrpc": "2.0", "id": {deep}, "method": "tools/call"}}'
    for path in ("/ucp/checkout-sessions", "/ucp/catalog/search", "/ucp/mcp", "/charges"):
        for body in (deep, f'{{"line_items": {deep}}}', whole):
            more = {"Idempotency-Key": str(uuid.uuid4())}
            reply = await shop.http.post(path, content=body, headers=headers | more)
            assert reply.status_code < 500, (path, body[:20])
