"""Tokens, with which users sign in at a server, and the sessions of the console.

A token is `daybook_<id>_<secret>`. The id is its name, in lists and for revoking; of the secret,
256 random bits, only the SHA-256 is kept. It needs no salt and no slow hash: nobody can guess it.
Tokens are looked up by whoever serves, and made by the owner. A session is begun with a token, and
is none: its secret opens the console alone. It is over when its token is, when its user signs
out, and after its time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from daybook.checkpoints.people.delegations import DELEGATIONS
from daybook.checkpoints.pool import Conn, Pool, row_of, rows_of
from daybook.checkpoints.postgres import Postgres
from daybook.checkpoints.statements import statements
from daybook.state.session import Person

_SQL = statements("tokens.sql")
_SESSIONS = statements("sessions.sql")

_PREFIX = "daybook"
_ID_BYTES = 6
_SECRET_BYTES = 32
_LONGEST, _LONGEST_SECRET = 200, 100

_NOBODYS = hashlib.sha256(b"").digest()


@dataclass(frozen=True)
class Token:
    """What is known of a token; its secret is not.

    Attributes:
        is_good: it is neither expired nor revoked.
    """

    token_id: str
    user_id: str
    role: str
    note: str
    made_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    is_good: bool


@dataclass(frozen=True)
class NewToken:
    """A token that was just made, with its secret, which nobody can be told again."""

    about: Token
    secret: str = field(repr=False)

    @property
    def text(self) -> str:
        """Return the token as it is sent."""
        return f"{_PREFIX}_{self.about.token_id}_{self.secret}"


class Tokens:
    """Look tokens up, for one tenant."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def person_with(self, text: str) -> Person | None:
        """Return whose token it is; None if it is none, or is expired or revoked."""
        parts = parts_of(text)
        if parts is None:
            return None
        token_id, secret = parts
        row = await row_of(self._pool, _SQL["find"], {"token_id": token_id})
        # Compared where there is none too, and in constant time: how long it takes tells nothing.
        fits = hmac.compare_digest(digest_of(secret), row["digest"] if row else _NOBODYS)
        if row is None or not fits or not row["is_good"]:
            return None
        return Person(row["user_id"], row["role"], token_id, tuple(row["stands_for"]))

    async def were_made(self) -> bool:
        """Tell whether a token was ever made, be it good or not."""
        row = await row_of(self._pool, _SQL["were_made"])
        return bool(row and row["were_made"])

    async def all(self) -> list[Token]:
        """Return all tokens, the oldest first."""
        rows = await rows_of(self._pool, _SQL["all"])
        return [Token(**row) for row in rows]


class TokenOffice:
    """Make tokens and delegations, or end them, for one tenant, as the owner of the database."""

    def __init__(self, conn: Conn, tenant_id: str) -> None:
        self._conn = conn
        self._tenant_id = tenant_id

    async def make(self, person: Person, lifetime: timedelta, note: str = "") -> NewToken:
        """Make a token; only what is returned here holds its secret."""
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        about = {
            "token_id": secrets.token_hex(_ID_BYTES),
            "tenant_id": self._tenant_id,
            "user_id": person.user_id,
            "role": person.role,
            "digest": digest_of(secret),
            "note": note,
            "lifetime": lifetime,
        }
        row = await (await self._conn.execute(_SQL["make"], about)).fetchone()
        assert row is not None
        return NewToken(Token(**row), secret)

    async def revoke(self, token_id: str) -> str | None:
        """Revoke a token and return whose it is; None if there is no such token."""
        about = {"tenant_id": self._tenant_id, "token_id": token_id}
        row = await (await self._conn.execute(_SQL["revoke"], about)).fetchone()
        return row["user_id"] if row else None

    async def delegate(
        self, absent: Person, to_user: str, until: datetime, made_by: str
    ) -> int | None:
        """Let someone stand in for whoever is absent; None if that would be over already.

        Args:
            absent: whom, as what.
            until: UTC.
        """
        about = {
            "tenant_id": self._tenant_id,
            "user_id": absent.user_id,
            "role": absent.role,
            "to_user": to_user,
            "until": until,
            "made_by": made_by,
        }
        row = await (await self._conn.execute(DELEGATIONS["delegate"], about)).fetchone()
        return int(row["delegation_id"]) if row else None

    async def end_delegation(self, delegation_id: int) -> str | None:
        """End a delegation and return who stood in; None if there is no such."""
        about = {"tenant_id": self._tenant_id, "delegation_id": delegation_id}
        row = await (await self._conn.execute(DELEGATIONS["end_delegation"], about)).fetchone()
        return row["to_user"] if row else None

    async def revoke_all(self, user_id: str) -> int:
        """Revoke a person's tokens, forget notes, sessions and delegations; count the tokens."""
        about = {"tenant_id": self._tenant_id, "user_id": user_id}
        await self._conn.execute(DELEGATIONS["forget_delegations"], about)
        for of_theirs in ("forget_sessions", "forget_presence"):
            await self._conn.execute(_SQL[of_theirs], about)
        return len(await (await self._conn.execute(_SQL["revoke_all"], about)).fetchall())


