import re
import sqlite3
from typing import Any

from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.seeded.profiles import Person, starter

USER_ID = re.compile(r"[a-z0-9_.@-]{1,64}", re.ASCII | re.IGNORECASE)


def insert(connection: sqlite3.Connection, person: Person) -> None:
    """Write down a person with addresses and cards."""
    connection.execute(
        "insert into person (user_id, name, email, default_card_id, default_address_id)"
        " values (?, ?, ?, ?, ?)",
        (
            person.user_id,
            person.name,
            person.email,
            person.default_card_id,
            person.default_address_id,
        ),
    )
    connection.executemany(
        "insert into address (address_id, user_id, label, street, city, postcode, country)"
        " values (?, ?, ?, ?, ?, ?, ?)",
        (
            (a.address_id, person.user_id, a.label, a.street, a.city, a.postcode, a.country)
            for a in person.addresses
        ),
    )
    connection.executemany(
        "insert into card (card_id, user_id, brand, last4, expires, declines)"
        " values (?, ?, ?, ?, ?, ?)",
        (
            (c.card_id, person.user_id, c.brand, c.last4, c.expires, c.declines)
            for c in person.cards
        ),
    )


def visit(connection: sqlite3.Connection, user_id: str) -> str:
    """Return the canonical id of a user, signed up when the shop had not seen it.

    Raises Refusal (404 unknown_user) when the id is not one that the shop gives out.
    """
    if not USER_ID.fullmatch(user_id):
        raise Refusal(404, "unknown_user", "There is no such user.")
    canonical = user_id.lower()
    if not connection.execute("select 1 from person where user_id = ?", (canonical,)).fetchone():
        insert(connection, starter(canonical))
    return canonical


def profile(connection: sqlite3.Connection, user_id: str) -> dict[str, Any]:
    """Return a user with addresses and cards, signed up when the shop had not seen the id.

    Raises Refusal (404 unknown_user).
    """
    canonical = visit(connection, user_id)
    person = connection.execute("select * from person where user_id = ?", (canonical,)).fetchone()
    addresses = connection.execute(
        "select address_id, label, street, city, postcode, country from address"
        " where user_id = ? order by address_id",
        (canonical,),
    )
    cards = connection.execute(
        "select card_id, brand, last4, expires from card where user_id = ? order by card_id",
        (canonical,),
    )
    return {
        **dict(person),
        "addresses": [dict(row) for row in addresses],
        "cards": [dict(row) for row in cards],
    }


def remove_card(connection: sqlite3.Connection, card_id: str) -> None:
    """Take a card that nothing was charged to off file.

    Raises Refusal: 404 unknown_card, 409 card_charged when its charges still name it.
    """
    if not connection.execute("select 1 from card where card_id = ?", (card_id,)).fetchone():
        raise Refusal(404, "unknown_card", "There is no such card.")
    if connection.execute("select 1 from charge where card_id = ?", (card_id,)).fetchone():
        raise Refusal(409, "card_charged", "Something was charged to this card.")
    connection.execute(
        "update person set default_card_id = null where default_card_id = ?", (card_id,)
    )
    connection.execute("delete from card where card_id = ?", (card_id,))


def require_address(connection: sqlite3.Connection, user_id: str, address_id: str) -> None:
    """Raise Refusal (404 unknown_address) when the address is not one of this user's."""
    if not connection.execute(
        "select 1 from address where address_id = ? and user_id = ?", (address_id, user_id)
    ).fetchone():
        raise Refusal(404, "unknown_address", "The user has no such address.")
