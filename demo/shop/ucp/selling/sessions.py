import json
import secrets
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from daybook.demo.shop import people
from daybook.demo.shop.effects import holds
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.seeded.profiles import Person
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp.said.envelope import Message, envelope, error
from daybook.demo.shop.ucp.selling import delivery, lines
from daybook.demo.shop.ucp.selling.delivery import Delivery
from daybook.demo.shop.ucp.selling.lines import Line

State = Literal["open", "completed", "canceled"]

Waits = Literal["", "input", "review", "in_hand"]
"""What an open session waits for: its customer at the shop's own page, who has something to say or
to look at, or the shop, which has its order in hand."""

ITS_PAGE = "/ucp/go"
"""Where whoever buys goes on by themselves, with the session's id behind it."""

AT_ITS_PAGE: dict[Waits, Message] = {
    "input": error(
        "customer_needed",
        "The shop has a question that only its customer can answer, at its own page.",
        severity="requires_buyer_input",
    ),
    "review": error(
        "review_needed",
        "The shop wants its customer to look at this order at its own page.",
        severity="requires_buyer_review",
    ),
}


@dataclass
class Session:
    """A checkout session as it is kept.

    `agent` and `base` are the profile of who opened it and the URL by which the shop was asked;
    `notes` what its buyer must be told until it is changed; `was_there` whether its customer has
    let it go on at the shop's own page; `cart_id` the cart that it was made of; `moved_at` when a
    price of it moved last (a stamp).
    """

    n: int
    id: str
    state: State
    agent: str
    base: str
    lines: list[Line] = field(default_factory=list)
    delivery: Delivery = field(default_factory=Delivery)
    buyer: dict[str, Any] | None = None
    notes: list[Message] = field(default_factory=list)
    waits: Waits = ""
    was_there: bool = False
    cart_id: str | None = None
    moved_at: str = ""

    @property
    def guest(self) -> str:
        """Return the user that the shop buys for: each session is a guest of its own."""
        return f"guest-{self.n}"

    @property
    def goods(self) -> int:
        """Return what the lines cost, in cents."""
        return sum(line.total for line in self.lines)


def begun(connection: sqlite3.Connection, agent: str, base: str) -> Session:
    """Open an empty session, for a guest of its own."""
    session_id = f"chk_{secrets.token_urlsafe(12)}"
    (n,) = connection.execute(
        "insert into ucp_session (id, state, agent, base, kept) values (?, 'open', ?, ?, '{}')"
        " returning n",
        (session_id, agent, base),
    ).fetchone()
    session = Session(n, session_id, "open", agent, base)
    people.insert(connection, Person(session.guest, "Guest", (), (), None, None))
    return session


def found(connection: sqlite3.Connection, session_id: str) -> Session:
    """Return a session; raise Refusal (404 not_found)."""
    row = connection.execute("select * from ucp_session where id = ?", (session_id,)).fetchone()
    if row is None:
        raise Refusal(404, "not_found", "There is no such checkout.")
    kept = json.loads(row["kept"])
    return Session(
        n=row["n"],
        id=row["id"],
        state=row["state"],
        agent=row["agent"],
        base=row["base"],
        lines=[Line(**one) for one in kept["lines"]],
        delivery=Delivery(**kept["delivery"]),
        buyer=kept["buyer"],
        notes=kept["notes"],
        waits=kept.get("waits", ""),
        was_there=kept.get("was_there", False),
        cart_id=kept.get("cart_id"),
        moved_at=kept.get("moved_at", ""),
    )


def of_cart(connection: sqlite3.Connection, cart_id: str, at: datetime) -> Session | None:
    """Return the session that is open for a cart, if there is one."""
    rows = connection.execute(
        "select id from ucp_session where state = 'open' and json_extract(kept, '$.cart_id') = ?"
        " order by n desc",
        (cart_id,),
    ).fetchall()
    known = [found(connection, row["id"]) for row in rows]
    return next((one for one in known if not is_over(connection, one, at)), None)


