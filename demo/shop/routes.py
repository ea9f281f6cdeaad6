"""The shop over HTTP: its catalogue, the six effect endpoints, the control plane."""

import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop import clock, effects, goods, keys, mail, people
from daybook.demo.shop.catalogue import POLICIES
from daybook.demo.shop.clock import Terms
from daybook.demo.shop.connection import Severed
from daybook.demo.shop.database import shop_id
from daybook.demo.shop.effects import Body, EffectBody, Operation
from daybook.demo.shop.faults import Abandoned, Fault, Mode, Place, Refusal
from daybook.demo.shop.requests import (
    Act,
    Call,
    body_of,
    key_of,
    line_of,
    query_of,
    respond,
    spoil_look_up,
    world_of,
)
from daybook.demo.shop.settings import (
    ENDPOINTS,
    UCP_ENDPOINTS,
    KeyRule,
    Profiles,
    Signatures,
    Version,
    capabilities,
)
from daybook.demo.shop.ucp import events, mcp, rest
from daybook.demo.shop.world import World

Endpoint = Callable[[Request], Awaitable[Response]]
Seconds = Annotated[float, Field(ge=0, le=86_400)]

OF_REQUESTS: tuple[Mode, ...] = ("refuse", "timeout", "drop", "late", "slow", "held")
GOES_WRONG: dict[str, tuple[Mode, ...]] = {
    "webhooks": ("refuse", "drop", "late", "double", "forge"),
    "mail": ("refuse", "timeout", "drop", "slow"),
}
"""What can go wrong at some places; at the others it is what can with any request."""
USUAL_SECONDS: dict[Mode, float] = {"timeout": 30.0, "late": 1.0, "slow": 1.0, "held": 1.0}


async def asked(request: Request, work: Callable[[sqlite3.Connection], Any]) -> Response:
    """Answer with what comes of a transaction."""
    return JSONResponse(await world_of(request).database.transact(work))


# -- the catalogue --------------------------------------------------------------------------------


