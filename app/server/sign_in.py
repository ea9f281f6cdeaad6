"""Sign-in at the server: a user with a token, or any local client while there are no tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from starlette.requests import HTTPConnection

from daybook.app.server.inside import available, postgres
from daybook.app.server.loopback import outside
from daybook.checkpoints.people.tokens import Credential, Sessions, Tokens, digest_of, parts_of
from daybook.state.errors import NotSignedIn
from daybook.state.session import Person

SESSION_COOKIE = "daybook_session"
"""Only for the console. Without tokens it holds the chosen user and role, separated by dots."""

HOW = 'Send the header "Authorization: Bearer TOKEN"; create a token with: daybook token USER'

# Each of these raises DatabaseUnavailable where the database cannot be asked.


def sessions() -> Sessions:
    """Return what begins and ends sessions of the console."""
    return Sessions(postgres().pool)


async def valid_credentials(credentials: Collection[Credential]) -> set[Credential]:
    """Return which of some credentials are valid now."""
    return await available(sessions().good(credentials))


async def needs_tokens() -> bool:
    """Tell whether a token is needed: False until the first one was made."""
    return await available(Tokens(postgres().pool).were_made())


async def owner_of(thread_id: str) -> str | None:
    """Return the thread's user by our own table; None if nobody has begun it."""
    return await available(postgres().threads.owner_of(thread_id))


async def signed_in(scope: Mapping[str, Any]) -> Person | None:
    """Return who sends a request; None is anybody at this machine, while no tokens are needed.

    Args:
        scope: of an ASGI request or websocket.

    Raises:
        NotSignedIn: it has no token and needs one, or has one that is not valid.
    """
    token = token_in(scope)
    person = await available(Tokens(postgres().pool).person_with(token)) if token else None
    if person is not None:
        return person
    # While there is none, a key for something else, which clients may send along, is no token.
    if await needs_tokens():
        wrong = "This token is not valid (any more)" if token else "You are not signed in"
        raise NotSignedIn(f"{wrong}. {HOW}.")
    if why := outside(scope):
        raise NotSignedIn(
            f"Without tokens this server accepts only local requests, and {why}. {HOW}."
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


def credential_in(scope: Mapping[str, Any]) -> Credential:
    """Return by what a request would be let in: the console by its cookie, all else by a token."""
    if is_console(scope):
        kept = HTTPConnection({**scope, "type": "http"}).cookies.get(SESSION_COOKIE)
        return Credential(session=digest_of(kept)) if kept and "." not in kept else Credential()
    parts = parts_of(token_in(scope))
    return Credential(token_id=parts[0]) if parts else Credential()


def is_console(scope: Mapping[str, Any]) -> bool:
    """Tell whether a request is for the console, which lets people in by a cookie."""
    return str(scope["path"]).startswith("/console")
