"""What a worker does for merchants: takes up what was told, and asks where nothing is told.

Not every merchant sends events, and not every one of ours can be reached. So an order that was
placed is looked up again and again, less and less often; so is a checkout with which its person was
sent to the merchant's own page. What is shown goes the way that an event goes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from daybook.checkpoints.ledger.outside import OutsideEvent
from daybook.checkpoints.people.threads import standing
from daybook.graph.build import build
from daybook.graph.merchants.events import Taken, event_of, take_up, take_up_checkout
from daybook.nodes.running.work import Resources
from daybook.state.effects.keys import digest
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.state.merchants.state import OpenCheckout
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp.checkout import IN_HAND

_AT_ONCE = 50
"""Events that one round takes up, and conversations that it looks at, at most."""

_FIRST, _LAST = timedelta(minutes=1), timedelta(hours=6)
"""Between two looks at the same thing: it doubles from the one to the other."""

_WAITS = ("requires_escalation", IN_HAND)


@dataclass(frozen=True)
class Watched:
    """Something that may go on at a merchant without us: an order, or a checkout.

    Attributes:
        checkout: how it stood when it was looked at last; None for an order.
    """

    merchant: str
    checkout_id: str = ""
    order_id: str = ""
    currency: str = ""
    thread_id: str = ""
    user_id: str = ""
    checkout: OpenCheckout | None = field(default=None, compare=False)


@dataclass
class Polls:
    """When each thing that is watched is looked at next; it is forgotten when the process ends."""

    _next: dict[Watched, tuple[datetime, timedelta]] = field(default_factory=dict)

    async def __call__(self, resources: Resources) -> Sequence[str]:
        """Do one round; say what was taken up."""
        services: MerchantServices = resources.services
        said: list[str] = []
        async for one in _watched(resources):
            if self._is_due(one, resources.clock.now()):
                with suppress(ServiceUnavailable, ToolRefused):
                    said += await self._looked(resources, one)
        for event in await resources.postgres.outside.left(services.names, _AT_ONCE):
            if await take_up(resources, event) is Taken.UP:
                said.append(f"{event.source} told of the order {event.reference}")
        return said

    async def _looked(self, resources: Resources, one: Watched) -> Sequence[str]:
        """Ask how something stands; keep what came of it, and tell the thread what has moved."""
        services: MerchantServices = resources.services
        merchant = services.merchant(one.merchant)
        if one.checkout is None:
            order = await merchant.order(one.order_id, one.currency)
            if "checkout_id" in order:
                await resources.postgres.outside.keep(_as_event(merchant.name, order))
            return []
        checkout = await merchant.checkout(one.checkout_id)
        if checkout.status == "completed" and checkout.order_id:
            shown = {**checkout.facts(), "events": [], "adjustments": [], "url": checkout.order_url}
            await resources.postgres.outside.keep(_as_event(merchant.name, shown))
            return []
        if checkout.status == one.checkout.status:
            return []
        about = (one.thread_id, one.user_id, checkout.facts())
        if not await take_up_checkout(resources, merchant.name, *about):
            # Somebody is at work on the thread: it is looked at again with the next round.
            self._next.pop(one, None)
            return []
        return [f"{merchant.name} has the checkout {one.checkout_id} as {checkout.status}"]

    def _is_due(self, one: Watched, now: datetime) -> bool:
        at, pause = self._next.get(one, (now, _FIRST))
        if at > now:
            return False
        self._next[one] = (now + pause, min(pause * 2, _LAST))
        return True


async def _watched(resources: Resources) -> AsyncIterator[Watched]:
    """Find what may go on without us, in the conversations that were active last."""
    graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)
    for one in await standing(resources.postgres.pool, MERCHANTS.name, most=_AT_ONCE):
        if one.status == "closed":
            continue
        snapshot = await graph.aget_state({"configurable": {"thread_id": one.thread_id}})
        for order in snapshot.values.get("orders", ()):
            yield Watched(order.merchant, order_id=order.order_id, currency=order.currency)
        for cart in snapshot.values.get("carts", ()):
            known = cart.checkout
            if known is not None and (known.status in _WAITS or known.continue_url):
                yield Watched(
                    cart.merchant,
                    checkout_id=known.checkout_id,
                    thread_id=one.thread_id,
                    user_id=one.user_id,
                    checkout=known,
                )


def _as_event(merchant: str, shown: Mapping[str, Any]) -> OutsideEvent:
    """Write down what a look-up shows of an order as an event would tell it."""
    return event_of(merchant, shown, f"looked {digest(dict(shown))[:40]}")