class SearchQuery(BaseModel):
    """Ask for products: words, a category, a highest price in cents (inclusive)."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(max_length=300)] = ""
    category: Annotated[str, Field(max_length=60)] | None = None
    max_price: Annotated[int, Field(ge=0, le=10**12)] | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10


async def search(request: Request) -> Response:
    """Rank the products that fit; `match` says whether they fit all words or some."""
    wanted = query_of(request, SearchQuery)
    if not wanted.query.strip() and not wanted.category:
        raise Refusal(400, "nothing_asked", "Give search words or a category.")
    world, category = world_of(request), wanted.category or None
    there = world.search.categories
    if category is not None and category not in there:
        raise Refusal(
            404, "unknown_category", "There is no such category.", categories=sorted(there)
        )
    hits = await world.database.transact(lambda opened: goods.hits(opened, clock.now()))
    most = wanted.max_price
    affordable = {sku: hit for sku, hit in hits.items() if most is None or hit["price"] <= most}
    skus, match = world.search.rank(wanted.query, category, affordable)
    shown = [hits[sku] for sku in skus[: wanted.limit]]
    return JSONResponse({"products": shown, "match": match})


def policy(topic: str) -> dict[str, Any]:
    """Say what holds on a topic, such as shipping; raise Refusal (404 unknown_topic)."""
    if topic not in POLICIES:
        raise Refusal(404, "unknown_topic", "There is no such topic.", topics=sorted(POLICIES))
    return {"topic": topic, "text": POLICIES[topic]}


# -- effects --------------------------------------------------------------------------------------


def post(operation: Operation) -> Endpoint:
    """Return the handler that performs an operation."""

    async def perform(request: Request) -> Response:
        world = world_of(request)
        ended, hurried = world.ended, world.hurried
        body, key = await body_of(request, operation.body), key_of(request)
        act, line = act_of(operation, body, key), line_of(request)
        place, reference = operation.endpoint, body.reference
        given = await respond(Call(world, line, place, reference, key, act, ended, hurried))
        headers = {"Idempotent-Replayed": "true"} if given.replayed else None
        return JSONResponse(given.body, given.status, headers)

    return perform


REUSED = Refusal(422, "key_reused", "The key was used before for another request.")
BUSINESS_REFUSALS = frozenset({402, 404, 409})


def act_of(operation: Operation, body: EffectBody, key: str | None) -> Act:
    """Return what performs an operation, once for each key where keys are honoured."""

    def act(connection: sqlite3.Connection, agreed: Terms, rule: KeyRule) -> keys.Answer:
        def perform() -> keys.Answer:
            return keys.perform(connection, lambda: operation.perform(connection, body, agreed))

        def keeps(given: keys.Answer) -> bool:
            is_refused = rule.stores_failures and given.status in BUSINESS_REFUSALS
            return given.status == keys.PERFORMED or is_refused

        if key is None or not rule.honours_key:
            return perform()
        keyed = keys.Keyed(operation.endpoint, key, keys.fingerprint(body.model_dump()))
        reused = keys.Answer(REUSED.status, REUSED.body)
        return keys.once(connection, keyed, rule, agreed.at, perform, keeps=keeps, reused=reused)

    return act


def look_up(operation: Operation) -> Endpoint:
    """Return the handler that finds all that was performed under a reference."""

    async def find(request: Request) -> Response:
        if operation.endpoint == "orders" and "user_id" in request.query_params:
            user_id = request.query_params["user_id"]
            return await asked(
                request, lambda opened: {"orders": effects.orders_by(opened, user_id)}
            )
        reference = request.query_params.get("reference")
        if not reference:
            raise Refusal(400, "reference_missing", "Give the reference to look up.")
        await spoil_look_up(world_of(request), line_of(request), reference)
        return await asked(
            request,
            lambda opened: {
                "matches": effects.found(
                    opened, operation.select, "reference", reference, clock.now()
                )
            },
        )

    return find


def show(get: Callable[[sqlite3.Connection, str], dict[str, Any]]) -> Endpoint:
    """Return the handler that shows one thing by its id."""

    async def one(request: Request) -> Response:
        return await asked(request, lambda opened: get(opened, request.path_params["id"]))

    return one


# -- the control plane ----------------------------------------------------------------------------


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

    endpoint: Literal["*", Place]
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
    profiles: Profiles | None = None
    ucp_version: Version | None = None


async def health(request: Request) -> Response:
    """Say that the shop is there."""
    return JSONResponse({"ok": True})


async def show_capabilities(request: Request) -> Response:
    """Say what callers may rely on at present."""
    world = world_of(request)
    return await asked(request, lambda opened: capabilities(world.settings, shop_id(opened)))


async def add_fault(request: Request) -> Response:
    """Queue a fault."""
    wanted = await body_of(request, FaultBody)
    world, mode = world_of(request), wanted.mode
    seconds = USUAL_SECONDS.get(mode, 0.0) if wanted.seconds is None else wanted.seconds
    if mode not in GOES_WRONG.get(wanted.endpoint, OF_REQUESTS):
        raise Refusal(422, "invalid", "This fault is not available at this endpoint.")
    if mode == "late" and seconds > world.settings.settle_seconds and not wanted.beyond_settle:
        raise Refusal(
            422, "beyond_settle", "Later than settle_seconds promises; ask with beyond_settle."
        )
    fault = Fault(wanted.endpoint, mode, seconds, wanted.match, wanted.times, wanted.beyond_settle)
    world.faults.add(fault)
    return JSONResponse(fault.state(), 201)


async def list_faults(request: Request) -> Response:
    """List the faults that no request has met yet, and count the requests that are in one."""
    faults = world_of(request).faults
    if request.method == "DELETE":
        faults.clear()
    return JSONResponse(faults.state())


async def hurry(request: Request) -> Response:
    """Let all who wait in a fault go on at once: a test need not wait for the late ones."""
    world = world_of(request)
    world.hurry()
    return JSONResponse(world.faults.state())


async def put_keys(request: Request) -> Response:
    """Change how keys are treated."""
    wanted = (await body_of(request, KeysBody)).model_dump(exclude_none=True)
    world, every = world_of(request), (*ENDPOINTS, *UCP_ENDPOINTS)
    endpoint = wanted.pop("endpoint")
    if endpoint not in ("*", *every):
        raise Refusal(422, "invalid", "This endpoint has no idempotency keys.", field="endpoint")
    if "honour" in wanted:
        wanted["honours_key"] = wanted.pop("honour")
    endpoints = every if endpoint == "*" else (endpoint,)
    world.settings = world.settings.with_keys(endpoints, **wanted)
    return await show_capabilities(request)


async def put_settings(request: Request) -> Response:
    """Change how long holds live, how late effects may come, what is signed and spoken."""
    wanted = (await body_of(request, SettingsBody)).model_dump(exclude_none=True)
    world = world_of(request)
    world.settings = replace(world.settings, **wanted)
    return await show_capabilities(request)


async def put_product(request: Request) -> Response:
    """Change a price or the available stock; live holds keep what they hold."""
    wanted = await body_of(request, ProductBody)
    sku = request.path_params["id"]

    def change(connection: sqlite3.Connection) -> dict[str, Any]:
        goods.require_product(connection, sku)
        if wanted.price is not None:
            connection.execute("update product set price = ? where sku = ?", (wanted.price, sku))
        if wanted.stock is not None:
            goods.set_available(connection, sku, wanted.stock, clock.now())
        return goods.product(connection, sku, clock.now())

    return await asked(request, change)


async def remove_card(request: Request) -> Response:
    """Take a card off file, as its owner might meanwhile."""
    card_id = request.path_params["id"]
    await world_of(request).database.transact(lambda opened: people.remove_card(opened, card_id))
    return JSONResponse({"ok": True})


async def reset(request: Request) -> Response:
    """Go back to the seeded state."""
    await world_of(request).reset()
    return JSONResponse({"ok": True})


def listing(work: Callable[[sqlite3.Connection], Any]) -> Endpoint:
    """Return the handler that lists all of a kind."""

    async def listed(request: Request) -> Response:
        return await asked(request, work)

    return listed


# -- all of it ------------------------------------------------------------------------------------


async def refuse(request: Request, error: Exception) -> Response:
    """Answer a refusal in the shape that all errors of the shop have."""
    assert isinstance(error, Refusal)
    return JSONResponse(error.body, error.status)


async def misroute(request: Request, error: Exception) -> Response:
    """Answer what Starlette refuses by itself in the same shape."""
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "refused")
    body = {"error": code, "message": f"{error.detail}."}
    return JSONResponse(body, error.status_code, error.headers)


async def sever(request: Request, error: Exception) -> Response:
    """Close the connection of a caller that gets no answer."""
    return Severed()


async def fail(request: Request, error: Exception) -> Response:
    """Answer a mistake of the shop's own; the traceback goes to the log."""
    return JSONResponse({"error": "internal", "message": "The shop failed."}, 500)


