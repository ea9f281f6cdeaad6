"""The way of an operation through fault and key, however it was asked for."""

import sqlite3
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from daybook.demo.shop.clock import now, stamp
from daybook.demo.shop.door.connection import Line
from daybook.demo.shop.door.serving import Act, Call, answer, spoil_look_up
from daybook.demo.shop.effects import keys, terms
from daybook.demo.shop.effects.keys import Answer, Keyed, Reused
from daybook.demo.shop.effects.terms import Terms
from daybook.demo.shop.faults import Fault
from daybook.demo.shop.refusal import Refusal
from daybook.demo.shop.settings import KeyRule
from daybook.demo.shop.ucp.asked.operations import Asked, Operation
from daybook.demo.shop.ucp.said.envelope import has_error, refused
from daybook.demo.shop.ucp.selling.conduct import Conduct
from daybook.demo.shop.ucp.selling.lines import AlreadyThere, NothingMade
from daybook.demo.shop.world import World


@dataclass(frozen=True)
class Request:
    """A request of either transport.

    `fingerprint` tells one that comes again under its key from another one.
    """

    world: World
    line: Line
    operation: Operation
    about: str
    body: dict[str, Any]
    agent: str
    base: str
    key: str | None
    fingerprint: str


async def served(request: Request) -> Answer:
    """Answer a request as the fault that it meets would have it.

    Raises Refusal (400 invalid_request, 503 unavailable), and Abandoned where it gets no answer.
    """
    operation, world = request.operation, request.world
    if not request.agent:
        raise Refusal(400, "invalid_request", 'Say who asks: UCP-Agent: profile="https://...".')
    if operation.needs_key and request.key is None:
        raise Refusal(400, "invalid_request", "Give an Idempotency-Key.")
    try:
        body = operation.body.model_validate(request.body)
    except ValidationError as error:
        raise invalid(error) from error
    asked = Asked(request.about, body, request.agent, request.base, world.search, stamp(now()))
    if operation.place is None:
        return await looked(request, asked)
    ended, hurried = world.ended, world.hurried

    def acting(asked: Asked) -> Act:
        def act(connection: sqlite3.Connection, agreed: Terms, rule: KeyRule) -> Answer:
            return once(connection, request, asked, agreed, rule)

        return act

    def otherwise(fault: Fault) -> Act:
        return acting(replace(asked, conduct=Conduct(fault.mode, fault.seconds)))

    turn = f"{operation.name} {request.agent} {request.key}" if request.key else None
    reference = operation.reference(request.about)
    line, place, act = request.line, operation.place, acting(asked)
    return await answer(
        Call(world, line, place, reference, turn, act, ended, hurried, otherwise=otherwise)
    )


async def looked(request: Request, asked: Asked) -> Answer:
    """Answer what changes nothing."""
    if request.operation.is_about_one:
        await spoil_look_up(request.world, request.line, request.about)
    hold_seconds = request.world.settings.hold_seconds
    return await request.world.database.transact(
        lambda connection: performed(connection, request, asked, terms.present(hold_seconds))
    )


def once(
    connection: sqlite3.Connection, request: Request, asked: Asked, agreed: Terms, rule: KeyRule
) -> Answer:
    """Perform once for each key, which is its client's and its operation's own.

    Another request under a key that is known is answered 409, and nothing of it is performed.
    """
    asked = replace(asked, honours_keys=rule.honours_key)
    if not rule.honours_key or request.key is None:
        return performed(connection, request, asked, agreed)
    name = f"{request.operation.name} {request.agent}"
    keyed = Keyed(name, request.key, request.fingerprint)
    try:
        stored = keys.recall(connection, keyed, rule, agreed.at)
    except Reused:
        why = "The key was used before for another request."
        return Answer(409, refused(Refusal(409, "idempotency_conflict", why)))
    if stored is not None:
        return stored
    given = performed(connection, request, asked, agreed)
    if given.status < 300 and (rule.stores_failures or not declines(request.operation, given.body)):
        keys.remember(connection, keyed, agreed.at, given)
    return given


def declines(operation: Operation, body: dict[str, Any]) -> bool:
    """Tell whether an answer says that nothing was done; a session that lacks something is open."""
    if operation.place == "completions":
        return body.get("status") != "completed"
    return has_error(body) and "id" not in body


def performed(
    connection: sqlite3.Connection, request: Request, asked: Asked, agreed: Terms
) -> Answer:
    """Perform; what is refused has taken back all that it may have written."""
    connection.execute("savepoint asked")
    try:
        body = request.operation.perform(connection, asked, agreed)
        return Answer(request.operation.performed, body)
    except Refusal as refusal:
        connection.execute("rollback to asked")
        return Answer(refusal.status, refused(refusal))
    except (NothingMade, AlreadyThere) as made:
        connection.execute("rollback to asked")
        return Answer(200, made.body)


def invalid(error: ValidationError) -> Refusal:
    """Say in one sentence what is wrong with a request."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "body"
    return Refusal(400, "invalid_request", f"{where}: {first['msg']}.")
