"""Who signs in at the server: a person with a token, or whoever is at this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Any, TypeVar

from psycopg import InternalError, OperationalError

from daybook.app.server.loopback import outside
from daybook.checkpoints.people.tokens import Tokens
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.reach import unavailable
from daybook.graph.serve import at_work
from daybook.state.errors import NotSignedIn
from daybook.state.session import Person

T = TypeVar("T")

HOW = 'Send the header "Authorization: Bearer TOKEN"; a token is made by: daybook token USER'


async def person_with(token: str) -> Person | None:
    """Return whose token it is; None where it is none, or is expired or revoked.

    Raises:
        DatabaseUnavailable: tokens cannot be looked up.
    """
    return await _asked(_tokens().person_with(token))


async def needs_tokens() -> bool:
    """Tell whether people need one: False until the first token was made.

    Raises:
        DatabaseUnavailable: tokens cannot be looked up.
    """
    return await _asked(_tokens().were_made())


async def owner_of(thread_id: str) -> str | None:
    """Return whose thread it is by our own table; None where nobody has begun it.

    Raises:
        DatabaseUnavailable: threads cannot be looked up.
    """
    return await _asked(_postgres().threads.owner_of(thread_id))


async def signed_in(scope: Mapping[str, Any]) -> Person | None:
    """Return who sends a request; None is whoever is at this machine, while no tokens are needed.

    Args:
        scope: of an ASGI request or websocket.

    Raises:
        NotSignedIn: it has no token and needs one, or has one that is not good.
        DatabaseUnavailable: tokens cannot be looked up.
    """
    token = token_in(scope)
    if token and (person := await person_with(token)) is not None:
        return person
    # While there is none, a key for something else, which clients may send along, is no token.
    if await needs_tokens():
        wrong = "This token is not good, or no longer" if token else "You are not signed in"
        raise NotSignedIn(f"{wrong}. {HOW}.")
    if why := outside(scope):
        raise NotSignedIn(
            f"Without tokens this server serves its own machine alone, and {why}. {HOW}."
        )
    return None


def token_in(scope: Mapping[str, Any]) -> str:
    """Return the token that a request carries, or nothing.

    As a bearer, or as the API key of LangGraph's clients, who may send an empty one.
    """
    headers: dict[bytes, bytes] = {n.lower(): value for n, value in scope.get("headers", ())}
    scheme, _, given = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    if scheme.lower() == "bearer" and given.strip():
        return given.strip()
    return headers.get(b"x-api-key", b"").decode("latin-1").strip()


def _postgres() -> Postgres:
    return at_work()().postgres


def _tokens() -> Tokens:
    return Tokens(_postgres().pool)


async def _asked(question: Awaitable[T]) -> T:
    try:
        return await question
    except (OperationalError, InternalError) as error:
        await _postgres().drop_broken()
        raise unavailable(error) from error
