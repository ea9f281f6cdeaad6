"""The effects of the shop: the rules of each, and the record of what was done.

Each refuses before it writes, and writes what it did into the table `effect` in its transaction.
"""

import json
import secrets
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from daybook.demo.shop import goods, people
from daybook.demo.shop.clock import Terms, stamp
from daybook.demo.shop.faults import Place, Refusal
from daybook.demo.shop.settings import CURRENCY

Name = Annotated[str, Field(min_length=1, max_length=200)]
Cents = Annotated[int, Field(gt=0, le=1_000_000_000)]
Effect = Literal["reserve", "release", "charge", "refund", "order", "cancel", "mail"]
Shown = dict[str, Any]
"""Something in the shape of the answers."""

_REFUNDED = "coalesce((select sum(amount) from refund as r where r.charge_id = {}.charge_id), 0)"

HOLD = """
select hold_id, reference, user_id, sku, quantity, expires_at,
       case when state = 'held' and expires_at <= :at then 'expired' else state end as state
  from hold"""
"""Expiry is a comparison and not a stored state, so no sweeper can be late with it."""
RELEASE = "select release_id, hold_id, reference, 'released' as state from hold_release"
CHARGE = f"""
select *, case refunded when 0 then 'charged' when amount then 'refunded' else 'partly_refunded'
       end as state
  from (select n, charge_id, reference, user_id, card_id, amount, currency,
               {_REFUNDED.format("charge")} as refunded from charge)"""
REFUND = """
select refund_id, charge_id, reference, amount, currency, 'refunded' as state from refund"""
ORDER = f"""
select n, order_id, reference, user_id, state, total, currency, charge_id, address_id,
       {_REFUNDED.format("placed_order")} as refunded
  from placed_order"""
CANCELLATION = """
select cancellation_id, order_id, reference, reason, 'cancelled' as state from cancellation"""


class Body(BaseModel):
    """Refuse unknown fields and values of another type instead of guessing."""

    model_config = ConfigDict(extra="forbid", strict=True)


class EffectBody(Body):
    """Carry the caller's own reference: its word for the business operation."""

    reference: Name


class HoldBody(EffectBody):
    """Ask to set `quantity` of a product aside."""

    user_id: Name
    sku: Name
    quantity: Annotated[int, Field(ge=1, le=1000)]


class ReleaseBody(EffectBody):
    """Ask to give a hold back."""

    hold_id: Name


class ChargeBody(EffectBody):
    """Ask to take `amount` cents from a card."""

    user_id: Name
    card_id: Name
    amount: Cents
    currency: Name


class RefundBody(EffectBody):
    """Ask to give `amount` cents of a charge back."""

    charge_id: Name
    amount: Cents
    currency: Name


class OrderBody(EffectBody):
    """Ask to turn holds and a charge into an order."""

    user_id: Name
    hold_ids: Annotated[list[Name], Field(min_length=1, max_length=100)]
    charge_id: Name
    address_id: Name


class CancellationBody(EffectBody):
    """Ask to cancel an order; it does not refund."""

    order_id: Name
    reason: Annotated[str, Field(max_length=500)] | None = None


def record(
    connection: sqlite3.Connection,
    effect: Effect,
    reference: str,
    at: datetime,
    user_id: str | None,
    detail: Shown,
) -> None:
    """Write down one effect that happens in this very transaction."""
    connection.execute(
        "insert into effect (effect, reference, at, user_id, detail) values (?, ?, ?, ?, ?)",
        (effect, reference, stamp(at), user_id, json.dumps(detail)),
    )


def performed(connection: sqlite3.Connection) -> list[Shown]:
    """Return every effect that really happened, oldest first."""
    rows = connection.execute("select * from effect order by n")
    return [{**dict(row), "detail": json.loads(row["detail"])} for row in rows]


def found(
    connection: sqlite3.Connection, select: str, column: str, value: str, at: datetime | None = None
) -> list[Shown]:
    """Return all of one kind that have a value in a column, oldest first."""
    rows = connection.execute(
        f"{select} where {column} = :value order by n",
        {"value": value, "at": stamp(at) if at is not None else ""},
    ).fetchall()
    return [_shown(connection, row) for row in rows]


