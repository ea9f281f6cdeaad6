import sqlite3
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop import people
from daybook.demo.shop.clock import now
from daybook.demo.shop.database import shop_id
from daybook.demo.shop.door.bodies import Body
from daybook.demo.shop.door.requests import body_of, world_of
from daybook.demo.shop.faults import Fault, Mode, Place
from daybook.demo.shop.goods import products
from daybook.demo.shop.mail import mailbox
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import ENDPOINTS, UCP_ENDPOINTS, Signatures, capabilities
from daybook.demo.shop.ucp.said.versions import Version
from daybook.demo.shop.ucp.told import outbox
from daybook.demo.shop.world import World

Seconds = Annotated[float, Field(ge=0, le=86_400)]
DEFAULT_SECONDS: dict[Mode, float] = {
    "refuse": 0.0,
    "timeout": 30.0,
    "drop": 0.0,
    "late": 1.0,
    "slow": 1.0,
    "held": 1.0,
    "double": 0.0,
    "forge": 0.0,
    "escalate": 0.0,
    "in_progress": 1.0,
    "in_progress_declined": 1.0,
    "in_progress_canceled": 1.0,
}
OF_REQUESTS: tuple[Mode, ...] = ("refuse", "timeout", "drop", "late", "slow", "held")
GOES_WRONG: dict[str, tuple[Mode, ...]] = {
    "webhooks": ("refuse", "drop", "late", "double", "forge"),
    "sessions": (*OF_REQUESTS, "escalate"),
    "completions": (
        *OF_REQUESTS,
        "escalate",
        "in_progress",
        "in_progress_declined",
        "in_progress_canceled",
    ),
}
"""What can go wrong at some places; at the others it is what can with any request."""


class FaultBody(Body):
    """Ask that the next `times` matching requests are spoilt."""

    endpoint: Place
    mode: Mode
    times: Annotated[int, Field(ge=1, le=100_000)] = 1
    seconds: Seconds | None = None
    match: Annotated[str, Field(max_length=200)] = ""
    beyond_settle: bool = False


class KeysBody(Body):
    """Ask that an endpoint, or all, treat idempotency keys differently."""

    endpoint: Literal[
        "*",
        "holds",
        "releases",
        "charges",
        "refunds",
        "orders",
        "cancellations",
        "carts",
        "sessions",
        "completions",
    ]
    honour: bool | None = None
    stores_failures: bool | None = None
    retention_seconds: Annotated[int, Field(ge=0, le=315_360_000)] | None = None


class ProductBody(Body):
    """Ask for another price (cents) or another available stock."""

    price: Annotated[int, Field(gt=0, le=1_000_000_000)] | None = None
    stock: Annotated[int, Field(ge=0, le=1_000_000)] | None = None


class SettingsBody(Body):
    """Ask for other times, in seconds, and for another conduct as a merchant."""

    hold_seconds: Seconds | None = None
    settle_seconds: Seconds | None = None
    signatures: Signatures | None = None
    ucp_version: Version | None = None


async def health(request: Request) -> Response:
    """Say that the shop is there."""
    return JSONResponse({"ok": True})


async def show_capabilities(request: Request) -> Response:
    """Say what callers may rely on at present."""
    return JSONResponse(await _capabilities(world_of(request)))


async def _capabilities(world: World) -> dict[str, Any]:
    return capabilities(world.settings, await world.database.transact(shop_id))


async def add_fault(request: Request) -> Response:
    """Queue a fault."""
    asked = await body_of(request, FaultBody)
    world = world_of(request)
    seconds = DEFAULT_SECONDS[asked.mode] if asked.seconds is None else asked.seconds
    if asked.endpoint == "mail" and asked.mode in ("late", "held"):
        raise Refusal(422, "invalid", f"Mail cannot be {asked.mode}: it is taken or it is not.")
    if asked.mode not in GOES_WRONG.get(asked.endpoint, OF_REQUESTS):
        raise Refusal(422, "invalid", "That does not go wrong there.")
    if asked.mode == "late" and seconds > world.settings.settle_seconds and not asked.beyond_settle:
        raise Refusal(
            422, "beyond_settle", "Later than settle_seconds promises; ask with beyond_settle."
        )
    fault = Fault(
        asked.endpoint, asked.mode, seconds, asked.match, asked.times, asked.beyond_settle
    )
    world.faults.add(fault)
    return JSONResponse(fault.shown(), 201)