def save(connection: sqlite3.Connection, session: Session) -> None:
    """Write a session down as it is."""
    kept = {
        "lines": [asdict(line) for line in session.lines],
        "delivery": asdict(session.delivery),
        "buyer": session.buyer,
        "notes": session.notes,
        "waits": session.waits,
        "was_there": session.was_there,
        "cart_id": session.cart_id,
        "moved_at": session.moved_at,
    }
    connection.execute(
        "update ucp_session set state = ?, kept = ? where n = ?",
        (session.state, json.dumps(kept), session.n),
    )


def expires_at(connection: sqlite3.Connection, session: Session, at: datetime) -> str | None:
    """Return when the first of its holds runs out; None where it holds nothing."""
    held = [holds.get(connection, one.hold_id, at) for one in session.lines if one.hold_id]
    return min((one["expires_at"] for one in held), default=None)


def is_over(connection: sqlite3.Connection, session: Session, at: datetime) -> bool:
    """Tell whether an open session has run out: something that it held is held no more."""
    held = [holds.get(connection, one.hold_id, at) for one in session.lines if one.hold_id]
    return session.state == "open" and any(one["state"] != "held" for one in held)


def lacks(session: Session) -> list[Message]:
    """Return what keeps an open session from being completed."""
    return [*lacks_stock(session), *delivery.lacks(session.delivery)]


def lacks_stock(session: Session) -> list[Message]:
    """Return which lines hold nothing, as there is not enough."""
    return [
        error("out_of_stock", "There is not enough of it in stock.", f"$.line_items[{at}]")
        for at, line in enumerate(session.lines)
        if line.hold_id is None
    ]


def shown(
    connection: sqlite3.Connection, session: Session, at: datetime, said: Sequence[Message] = ()
) -> dict[str, Any]:
    """Return a session in the shape of the answers, with what is `said` of this request alone."""
    status: str = session.state
    messages: list[Message] = []
    more: dict[str, Any] = {}
    if is_over(connection, session, at):
        status = "canceled"
        why = "It has run out, and holds nothing any more: open another one."
        messages = [error("expired", why, severity="unrecoverable")]
    elif session.state == "open":
        missing = lacks(session)
        status = "incomplete" if missing else "ready_for_complete"
        messages = [*missing, *session.notes]
        if session.waits == "in_hand":
            status = "complete_in_progress"
        elif session.waits:
            status = "requires_escalation"
            messages.append(AT_ITS_PAGE[session.waits])
            more["continue_url"] = f"{session.base}{ITS_PAGE}/{session.id}"
        if runs_out := expires_at(connection, session, at):
            more["expires_at"] = runs_out
    elif session.state == "completed":
        more["order"] = confirmation(connection, session)
    messages = [*messages, *said]
    is_sent = bool(session.delivery.places)
    if is_sent:
        line_ids = [line.id for line in session.lines]
        more["fulfillment"] = delivery.shown(session.delivery, line_ids)
    return {
        "ucp": envelope("checkout", "fulfillment", pays=True),
        "id": session.id,
        "status": status,
        "currency": CURRENCY,
        "line_items": [lines.shown(line) for line in session.lines],
        "totals": lines.totals(session.goods, is_sent=is_sent),
        "links": lines.links(session.base),
        **({"buyer": session.buyer} if session.buyer else {}),
        **({"messages": messages} if messages else {}),
        **more,
    }


def confirmation(connection: sqlite3.Connection, session: Session) -> dict[str, Any]:
    """Return the order that came of a session; the last one where keys mean nothing."""
    (order_id,) = connection.execute(
        "select order_id from ucp_order where session_id = ? order by n desc limit 1",
        (session.id,),
    ).fetchone()
    return {"id": order_id, "permalink_url": f"{session.base}/orders/{order_id}"}