def _shown(connection: sqlite3.Connection, row: sqlite3.Row) -> Shown:
    told = dict(row)
    n = told.pop("n", None)
    if "order_id" not in told or n is None:
        return told
    lines = connection.execute(
        "select sku, name, quantity, unit_price, hold_id from order_line"
        " where order_n = ? order by position",
        (n,),
    )
    told["lines"] = [dict(line) for line in lines]
    return {**told, "hold_ids": [line.pop("hold_id") for line in told["lines"]]}


def hold(connection: sqlite3.Connection, hold_id: str, at: datetime) -> Shown:
    """Return a hold as it stands at this moment; raise Refusal (404 unknown_hold)."""
    return _one(connection, HOLD, "hold", hold_id, at)


def charge(connection: sqlite3.Connection, charge_id: str) -> Shown:
    """Return a charge with what was refunded of it; raise Refusal (404 unknown_charge)."""
    return _one(connection, CHARGE, "charge", charge_id)


def order(connection: sqlite3.Connection, order_id: str) -> Shown:
    """Return an order with its lines; raise Refusal (404 unknown_order)."""
    return _one(connection, ORDER, "order", order_id)


def _one(
    connection: sqlite3.Connection, select: str, kind: str, id_: str, at: datetime | None = None
) -> Shown:
    for one in found(connection, select, f"{kind}_id", id_, at):
        return one
    raise Refusal(404, f"unknown_{kind}", f"There is no such {kind}.")


def orders_by(connection: sqlite3.Connection, user_id: str) -> list[Shown]:
    """Return all orders of a user, oldest first; raise Refusal (404 unknown_user)."""
    return found(connection, ORDER, "user_id", people.visit(connection, user_id))


# -- what can be asked for ------------------------------------------------------------------------


def reserve(connection: sqlite3.Connection, body: HoldBody, terms: Terms) -> Shown:
    """Set stock aside until the hold expires.

    Raises Refusal: 404 unknown_user, 404 unknown_sku, 409 out_of_stock.
    """
    user_id = people.visit(connection, body.user_id)
    goods.require_product(connection, body.sku)
    left = goods.available(connection, body.sku, terms.at)
    if left < body.quantity:
        raise Refusal(409, "out_of_stock", "There is not enough of it in stock.", available=left)
    (hold_id,) = connection.execute(
        "insert into hold (reference, user_id, sku, quantity, state, expires_at)"
        " values (?, ?, ?, ?, 'held', ?) returning hold_id",
        (body.reference, user_id, body.sku, body.quantity, stamp(terms.hold_expires_at)),
    ).fetchone()
    detail = {"hold_id": hold_id, "sku": body.sku, "quantity": body.quantity}
    record(connection, "reserve", body.reference, terms.at, user_id, detail)
    return hold(connection, hold_id, terms.at)


def release(connection: sqlite3.Connection, body: ReleaseBody, terms: Terms) -> Shown:
    """Give a hold back before it expires.

    Raises Refusal: 404 unknown_hold, 409 already_released (an expired hold too),
    409 hold_consumed.
    """
    held = hold(connection, body.hold_id, terms.at)
    if held["state"] == "consumed":
        raise Refusal(409, "hold_consumed", "An order has consumed this hold.")
    if held["state"] in ("released", "expired"):
        raise Refusal(409, "already_released", "This hold has expired or was released.")
    connection.execute("update hold set state = 'released' where hold_id = ?", (body.hold_id,))
    (release_id,) = connection.execute(
        "insert into hold_release (reference, hold_id) values (?, ?) returning release_id",
        (body.reference, body.hold_id),
    ).fetchone()
    detail = {"release_id": release_id, **{n: held[n] for n in ("hold_id", "sku", "quantity")}}
    record(connection, "release", body.reference, terms.at, held["user_id"], detail)
    return found(connection, RELEASE, "release_id", release_id)[0]


