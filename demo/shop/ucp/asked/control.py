"""What becomes of orders, as a test or a demonstration wants it: sent, delivered, paid back."""

import sqlite3
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop.clock import now
from daybook.demo.shop.door.bodies import Body
from daybook.demo.shop.door.requests import body_of, world_of
from daybook.demo.shop.ucp.selling import orders
from daybook.demo.shop.ucp.told import outbox

Word = Annotated[str, Field(min_length=1, max_length=100)]
T = TypeVar("T")


class ShipmentBody(Body):
    """Say what happened to goods of an order; all that is left of it where no line is named."""

    type: Word
    line_items: dict[Word, Annotated[int, Field(ge=1)]] | None = None
    carrier: Word | None = None
    tracking_number: Word | None = None
    description: Word | None = None


class AdjustmentBody(Body):
    """Say what was done about an order; once more by the same id, it stands otherwise now.

    `amount` in cents, less than nothing where the customer is given something.
    """

    id: Word
    type: Word
    status: Literal["pending", "completed", "failed"]
    amount: int | None = None
    description: Word | None = None


async def ship(request: Request) -> Response:
    """Add what happened to goods of an order."""
    asked = await body_of(request, ShipmentBody)
    order_id = request.path_params["id"]
    told = asked.model_dump(exclude_none=True)
    return await changed(request, lambda connection: orders.ship(connection, order_id, told, now()))


async def adjust(request: Request) -> Response:
    """Add what was done about an order, or say how it stands now."""
    asked = await body_of(request, AdjustmentBody)
    order_id = request.path_params["id"]
    told = asked.model_dump(exclude_none=True)
    return await changed(
        request, lambda connection: orders.adjust(connection, order_id, told, now())
    )


async def tell_again(request: Request) -> Response:
    """Send an event once more that was sent: the same bytes, under the same id."""
    event_id = request.path_params["id"]
    return await changed(request, lambda connection: outbox.again(connection, event_id))


async def changed(request: Request, work: Callable[[sqlite3.Connection], T]) -> Response:
    """Do it, and let those look who tell of it."""
    world = world_of(request)
    done: Any = await world.database.transact(work)
    world.happened()
    return JSONResponse(done)


ROUTES = [
    Route("/admin/ucp/orders/{id}/shipments", ship, methods=["POST"]),
    Route("/admin/ucp/orders/{id}/adjustments", adjust, methods=["POST"]),
    Route("/admin/webhooks/{id}/again", tell_again, methods=["POST"]),
]