ROUTES = [
    Route("/health", health),
    Route("/capabilities", show_capabilities),
    Route("/products", search),
    Route("/products/{id}", show(lambda opened, sku: goods.product(opened, sku, clock.now()))),
    Route("/products/{id}/reviews", show(goods.reviews)),
    Route("/categories", listing(goods.categories)),
    Route("/policies/{id}", show(lambda _, topic: policy(topic))),
    Route("/users/{id}", show(people.profile)),
    *(Route(f"/{one.endpoint}", post(one), methods=["POST"]) for one in effects.OPERATIONS),
    *(Route(f"/{one.endpoint}", look_up(one), methods=["GET"]) for one in effects.OPERATIONS),
    Route("/holds/{id}", show(lambda opened, id_: effects.hold(opened, id_, clock.now()))),
    Route("/charges/{id}", show(effects.charge)),
    Route("/orders/{id}", show(effects.order)),
    Route("/effects", listing(effects.performed)),
    Route("/mail", listing(mail.listed)),
    Route("/admin/webhooks", listing(events.listed)),
    Route("/admin/faults", add_fault, methods=["POST"]),
    Route("/admin/faults", list_faults, methods=["GET", "DELETE"]),
    Route("/admin/hurry", hurry, methods=["POST"]),
    Route("/admin/keys", put_keys, methods=["PUT"]),
    Route("/admin/settings", put_settings, methods=["PUT"]),
    Route("/admin/products/{id}", put_product, methods=["PUT"]),
    Route("/admin/cards/{id}", remove_card, methods=["DELETE"]),
    Route("/admin/reset", reset, methods=["POST"]),
]


def application(world: World) -> Starlette:
    """Return the HTTP application that serves this world."""
    app = Starlette(
        routes=[*ROUTES, *rest.ROUTES, *mcp.ROUTES],
        exception_handlers={
            Refusal: refuse,
            HTTPException: misroute,
            Abandoned: sever,
            Exception: fail,
        },
    )
    app.router.redirect_slashes = False
    app.state.world = world
    return app
