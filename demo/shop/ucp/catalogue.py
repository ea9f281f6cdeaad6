"""The shop's goods in the shape of the protocol's catalogue."""

import sqlite3
from collections.abc import Mapping
from typing import Any

from daybook.demo.shop import goods
from daybook.demo.shop.catalogue import CATEGORY_NAMES
from daybook.demo.shop.clock import Terms
from daybook.demo.shop.faults import Refusal
from daybook.demo.shop.settings import CURRENCY
from daybook.demo.shop.ucp.bodies import Asked
from daybook.demo.shop.ucp.profile import envelope, error, nothing

MOST_SHOWN = 50
ANYTHING = "*"


def search(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Return the products that fit, best first, a page of them.

    Raises Refusal (400 invalid_request) where no words are given.
    """
    asked, at = it.body, terms.at
    query = asked.query.strip()
    if not query:
        raise Refusal(400, "invalid_request", "Give words to search for.")
    hits = goods.hits(connection, at)
    found = tuple(hits)
    if query != ANYTHING:
        skus, match = it.world.search.rank(query, None, hits)
        # Where nothing fits all words, nothing is found.
        found = skus if match == "all" else ()
    first = int(asked.pagination.cursor or 0)
    last = first + min(asked.pagination.limit, MOST_SHOWN)
    shown = [product(goods.product(connection, sku, at)) for sku in found[first:last]]
    more = {"cursor": str(last)} if last < len(found) else {}
    return {
        "ucp": envelope("catalog.search"),
        "products": shown,
        "pagination": {"has_next_page": bool(more), "total_count": len(found), **more},
    }


def lookup(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Return the products of some ids, each once; of those that there are not it is told."""
    shown, messages = [], []
    for one in dict.fromkeys(it.body.ids):
        try:
            known = goods.product(connection, one, terms.at)
        except Refusal:
            said = f"There is no {one[:60]}."
            messages.append({"type": "info", "code": "not_found", "content": said})
            continue
        shown.append(product(known, asked=one))
    told = {"messages": messages} if messages else {}
    return {"ucp": envelope("catalog.lookup"), "products": shown, **told}


def one(connection: sqlite3.Connection, it: Asked, terms: Terms) -> dict[str, Any]:
    """Return one product, or that there is none."""
    try:
        known = goods.product(connection, it.body.id, terms.at)
    except Refusal:
        return nothing(error("not_found", "There is no such product.", severity="unrecoverable"))
    return {"ucp": envelope("catalog.lookup"), "product": product(known)}


def product(known: Mapping[str, Any], asked: str | None = None) -> dict[str, Any]:
    """Return a product with its one variant, which has the same id: nothing comes in sizes here.

    `asked` is the id by which a lookup was asked for it.
    """
    price = {"amount": known["price"], "currency": CURRENCY}
    described = {"plain": known["description"]}
    stock = "in_stock" if known["stock"] > 0 else "out_of_stock"
    variant = {
        "id": known["sku"],
        "sku": known["sku"],
        "title": known["name"],
        "description": described,
        "price": price,
        "availability": {"available": known["stock"] > 0, "status": stock},
    }
    if asked is not None:
        variant["inputs"] = [{"id": asked, "match": "exact"}]
    return {
        "id": known["sku"],
        "title": known["name"],
        "description": described,
        "categories": [{"value": CATEGORY_NAMES[known["category"]], "taxonomy": "merchant"}],
        "price_range": {"min": price, "max": price},
        "variants": [variant],
        "rating": {"value": known["rating"], "count": known["review_count"], "scale_max": 5},
    }
