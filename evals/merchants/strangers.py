"""A purchase at a merchant that ucpify makes of a JSON file, unchanged."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from daybook.state.clock import SYSTEM
from evals.crash.merchants import PLAYER, WALLET, order_of
from evals.forking import open_forks

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
        own = {**environment, "DAYBOOK_MERCHANTS": url, "DAYBOOK_WALLET": str(folder / "mugs.json")}
        (started,) = await forks.start(order_of(own, url, f"mug-{uuid.uuid4()}", _ITEM))
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
_PATIENCE = 60.0
_LOOK = 0.05


@asynccontextmanager
async def open_ucpify(folder: Path, python: Path, merchant: dict[str, Any]) -> AsyncIterator[str]:
    """Run a merchant as ucpify makes it, unchanged; yield its URL.

    Args:
        python: of an environment that has ucpify.
        merchant: what its JSON file says, but for where it is.
    """
    url = f"http://127.0.0.1:{_free_port()}"
    file = folder / "merchant.json"
    file.write_text(json.dumps({**merchant, "domain": url}))
    with (folder / "ucpify.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(str(python.parent / "ucpify"), "serve", str(file), "-p", url.rpartition(":")[2]),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(_ABSENT)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        await _listens(url)
        yield url
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _listens(url: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as http, SYSTEM.timeout(_PATIENCE):
        while True:
            with suppress(httpx.TransportError):
                await http.get(f"{url}/.well-known/ucp")
                return
            await SYSTEM.sleep(_LOOK)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
