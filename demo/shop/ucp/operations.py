"""The operations of the shopping service, and their way through fault and key."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from daybook.demo.listening import fault_in
from daybook.demo.shop import clock, keys
from daybook.demo.shop.clock import Terms, stamp
from daybook.demo.shop.connection import Line
from daybook.demo.shop.faults import Place, Refusal
from daybook.demo.shop.keys import Answer, Keyed
from daybook.demo.shop.requests import Call, answer, spoil_look_up
from daybook.demo.shop.settings import KeyRule
from daybook.demo.shop.ucp import bodies, catalogue, checkout, orders
from daybook.demo.shop.ucp.lines import Settled
from daybook.demo.shop.ucp.profile import has_error, refused
from daybook.demo.shop.world import World


@dataclass(frozen=True)
class Asked:
    """A request of either transport: what is asked for, of whom, by whom, and on what.

    `about` is the id of what it is about; `agent` the profile of who asks; `base` the URL by which
    the shop was asked; `fingerprint` tells one that comes again under its key from another one;
    `came_at` when it came in (a stamp); `honours_keys` whether the shop does what was done before
    only once.
    """

    world: World
    line: Line
    operation: "Operation"
    about: str
    body: Any
    agent: str
    base: str
    key: str | None
    fingerprint: str
    came_at: str = ""
    honours_keys: bool = True


Perform = Callable[[sqlite3.Connection, Asked, Terms], dict[str, Any]]


@dataclass(frozen=True)
class Operation:
    """One operation; `path` is that of REST, with `{id}` where it is about something."""

    name: str
    method: str
    path: str
    body: type[BaseModel]
    perform: Perform

    @property
    def member(self) -> str:
        """Return what MCP calls the body; "" where there is none."""
        if self.body is bodies.Nothing:
            return ""
        return "catalog" if self.path.startswith("/catalog") else "checkout"

    @property
    def place(self) -> Place | None:
        """Return where faults meet it and what its keys are by; None for what only looks."""
        if self.method == "GET" or not self.path.startswith("/checkout-sessions"):
            return None
        return "completions" if self.path.endswith("/complete") else "sessions"

    @property
    def performed(self) -> int:
        """Return the status of what was done."""
        return 201 if self.name.startswith("create_") else 200

    @property
    def is_about_one(self) -> bool:
        """Tell whether it is about something that has an id."""
        return "{id}" in self.path

    @property
    def needs_key(self) -> bool:
        """Tell whether it is refused without a key: what cannot be taken back, and what ends it."""
        return self.path.endswith(("/complete", "/cancel"))

    def reference(self, about: str) -> str:
        """Return what faults are matched with."""
        return about if self.place == "completions" else f"{self.name} {about}".rstrip()


def search_catalog(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Search the catalogue."""
    return catalogue.search(opened, asked.world.search, asked.body, terms.at)


