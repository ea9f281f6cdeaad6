import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from daybook.demo.shop.door import bodies
from daybook.demo.shop.effects import cancellations, charges, holds, orders
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.faults import Place


@dataclass(frozen=True)
class Operation:
    """Describe one endpoint that changes the world: what it takes, does and can be looked up by.

    `perform` gets an instance of `body`; it returns the 201 body or raises Refusal before it
    writes. `matches` returns everything that was performed under a reference.
    """

    endpoint: Place
    body: type[bodies.EffectBody]
    perform: Callable[[sqlite3.Connection, Any, Terms], dict[str, Any]]
    matches: Callable[[sqlite3.Connection, str, datetime], list[dict[str, Any]]]


OPERATIONS = (
    Operation("holds", bodies.HoldBody, holds.reserve, holds.holds_of),
    Operation("releases", bodies.ReleaseBody, holds.release, holds.releases_of),
    Operation("charges", bodies.ChargeBody, charges.charge, charges.charges_of),
    Operation("refunds", bodies.RefundBody, charges.refund, charges.refunds_of),
    Operation("orders", bodies.OrderBody, orders.place, orders.orders_of),
    Operation(
        "cancellations",
        bodies.CancellationBody,
        cancellations.cancel,
        cancellations.cancellations_of,
    ),
)
