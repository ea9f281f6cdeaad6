"""Opening, changing and giving back a session: what it holds is held from here on."""

import sqlite3
from typing import Any

from daybook.demo.shop.clock import stamp
from daybook.demo.shop.door.bodies import HoldBody, ReleaseBody
from daybook.demo.shop.effects import holds
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.goods.products import available
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.ucp.said.envelope import nothing, warning
from daybook.demo.shop.ucp.selling import carts, delivery, lines, sessions
from daybook.demo.shop.ucp.selling.bodies import Wanted
from daybook.demo.shop.ucp.selling.conduct import AS_USUAL, Conduct
from daybook.demo.shop.ucp.selling.lines import AlreadyThere, Line, NothingMade
from daybook.demo.shop.ucp.selling.sessions import Session

MOST_HELD = 1000
"""Of one product, by one hold."""


def create(
    connection: sqlite3.Connection,
    asked: Wanted,
    agent: str,
    base: str,
    terms: Terms,
    *,
    conduct: Conduct = AS_USUAL,
) -> dict[str, Any]:
    """Open a session for what is asked for, or for what is in a cart.

    Raises Refusal (400 invalid_request, 404 not_found), NothingMade and AlreadyThere.
    """
    if asked.cart_id is not None:
        of_cart = sessions.of_cart(connection, asked.cart_id, terms.at)
        if of_cart is not None:
            # A cart is one session at a time: whoever asks again is shown what there is.
            raise AlreadyThere(sessions.shown(connection, of_cart, terms.at))
    session = sessions.begun(connection, agent, base)
    session.cart_id = asked.cart_id
    if asked.cart_id is not None:
        known, buyer = carts.opened(connection, asked.cart_id)
        session.lines = known
        session.buyer = dict(buyer) if buyer else asked.buyer
        reprice(connection, session, terms)
        session.notes = []
    else:
        if not asked.line_items:
            raise Refusal(400, "invalid_request", "Say what is to be bought: line_items.")
        session.lines = lines.priced(connection, asked.line_items)
        session.buyer = asked.buyer
    session.delivery = delivery.wanted(asked.fulfillment, session.delivery)
    hold(connection, session, terms)
    if not any(line.hold_id for line in session.lines):
        raise NothingMade(nothing(*sessions.lacks_stock(session)))
    session.waits = "input" if conduct.wants_its_customer else ""
    sessions.save(connection, session)
    return sessions.shown(connection, session, terms.at)


def update(
    connection: sqlite3.Connection,
    session_id: str,
    asked: Wanted,
    terms: Terms,
    *,
    conduct: Conduct = AS_USUAL,
) -> dict[str, Any]:
    """Let a session be what is asked for: the whole is replaced.

    Raises Refusal: 400 invalid_request, 404 not_found, 409 invalid_state; and NothingMade.
    """
    session = sessions.found(connection, session_id)
    require_open(connection, session, terms)
    if not asked.line_items:
        raise Refusal(400, "invalid_request", "Say what is to be bought: line_items.")
    before = {line.id: line for line in session.lines}
    session.lines = lines.priced(connection, asked.line_items, session.lines)
    for line in session.lines:
        known = before.get(line.id)
        if known is not None and (known.sku, known.quantity) == (line.sku, line.quantity):
            line.hold_id = known.hold_id
    kept = {line.hold_id for line in session.lines}
    for known in before.values():
        if known.hold_id is not None and known.hold_id not in kept:
            give_back(connection, session, known, terms)
    session.delivery = delivery.wanted(asked.fulfillment, session.delivery)
    session.buyer, session.notes = asked.buyer, []
    session.waits = "input" if conduct.wants_its_customer else session.waits
    hold(connection, session, terms)
    sessions.save(connection, session)
    return sessions.shown(connection, session, terms.at)


def cancel(connection: sqlite3.Connection, session_id: str, terms: Terms) -> dict[str, Any]:
    """Give a session back, with all that it holds.

    Raises Refusal: 404 not_found, 409 invalid_state.
    """
    session = sessions.found(connection, session_id)
    require_open(connection, session, terms)
    end(connection, session, terms)
    return sessions.shown(connection, session, terms.at)


def end(connection: sqlite3.Connection, session: Session, terms: Terms) -> None:
    """Let a session be canceled, and give back what it holds."""
    for line in session.lines:
        if line.hold_id is not None:
            give_back(connection, session, line, terms)
            line.hold_id = None
    session.state, session.waits = "canceled", ""
    sessions.save(connection, session)


def get(connection: sqlite3.Connection, session_id: str, terms: Terms) -> dict[str, Any]:
    """Return a session at the prices of this moment, with a warning where one has moved.

    Raises Refusal (404 not_found).
    """
    session = sessions.found(connection, session_id)
    may_change = session.state == "open" and session.waits != "in_hand"
    if may_change and reprice(connection, session, terms):
        sessions.save(connection, session)
    return sessions.shown(connection, session, terms.at)


def reprice(connection: sqlite3.Connection, session: Session, terms: Terms) -> bool:
    """Take up prices that have moved, and tell its buyer; say whether there are any."""
    prices = dict(connection.execute("select sku, price from product").fetchall())
    moved = False
    for at, line in enumerate(session.lines):
        if prices[line.sku] != line.price:
            line.price, moved = prices[line.sku], True
            session.moved_at = stamp(terms.at)
            why = f"The price of {line.title} has changed."
            session.notes.append(warning("price_changed", why, f"$.line_items[{at}]"))
    return moved


def require_open(connection: sqlite3.Connection, session: Session, terms: Terms) -> None:
    """Raise Refusal (409 invalid_state) when nothing can be changed any more."""
    if session.state != "open":
        raise Refusal(409, "invalid_state", f"It cannot be changed: it is {session.state}.")
    if sessions.is_over(connection, session, terms.at):
        raise Refusal(409, "invalid_state", "It has run out: open another one.")
    if session.waits == "in_hand":
        raise Refusal(409, "invalid_state", "Its order is in hand: look at it again.")


def hold(connection: sqlite3.Connection, session: Session, terms: Terms) -> None:
    """Set aside what the lines need and do not hold; a line that cannot be held has no hold."""
    for line in session.lines:
        left = min(available(connection, line.sku, terms.at), MOST_HELD)
        is_there = line.quantity <= left
        if line.hold_id is None and is_there:
            body = HoldBody(
                reference=f"{session.id}/{line.id}",
                user_id=session.guest,
                sku=line.sku,
                quantity=line.quantity,
            )
            line.hold_id = str(holds.reserve(connection, body, terms)["hold_id"])


def give_back(connection: sqlite3.Connection, session: Session, line: Line, terms: Terms) -> None:
    """Give back what a line holds."""
    assert line.hold_id is not None
    body = ReleaseBody(reference=f"{session.id}/{line.id}", hold_id=line.hold_id)
    holds.release(connection, body, terms)
