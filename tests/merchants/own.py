"""A buyer at the demo shop, which is a merchant in a process of its own."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.ucp.operations import Call, Operation, call_of
from daybook.tools.merchants.ucp.signatures import SigningKey
from tests.conversation import Conversation
from tests.merchants.conftest import WALLET, Buyer, buying
from tests.shop_process import PATIENCE
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

    async def until(self, happened: Any) -> Any:
        """Ask again until the answer is true, and return it: another process sends no event."""
        async with SYSTEM.timeout(PATIENCE):
            while not (answer := await happened()):
                await SYSTEM.sleep(0.02)
            return answer


@asynccontextmanager
async def buying_at(
    shop: str,
    transport: str,
    postgres: Postgres,
    folder: Path,
    key: SigningKey | None,
    profile: str,
) -> AsyncIterator[Own]:
    """Open a buyer at a demo shop that begins anew."""
    wallet = {"*": {**WALLET["*"], "instruments": [CARD, EMPTY]}}
    client = Merchant(shop, profile_url=profile, key=key, transport=transport)
    async with (
        buying([client], wallet, postgres, folder) as buyer,
        httpx.AsyncClient(base_url=shop, timeout=PATIENCE) as http,
    ):
        (await http.post("/admin/reset")).raise_for_status()
        yield Own(buyer, http, client.name)


def checked(operation: Operation, about: str, body: bytes, *more: str) -> Call:
    """Hold what is asked for to the schemas, and let it go on as it was."""
    check_request(operation.name, json.loads(body) if body else None)
    return call_of(operation, about, body, *more)
