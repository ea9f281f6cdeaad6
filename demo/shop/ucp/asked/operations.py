"""The thirteen operations of the shopping service: by name, and as REST and MCP have them."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.faults import Place
from daybook.demo.shop.goods.search import Search
from daybook.demo.shop.ucp.selling import bodies, carts, catalogue, changing, completing, orders
from daybook.demo.shop.ucp.selling.conduct import AS_USUAL, Conduct


@dataclass(frozen=True)
class Asked:
    """What is asked for: of whom, by whom, and on what.

    `about` is the id of what it is about; `agent` the profile of who asks; `base` the URL by which
    the shop was asked; `came_at` when it came in (a stamp); `honours_keys` whether the shop does
    what was done before only once; `conduct` how it goes about it.
    """

    about: str
    body: Any
    agent: str
    base: str
    search: Search
    came_at: str
    honours_keys: bool = True
    conduct: Conduct = AS_USUAL


@dataclass(frozen=True)
class Operation:
    """One operation.

    `path` is that of REST, with `{id}` where it is about something; `member` is what MCP calls the
    body; `place` is where faults meet it and what its keys are by, and None for what only looks.
    """

    name: str
    method: str
    path: str
    body: type[BaseModel]
    perform: Callable[[sqlite3.Connection, Asked, Terms], dict[str, Any]]
    member: str = ""
    place: Place | None = None
    performed: int = 200

    @property
    def is_about_one(self) -> bool:
        """Tell whether it is about something that has an id."""
        return "{id}" in self.path

    @property
    def needs_key(self) -> bool:
        """Tell whether it is refused without a key: what cannot be taken back, and what ends it."""
        return self.place is not None and self.path.endswith(("/complete", "/cancel"))

    def reference(self, about: str) -> str:
        """Return what faults are matched with."""
        return about if self.place == "completions" else f"{self.name} {about}".rstrip()


def searched(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Search the catalogue."""
    return catalogue.search(connection, asked.search, asked.body, terms.at)


def looked_up(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Look products up."""
    return catalogue.lookup(connection, asked.body, terms.at)


def one_product(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show one product."""
    return catalogue.one(connection, asked.body, terms.at)


def cart_made(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Make a cart."""
    return carts.get(connection, carts.create(connection, asked.body))


def cart(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show a cart."""
    return carts.get(connection, asked.about)


def cart_changed(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Change a cart."""
    carts.update(connection, asked.about, asked.body)
    return carts.get(connection, asked.about)


def cart_given_up(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Give a cart up."""
    return carts.cancel(connection, asked.about)


def opened(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Open a checkout session."""
    return changing.create(
        connection, asked.body, asked.agent, asked.base, terms, conduct=asked.conduct
    )


def session(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show a checkout session."""
    return changing.get(connection, asked.about, terms)


def changed(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Change a checkout session."""
    return changing.update(connection, asked.about, asked.body, terms, conduct=asked.conduct)


def completed(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Place the order of a checkout session."""
    return completing.complete(
        connection,
        asked.about,
        asked.body,
        terms,
        came_at=asked.came_at,
        honours_keys=asked.honours_keys,
        conduct=asked.conduct,
    )


def given_back(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Give a checkout session back."""
    return changing.cancel(connection, asked.about, terms)


def order(connection: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show an order."""
    return orders.get(connection, asked.about)


CARTS, SESSIONS = "/carts", "/checkout-sessions"

OPERATIONS = (
    Operation(
        "search_catalog", "POST", "/catalog/search", bodies.Searching, searched, member="catalog"
    ),
    Operation(
        "lookup_catalog", "POST", "/catalog/lookup", bodies.Looking, looked_up, member="catalog"
    ),
    Operation("get_product", "POST", "/catalog/product", bodies.One, one_product, member="catalog"),
    Operation("create_cart", "POST", CARTS, bodies.Basket, cart_made, "cart", "carts", 201),
    Operation("get_cart", "GET", f"{CARTS}/{{id}}", bodies.Nothing, cart),
    Operation(
        "update_cart", "PUT", f"{CARTS}/{{id}}", bodies.Basket, cart_changed, "cart", "carts"
    ),
    Operation(
        "cancel_cart",
        "POST",
        f"{CARTS}/{{id}}/cancel",
        bodies.Nothing,
        cart_given_up,
        place="carts",
    ),
    Operation(
        "create_checkout", "POST", SESSIONS, bodies.Wanted, opened, "checkout", "sessions", 201
    ),
    Operation("get_checkout", "GET", f"{SESSIONS}/{{id}}", bodies.Nothing, session),
    Operation(
        "update_checkout",
        "PUT",
        f"{SESSIONS}/{{id}}",
        bodies.Wanted,
        changed,
        "checkout",
        "sessions",
    ),
    Operation(
        "complete_checkout",
        "POST",
        f"{SESSIONS}/{{id}}/complete",
        bodies.Completion,
        completed,
        "checkout",
        "completions",
    ),
    Operation(
        "cancel_checkout",
        "POST",
        f"{SESSIONS}/{{id}}/cancel",
        bodies.Nothing,
        given_back,
        place="sessions",
    ),
    Operation("get_order", "GET", "/orders/{id}", bodies.Nothing, order),
)

BY_NAME = {one.name: one for one in OPERATIONS}
