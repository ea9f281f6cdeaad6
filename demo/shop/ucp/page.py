"""The shop's own page of a session: where its customer goes on when the shop wants to see them."""

import sqlite3
from html import escape
from typing import Literal
from urllib.parse import parse_qs

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from daybook.demo.shop import clock
from daybook.demo.shop.clock import Terms
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.requests import raw_of, world_of
from daybook.demo.shop.ucp import checkout, sessions
from daybook.demo.shop.ucp.checkout import Declined

Wish = Literal["allow", "order", "cancel"]
"""What the customer does there: lets whoever buys for them go on, orders, or cancels."""

WISH: TypeAdapter[Wish] = TypeAdapter(Wish)
ON_FILE = "card_ada_1"
"""The card that is paid with at the page."""

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Your order</title>
<h1>Your order</h1>
<p>It is {state}. Goods: {goods}.</p>
<form method="post">
<button name="wish" value="allow">Let my agent go on</button>
<button name="wish" value="order">Order it now with the card on file</button>
<button name="wish" value="cancel">Cancel it</button>
</form>
"""


async def show(request: Request) -> Response:
    """Show a session to its customer."""
    session_id = request.path_params["id"]
    return HTMLResponse(
        await world_of(request).database.transact(lambda connection: shown(connection, session_id))
    )


async def settle(request: Request) -> Response:
    """Do what the customer wants of a session; raise Refusal (404 not_found, 409, 422 invalid)."""
    world, session_id = world_of(request), request.path_params["id"]
    given = parse_qs((await raw_of(request)).decode("utf-8", "replace"))
    try:
        wish = WISH.validate_python(given.get("wish", [""])[0])
    except ValidationError as error:
        raise Refusal(422, "invalid", "The page has no such button.") from error
    agreed = clock.present(world.settings.hold_seconds)

    def work(connection: sqlite3.Connection) -> str:
        settled(connection, session_id, wish, agreed)
        return shown(connection, session_id)

    page = await world.database.transact(work)
    world.happened()
    return HTMLResponse(page)


def settled(connection: sqlite3.Connection, session_id: str, wish: Wish, agreed: Terms) -> None:
    """Let a session be as its customer wants it; raise Refusal."""
    session = sessions.found(connection, session_id)
    checkout.require_open(connection, session, agreed)
    match wish:
        case "allow":
            session.waits, session.was_there = "", True
            sessions.save(connection, session)
        case "cancel":
            checkout.end(connection, session, agreed)
        case "order":
            if sessions.lacks(session):
                raise Refusal(409, "invalid_state", "Something of it is missing yet.")
            try:
                checkout.pay(connection, session, ON_FILE, agreed)
            except Declined as why:
                raise Refusal(402, "payment_failed", str(why)) from why
            sessions.save(connection, session)


def shown(connection: sqlite3.Connection, session_id: str) -> str:
    """Return the page of a session; raise Refusal (404 not_found)."""
    session = sessions.found(connection, session_id)
    goods = ", ".join(f"{line.quantity} x {line.title}" for line in session.lines)
    return PAGE.format(state=session.state, goods=escape(goods))


ROUTES = [
    Route(f"{sessions.ITS_PAGE}/{{id}}", show),
    Route(f"{sessions.ITS_PAGE}/{{id}}", settle, methods=["POST"]),
]