async def clear_faults(request: Request) -> Response:
    """Forget the faults that no request has met yet."""
    faults = world_of(request).faults
    faults.clear()
    return JSONResponse(faults.shown())


async def list_faults(request: Request) -> Response:
    """List the faults that no request has met yet, and count the requests that are in one."""
    return JSONResponse(world_of(request).faults.shown())


async def hurry(request: Request) -> Response:
    """Let all who wait in a fault go on at once: a test need not wait for the late ones."""
    world = world_of(request)
    world.hurry()
    return JSONResponse(world.faults.shown())


async def put_keys(request: Request) -> Response:
    """Change how keys are treated."""
    asked = await body_of(request, KeysBody)
    given = {
        "honours_key": asked.honour,
        "stores_failures": asked.stores_failures,
        "retention_seconds": asked.retention_seconds,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    world = world_of(request)
    every = (*ENDPOINTS, *UCP_ENDPOINTS)
    endpoints = every if asked.endpoint == "*" else (asked.endpoint,)
    world.settings = world.settings.with_keys(endpoints, **changes)
    return JSONResponse(await _capabilities(world))


async def put_settings(request: Request) -> Response:
    """Change how long holds live, how late effects may come, what is signed and spoken."""
    asked = await body_of(request, SettingsBody)
    world = world_of(request)
    world.settings = world.settings.changed(**asked.model_dump(exclude_none=True))
    return JSONResponse(await _capabilities(world))


async def put_product(request: Request) -> Response:
    """Change a price or the available stock; live holds keep what they hold."""
    asked = await body_of(request, ProductBody)
    sku = request.path_params["sku"]

    def change(connection: sqlite3.Connection) -> dict[str, object]:
        products.require_product(connection, sku)
        if asked.price is not None:
            products.set_price(connection, sku, asked.price)
        if asked.stock is not None:
            products.set_available(connection, sku, asked.stock, now())
        return products.product(connection, sku, now())

    return JSONResponse(await world_of(request).database.transact(change))


async def remove_card(request: Request) -> Response:
    """Take a card off file, as its owner might meanwhile."""
    card_id = request.path_params["card_id"]
    await world_of(request).database.transact(
        lambda connection: people.remove_card(connection, card_id)
    )
    return JSONResponse({"ok": True})


async def reset(request: Request) -> Response:
    """Go back to the seeded state."""
    await world_of(request).reset()
    return JSONResponse({"ok": True})


async def list_mail(request: Request) -> Response:
    """List the messages that were accepted, oldest first."""
    return JSONResponse(await world_of(request).database.transact(mailbox.listed))


async def list_webhooks(request: Request) -> Response:
    """List what was told of orders by webhook, oldest first, and what became of it."""
    return JSONResponse(await world_of(request).database.transact(outbox.listed))


ROUTES = [
    Route("/health", health),
    Route("/capabilities", show_capabilities),
    Route("/mail", list_mail),
    Route("/admin/webhooks", list_webhooks),
    Route("/admin/faults", add_fault, methods=["POST"]),
    Route("/admin/faults", clear_faults, methods=["DELETE"]),
    Route("/admin/faults", list_faults, methods=["GET"]),
    Route("/admin/hurry", hurry, methods=["POST"]),
    Route("/admin/keys", put_keys, methods=["PUT"]),
    Route("/admin/settings", put_settings, methods=["PUT"]),
    Route("/admin/products/{sku}", put_product, methods=["PUT"]),
    Route("/admin/cards/{card_id}", remove_card, methods=["DELETE"]),
    Route("/admin/reset", reset, methods=["POST"]),
]