@asynccontextmanager
async def open_token_office(postgres: Postgres) -> AsyncIterator[TokenOffice]:
    """Connect to an open database as its owner (see `Postgres.as_owner`)."""
    async with postgres.as_owner("make or revoke tokens") as conn:
        yield TokenOffice(conn, postgres.tenant_id)


def parts_of(text: str) -> tuple[str, str] | None:
    """Return the id and the secret of what has the form of a token; None for anything else."""
    prefix, _, rest = text.partition("_")
    token_id, _, secret = rest.partition("_")
    if prefix != _PREFIX or len(text) > _LONGEST or not _is_id(token_id):
        return None
    return token_id, secret


def digest_of(secret: str) -> bytes:
    """Return what is kept of a secret: nobody can guess 256 random bits from their SHA-256."""
    return hashlib.sha256(secret.encode(errors="replace")).digest()


def _is_id(text: str) -> bool:
    return len(text) == 2 * _ID_BYTES and all(letter in "0123456789abcdef" for letter in text)


@dataclass(frozen=True)
class Credential:
    """By what someone was let in; by nothing while no token was ever made.

    Attributes:
        token_id: of a token.
        session: the digest of a session's secret.
    """

    token_id: str | None = None
    session: bytes | None = None


class Sessions:
    """Begin, find and end sessions, for one tenant."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def begin(self, token: str, lifetime: timedelta) -> str | None:
        """Begin a session of a token's person and return its secret; None by no good token."""
        parts = parts_of(token)
        if parts is None:
            return None
        token_id, token_secret = parts
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        about = {
            "token_id": token_id,
            "token_digest": digest_of(token_secret),
            "digest": digest_of(secret),
            "lifetime": lifetime,
        }
        row = await row_of(self._pool, _SESSIONS["begin"], about)
        return secret if row and row["is_begun"] else None

    async def person_with(self, secret: str) -> Person | None:
        """Return who is signed in; None if the session is none, or over."""
        if not 0 < len(secret) <= _LONGEST_SECRET:
            return None
        row = await row_of(self._pool, _SESSIONS["find"], {"digest": digest_of(secret)})
        if row is None:
            return None
        return Person(row["user_id"], row["role"], row["token_id"], tuple(row["stands_for"]))

    async def end(self, secret: str) -> None:
        """End a session, if there is one."""
        await row_of(self._pool, _SESSIONS["end"], {"digest": digest_of(secret)})

    async def good(self, credentials: Collection[Credential]) -> set[Credential]:
        """Return which of some credentials let their people in by now: one look for all."""
        about = {
            "token_ids": [one.token_id for one in credentials if one.token_id],
            "sessions": [one.session for one in credentials if one.session],
        }
        row = await row_of(self._pool, _SESSIONS["good"], about)
        assert row is not None
        good = {Credential(token_id=one) for one in row["token_ids"]}
        good |= {Credential(session=bytes(one)) for one in row["sessions"]}
        return good if row["were_made"] else {*good, Credential()}
