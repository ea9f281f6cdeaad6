"""What a worker does for merchants: takes up what was told, and asks where nothing is told.

Not every merchant sends events, and not every one of ours can be reached. So an order that was
placed is looked up again and again, less and less often; so is a checkout with which its person was
sent to the merchant's own page. What is shown goes the way that an event goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from daybook.checkpoints.people.threads import standing
from daybook.graph.build import build
from daybook.graph.merchants.events import Taken, event_of, take_up, take_up_checkout
from daybook.nodes.running.work import Resources
from daybook.state.effects.keys import digest
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.state.merchants.state import MerchantCart, MerchantOrder
from daybook.state.people.lifecycle import Standing
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp.checkout import IN_HAND

_AT_ONCE = 50
"""Events that one round takes up, and conversations that it looks at, at most."""

_FIRST, _LAST = timedelta(minutes=1), timedelta(hours=6)
"""Between two looks at the same thing: it doubles from the one to the other."""

_WAITS = ("requires_escalation", IN_HAND)

_Key = tuple[str, str]
"""A merchant, and the id of an order or of a checkout there."""


@dataclass
class Polls:
    """When each thing that is watched is looked at next; it is forgotten when the process ends."""

    _next: dict[_Key, tuple[datetime, timedelta]] = field(default_factory=dict)

    async def __call__(self, resources: Resources) -> Sequence[str]:
        """Do one round; say what was taken up."""
        services: MerchantServices = resources.services
        said: list[str] = []
        graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)
        for one in await standing(resources.postgres.pool, domain=MERCHANTS.name, most=_AT_ONCE):
            if one.status == "closed":
                continue
            snapshot = await graph.aget_state({"configurable": {"thread_id": one.thread_id}})
            for order in snapshot.values.get("orders", ()):
                if self._is_due((order.merchant, order.order_id), resources.clock.now()):
                    await _look_at_order(resources, order)
            for cart in snapshot.values.get("carts", ()):
                said += await self._look_at_checkout(resources, one, cart)
        for event in await resources.postgres.outside.left(services.names, _AT_ONCE):
            if await take_up(resources, event) is Taken.UP:
                said.append(f"{event.source} told of the order {event.reference}")
        return said

    async def _look_at_checkout(
        self, resources: Resources, thread: Standing, cart: MerchantCart
    ) -> list[str]:
        """Ask how a checkout stands that may go on without us, and tell the thread what moved."""
        known = cart.checkout
        if known is None or not (known.status in _WAITS or known.continue_url):
            return []
        key = (cart.merchant, known.checkout_id)
        if not self._is_due(key, resources.clock.now()):
            return []
        try:
            merchant = resources.services.merchant(cart.merchant)
            now = await merchant.checkout(known.checkout_id)
        except (ServiceUnavailable, ToolRefused):
            return []
        if now.status == "completed" and now.order_id:
            placed = {**now.facts(), "told": [], "newness": "", "url": now.order_url}
            await _keep(resources, cart.merchant, placed)
            return []
        if now.status == known.status:
            return []
        about = (thread.thread_id, thread.user_id, now.facts())
        if not await take_up_checkout(resources, cart.merchant, *about):
            # Somebody is at work on the thread: it is looked at again with the next round.
            self._next.pop(key, None)
            return []
        return [f"{cart.merchant} has the checkout {known.checkout_id} as {now.status}"]

    def _is_due(self, key: _Key, now: datetime) -> bool:
        at, pause = self._next.get(key, (now, _FIRST))
        if at > now:
            return False
        self._next[key] = (now + pause, min(pause * 2, _LAST))
        return True


async def _look_at_order(resources: Resources, order: MerchantOrder) -> None:
    """Ask how an order stands, and keep what came of it like an event."""
    with suppress(ServiceUnavailable, ToolRefused):
        found = await resources.services.merchant(order.merchant).order(order.order_id)
        if "checkout_id" in found:
            await _keep(resources, order.merchant, found)


async def _keep(resources: Resources, merchant: str, shown: Mapping[str, Any]) -> None:
    event = event_of(merchant, shown, f"looked {digest(dict(shown))[:40]}")
    await resources.postgres.outside.keep(event)
