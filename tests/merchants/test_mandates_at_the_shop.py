"""The demo shop takes orders by mandate alone where it is told to, and says what is wrong with one."""

import copy
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.tools.merchants.ap2.authorization import Proposed
from daybook.tools.merchants.ap2.mandates import VALID, For, mandates
from daybook.tools.merchants.ap2.signatory import Signatory
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.ucp.keys import SigningKey, signing_key
from daybook.tools.merchants.ucp.profile import agent_profile
from tests.conversation import answer_of
from tests.merchants.conftest import WALLET, buying
from tests.merchants.own import BOOT, CARD
from tests.merchants.signing import altered, read
from tests.merchants.stranger import Asked, Said, Stranger, listening, said
from tests.shop_process import PATIENCE, ShopProcess, running_shop
from tests.ucp_schemas import check, check_answer

SIGNED = "shopping/ap2_mandate.json#/$defs/dev.ucp.shopping.checkout"
EVENTS = "http://127.0.0.1:9/events"


class Ourselves(Stranger):
    """Our profile, where the shop reads it; `shown` is what it finds there."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[str, Any] = {}

    async def answer(self, asked: Asked) -> Said:
        return said(self.shown)


@pytest.fixture(scope="module")
def shop_process() -> Iterator[ShopProcess]:
    with running_shop("--mandates") as process:
        yield process


@pytest.fixture
async def ourselves() -> AsyncIterator[Ourselves]:
    async with listening(Ourselves()) as one:
        assert isinstance(one, Ourselves)
        yield one


@dataclass
class AtTheShop:
    """An agent at the shop, by hand: it sends what it is told to send."""

    http: httpx.AsyncClient
    merchant: Merchant
    key: SigningKey
    ourselves: Ourselves

    async def opened(self, quantity: int = 1) -> str:
        """Open a session that can be completed, and return its id."""
        address = {**WALLET["*"]["addresses"][0]["address"], "id": "home"}  # type: ignore[index]
        place = {"type": "shipping_address", **address}
        body: dict[str, Any] = {
            "line_items": [{"item": {"id": BOOT}, "quantity": quantity}],
            "fulfillment": {"methods": [{"type": "shipping", "destinations": [place]}]},
        }
        made = await self.asks("POST", "", body)
        method = made["fulfillment"]["methods"][0]
        chosen = {
            "id": method["id"],
            "type": "shipping",
            "selected_destination_id": method["destinations"][0]["id"],
            "groups": [
                {"id": one["id"], "selected_option_id": one["options"][0]["id"]}
                for one in method["groups"]
            ],
        }
        body["fulfillment"] = {"methods": [chosen]}
        ready = await self.asks("PUT", f"/{made['id']}", body)
        assert ready["status"] == "ready_for_complete", ready
        return str(made["id"])

    async def asks(
        self, method: str, path: str, body: dict[str, Any] | None = None, key: str = ""
    ) -> dict[str, Any]:
        reply = await self.http.request(
            method,
            f"/ucp/checkout-sessions{path}",
            json=body,
            headers={
                "ucp-agent": f'profile="{self.ourselves.url}/profile.json"',
                **({"idempotency-key": key} if key else {}),
            },
        )
        return dict(reply.json())

    async def mandate(self, checkout_id: str, **changes: Any) -> str:
        """Make the mandate over a session as it stands now; some of it otherwise."""
        proposed = await self.merchant.proposed(checkout_id)
        assert proposed.jwt, proposed.fault
        to = changes.pop("to", self.merchant.url)
        whom = For(to, self.merchant.name, "key-1", {**CARD, "label": "Visa"})
        given = {"key": self.key, "issuer": self.ourselves.url, "now": SYSTEM.now(), **changes}
        body = given.pop("body", proposed.body)
        over = Proposed(proposed.checkout, body, proposed.jwt)
        return mandates(over, whom, **given).checkout

    async def completes(
        self, checkout_id: str, mandate: str | None, key: str = "key-1"
    ) -> dict[str, Any]:
        one = {name: CARD[name] for name in ("id", "handler_id", "type", "credential")}
        body: dict[str, Any] = {"payment": {"instruments": [one]}}
        if mandate is not None:
            body["ap2"] = {"checkout_mandate": mandate}
        return await self.asks("POST", f"/{checkout_id}/complete", body, key)

    async def effects(self) -> list[str]:
        return [one["effect"] for one in (await self.http.get("/effects")).json()]


@pytest.fixture
async def at(
    shop_process: ShopProcess, ourselves: Ourselves, tmp_path: Path
) -> AsyncIterator[AtTheShop]:
    key = signing_key(tmp_path / "key.pem")
    ourselves.shown = agent_profile([key.jwk], EVENTS)
    client = Merchant(shop_process.url, profile_url=f"{ourselves.url}/profile.json", key=key)
    async with httpx.AsyncClient(base_url=shop_process.url, timeout=PATIENCE) as http:
        (await http.post("/admin/reset")).raise_for_status()
        yield AtTheShop(http, client, key, ourselves)
    await client.close()


def code_of(answer: dict[str, Any]) -> str:
    """Return the code with which it was refused; nothing was made of it."""
    assert answer["ucp"]["status"] == "error", answer
    return str(answer["messages"][0]["code"])


async def test_its_profile_says_so_and_every_checkout_is_signed(at: AtTheShop):
    profile = (await at.http.get("/.well-known/ucp")).json()
    (declared,) = profile["ucp"]["capabilities"]["dev.ucp.shopping.ap2_mandate"]
    assert declared["extends"] == "dev.ucp.shopping.checkout"
    checkout_id = await at.opened()
    shown = await at.asks("GET", f"/{checkout_id}")
    check_answer("get_checkout", shown)
    check(SIGNED, shown)
    assert (await at.merchant.proposed(checkout_id)).signature == "signed"


async def test_a_mandate_over_the_session_as_it_stands_places_the_order(at: AtTheShop):
    checkout_id = await at.opened()
    answer = await at.completes(checkout_id, await at.mandate(checkout_id))
    assert answer["status"] == "completed"
    check(SIGNED, answer)
    assert await at.effects() == ["reserve", "charge", "order"]


async def test_an_order_without_a_mandate_is_refused(at: AtTheShop):
    checkout_id = await at.opened()
    assert code_of(await at.completes(checkout_id, None)) == "mandate_required"
    assert await at.effects() == ["reserve"]


async def test_a_mandate_of_nobody_who_shows_a_key_is_refused(at: AtTheShop):
    checkout_id = await at.opened()
    mandate = await at.mandate(checkout_id)
    at.ourselves.shown = {"ucp": {}}
    assert code_of(await at.completes(checkout_id, mandate)) == "agent_missing_key"


async def test_a_mandate_by_another_key_is_refused(at: AtTheShop, tmp_path: Path):
    checkout_id = await at.opened()
    other = SigningKey(at.key.key_id, signing_key(tmp_path / "other.pem").private)
    mandate = await at.mandate(checkout_id, key=other)
    assert code_of(await at.completes(checkout_id, mandate)) == "mandate_invalid_signature"


async def test_a_mandate_that_was_altered_by_one_cent_is_refused(at: AtTheShop):
    checkout_id = await at.opened()
    mandate = await at.mandate(checkout_id)
    checkout = copy.deepcopy(read(mandate, at.ourselves.shown).claims["checkout"])
    checkout["totals"][-1]["amount"] -= 1
    cheaper = altered(mandate, checkout=checkout)
    assert code_of(await at.completes(checkout_id, cheaper)) == "mandate_invalid_signature"
    # Signed anew by its agent it is no word of the shop's.
    own = await at.mandate(checkout_id, body=checkout)
    again = await at.completes(checkout_id, own, key="key-2")
    assert code_of(again) == "merchant_authorization_invalid"
    assert await at.effects() == ["reserve"]


async def test_a_mandate_over_another_total_is_refused(at: AtTheShop):
    checkout_id, dearer = await at.opened(), await at.opened(quantity=2)
    mandate = await at.mandate(dearer)
    assert code_of(await at.completes(checkout_id, mandate)) == "mandate_scope_mismatch"


async def test_a_mandate_that_ran_out_is_refused(at: AtTheShop):
    checkout_id = await at.opened()
    mandate = await at.mandate(checkout_id, now=SYSTEM.now() - VALID - timedelta(seconds=1))
    assert code_of(await at.completes(checkout_id, mandate)) == "mandate_expired"


async def test_a_mandate_for_another_merchant_is_refused(at: AtTheShop):
    checkout_id = await at.opened()
    mandate = await at.mandate(checkout_id, to="https://elsewhere.example")
    assert code_of(await at.completes(checkout_id, mandate)) == "mandate_invalid_signature"


async def test_a_mandate_is_good_for_one_order(at: AtTheShop):
    checkout_id = await at.opened()
    mandate = await at.mandate(checkout_id)
    first = await at.completes(checkout_id, mandate)
    # The same request again is the same answer.
    assert await at.completes(checkout_id, mandate) == first
    again = await at.completes(checkout_id, mandate, key="key-2")
    assert code_of(again) == "mandate_scope_mismatch"
    assert await at.effects() == ["reserve", "charge", "order"]


async def test_an_order_is_lost_and_sent_again_with_the_same_mandate(
    at: AtTheShop, postgres: Postgres, tmp_path: Path
):
    wallet = {"*": {**WALLET["*"], "instruments": [CARD]}}
    signs = Signatory(at.key, f"{at.ourselves.url}/profile.json", postgres.mandates)
    async with buying([at.merchant], wallet, postgres, tmp_path, signs) as buyer:
        talk = buyer.talk()
        line = {"merchant": at.merchant.name, "item_id": BOOT, "quantity": 1}
        await buyer.says(talk, ("add_to_cart", line))
        await buyer.says(talk, ("open_checkout", {"merchant": at.merchant.name}))
        await buyer.says(talk, ("place_order", {"merchant": at.merchant.name}))
        fault = {"endpoint": "completions", "mode": "refuse", "times": 1}
        (await at.http.post("/admin/faults", json=fault)).raise_for_status()
        found = await talk.approve()
        assert [one.merchant for one in found.values["orders"]] == [at.merchant.name], answer_of(
            found
        )
        assert await at.effects() == ["reserve", "charge", "order"]
