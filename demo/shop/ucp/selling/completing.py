"""Completing a session: the charge and the order, both or neither, at once or later."""

import json
import sqlite3
from dataclasses import asdict
from typing import Any

from daybook.demo.shop.door.bodies import ChargeBody, OrderBody
from daybook.demo.shop.effects import charges, orders
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp.said.envelope import HANDLER_ID, Message, error
from daybook.demo.shop.ucp.selling import changing, in_hand, sessions
from daybook.demo.shop.ucp.selling.bodies import Completion, Instrument, Payment
from daybook.demo.shop.ucp.selling.conduct import AS_USUAL, Conduct
from daybook.demo.shop.ucp.selling.sessions import Session

PAID_BY = "$.payment.instruments[0]"

REVIEWED = "card_hugo_2"
"""The card whose owner is always wanted at the shop's own page, the first time."""


def complete(
    connection: sqlite3.Connection,
    session_id: str,
    asked: Completion,
    terms: Terms,
    *,
    came_at: str,
    honours_keys: bool,
    conduct: Conduct = AS_USUAL,
) -> dict[str, Any]:
    """Take the money and place the order, or say what keeps it from being placed.

    It may be accepted only, and come to an order or to nothing later; and its customer may be
    wanted at the shop's own page first.

    What came in (`came_at`, a stamp) before a price moved was meant for the price before: nothing
    is sold at one that its buyer had not seen, although they may have looked at it since.

    A merchant that does not honour keys does not look either at what it did before: it does all of
    it again.

    Raises Refusal: 404 not_found, 409 invalid_state.
    """
    session = sessions.found(connection, session_id)
    if session.state == "completed" and not honours_keys:
        again(connection, session, terms)
    if session.waits == "in_hand" and not honours_keys:
        session.waits = ""
    changing.require_open(connection, session, terms)
    session.notes = [one for one in session.notes if one["type"] != "error"]
    wants_its_customer = conduct.wants_its_customer or is_reviewed(asked.payment)
    if wants_its_customer and not session.waits and not session.was_there:
        session.waits = "review"
        sessions.save(connection, session)
    if session.waits:
        return sessions.shown(connection, session, terms.at)
    if changing.reprice(connection, session, terms) or session.moved_at > came_at:
        sessions.save(connection, session)
        return sessions.shown(connection, session, terms.at, [price_changed()])
    if sessions.lacks(session):
        return sessions.shown(connection, session, terms.at)
    try:
        token = paid_by(asked.payment)
        if conduct.comes_to is not None:
            session.waits = "in_hand"
            in_hand.accept(connection, session.id, token, conduct.comes_to, conduct.seconds, terms)
        else:
            paid(connection, session, token, terms)
    except Declined as why:
        said = [error("payment_failed", str(why), PAID_BY)]
        return sessions.shown(connection, session, terms.at, said)
    sessions.save(connection, session)
    return sessions.shown(connection, session, terms.at)


def finish(connection: sqlite3.Connection, n: int, terms: Terms) -> None:
    """Bring an order that is in hand to what it comes to; nothing where it is gone."""
    taken = in_hand.take(connection, n)
    if taken is None:
        return
    session = sessions.found(connection, taken["session_id"])
    if session.state == "completed":
        # It was accepted twice, as happens where keys mean nothing.
        again(connection, session, terms)
    if session.state != "open" or sessions.is_over(connection, session, terms.at):
        return
    session.waits = ""
    if taken["comes_to"] == "canceled":
        changing.end(connection, session, terms)
        return
    if changing.reprice(connection, session, terms):
        session.notes.append(price_changed())
        sessions.save(connection, session)
        return
    try:
        if taken["comes_to"] == "declined":
            raise Declined("The card was declined.")
        paid(connection, session, taken["token"], terms)
    except Declined as why:
        session.notes.append(error("payment_failed", str(why), PAID_BY))
    sessions.save(connection, session)


