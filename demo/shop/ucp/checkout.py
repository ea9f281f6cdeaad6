"""Opening, changing, cancelling and completing a session; it holds stock until its end."""

import json
import sqlite3
from dataclasses import asdict
from typing import Any

from daybook.demo.shop import effects
from daybook.demo.shop.clock import Terms, stamp
from daybook.demo.shop.effects import ChargeBody, HoldBody, OrderBody, ReleaseBody
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.goods import available
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp import lines, sessions
from daybook.demo.shop.ucp.bodies import Asked, Payment
from daybook.demo.shop.ucp.lines import Line, Settled
from daybook.demo.shop.ucp.profile import HANDLER_ID, error, nothing
from daybook.demo.shop.ucp.sessions import Session

MOST_HELD = 1000
"""Of one product, by one hold."""

PAID_BY = "$.payment.instruments[0]"


class Declined(Exception):
    """Nothing can be paid with what was given."""


def create(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Open a session for what is asked for.

    Raises Refusal (400 invalid_request), and Settled.
    """
    asked, session = it.body, sessions.open_session(connection, it.agent, it.base)
    session.buyer, session.lines = asked.buyer, lines.priced(connection, asked.line_items)
    session.codes = asked.discounts.codes
    session.delivery = sessions.wanted(asked.fulfillment, session.delivery)
    hold(connection, session, terms)
    if not any(line.hold_id for line in session.lines):
        raise Settled(nothing(*sessions.lacks_stock(session)))
    sessions.save(connection, session)
    return sessions.session_body(connection, session, terms.at)


def update(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Let a session be what is asked for: the whole is replaced.

    Raises Refusal: 400 invalid_request, 404 not_found, 409 invalid_state; and Settled.
    """
    asked, session = it.body, sessions.found(connection, it.about)
    require_open(connection, session, terms)
    before = {line.id: line for line in session.lines}
    session.lines = lines.priced(connection, asked.line_items, session.lines)
    for line in session.lines:
        known = before.get(line.id)
        if known is not None and (known.sku, known.quantity) == (line.sku, line.quantity):
            line.hold_id = known.hold_id
    kept = {line.hold_id for line in session.lines}
    for known in before.values():
        if known.hold_id not in kept:
            give_back(connection, session, known, terms)
    new = [line.id for line in session.lines if line.id not in before]
    session.delivery = sessions.wanted(asked.fulfillment, session.delivery, new)
    session.buyer, session.notes, session.codes = asked.buyer, [], asked.discounts.codes
    hold(connection, session, terms)
    sessions.save(connection, session)
    return sessions.session_body(connection, session, terms.at)


def cancel(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Give a session back, with all that it holds.

    Raises Refusal: 404 not_found, 409 invalid_state.
    """
    session = sessions.found(connection, it.about)
    require_open(connection, session, terms)
    for line in session.lines:
        give_back(connection, session, line, terms)
        line.hold_id = None
    session.state = "canceled"
    sessions.save(connection, session)
    return sessions.session_body(connection, session, terms.at)


def get(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Return a session at the prices of this moment, with a warning where one has moved.

    Raises Refusal (404 not_found).
    """
    session = sessions.found(connection, it.about)
    if session.state == "open" and reprice(connection, session, terms):
        sessions.save(connection, session)
    return sessions.session_body(connection, session, terms.at)


def reprice(connection: sqlite3.Connection, session: Session, terms: Terms) -> bool:
    """Take up prices that have moved, and tell its buyer; say whether there are any."""
    prices = dict(connection.execute("select sku, price from product").fetchall())
    moved = [at for at, line in enumerate(session.lines) if prices[line.sku] != line.price]
    for at in moved:
        line = session.lines[at]
        line.price, session.moved_at = prices[line.sku], stamp(terms.at)
        session.notes.append(
            {
                "type": "warning",
                "code": "price_changed",
                "content": f"The price of {line.title} has changed.",
                "path": f"$.line_items[{at}]",
            }
        )
    return bool(moved)


def require_open(connection: sqlite3.Connection, session: Session, terms: Terms) -> None:
    """Raise Refusal (409 invalid_state) when nothing can be changed any more."""
    if session.state != "open":
        raise Refusal(409, "invalid_state", f"It cannot be changed: it is {session.state}.")
    if sessions.is_over(connection, session, terms.at):
        raise Refusal(409, "invalid_state", "It has expired: open another one.")


def hold(connection: sqlite3.Connection, session: Session, terms: Terms) -> None:
    """Set aside what the lines need and do not hold; a line that cannot be held has no hold."""
    for line in session.lines:
        left = min(available(connection, line.sku, terms.at), MOST_HELD)
        if line.hold_id is None and line.quantity <= left:
            body = HoldBody(
                reference=f"{session.id}/{line.id}",
                user_id=session.guest,
                sku=line.sku,
                quantity=line.quantity,
            )
            line.hold_id = str(effects.reserve(connection, body, terms)["hold_id"])


def give_back(connection: sqlite3.Connection, session: Session, line: Line, terms: Terms) -> None:
    """Give back what a line holds, if it holds something."""
    if line.hold_id is not None:
        body = ReleaseBody(reference=f"{session.id}/{line.id}", hold_id=line.hold_id)
        effects.release(connection, body, terms)


# -- completing: the charge and the order, both or neither ----------------------------------------


def complete(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Take the money and place the order, or say what keeps it from being placed.

    What came in before a price moved was meant for the price before: nothing
    is sold at one that its buyer had not seen, although they may have looked at it since.

    A merchant that does not honour keys does not look either at what it did before: it does all of
    it again.

    Raises Refusal: 404 not_found, 409 invalid_state.
    """
    session = sessions.found(connection, it.about)
    if session.state == "completed" and not it.honours_keys:
        session.state = "open"
        for line in session.lines:
            line.hold_id = None
        hold(connection, session, terms)
    require_open(connection, session, terms)
    if reprice(connection, session, terms) or session.moved_at > it.came_at:
        sessions.save(connection, session)
        changed = error("price_changed", "A price has changed: check it again.", "$.totals")
        return sessions.session_body(connection, session, terms.at, [changed])
    if sessions.lacks(session):
        return sessions.session_body(connection, session, terms.at)
    connection.execute("savepoint pay")
    try:
        place_order(connection, session, paid_by(it.body.payment), terms)
    except Declined as why:
        connection.execute("rollback to pay")
        said = [error("payment_failed", str(why), PAID_BY)]
        return sessions.session_body(connection, session, terms.at, said)
    session.state, session.notes = "completed", []
    sessions.save(connection, session)
    return sessions.session_body(connection, session, terms.at)


def paid_by(payment: Payment) -> str:
    """Return the token of what is paid with; raise Declined."""
    chosen = [one for one in payment.instruments if one.selected] or payment.instruments
    if len(chosen) != 1:
        raise Declined("Give exactly one payment instrument.")
    if chosen[0].handler_id != HANDLER_ID:
        raise Declined("The shop accepts only cards on file.")
    if chosen[0].credential is None or not chosen[0].credential.token:
        raise Declined("The instrument has no credential.")
    return chosen[0].credential.token


def place_order(connection: sqlite3.Connection, session: Session, token: str, terms: Terms) -> None:
    """Charge a card and place the order; raise Declined with nothing done."""
    card_id, address_id = on_file(connection, session, token)
    total = session.totals[-1]["amount"]
    body = ChargeBody(
        reference=session.id,
        user_id=session.guest,
        card_id=card_id,
        amount=total,
        currency=CURRENCY,
    )
    try:
        charge = effects.take_money(connection, body, terms)
    except Refusal as refusal:
        raise Declined(refusal.message) from refusal
    placed = OrderBody(
        reference=session.id,
        user_id=session.guest,
        hold_ids=[str(line.hold_id) for line in session.lines],
        charge_id=charge["charge_id"],
        address_id=address_id,
    )
    order = effects.place_order(connection, placed, terms, beside=total - session.goods)
    kept = {
        "lines": [asdict(line) for line in session.lines],
        "place": session.delivery.destination,
        "option": session.delivery.option_id,
        "off": session.off,
    }
    connection.execute(
        "insert into ucp_order (order_id, session_id, kept) values (?, ?, ?)",
        (order["order_id"], session.id, json.dumps(kept)),
    )


def on_file(connection: sqlite3.Connection, session: Session, token: str) -> tuple[str, str]:
    """Put card and address of a session on the guest's file, and return their ids.

    Raises Declined where the token stands for no card.
    """
    if not connection.execute("select 1 from card where card_id = ?", (token,)).fetchone():
        raise Declined("The card is not known.")
    place = session.delivery.destination
    assert place is not None
    card_id, address_id = f"{session.guest}/{token}", f"{session.guest}/{place['id']}"
    connection.execute(
        "insert or ignore into card (card_id, user_id, brand, last4, expires, declines)"
        " select ?, ?, brand, last4, expires, declines from card where card_id = ?",
        (card_id, session.guest, token),
    )
    parts = ("street_address", "address_locality", "postal_code", "address_country")
    connection.execute(
        "insert or ignore into address"
        " (address_id, user_id, label, street, city, postcode, country)"
        " values (?, ?, 'Delivery', ?, ?, ?, ?)",
        (address_id, session.guest, *(place.get(part, "") for part in parts)),
    )
    return card_id, address_id
