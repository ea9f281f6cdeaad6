import json
import sqlite3
from collections.abc import Sequence

from daybook.demo.shop import people
from daybook.demo.shop.seeded.catalogue import PRODUCTS
from daybook.demo.shop.seeded.profiles import SEEDED

TABLES = (
    "ucp_event",
    "ucp_in_hand",
    "ucp_shipment",
    "ucp_adjustment",
    "ucp_order",
    "ucp_session",
    "ucp_cart",
    "idempotency_key",
    "effect",
    "mail",
    "cancellation",
    "order_line",
    "placed_order",
    "refund",
    "charge",
    "hold_release",
    "hold",
    "card",
    "address",
    "person",
    "review",
    "product",
)
"""Every table, those that refer before those that are referred to."""


def reset(connection: sqlite3.Connection, sells: Sequence[str] = ()) -> None:
    """Bring every table back to the seeded state; `sells` as in `keep`.

    Ids go on where they were: whoever keeps books keeps them by ids, and one that names a second
    effect is taken for a service gone wrong.
    """
    for table in TABLES:
        connection.execute(f"delete from {table}")
    connection.execute("delete from sqlite_sequence where name = 'effect'")
    seed(connection)
    keep(connection, sells)


def keep(connection: sqlite3.Connection, sells: Sequence[str]) -> None:
    """Leave the products of some categories alone; where none is named, all of them."""
    if sells:
        named = ", ".join("?" * len(sells))
        others = f"select sku from product where category not in ({named})"
        connection.execute(f"delete from review where sku in ({others})", [*sells])
        connection.execute(f"delete from product where sku in ({others})", [*sells])


def seed(connection: sqlite3.Connection) -> None:
    """Fill empty tables with the catalogue and the people that every shop starts with."""
    connection.executemany(
        "insert into product (sku, category, name, brand, description, attributes, price, stock)"
        " values (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                product.sku,
                product.category,
                product.name,
                product.brand,
                product.description,
                json.dumps(product.attributes),
                product.price,
                product.stock,
            )
            for product in PRODUCTS
        ),
    )
    connection.executemany(
        "insert into review (sku, author, rating, title, text) values (?, ?, ?, ?, ?)",
        (
            (product.sku, review.author, review.rating, review.title, review.text)
            for product in PRODUCTS
            for review in product.reviews
        ),
    )
    for person in SEEDED:
        people.insert(connection, person)
