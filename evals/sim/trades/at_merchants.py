"""Lives at a merchant of the Universal Commerce Protocol: the demo's shop, by its face for that."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

from daybook.checkpoints.postgres import Postgres
from daybook.demo.shop.settings import UCP_ENDPOINTS, Settings
from daybook.demo.shop.ucp.told.teller import tell
from daybook.graph.merchants.polls import Polls
from daybook.graph.merchants.resources import merchant_services, told_by
from daybook.graph.merchants.settings import MerchantSettings, Place, merchants_from
from daybook.graph.serve import Chore
from daybook.state.clock import Clock
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.ucp.keys import signing_key
from evals.sim.ground.loop import VirtualLoop, context_of
from evals.sim.ground.network import Network
from evals.sim.judged.at_merchants import MerchantsJudge
from evals.sim.judged.invariants import Judge
from evals.sim.judged.witness import Witness
from evals.sim.lives.model import Calls
from evals.sim.lives.recipe import NAMES, Recipe, sku_of
from evals.sim.lives.shop import URL, Shop
from evals.sim.trades.gateway import PUBLIC_URL, Gateway
from evals.sim.trades.noted import Noted
from evals.sim.trades.trade import Reached, Trade

MERCHANT = URL.removeprefix("http://")

LATE = timedelta(seconds=5)
"""What we hold the merchant to: its own settling time, and what the network may still carry."""

_CARD = {
    "id": "visa",
    "handler_id": "shop_card",
    "type": "card",
    "label": "Visa ending in 4242",
    "credential": {"type": "token", "token": "card_ada_1"},
}
_HOME = {
    "id": "home",
    "label": "Home",
    "address": {
        "street_address": "12 Birch Street",
        "address_locality": "Portland",
        "address_region": "OR",
        "postal_code": "97205",
        "address_country": "US",
    },
}

_place: list[tempfile.TemporaryDirectory[str]] = []


def set_up() -> None:
    """Write what all lives need: a wallet, and our key for signatures. Once a process."""
    _place[:] = [tempfile.TemporaryDirectory(prefix="daybook-sim-merchants-")]
    home = Path(_place[0].name)
    wallet = {
        name: {
            "buyer": {"email": f"{name}@example.com"},
            "instruments": [_CARD],
            "addresses": [_HOME],
        }
        for name in NAMES
    }
    (home / "wallet.json").write_text(json.dumps(wallet))
    os.environ |= {"DAYBOOK_HOME": str(home), "DAYBOOK_PUBLIC_URL": PUBLIC_URL}
    signing_key(merchants_from().key)


class AtMerchants(Trade):
    """Buy from a merchant, which tells of orders by itself."""

    domain = MERCHANTS

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe
        self._noted: Noted | None = None

    def settings(self) -> Settings:
        """Return how the merchant treats keys."""
        honours, stores = self._recipe.keys
        return Settings().with_keys(
            UCP_ENDPOINTS,
            honours_key=honours,
            stores_failures=stores,
            retention_seconds=self._recipe.retention,
        )

    async def reach(self, clock: Clock, postgres: Postgres) -> Reached:
        """Make the client of the merchant, which nobody asks before it is needed."""
        settings: MerchantSettings = replace(
            merchants_from(), places=(Place(URL, self._recipe.transport),), late=LATE
        )
        services = replace(merchant_services(settings, clock=clock), told=told_by(postgres))
        return Reached(services, services.guarantees)

    def judge(self, url: str, shop: Shop, witness: Witness) -> Judge:
        """Make who asks the invariants."""
        assert self._noted is not None
        remembers = self._recipe.keys[0] and self._recipe.retention >= 86_400
        return MerchantsJudge(
            url, shop, witness, MERCHANT, self._noted.completes, remembers_keys=remembers
        )

    def adding(self, number: int) -> Calls:
        """Say what puts something into the cart."""
        line = {"merchant": MERCHANT, "item_id": sku_of(number), "quantity": 1}
        return [("add_to_cart", line)]

    def buying(self, number: int, kinds: int) -> Sequence[Calls]:
        """Say what opens a checkout for so many things, and then what orders them."""
        calls = [call for n in range(kinds) for call in self.adding(number + n)]
        there = {"merchant": MERCHANT}
        return [[*calls, ("open_checkout", there)], [("place_order", there)]]

    def cancelling(self, judge: Judge, person: str) -> Calls:
        """Say what gives the checkout back."""
        return [("cancel_checkout", {"merchant": MERCHANT})]

    @property
    def looking(self) -> Calls:
        """Say what takes up how the checkout stands."""
        return [("refresh_checkout", {"merchant": MERCHANT})]

    def chore(self) -> Chore | None:
        """Take up what was told, and ask where nothing was."""
        return Polls()

    def before(self, app: ASGIApp) -> ASGIApp:
        """Note under which keys orders are asked for."""
        self._noted = Noted(app)
        return self._noted

    def begin(
        self, loop: VirtualLoop, network: Network, shop: Shop, serving: Callable[[], Sequence[Any]]
    ) -> None:
        """Let the merchant tell of orders, and be heard where somebody serves."""
        Gateway(loop, network, serving)
        loop.create_task(tell(shop.world), context=context_of(shop.owner))
