"""The customers of the shop: the initial ones, and new ones."""

import re
import sqlite3
from collections.abc import Mapping
from typing import Any

from daybook.demo.shop.faults import Refusal

USER_ID = re.compile(r"[a-z0-9_.@-]{1,64}", re.ASCII | re.IGNORECASE)


Person = Mapping[str, Any]
"""A customer with addresses and cards, as `seed.toml` describes one; there is no full card number.

There ada is the everyday case, ben must choose, cleo cannot pay, dan's first card is declined, finn
has no address, gita's only card is declined.
"""


def starter(user_id: str) -> Person:
    """Return the profile that an unseen user id is signed up with."""
    home, card = f"addr_{user_id}_1", f"card_{user_id}_1"
    address = {"label": "Home", "street": "14 Larch Lane", "city": "Boulder", "postcode": "80302"}
    return {
        "user_id": user_id,
        "name": " ".join(re.findall(r"[a-z0-9]+", user_id)).title() or "Customer",
        "addresses": [{"address_id": home, **address}],
        "cards": [{"card_id": card, "brand": "visa", "last4": "4242"}],
        "default_address_id": home,
        "default_card_id": card,
    }


def insert(connection: sqlite3.Connection, person: Person) -> None:
    """Write down a person with addresses and cards, and a mail address reserved for examples."""
    local = re.sub(r"[^a-z0-9_-]+", ".", person["user_id"]).strip(".") or "customer"
    defaults = {"default_card_id": None, "default_address_id": None}
    connection.execute(
        "insert into person (user_id, name, email, default_card_id, default_address_id)"
        " values (:user_id, :name, :email, :default_card_id, :default_address_id)",
        {**defaults, **person, "email": f"{local}@example.org"},
    )
    user = {"user_id": person["user_id"]}
    connection.executemany(
        "insert into address (address_id, user_id, label, street, city, postcode, country)"
        " values (:address_id, :user_id, :label, :street, :city, :postcode, :country)",
        [{"country": "US", **user, **one} for one in person.get("addresses", ())],
    )
    connection.executemany(
        "insert into card (card_id, user_id, brand, last4, expires, declines)"
        " values (:card_id, :user_id, :brand, :last4, :expires, :declines)",
        [{"expires": "2031-08", "declines": False, **user, **o} for o in person.get("cards", ())],
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
    whose = (visit(connection, user_id),)
    person = connection.execute("select * from person where user_id = ?", whose).fetchone()
    addresses = connection.execute(
        "select address_id, label, street, city, postcode, country from address"
        " where user_id = ? order by address_id",
        whose,
    )
    cards = connection.execute(
        "select card_id, brand, last4, expires from card where user_id = ? order by card_id", whose
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
