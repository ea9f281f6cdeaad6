"""Checkout sessions, as they are stored and shown, and their delivery."""

import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from daybook.demo.shop import effects, people
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp import bodies, lines
from daybook.demo.shop.ucp.lines import Line
from daybook.demo.shop.ucp.profile import EXTENSIONS, Message, envelope, error

METHOD, GROUP = "shipping", "parcel"
OPTIONS = {
    "standard": ("Standard shipping", "Three to five working days", 0),
    "express": ("Express shipping", "One to two working days", 1_500),
}
"""Ways to send: title, how long it takes, and what it costs in cents."""
DISCOUNTS = {"TRAIL10": ("Trail days: 10% off", 10), "SUMMIT5": ("Summit club: 5% off", 5)}
"""By code: title, and percent of the goods."""
COUNTRY = "US"
SHIPPING = "shipping_address"
POSTAL = (
    "extended_address", "street_address", "address_locality", "address_region", "address_country",
    "postal_code", "first_name", "last_name", "phone_number",
)  # fmt: skip


@dataclass
class Delivery:
    """Where to, of which places, how, and which lines: None if nothing is chosen, or all are."""

    places: list[dict[str, Any]] = field(default_factory=list)
    place_id: str | None = None
    option_id: str | None = None
    line_ids: list[str] | None = None

    @property
    def cost(self) -> int | None:
        """Return what sending costs, in cents; None if it is not chosen yet."""
        return OPTIONS[self.option_id][2] if self.option_id else None

    def takes(self, line: Line) -> bool:
        """Tell whether a line is sent by it."""
        return self.line_ids is None or line.id in self.line_ids

    @property
    def destination(self) -> dict[str, Any] | None:
        """Return the place that is chosen."""
        return next((one for one in self.places if one["id"] == self.place_id), None)


def wanted(asked: bodies.Fulfillment | None, before: Delivery, new: Sequence[str] = ()) -> Delivery:
    """Return the requested delivery; places that were given before need not be given again.

    A choice of an unknown place does not count. `new` lines have no id yet: they are included.
    """
    methods = asked.methods if asked is not None else []
    method = next((one for one in methods if one.type == METHOD), None)
    if method is None:
        return Delivery()
    given, named, chosen = method.destinations, method.line_item_ids, method.selected_destination_id
    new_places = [destination_of(one, at) for at, one in enumerate(given or (), 1)]
    places = before.places if given is None else new_places
    place_id = next((one["id"] for one in places if one["id"] == chosen), None)
    options = [one.selected_option_id for one in method.groups]
    option = next((one for one in options if one in OPTIONS), None)
    return Delivery(places, place_id, option, None if named is None else [*named, *new])