def take_money(connection: sqlite3.Connection, body: ChargeBody, terms: Terms) -> Shown:
    """Take money from a card of the user.

    Raises Refusal: 404 unknown_user, 404 unknown_card (another user's too), 402 card_declined,
    422 wrong_currency.
    """
    _require_currency(body.currency)
    user_id = people.visit(connection, body.user_id)
    card = connection.execute(
        "select declines from card where card_id = ? and user_id = ?", (body.card_id, user_id)
    ).fetchone()
    if card is None:
        raise Refusal(404, "unknown_card", "The user has no such card.")
    if card["declines"]:
        raise Refusal(402, "card_declined", "The card was declined.")
    (charge_id,) = connection.execute(
        "insert into charge (reference, user_id, card_id, amount, currency)"
        " values (?, ?, ?, ?, ?) returning charge_id",
        (body.reference, user_id, body.card_id, body.amount, body.currency),
    ).fetchone()
    detail = {
        "charge_id": charge_id,
        **body.model_dump(include={"card_id", "amount", "currency"}),
    }
    record(connection, "charge", body.reference, terms.at, user_id, detail)
    return charge(connection, charge_id)


def refund(connection: sqlite3.Connection, body: RefundBody, terms: Terms) -> Shown:
    """Give money of a charge back, in one part or several.

    Raises Refusal: 404 unknown_charge, 409 already_refunded when the parts would pass the
    charge, 422 wrong_currency.
    """
    _require_currency(body.currency)
    charged = charge(connection, body.charge_id)
    left = charged["amount"] - charged["refunded"]
    if body.amount > left:
        raise Refusal(
            409, "already_refunded", "The amount exceeds the rest of the charge.", refundable=left
        )
    (refund_id,) = connection.execute(
        "insert into refund (reference, charge_id, amount, currency) values (?, ?, ?, ?)"
        " returning refund_id",
        (body.reference, body.charge_id, body.amount, body.currency),
    ).fetchone()
    detail = {"refund_id": refund_id, **body.model_dump(exclude={"reference"})}
    record(connection, "refund", body.reference, terms.at, charged["user_id"], detail)
    return found(connection, REFUND, "refund_id", refund_id)[0]


def place_order(
    connection: sqlite3.Connection, body: OrderBody, terms: Terms, beside: int = 0
) -> Shown:
    """Turn holds and a charge into an order; the goods leave the stock.

    Lines are priced at the shop's price of this moment: a price that rose after the charge makes
    the charge too small. `beside` is what is paid beside them, in cents; below nothing it is off.

    Raises Refusal: 404 unknown_user, 404 unknown_address, 409 holds_missing (nothing is
    consumed), 409 charge_missing.
    """
    user_id = people.visit(connection, body.user_id)
    if not connection.execute(
        "select 1 from address where address_id = ? and user_id = ?", (body.address_id, user_id)
    ).fetchone():
        raise Refusal(404, "unknown_address", "The user has no such address.")
    lines = [_line_of(connection, hold_id, user_id, terms) for hold_id in body.hold_ids]
    if len(set(body.hold_ids)) < len(body.hold_ids):
        raise Refusal(409, "holds_missing", "A hold is listed twice.")
    total = beside + sum(line["quantity"] * line["unit_price"] for line in lines)
    _require_charge(connection, body.charge_id, user_id, total)
    order_id = _new_number(connection)
    (order_n,) = connection.execute(
        "insert into placed_order"
        " (order_id, reference, user_id, charge_id, address_id, total, currency, state)"
        " values (?, ?, ?, ?, ?, ?, ?, 'placed') returning n",
        (order_id, body.reference, user_id, body.charge_id, body.address_id, total, CURRENCY),
    ).fetchone()
    for position, line in enumerate(lines, start=1):
        connection.execute(
            "insert into order_line (order_n, position, hold_id, sku, name, quantity, unit_price)"
            " values (:order_n, :position, :hold_id, :sku, :name, :quantity, :unit_price)",
            {**line, "order_n": order_n, "position": position},
        )
        connection.execute("update hold set state = 'consumed' where hold_id = :hold_id", line)
        connection.execute("update product set stock = stock - :quantity where sku = :sku", line)
    detail = {"order_id": order_id, "total": total, "currency": CURRENCY}
    detail |= body.model_dump(include={"hold_ids", "charge_id", "address_id"})
    record(connection, "order", body.reference, terms.at, user_id, detail)
    return order(connection, order_id)


