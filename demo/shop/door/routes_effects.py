import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daybook.demo.shop.clock import now
from daybook.demo.shop.door.bodies import EffectBody
from daybook.demo.shop.door.operations import OPERATIONS, Operation
from daybook.demo.shop.door.requests import body_of, key_of, line_of, world_of
from daybook.demo.shop.door.serving import Act, Call, answer, spoil_look_up
from daybook.demo.shop.effects import charges, holds, keys, orders, performed
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import KeyRule

Endpoint = Callable[[Request], Awaitable[Response]]


def post(operation: Operation) -> Endpoint:
    """Return the handler that performs an operation."""

    async def perform(request: Request) -> Response:
        world = world_of(request)
        ended, hurried = world.ended, world.hurried
        body, key = await body_of(request, operation.body), key_of(request)
        given = await answer(
            Call(
                world,
                line_of(request),
                operation.endpoint,
                body.reference,
                key,
                act_of(operation, body, key),
                ended,
                hurried,
            )
        )
        headers = {"Idempotent-Replayed": "true"} if given.replayed else None
        return JSONResponse(given.body, given.status, headers)

    return perform


def act_of(operation: Operation, body: EffectBody, key: str | None) -> Act:
    """Return what performs an operation, once for each key where keys are honoured."""

    def act(connection: sqlite3.Connection, agreed: Terms, rule: KeyRule) -> keys.Answer:
        def effect() -> dict[str, Any]:
            return operation.perform(connection, body, agreed)

        if key is None or not rule.honours_key:
            return keys.perform(connection, effect)
        keyed = keys.Keyed(operation.endpoint, key, keys.fingerprint(body.model_dump()))
        return keys.perform_once(connection, keyed, rule, agreed.at, effect)

    return act


def look_up(operation: Operation) -> Endpoint:
    """Return the handler that finds all that was performed under a reference."""

    async def find(request: Request) -> Response:
        if operation.endpoint == "orders" and "user_id" in request.query_params:
            return await orders_by_user(request)
        reference = request.query_params.get("reference")
        if not reference:
            raise Refusal(400, "reference_missing", "Give the reference to look up.")
        await spoil_look_up(world_of(request), line_of(request), reference)
        found = await world_of(request).database.transact(
            lambda connection: operation.matches(connection, reference, now())
        )
        return JSONResponse({"matches": found})

    return find


async def orders_by_user(request: Request) -> Response:
    """List the orders of a user, newest last."""
    user_id = request.query_params["user_id"]
    found = await world_of(request).database.transact(
        lambda connection: orders.orders_by(connection, user_id)
    )
    return JSONResponse({"orders": found})


def show(get: Callable[[sqlite3.Connection, str], dict[str, Any]]) -> Endpoint:
    """Return the handler that shows one thing by its id."""

    async def one(request: Request) -> Response:
        identifier = request.path_params["id"]
        return JSONResponse(
            await world_of(request).database.transact(
                lambda connection: get(connection, identifier)
            )
        )

    return one


async def list_effects(request: Request) -> Response:
    """List every effect that really happened, oldest first."""
    return JSONResponse(await world_of(request).database.transact(performed.listed))


ROUTES = [
    *(Route(f"/{op.endpoint}", post(op), methods=["POST"]) for op in OPERATIONS),
    *(Route(f"/{op.endpoint}", look_up(op), methods=["GET"]) for op in OPERATIONS),
    Route("/holds/{id}", show(lambda connection, id_: holds.get(connection, id_, now()))),
    Route("/charges/{id}", show(charges.get)),
    Route("/orders/{id}", show(orders.get)),
    Route("/effects", list_effects),
]