def destination_of(given: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a place as it is kept: the fields of a postal address, and nothing else."""
    named = given.get("id")
    kept = {name: given[name] for name in POSTAL if isinstance(given.get(name), str)}
    is_named = isinstance(named, str) and named
    return {"id": named if is_named else f"place_{number}", "type": SHIPPING, **kept}


def lacks_delivery(session: "Session") -> list[Message]:
    """Return what is not settled yet, and what cannot be."""
    delivery, path = session.delivery, "$.fulfillment.methods[0]"
    if not delivery.places:
        return [error("missing", "Give a delivery address.", "$.fulfillment")]
    if delivery.destination is None:
        return [error("missing", "Choose a destination.", f"{path}.selected_destination_id")]
    country = delivery.destination.get("address_country", COUNTRY)
    if country.upper() not in (COUNTRY, "USA"):
        why = "The shop sends within the United States only."
        return [error("address_undeliverable", why, f"{path}.selected_destination_id")]
    if delivery.option_id is None:
        why = f"Choose a shipping method: {', '.join(OPTIONS)}."
        return [error("missing", why, f"{path}.groups[0].selected_option_id")]
    return [
        error("missing", "There is only one parcel: add this line.", f"$.line_items[{at}]")
        for at, line in enumerate(session.lines)
        if not delivery.takes(line)
    ]


def delivery_shown(session: "Session") -> dict[str, Any]:
    """Return the delivery in the shape of the answers."""
    delivery = session.delivery
    line_ids = [line.id for line in session.lines if delivery.takes(line)]
    options = [
        {
            "id": option_id,
            "title": title,
            "description": {"plain": f"{text}, {f'{cents / 100:.2f} USD' if cents else 'free'}."},
            "totals": [{"type": "total", "amount": cents}],
        }
        for option_id, (title, text, cents) in OPTIONS.items()
    ]
    group = {
        "id": GROUP,
        "line_item_ids": line_ids,
        "options": options,
        "selected_option_id": delivery.option_id,
    }
    method = {
        "id": METHOD,
        "type": METHOD,
        "line_item_ids": line_ids,
        "destinations": delivery.places,
        "selected_destination_id": delivery.place_id,
        "groups": [group],
    }
    return {"methods": [method]}


def discounts_shown(session: "Session") -> dict[str, Any]:
    """Return the codes that were given, and what each that is one takes off."""
    applied = [
        {"code": code, "title": title, "amount": amount}
        for code in dict.fromkeys(one.upper() for one in session.codes)
        for title, percent in [DISCOUNTS.get(code, ("", 0))]
        if (amount := session.goods * percent // 100)
    ]
    return {"codes": session.codes, "applied": applied}


def unknown_codes(session: "Session") -> list[Message]:
    """Return which codes are none."""
    return [
        {
            "type": "warning",
            "code": "discount_code_invalid",
            "content": f"There is no discount code {code[:40]}.",
            "path": f"$.discounts.codes[{at}]",
        }
        for at, code in enumerate(session.codes)
        if code.upper() not in DISCOUNTS
    ]


State = Literal["open", "completed", "canceled"]

OF_THE_ROW = ("n", "id", "state", "agent", "base")
"""What has a column of its own; all else of a session is kept as JSON."""


@dataclass
class Session:
    """A checkout session as it is kept.

    `agent` and `base` are the profile of who opened it and the URL by which the shop was asked;
    `notes` what its buyer must be told until it is changed; `moved_at` when a price of it moved
    last (a stamp).
    """

    n: int
    id: str
    state: State
    agent: str
    base: str
    lines: list[Line] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    delivery: Delivery = field(default_factory=Delivery)
    buyer: dict[str, Any] | None = None
    notes: list[Message] = field(default_factory=list)
    moved_at: str = ""

    @property
    def guest(self) -> str:
        """Return the user that the shop buys for: each session is a guest of its own."""
        return f"guest-{self.n}"

    @property
    def goods(self) -> int:
        """Return what the lines cost, in cents."""
        return sum(line.total for line in self.lines)

    @property
    def off(self) -> int:
        """Return what discounts take off, in cents."""
        return sum(one["amount"] for one in discounts_shown(self)["applied"])

    @property
    def totals(self) -> list[dict[str, Any]]:
        """Return the sums; the last one is what is paid."""
        return lines.totals(self.goods, self.delivery.cost, self.off)


def open_session(connection: sqlite3.Connection, agent: str, base: str) -> Session:
    """Open an empty session, for a guest of its own."""
    session_id = f"chk_{secrets.token_urlsafe(12)}"
    (n,) = connection.execute(
        "insert into ucp_session (id, state, agent, base, kept) values (?, 'open', ?, ?, '{}')"
        " returning n",
        (session_id, agent, base),
    ).fetchone()
    session = Session(n, session_id, "open", agent, base)
    people.insert(connection, {"user_id": session.guest, "name": "Guest"})
    return session


def found(connection: sqlite3.Connection, session_id: str) -> Session:
    """Return a session; raise Refusal (404 not_found)."""
    row = connection.execute("select * from ucp_session where id = ?", (session_id,)).fetchone()
    if row is None:
        raise Refusal(404, "not_found", "There is no such checkout.")
    kept = json.loads(row["kept"])
    kept["lines"] = [Line(**one) for one in kept["lines"]]
    kept["delivery"] = Delivery(**kept["delivery"])
    return Session(**{name: row[name] for name in OF_THE_ROW}, **kept)


def save(connection: sqlite3.Connection, session: Session) -> None:
    """Write a session down as it is."""
    kept = {name: one for name, one in asdict(session).items() if name not in OF_THE_ROW}
    connection.execute(
        "update ucp_session set state = ?, kept = ? where n = ?",
        (session.state, json.dumps(kept), session.n),
    )


def held(connection: sqlite3.Connection, session: Session, at: datetime) -> list[dict[str, Any]]:
    """Return the holds of a session."""
    return [effects.hold(connection, one.hold_id, at) for one in session.lines if one.hold_id]


def is_over(connection: sqlite3.Connection, session: Session, at: datetime) -> bool:
    """Tell whether an open session has run out: something that it held is held no more."""
    holds = held(connection, session, at)
    return session.state == "open" and any(one["state"] != "held" for one in holds)


def lacks(session: Session) -> list[Message]:
    """Return what keeps an open session from being completed."""
    return [*lacks_stock(session), *lacks_delivery(session)]


def lacks_stock(session: Session) -> list[Message]:
    """Return which lines hold nothing, as there is not enough."""
    return [
        error("out_of_stock", "There is not enough of it in stock.", f"$.line_items[{at}]")
        for at, line in enumerate(session.lines)
        if line.hold_id is None
    ]


def session_body(
    connection: sqlite3.Connection, session: Session, at: datetime, said: Sequence[Message] = ()
) -> dict[str, Any]:
    """Return a session in the shape of the answers, with what is `said` of this request alone."""
    status: str = session.state
    messages: list[Message] = []
    more: dict[str, Any] = {}
    if is_over(connection, session, at):
        status = "canceled"
        why = "It has expired and holds nothing: open another one."
        messages = [error("expired", why, severity="unrecoverable")]
    elif session.state == "open":
        missing = lacks(session)
        status = "incomplete" if missing else "ready_for_complete"
        messages = [*missing, *session.notes, *unknown_codes(session)]
        if holds := held(connection, session, at):
            more["expires_at"] = min(one["expires_at"] for one in holds)
    elif session.state == "completed":
        # The last one where keys mean nothing.
        (order_id,) = connection.execute(
            "select order_id from ucp_order where session_id = ? order by n desc limit 1",
            (session.id,),
        ).fetchone()
        more["order"] = {"id": order_id, "permalink_url": f"{session.base}/orders/{order_id}"}
    messages = [*messages, *said]
    if session.delivery.places:
        more["fulfillment"] = delivery_shown(session)
    if session.codes:
        more["discounts"] = discounts_shown(session)
    return {
        "ucp": envelope("checkout", *EXTENSIONS, pays=True),
        "id": session.id,
        "status": status,
        "currency": CURRENCY,
        "line_items": [lines.line_shown(line) for line in session.lines],
        "totals": session.totals,
        "links": lines.links(session.base),
        **({"buyer": session.buyer} if session.buyer else {}),
        **({"messages": messages} if messages else {}),
        **more,
    }