def cancel(connection: sqlite3.Connection, body: CancellationBody, terms: Terms) -> Shown:
    """Cancel an order and put its goods back into stock; the money stays charged.

    Its holds are consumed no more, and hold nothing.

    Raises Refusal: 404 unknown_order, 409 already_cancelled.
    """
    known = order(connection, body.order_id)
    if known["state"] == "cancelled":
        raise Refusal(409, "already_cancelled", "The order was cancelled before.")
    connection.execute(
        "update placed_order set state = 'cancelled' where order_id = ?", (body.order_id,)
    )
    connection.executemany(
        "update product set stock = stock + :quantity where sku = :sku", known["lines"]
    )
    connection.executemany(
        "update hold set state = 'released' where hold_id = ?",
        [(hold_id,) for hold_id in known["hold_ids"]],
    )
    (cancellation_id,) = connection.execute(
        "insert into cancellation (reference, order_id, reason) values (?, ?, ?)"
        " returning cancellation_id",
        (body.reference, body.order_id, body.reason),
    ).fetchone()
    detail = {"cancellation_id": cancellation_id, **body.model_dump(exclude={"reference"})}
    record(connection, "cancel", body.reference, terms.at, known["user_id"], detail)
    return found(connection, CANCELLATION, "cancellation_id", cancellation_id)[0]


def _require_currency(currency: str) -> None:
    if currency != CURRENCY:
        raise Refusal(422, "wrong_currency", f"This shop accepts {CURRENCY} only.")


def _new_number(connection: sqlite3.Connection) -> str:
    """Draw an order number that was never given, here or (in all likelihood) by another shop.

    Whoever keeps books on orders keeps them by this number, over many shops and their resets: one
    that counted from the start again would be taken for an order of long ago.
    """
    while True:
        number = f"DB-{secrets.randbelow(90_000_000) + 10_000_000}"
        given = connection.execute("select 1 from placed_order where order_id = ?", (number,))
        if given.fetchone() is None:
            return number


def _line_of(connection: sqlite3.Connection, hold_id: str, user_id: str, terms: Terms) -> Shown:
    """Return the order line that a live hold of this user becomes; raise Refusal."""
    held = found(connection, HOLD, "hold_id", hold_id, terms.at)
    if not held:
        raise Refusal(409, "holds_missing", f"Hold {hold_id} is unknown.", hold_id=hold_id)
    if held[0]["user_id"] != user_id or held[0]["state"] != "held":
        raise Refusal(409, "holds_missing", f"Hold {hold_id} is not held.", hold_id=hold_id)
    product = connection.execute(
        "select name, price as unit_price from product where sku = :sku", held[0]
    ).fetchone()
    return {**held[0], **dict(product)}


def _require_charge(
    connection: sqlite3.Connection, charge_id: str, user_id: str, total: int
) -> None:
    """Raise Refusal (409 charge_missing) unless the charge is whole, enough, theirs and unused."""
    try:
        charged = charge(connection, charge_id)
    except Refusal as refusal:
        raise Refusal(409, "charge_missing", refusal.message) from refusal
    if charged["user_id"] != user_id:
        raise Refusal(409, "charge_missing", "The charge belongs to another user.")
    if charged["refunded"]:
        raise Refusal(409, "charge_missing", "The charge was refunded.")
    if charged["amount"] < total:
        raise Refusal(409, "charge_missing", "The charge is below the total.", total=total)
    if connection.execute(
        "select 1 from placed_order where charge_id = ?", (charge_id,)
    ).fetchone():
        raise Refusal(409, "charge_missing", "Another order has used the charge.")


@dataclass(frozen=True)
class Operation:
    """Describe one endpoint that changes the world: what it takes, does and can be looked up by.

    `perform` gets an instance of `body`; it returns the 201 body or raises Refusal before it
    writes. `select` shows what was performed.
    """

    endpoint: Place
    body: type[EffectBody]
    perform: Callable[[sqlite3.Connection, Any, Terms], Shown]
    select: str


OPERATIONS = (
    Operation("holds", HoldBody, reserve, HOLD),
    Operation("releases", ReleaseBody, release, RELEASE),
    Operation("charges", ChargeBody, take_money, CHARGE),
    Operation("refunds", RefundBody, refund, REFUND),
    Operation("orders", OrderBody, place_order, ORDER),
    Operation("cancellations", CancellationBody, cancel, CANCELLATION),
)
