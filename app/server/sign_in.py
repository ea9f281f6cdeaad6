"""Who signs in at the server: a person with a token, or whoever is at this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from datetime import timedelta
from typing import Any

from starlette.requests import HTTPConnection

from daybook.app.server.database import looked_up, postgres
from daybook.app.server.inside import is_inside
from daybook.app.server.loopback import outside
from daybook.app.server.quotas import quotas
from daybook.checkpoints.people.sessions import Credential, Sessions
from daybook.checkpoints.people.tokens import Tokens, digest_of, parts_of
from daybook.state.errors import NotSignedIn
from daybook.state.session import Person

SESSION_COOKIE = "daybook_session"
"""At the console alone. Without tokens it names who one wants to be, with dots in it."""

HOW = 'Send the header "Authorization: Bearer TOKEN"; a token is made by: daybook token USER'


async def person_with(token: str) -> Person | None:
    """Return whose token it is; None where it is none, or is expired or revoked.

    Raises:
        DatabaseUnavailable: tokens cannot be looked up.
    """
    return await looked_up(_tokens().person_with(token))


async def person_in(session: str) -> Person | None:
    """Return who is signed in at the console by a session; None where it is none, or over.

    Raises:
        DatabaseUnavailable: sessions cannot be looked up.
    """
    return await looked_up(_sessions().person_with(session))


async def session_begun(token: str, lifetime: timedelta) -> str | None:
    """Begin a session of a token's person and return its secret; None by no good token.

    Raises:
        DatabaseUnavailable: tokens cannot be looked up.
    """
    return await looked_up(_sessions().begin(token, lifetime))


async def session_ended(session: str) -> None:
    """End a session.

    Raises:
        DatabaseUnavailable: it cannot be ended now, and goes on.
    """
    await looked_up(_sessions().end(session))


async def good(credentials: Collection[Credential]) -> set[Credential]:
    """Return which of some credentials let their people in by now.

    Raises:
        DatabaseUnavailable: they cannot be looked up.
    """
    return await looked_up(_sessions().good(credentials))


async def person_of_token(scope: Mapping[str, Any], token: str) -> Person | None:
    """Return whose token a request carries, and count the request as theirs while it is open.

    Raises:
        TooMany: the person has too many requests open, or the address failed too often.
        DatabaseUnavailable: tokens cannot be looked up.
    """
    return await _counted(scope, token, person_with)


async def person_of_session(scope: Mapping[str, Any], session: str) -> Person | None:
    """Return whose session a request carries, and count the request as theirs while it is open.

    Raises:
        TooMany: the person has too many requests open, or the address failed too often.
        DatabaseUnavailable: sessions cannot be looked up.
    """
    return await _counted(scope, session, person_in)


async def needs_tokens() -> bool:
    """Tell whether people need one: False until the first token was made.

    Raises:
        DatabaseUnavailable: tokens cannot be looked up.
    """
    return await looked_up(_tokens().were_made())


async def owner_of(thread_id: str) -> str | None:
    """Return whose thread it is by our own table; None where nobody has begun it.

    Raises:
        DatabaseUnavailable: threads cannot be looked up.
    """
    return await looked_up(postgres().threads.owner_of(thread_id))


async def signed_in(scope: Mapping[str, Any]) -> Person | None:
    """Return who sends a request; None is whoever is at this machine, while no tokens are needed.

    Args:
        scope: of an ASGI request or websocket.

    Raises:
        NotSignedIn: it has no token and needs one, or has one that is not good.
        TooMany: the person has too many requests open, or the address failed too often.
        DatabaseUnavailable: tokens cannot be looked up.
    """
    token = token_in(scope)
    if (person := await person_of_token(scope, token)) is not None:
        return person
    await _refuse_nobody(scope, token)
    return None


async def who_sends(scope: Mapping[str, Any]) -> str:
    """Return who sends a request to the API, before it is read; nothing where no token is needed.

    It is let in later, and counted there.

    Raises:
        NotSignedIn: nobody who is let in.
        TooMany: too many who came from this address could not be signed in.
        DatabaseUnavailable: it cannot be looked up.
    """
    if is_inside(scope):
        return ""
    token = token_in(scope)
    quotas().check_sign_in(scope, token)
    person = await person_with(token) if token else None
    if person is not None:
        return person.user_id
    await _refuse_nobody(scope, token)
    return ""


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


async def _refuse_nobody(scope: Mapping[str, Any], secret: str) -> None:
    """Refuse whoever was not found by a secret, unless there are no tokens and they are here."""
    # While there is none, a key for something else, which clients may send along, is no token.
    if await needs_tokens():
        quotas().failed(scope, secret)
        wrong = "This token is not good, or no longer" if secret else "You are not signed in"
        raise NotSignedIn(f"{wrong}. {HOW}.")
    if why := outside(scope):
        raise NotSignedIn(
            f"Without tokens this server serves its own machine alone, and {why}. {HOW}."
        )


async def _counted(
    scope: Mapping[str, Any], secret: str, look_up: Callable[[str], Awaitable[Person | None]]
) -> Person | None:
    quotas().check_sign_in(scope, secret)
    person = await look_up(secret) if secret else None
    if person is not None:
        quotas().signed_in(scope, secret, person.user_id)
    return person


def _tokens() -> Tokens:
    return Tokens(postgres().pool)


def _sessions() -> Sessions:
    return Sessions(postgres().pool)
