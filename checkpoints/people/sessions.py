"""Who is signed in at the console, and whether what let somebody in is still good.

A session is begun with a token, and is none: its secret, 256 random bits, opens the console alone.
It is over when its token is, when its person signs out, and after its time.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from daybook.checkpoints.people.tokens import digest_of, parts_of
from daybook.checkpoints.pool import Pool, row_of
from daybook.checkpoints.statements import statements
from daybook.state.session import Person

_SQL = statements("sessions.sql")

_SECRET_BYTES = 32
_LONGEST = 100


@dataclass(frozen=True)
class Credential:
    """By what somebody was let in; by nothing while no token was ever made.

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
        row = await row_of(self._pool, _SQL["begin"], about)
        return secret if row and row["is_begun"] else None

    async def person_with(self, secret: str) -> Person | None:
        """Return who is signed in; None where the session is none, or over."""
        if not 0 < len(secret) <= _LONGEST:
            return None
        row = await row_of(self._pool, _SQL["find"], {"digest": digest_of(secret)})
        return Person(row["user_id"], row["role"], row["token_id"]) if row else None

    async def end(self, secret: str) -> None:
        """End a session, if there is one."""
        await row_of(self._pool, _SQL["end"], {"digest": digest_of(secret)})

    async def good(self, credentials: Collection[Credential]) -> set[Credential]:
        """Return which of some credentials let their people in by now: one look for all."""
        about = {
            "token_ids": [one.token_id for one in credentials if one.token_id],
            "sessions": [one.session for one in credentials if one.session],
        }
        row = await row_of(self._pool, _SQL["good"], about)
        assert row is not None
        good = {Credential(token_id=one) for one in row["token_ids"]}
        good |= {Credential(session=bytes(one)) for one in row["sessions"]}
        return good if row["were_made"] else {*good, Credential()}