def price_changed() -> Message:
    """Say that something is not for sale at the price any more that its buyer has seen."""
    return error("price_changed", "A price has changed: look at it again.", "$.totals")


def paid(connection: sqlite3.Connection, session: Session, token: str, terms: Terms) -> None:
    """Let a session be an order that is paid for; raise Declined with nothing done."""
    connection.execute("savepoint pay")
    try:
        place(connection, session, token, terms)
    except Declined:
        connection.execute("rollback to pay")
        raise
    session.state, session.notes, session.waits = "completed", [], ""


class Declined(Exception):
    """Nothing can be paid with what was given."""


def is_reviewed(payment: Payment) -> bool:
    """Tell whether it is paid with a card whose bank wants to see its owner first."""
    return any(
        one.credential is not None and one.credential.token == REVIEWED
        for one in payment.instruments
    )


def paid_by(payment: Payment) -> str:
    """Return the token of what is paid with; raise Declined."""
    chosen = [one for one in payment.instruments if one.selected] or payment.instruments
    if len(chosen) != 1:
        raise Declined("Give the one instrument that is paid with.")
    return token_of(chosen[0])


def token_of(instrument: Instrument) -> str:
    """Return the token of an instrument; raise Declined."""
    if instrument.handler_id != HANDLER_ID:
        raise Declined("The shop takes cards on file alone.")
    if instrument.credential is None or not instrument.credential.token:
        raise Declined("The instrument has no credential.")
    return instrument.credential.token


def again(connection: sqlite3.Connection, session: Session, terms: Terms) -> None:
    """Open a completed session again, and hold what it needs anew."""
    session.state = "open"
    for line in session.lines:
        line.hold_id = None
    changing.hold(connection, session, terms)


def place(connection: sqlite3.Connection, session: Session, token: str, terms: Terms) -> None:
    """Charge a card and place the order; raise Declined with nothing done."""
    card_id = card_for(connection, session, token)
    address_id = address_for(connection, session)
    body = ChargeBody(
        reference=session.id,
        user_id=session.guest,
        card_id=card_id,
        amount=session.goods,
        currency=CURRENCY,
    )
    try:
        charge = charges.charge(connection, body, terms)
    except Refusal as refusal:
        raise Declined(refusal.message) from refusal
    placed = OrderBody(
        reference=session.id,
        user_id=session.guest,
        hold_ids=[str(line.hold_id) for line in session.lines],
        charge_id=charge["charge_id"],
        address_id=address_id,
    )
    order = orders.place(connection, placed, terms)
    kept = {
        "lines": [asdict(line) for line in session.lines],
        "place": session.delivery.place,
    }
    connection.execute(
        "insert into ucp_order (order_id, session_id, kept) values (?, ?, ?)",
        (order["order_id"], session.id, json.dumps(kept)),
    )


def card_for(connection: sqlite3.Connection, session: Session, token: str) -> str:
    """Put the card that a token stands for on the guest's file; raise Declined."""
    row = connection.execute("select * from card where card_id = ?", (token,)).fetchone()
    if row is None:
        raise Declined("The card is not known.")
    card_id = f"{session.guest}/{token}"
    connection.execute(
        "insert or ignore into card (card_id, user_id, brand, last4, expires, declines)"
        " values (?, ?, ?, ?, ?, ?)",
        (card_id, session.guest, row["brand"], row["last4"], row["expires"], row["declines"]),
    )
    return card_id


def address_for(connection: sqlite3.Connection, session: Session) -> str:
    """Put the address of a session on the guest's file."""
    place = session.delivery.place
    assert place is not None
    address_id = f"{session.guest}/{place['id']}"
    connection.execute(
        "insert or ignore into address"
        " (address_id, user_id, label, street, city, postcode, country)"
        " values (?, ?, 'Delivery', ?, ?, ?, ?)",
        (
            address_id,
            session.guest,
            place.get("street_address", ""),
            place.get("address_locality", ""),
            place.get("postal_code", ""),
            place.get("address_country", ""),
        ),
    )
    return address_id