def lookup_catalog(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Look products up."""
    return catalogue.lookup(opened, asked.body, terms.at)


def get_product(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show one product."""
    return catalogue.one(opened, asked.body, terms.at)


def create_checkout(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Open a session."""
    return checkout.create(opened, asked.body, asked.agent, asked.base, terms)


def get_checkout(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show a session."""
    return checkout.get(opened, asked.about, terms)


def update_checkout(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Change a session."""
    return checkout.update(opened, asked.about, asked.body, terms)


def complete_checkout(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Place the order of a session."""
    return checkout.complete(
        opened,
        asked.about,
        asked.body,
        terms,
        came_at=asked.came_at,
        honours_keys=asked.honours_keys,
    )


def cancel_checkout(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Give a session back."""
    return checkout.cancel(opened, asked.about, terms)


def get_order(opened: sqlite3.Connection, asked: Asked, terms: Terms) -> dict[str, Any]:
    """Show an order."""
    return orders.get(opened, asked.about)


def operation(method: str, path: str, body: type[BaseModel], perform: Perform) -> Operation:
    """Return an operation, which is named as what performs it."""
    return Operation(perform.__name__, method, path, body, perform)


SESSION = "/checkout-sessions/{id}"

OPERATIONS = (
    operation("POST", "/catalog/search", bodies.Searching, search_catalog),
    operation("POST", "/catalog/lookup", bodies.Looking, lookup_catalog),
    operation("POST", "/catalog/product", bodies.One, get_product),
    operation("POST", "/checkout-sessions", bodies.Wanted, create_checkout),
    operation("GET", SESSION, bodies.Nothing, get_checkout),
    operation("PUT", SESSION, bodies.Wanted, update_checkout),
    operation("POST", f"{SESSION}/complete", bodies.Completion, complete_checkout),
    operation("POST", f"{SESSION}/cancel", bodies.Nothing, cancel_checkout),
    operation("GET", "/orders/{id}", bodies.Nothing, get_order),
)

BY_NAME = {one.name: one for one in OPERATIONS}


async def served(asked: Asked) -> Answer:
    """Answer a request as the fault that it meets would have it; `body` is as it came.

    Raises Refusal (400 invalid_request, 503 unavailable), and Abandoned where it gets no answer.
    """
    operation, world = asked.operation, asked.world
    if not asked.agent:
        raise Refusal(400, "invalid_request", 'Say who asks: UCP-Agent: profile="https://...".')
    if operation.needs_key and asked.key is None:
        raise Refusal(400, "invalid_request", "Give an Idempotency-Key.")
    try:
        body = operation.body.model_validate(asked.body)
    except ValidationError as error:
        raise Refusal(400, "invalid_request", ": ".join(fault_in(error)) + ".") from error
    asked = replace(asked, body=body, came_at=stamp(clock.now()))
    if operation.place is None:
        return await looked(asked)
    turn = f"{operation.name} {asked.agent} {asked.key}" if asked.key else None
    reference = operation.reference(asked.about)

    def act(connection: sqlite3.Connection, agreed: Terms, rule: KeyRule) -> Answer:
        return once(connection, asked, agreed, rule)

    events = (world.ended, world.hurried)
    return await answer(Call(world, asked.line, operation.place, reference, turn, act, *events))


async def looked(asked: Asked) -> Answer:
    """Answer what changes nothing."""
    if asked.operation.is_about_one:
        await spoil_look_up(asked.world, asked.line, asked.about)
    terms = Terms(clock.now(), asked.world.settings.hold_seconds)
    return await asked.world.database.transact(lambda opened: performed(opened, asked, terms))


REUSED = Refusal(409, "idempotency_conflict", "The key was used before for another request.")


def once(connection: sqlite3.Connection, asked: Asked, agreed: Terms, rule: KeyRule) -> Answer:
    """Perform once for each key, which is its client's and its operation's own.

    Another request under a key that is known is answered 409, and nothing of it is performed.
    """
    asked = replace(asked, honours_keys=rule.honours_key)
    if not rule.honours_key or asked.key is None:
        return performed(connection, asked, agreed)
    keyed = Keyed(f"{asked.operation.name} {asked.agent}", asked.key, asked.fingerprint)

    def keeps(given: Answer) -> bool:
        is_done = rule.stores_failures or not declines(asked.operation, given.body)
        return given.status < 300 and is_done

    return keys.once(
        connection,
        keyed,
        rule,
        agreed.at,
        lambda: performed(connection, asked, agreed),
        keeps=keeps,
        reused=Answer(REUSED.status, refused(REUSED)),
    )


def declines(operation: Operation, body: dict[str, Any]) -> bool:
    """Tell whether an answer says that nothing was done; a session that lacks something is open."""
    if operation.place == "completions":
        return body.get("status") != "completed"
    return has_error(body) and "id" not in body


def performed(connection: sqlite3.Connection, asked: Asked, agreed: Terms) -> Answer:
    """Perform; what is refused has taken back all that it may have written."""
    connection.execute("savepoint asked")
    try:
        body = asked.operation.perform(connection, asked, agreed)
        return Answer(asked.operation.performed, body)
    except Refusal as refusal:
        connection.execute("rollback to asked")
        return Answer(refusal.status, refused(refusal))
    except Settled as settled:
        connection.execute("rollback to asked")
        return Answer(200, settled.body)
