"""What spck-conformance finds in the demo shop; a purchase at a merchant of ucpify, unchanged."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from daybook.testing.processes import open_processes
from daybook.tools.merchants.ucp.signatures import SigningKey
from evals.crash.merchants import order_of
from evals.crash.run import PLAYS
from evals.servers import free_port, open_program, until
from evals.wallet import wallet_of

_CARD: dict[str, Any] = {"id": "card", "handler_id": "shop_card", "type": "card"}


def _payment(token: str) -> dict[str, Any]:
    credential = {"type": "token", "token": token}
    return {"payment": {"instruments": [{**_CARD, "credential": credential}]}}


CONFIG: dict[str, Any] = {
    "product_id": "BOOT-002",
    "second_product_id": "PACK-015",
    "currency": "USD",
    "out_of_stock_id": "BOOT-006",
    "fulfillment_option_id": "standard",
    "complete_payment": _payment("card_ada_1"),
    "fail_payment": _payment("card_gita_1"),
    "catalog": {
        "variant_id": "BOOT-002",
        "paginated_query": "backpack",
        "paginated_total": 30,
    },
}
"""What the checks are told of the demo shop's goods."""


OLDER = "2026-04-08"
"""The version for which most checks are written; the shop can say that it speaks it."""


def more_of(keys: SigningKey, profile_url: str) -> dict[str, Any]:
    """Return what the checks are told beside, so that they look at more of the shop.

    Args:
        keys: with which they sign requests, published at `profile_url`.
    """
    numbers = keys.private.private_numbers().private_value.to_bytes(32, "big")
    private = base64.urlsafe_b64encode(numbers).rstrip(b"=").decode()
    return {
        "cart": {"second_product_id": "PACK-015"},
        "payment": {"escalation_payment": _payment("card_hugo_2")},
        "signature": {
            "responses": True,
            "request_private_jwk": {**keys.jwk, "d": private},
            "platform_profile_url": profile_url,
        },
        "webhooks": {"simulate": True, "signed": True, "retries": True},
    }


NEEDS_TLS = frozenset({"checkout.escalation_continue_url_https"})
"""Deviations of any merchant that listens on a loopback address without TLS."""


@dataclass(frozen=True)
class Conformance:
    """What the checks say.

    Attributes:
        passed: checks that passed.
        deviations: names of those that found a MUST violated.
        unproven: checks that could not be run.
        version: of the protocol, as the merchant declares it.
    """

    version: str
    passed: int
    deviations: tuple[str, ...]
    unproven: int


async def of_merchant(
    python: Path, url: str, folder: Path, more: Mapping[str, Any] | None = None
) -> Conformance:
    """Let spck-conformance look at a merchant.

    Args:
        more: what it is told beside.

    Raises:
        AssertionError: it does not come to a report.
    """
    config = folder / "conformance.json"
    config.write_text(json.dumps({**CONFIG, **(more or {})}))
    report = await _run(python, "--server", url, "--config", str(config), "--json")
    checks = report["checks"]
    return Conformance(
        version=report["spec_version"],
        passed=sum(one["status"] == "clean-pass" for one in checks),
        deviations=tuple(
            one["id"]
            for one in checks
            if one["status"] == "deviation" and one["id"] not in NEEDS_TLS
        ),
        unproven=sum(str(one["status"]).startswith("not-tested") for one in checks),
    )


async def _run(python: Path, *arguments: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        *(str(python.parent / "spck-conformance"), *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, wrong = await process.communicate()
    # 2 says that there are deviations; the report names them.
    assert process.returncode in (0, 2), f"spck-conformance failed: {wrong.decode()[-2000:]}"
    report: dict[str, Any] = json.loads(said)
    return report


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
    (folder / "mugs.json").write_text(json.dumps(wallet_of("*", handler_id="mug_pay")))
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
