"""A purchase at a merchant that ucpify makes of a JSON file, unchanged."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from daybook.testing.processes import open_processes
from evals.crash.matrix import PLAYS
from evals.crash.merchants import WALLET, order_of
from evals.servers import free_port, open_program, until

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
        httpx.AsyncClient(base_url=url, trust_env=False) as http,
    ):
        own = {**environment, "DAYBOOK_MERCHANTS": url, "DAYBOOK_WALLET": str(folder / "mugs.json")}
        with open_processes(PLAYS) as processes:
            started = processes.start(order_of(own, url, f"mug-{uuid.uuid4()}", _ITEM))
            found = (await started.ended()).found
        orders = (await http.get("/ucp/v1/orders")).raise_for_status().json()
    totals = orders[0]["totals"] if orders else []
    return Bought(
        orders=tuple(one["id"] for one in orders),
        known=tuple(found["orders"]),
        total=next((one["amount"] for one in totals if one["type"] == "total"), 0),
        error=found["error"] or ("" if found["orders"] else found["end"]["answer"]),
    )


_ABSENT = Path(__file__).parent / "absent"


@asynccontextmanager
async def open_ucpify(folder: Path, python: Path, merchant: dict[str, Any]) -> AsyncIterator[str]:
    """Run a merchant as ucpify makes it, unchanged; yield its URL.

    Args:
        python: of an environment that has ucpify.
        merchant: what its JSON file says, but for where it is.
    """
    port = free_port()
    url, file = f"http://127.0.0.1:{port}", folder / "merchant.json"
    file.write_text(json.dumps({**merchant, "domain": url}))
    command = (str(python.parent / "ucpify"), "serve", str(file), "-p", str(port))
    env, log = {**os.environ, "PYTHONPATH": str(_ABSENT)}, folder / "ucpify.log"

    async def listens() -> bool:
        try:
            async with httpx.AsyncClient(trust_env=False) as http:
                await http.get(f"{url}/.well-known/ucp")
        except httpx.TransportError:
            return False
        return True

    async with open_program(*command, log=log, env=env, cwd=folder):
        await until(listens)
        yield url
