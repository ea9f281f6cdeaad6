"""What the people of a life buy from, and how: all that differs from domain to domain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp

from daybook.checkpoints.postgres import Postgres
from daybook.demo.shop.settings import ENDPOINTS, Settings
from daybook.graph.serve import Chore
from daybook.state.clock import Clock
from daybook.state.effects.guarantees import Guarantees
from daybook.tools.domain import Domain
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.sim.judge import Judge, MayBeTaken
from evals.sim.loop import VirtualLoop
from evals.sim.network import Network
from evals.sim.recipe import Calls, Recipe, sku_of
from evals.sim.shop import SMTP_URL, URL, Shop


@dataclass(frozen=True)
class Reached:
    """What a process of a life runs on, beside its database.

    Attributes:
        services: what its tools are given; they can be closed.
        promises: of the other side.
        world: which one that is, where it says so.
    """

    services: Any
    promises: Mapping[str, Guarantees]
    world: str | None = None


class AtShop:
    """What a life at the demo's shop is about; a life at a merchant differs in this alone.

    Attributes:
        domain: what is served.
        endpoints: of the shop, whose keys it honours or ignores.
    """

    domain: Domain = SHOP
    endpoints: tuple[str, ...] = ENDPOINTS

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    def settings(self) -> Settings:
        """Return how the shop treats keys."""
        honours, stores = self._recipe.keys
        return Settings().with_keys(
            self.endpoints,
            honours_key=honours,
            stores_failures=stores,
            retention_seconds=self._recipe.retention,
        )

    async def reach(self, clock: Clock, postgres: Postgres) -> Reached:
        """Connect to shop and mail."""
        services = await reach_shop(URL, SMTP_URL, clock)
        return Reached(services, services.guarantees, services.shop_id)

    def judge(self, url: str, shop: Shop, may_be_taken: MayBeTaken) -> Judge:
        """Make who asks the invariants."""
        return Judge(url, shop, may_be_taken)

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

    def chore(self) -> Chore | None:
        """Return what a worker does beside finishing threads."""
        return None

    def before(self, app: ASGIApp) -> ASGIApp:
        """Put something before the shop's application."""
        return app
