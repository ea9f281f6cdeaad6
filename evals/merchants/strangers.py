"""A purchase at a merchant that ucpify makes of a JSON file, unchanged."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from evals.crash.merchants.script import said
from evals.crash.merchants.world import PLAYER, WALLET
from evals.forking import open_forks
from evals.merchants.places import open_ucpify

_ITEM = "prod_mug"

MERCHANT: dict[str, Any] = {
    "name": "The Mug Shop",
    "currency": "USD",
    "tax_rate": 0.08,
    "items": [{"id": _ITEM, "title": "Enamel Mug", "price": 1_900}],
    "shipping_options": [
        {"id": "express", "title": "Express", "price": 1_500},
        {"id": "standard", "title": "Standard", "price": 500},
    ],
    "payment_handlers": [{"namespace": "com.example.pay", "id": "mug_pay", "config": {}}],
}
"""What its JSON file says."""


@dataclass(frozen=True)
class Bought:
    """What the merchant shows of the purchase: its orders, and the total of the first one."""

    orders: tuple[str, ...]
    known: tuple[str, ...]
    total: int
    error: str

    @property
    def is_one(self) -> bool:
        """Tell whether there is one order, and it is the one that the conversation knows."""
        return len(self.orders) == 1 and self.orders == self.known and not self.error


async def buy(environment: dict[str, str], folder: Path, python: Path) -> Bought:
    """Buy a mug.

    Args:
        environment: of the buyer, but for merchant and wallet.
        python: of an environment that has ucpify.
    """
    (card,) = WALLET["*"]["instruments"]
    wallet = {"*": {**WALLET["*"], "instruments": [{**card, "handler_id": "mug_pay"}]}}
    (folder / "mugs.json").write_text(json.dumps(wallet))
    async with (
        open_ucpify(folder, python, MERCHANT) as url,
        open_forks(PLAYER) as forks,
        httpx.AsyncClient(base_url=url, trust_env=False) as http,
    ):
        (started,) = await forks.start(
            {
                "environment": {
                    **environment,
                    "DAYBOOK_MERCHANTS": url,
                    "DAYBOOK_WALLET": str(folder / "mugs.json"),
                },
                "thread": f"mug-{uuid.uuid4()}",
                "says": said(url.removeprefix("http://"), _ITEM),
                "url": url,
                "at": "",
            }
        )
        found = (await started.ended()).found
        orders = (await http.get("/ucp/v1/orders")).raise_for_status().json()
    totals = orders[0]["totals"] if orders else []
    return Bought(
        orders=tuple(one["id"] for one in orders),
        known=tuple(found["orders"]),
        total=next((one["amount"] for one in totals if one["type"] == "total"), 0),
        error=found["error"] or ("" if found["orders"] else found["answer"]),
    )
