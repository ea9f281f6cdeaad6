"""What the people of a life buy from, and how: the demo shop, or the same as a merchant (UCP)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from psycopg import OperationalError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook import DaybookError, Domain, Postgres
from daybook.demo.shop.settings import ENDPOINTS, UCP_ENDPOINTS, Settings
from daybook.demo.shop.ucp.events import Teller
from daybook.graph.merchants.events import ROUTES, Polls
from daybook.graph.merchants.resources import (
    MerchantSettings,
    Place,
    merchant_services,
    merchants_from,
    told_by,
)
from daybook.graph.serve import Answered, Arrived, Chore
from daybook.state.clock import Clock
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.ucp.signatures import signing_key
from daybook.tools.shop.domain import SHOP
from daybook.tools.shop.services import reach_shop
from evals.sim.judge import Judge, MayBeTaken
from evals.sim.loop import Owner, VirtualLoop, context_of
from evals.sim.merchants_judge import MerchantsJudge
from evals.sim.network import Network
from evals.sim.processes import Gone, Process
from evals.sim.recipe import NAMES, Calls, Recipe, sku_of
from evals.sim.shop import SMTP_URL, URL, Shop, listen
from evals.wallet import wallet_of


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
        # Who serves a profile may be dead in a life.
        return Settings(profiles="ignored").with_keys(
            self.endpoints,
            honours_key=honours,
            stores_failures=stores,
            retention_seconds=self._recipe.retention,
        )

    async def reach(self, clock: Clock, postgres: Postgres) -> dict[str, Any]:
        """Connect to shop and mail; return what of a process's resources is of the other side."""
        services = await reach_shop(URL, SMTP_URL, clock)
        world = services.shop_id
        return {"services": services, "promises": services.guarantees, "world": world}

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


MERCHANT = URL.removeprefix("http://")

LATE = timedelta(seconds=5)
"""What we hold the merchant to: its own settling time, and what the network may still carry."""

_place: list[tempfile.TemporaryDirectory[str]] = []


def set_up() -> None:
    """Write what all lives need: a wallet, and our key for signatures. Once a process."""
    _place[:] = [tempfile.TemporaryDirectory(prefix="daybook-sim-merchants-")]
    home = Path(_place[0].name)
    (home / "wallet.json").write_text(json.dumps(wallet_of(*NAMES)))
    os.environ |= {"DAYBOOK_HOME": str(home), "DAYBOOK_PUBLIC_URL": PUBLIC_URL}
    signing_key(merchants_from().key)


class AtMerchants(AtShop):
    """Buy from a merchant, which tells of orders by itself."""

    domain = MERCHANTS
    endpoints = UCP_ENDPOINTS

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self._noted: Noted | None = None

    async def reach(self, clock: Clock, postgres: Postgres) -> dict[str, Any]:
        """Make the client of the merchant, which nobody asks before it is needed."""
        settings: MerchantSettings = replace(
            merchants_from(), places=(Place(URL, self._recipe.transport),), late=LATE
        )
        services = replace(merchant_services(settings, clock=clock), told=told_by(postgres))
        return {"services": services, "promises": services.guarantees}

    def judge(self, url: str, shop: Shop, may_be_taken: MayBeTaken) -> Judge:
        """Make who asks the invariants."""
        assert self._noted is not None
        remembers = self._recipe.keys[0] and self._recipe.retention >= 86_400
        return MerchantsJudge(
            url, shop, may_be_taken, MERCHANT, self._noted.completes, remembers_keys=remembers
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
        loop.create_task(Teller(shop.world).run(), context=context_of(shop.owner))


_HOST, _PORT = "daybook", 8000
PUBLIC_URL = f"http://{_HOST}:{_PORT}"

_AWAY = Answered(503)


class Gateway:
    """Listen, and hand what comes to one process after the other."""

    def __init__(
        self, loop: VirtualLoop, network: Network, serving: Callable[[], Sequence[Process]]
    ) -> None:
        self._serving = serving
        self._count = 0
        listen(network, loop, Owner("gateway"), (_HOST, _PORT), self, idle_seconds=5)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        body, more = b"", True
        while more:
            message: Message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        path = scope["path"]
        answered = await self._answer(
            Arrived(scope["method"], f"{PUBLIC_URL}{path}", headers, body)
        )
        given = [(name.encode(), value.encode()) for name, value in answered.headers.items()]
        length = (b"content-length", str(len(answered.body)).encode())
        start = {"type": "http.response.start", "status": answered.status}
        await send({**start, "headers": [*given, length]})
        await send({"type": "http.response.body", "body": answered.body})

    async def _answer(self, arrived: Arrived) -> Answered:
        route = ROUTES.get(arrived.url.removeprefix(PUBLIC_URL))
        serving = self._serving()
        if route is None or not serving:
            return _AWAY
        self._count += 1
        process = serving[self._count % len(serving)]
        resources = process.resources
        assert resources is not None
        try:
            answered: Answered = await process.ask(lambda _: route(resources, arrived))
        except (Gone, DaybookError, OperationalError):
            return _AWAY
        if answered.later is not None and not process.ended:
            process.begin(_done(answered.later))
        return answered


async def _done(later: Callable[[], Awaitable[None]]) -> None:
    await later()


_COMPLETE = re.compile(r"/checkout-sessions/([^/]+)/complete$")
_TOOL = "complete_checkout"


class Noted:
    """An application whose Completes are written down as they come, faults or not.

    Attributes:
        completes: session to key to the digests of what came under it.
    """

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner
        self.completes: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Note a request, and let it go on as it was."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._inner(scope, receive, send)
            return
        came: list[Message] = [await receive()]
        while came[-1].get("more_body"):
            came.append(await receive())
        self._note(scope, b"".join(one.get("body", b"") for one in came))
        pieces = iter(came)

        async def again() -> Message:
            for one in pieces:
                return one
            return await receive()

        await self._inner(scope, again, send)

    def _note(self, scope: Scope, body: bytes) -> None:
        if found := _COMPLETE.search(scope["path"]):
            headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
            self._write(found[1], headers.get("idempotency-key", ""), body)
        elif scope["path"].endswith("/mcp") and body:
            params = json.loads(body).get("params", {})
            if params.get("name") == _TOOL:
                given = params["arguments"]
                self._write(given["id"], given["meta"].get("idempotency-key", ""), body)

    def _write(self, session: str, key: str, body: bytes) -> None:
        self.completes[session][key].add(hashlib.sha256(body).hexdigest())
