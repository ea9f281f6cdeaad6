"""The operations of the shopping service, with faults and keys."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ValidationError

from daybook.demo.listening import fault_in
from daybook.demo.shop import clock, keys
from daybook.demo.shop.clock import Terms, stamp
from daybook.demo.shop.faults import Place, Refusal
from daybook.demo.shop.keys import Answer, Keyed
from daybook.demo.shop.requests import Call, respond, spoil_look_up
from daybook.demo.shop.settings import KeyRule
from daybook.demo.shop.ucp import bodies, catalogue, checkout, orders
from daybook.demo.shop.ucp.bodies import Asked
from daybook.demo.shop.ucp.lines import Settled
from daybook.demo.shop.ucp.profile import error, has_error, nothing, refused

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
        """Return what MCP calls the body; "" if there is none."""
        if self.body is bodies.Nothing:
            return ""
        return "catalog" if self.path.startswith("/catalog") else "checkout"

    @property
    def fault_at(self) -> Place | None:
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
        return about if self.fault_at == "completions" else f"{self.name} {about}".rstrip()


SESSION = "/checkout-sessions/{id}"

OPERATIONS = (
    Operation("search_catalog", "POST", "/catalog/search", bodies.Searching, catalogue.search),
    Operation("lookup_catalog", "POST", "/catalog/lookup", bodies.Looking, catalogue.lookup),
    Operation("get_product", "POST", "/catalog/product", bodies.One, catalogue.one),
    Operation("create_checkout", "POST", "/checkout-sessions", bodies.Wanted, checkout.create),
    Operation("get_checkout", "GET", SESSION, bodies.Nothing, checkout.get),
    Operation("update_checkout", "PUT", SESSION, bodies.Wanted, checkout.update),
    Operation(
        "complete_checkout", "POST", f"{SESSION}/complete", bodies.Completion, checkout.complete
    ),
    Operation("cancel_checkout", "POST", f"{SESSION}/cancel", bodies.Nothing, checkout.cancel),
    Operation(
        *("get_order", "GET", "/orders/{id}", bodies.Nothing),
        lambda opened, it, _: orders.get(opened, it.about),
    ),
)

BY_NAME = {one.name: one for one in OPERATIONS}


async def served(asked: Asked) -> Answer:
    """Answer a request as the fault that it meets would have it; `body` is as it came.

    Raises Refusal (400, 503, those of discovery), and Abandoned where it gets no answer.
    """
    operation, world = asked.operation, asked.world
    if not asked.agent:
        raise Refusal(400, "invalid_request", 'Name yourself: UCP-Agent: profile="https://...".')
    is_checked, version = world.settings.profiles == "checked", world.settings.ucp_version
    if is_checked and not await world.profiles.shares(asked.agent, version):
        why = "Your profile has no capability that the shop has."
        return Answer(200, nothing(error("capabilities_incompatible", why, "", "unrecoverable")))
    if operation.needs_key and asked.key is None:
        raise Refusal(400, "invalid_request", "Give an Idempotency-Key.")
    try:
        body = operation.body.model_validate(asked.body)
    except ValidationError as wrong:
        raise Refusal(400, "invalid_request", ": ".join(fault_in(wrong)) + ".") from wrong
    asked = replace(asked, body=body, came_at=stamp(clock.now()))
    if operation.fault_at is None:
        return await looked(asked)
    turn = f"{operation.name} {asked.agent} {asked.key}" if asked.key else None
    reference = operation.reference(asked.about)

    def act(connection: sqlite3.Connection, agreed: Terms, rule: KeyRule) -> Answer:
        return once(connection, asked, agreed, rule)

    events = (world.ended, world.hurried)
    return await respond(Call(world, asked.line, operation.fault_at, reference, turn, act, *events))


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
    if operation.fault_at == "completions":
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
