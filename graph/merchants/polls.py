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
from daybook.checkpoints.people.lifecycle import standing
from daybook.graph.build import build
from daybook.graph.merchants.taken import Taken, take_up
from daybook.nodes.running.work import Resources
from daybook.state.effects.keys import digest
from daybook.state.errors import ServiceUnavailable, ToolRefused
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.merchant import Merchant
from daybook.tools.merchants.services import MerchantServices
from daybook.tools.merchants.ucp.events import newness_of
from daybook.tools.merchants.ucp.outcomes import facts

_AT_ONCE = 50
"""Events that one round takes up, and conversations that it looks at, at most."""

_FIRST, _LAST = timedelta(minutes=1), timedelta(hours=6)
"""Between two looks at the same thing: it doubles from the one to the other."""

_WAITS = ("requires_escalation", "complete_in_progress")


@dataclass(frozen=True)
class Watched:
    """Something that may go on at a merchant without us: an order, or a checkout."""

    merchant: str
    checkout_id: str = ""
    order_id: str = ""
    currency: str = ""


@dataclass
class Polls:
    """When each thing that is watched is looked at next; it is forgotten when the process ends."""

    _next: dict[Watched, tuple[datetime, timedelta]] = field(default_factory=dict)

    async def __call__(self, resources: Resources) -> Sequence[str]:
        """Do one round; say what was taken up."""
        services: MerchantServices = resources.services
        async for one in _watched(resources):
            if self._is_due(one, resources.clock.now()):
                with suppress(ServiceUnavailable, ToolRefused):
                    if shown := await _look(services.merchant(one.merchant), one):
                        await resources.postgres.outside.keep(shown)
        said = []
        for event in await resources.postgres.outside.left(services.names, _AT_ONCE):
            if await take_up(resources, event) is Taken.UP:
                said.append(f"{event.source} told of the order {event.reference}")
        return said

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
            if cart.checkout is not None and cart.checkout.status in _WAITS:
                yield Watched(cart.merchant, checkout_id=cart.checkout.checkout_id)


async def _look(merchant: Merchant, one: Watched) -> OutsideEvent | None:
    """Ask a merchant how something stands, as an event would tell it; None where nothing came."""
    if one.order_id:
        shown: Mapping[str, Any] = await merchant.order(one.order_id, one.currency)
    else:
        checkout = await merchant.checkout(one.checkout_id)
        if checkout.status != "completed" or not checkout.order_id:
            return None
        shown = {**facts(checkout), "events": [], "adjustments": [], "url": checkout.order_url}
    if "checkout_id" not in shown:
        return None
    return OutsideEvent(
        source=merchant.name,
        event_id=f"looked {digest(dict(shown))[:40]}",
        about=shown["checkout_id"],
        reference=shown["order_id"],
        newness=newness_of(shown),
        facts=shown,
    )
