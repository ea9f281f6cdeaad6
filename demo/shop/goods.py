"""Stock and prices."""

import json
import sqlite3
from datetime import datetime
from typing import Any

from daybook.demo.shop.catalogue import CATEGORY_NAMES
from daybook.demo.shop.clock import stamp
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import CURRENCY

HELD = """
select sku, sum(quantity) as quantity
  from hold
 where state = 'held' and expires_at > :at
 group by sku
"""

SELECT = f"""
select product.*,
       product.stock - coalesce(held.quantity, 0) as available,
       coalesce(opinion.rating, 0.0) as rating,
       coalesce(opinion.review_count, 0) as review_count
  from product
  left join ({HELD}) as held using (sku)
  left join (
      select sku, round(avg(rating), 1) as rating, count(*) as review_count
        from review
       group by sku
  ) as opinion using (sku)
"""


def require_product(connection: sqlite3.Connection, sku: str) -> None:
    """Raise Refusal (404 unknown_sku) when the shop does not sell it."""
    if not connection.execute("select 1 from product where sku = ?", (sku,)).fetchone():
        raise Refusal(404, "unknown_sku", "There is no such product.")


def held(connection: sqlite3.Connection, sku: str, at: datetime) -> int:
    """Return how many of a product live holds keep at this moment."""
    row = connection.execute(
        "select coalesce(sum(quantity), 0) as quantity from hold"
        " where sku = ? and state = 'held' and expires_at > ?",
        (sku, stamp(at)),
    ).fetchone()
    return int(row["quantity"])


def available(connection: sqlite3.Connection, sku: str, at: datetime) -> int:
    """Return how many of a product are there and not held."""
    row = connection.execute("select stock from product where sku = ?", (sku,)).fetchone()
    return int(row["stock"]) - held(connection, sku, at)


def hits(connection: sqlite3.Connection, at: datetime) -> dict[str, dict[str, Any]]:
    """Return all products by sku, in the shape of search hits."""
    rows = connection.execute(SELECT, {"at": stamp(at)})
    return {row["sku"]: hit(row) for row in rows}


def product(connection: sqlite3.Connection, sku: str, at: datetime) -> dict[str, Any]:
    """Return one product with all details; raise Refusal (404 unknown_sku)."""
    require_product(connection, sku)
    row = connection.execute(
        f"{SELECT} where product.sku = :sku", {"at": stamp(at), "sku": sku}
    ).fetchone()
    return {
        **hit(row),
        "brand": row["brand"],
        "description": row["description"],
        "attributes": json.loads(row["attributes"]),
    }


def reviews(connection: sqlite3.Connection, sku: str) -> dict[str, Any]:
    """Return the reviews of a product; raise Refusal (404 unknown_sku)."""
    require_product(connection, sku)
    rows = connection.execute(
        "select author, rating, title, text from review where sku = ? order by n", (sku,)
    )
    return {"sku": sku, "reviews": [dict(row) for row in rows]}


def categories(connection: sqlite3.Connection) -> dict[str, Any]:
    """Return the categories with their names and how many products each has."""
    rows = connection.execute(
        "select category, count(*) as count from product group by category order by category"
    )
    found = [{"slug": slug, "name": CATEGORY_NAMES[slug], "count": count} for slug, count in rows]
    return {"categories": found}


def set_available(connection: sqlite3.Connection, sku: str, count: int, at: datetime) -> None:
    """Change the stock so that `count` are available.

    What live holds keep comes on top: setting the bare stock below it would let an order drive
    the stock below zero.
    """
    connection.execute(
        "update product set stock = ? where sku = ?", (count + held(connection, sku, at), sku)
    )


def hit(row: sqlite3.Row) -> dict[str, Any]:
    """Return a product in the shape of a search hit."""
    shown = ("sku", "name", "category", "price", "rating", "review_count")
    return {
        **{name: row[name] for name in shown},
        "currency": CURRENCY,
        "stock": row["available"],
    }


def searchable(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the words of all products; prices and stock, which change, are not among them."""
    rows = connection.execute(
        "select sku, category, name, brand, description, attributes from product"
    )
    return [{**dict(row), "attributes": json.loads(row["attributes"])} for row in rows]
