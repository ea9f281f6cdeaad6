"""Lives at the demo's shop, by its own API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from daybook.checkpoints.postgres import Postgres
from daybook.demo.shop.settings import ENDPOINTS, Settings
from daybook.state.clock import Clock
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.sim.ground.loop import VirtualLoop
from evals.sim.ground.network import Network
from evals.sim.judged.at_shop import ShopJudge
from evals.sim.judged.invariants import Judge
from evals.sim.judged.witness import Witness
from evals.sim.lives.model import Calls
from evals.sim.lives.recipe import Recipe, sku_of
from evals.sim.lives.shop import SMTP_URL, URL, Shop
from evals.sim.trades.trade import Reached, Trade


class AtShop(Trade):
    """Buy from the shop."""

    domain = SHOP

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def settings(self) -> Settings:
        """Return how the shop treats keys."""
        honours, stores = self._recipe.keys
        return Settings().with_keys(
            ENDPOINTS,
            honours_key=honours,
            stores_failures=stores,
            retention_seconds=self._recipe.retention,
        )

    async def reach(self, clock: Clock, postgres: Postgres) -> Reached:
        """Connect to shop and mail."""
        services = await reach_shop(URL, SMTP_URL, clock)
        return Reached(services, services.guarantees, services.shop_id)

    def judge(self, url: str, shop: Shop, witness: Witness) -> Judge:
        """Make who asks the invariants."""
        return ShopJudge(url, shop, witness)

    def adding(self, number: int) -> Calls:
        """Say what puts something into the cart."""
        return [("add_to_cart", {"sku": sku_of(number)})]

    def buying(self, number: int, kinds: int) -> Sequence[Calls]:
        """Say what buys so many things, in one breath."""
        calls = [call for n in range(kinds) for call in self.adding(number + n)]
        return [[*calls, ("checkout", {})]]

    def cancelling(self, judge: Judge, person: str) -> Calls:
        """Say what cancels the last order, if there is one."""
        orders = judge.orders_of(person)
        return [("cancel_order", {"order_id": orders[-1]})] if orders else []

    @property
    def looking(self) -> Calls:
        """Say what lists the orders."""
        return [("list_orders", {})]

    def begin(
        self, loop: VirtualLoop, network: Network, shop: Shop, serving: Callable[[], Sequence[Any]]
    ) -> None:
        """Let nothing live beside it: the shop tells nobody of orders but by mail."""
