"""The threads of a tenant: their owners, their status, and whom they wait for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.checkpoint.serde.base import SerializerProtocol

from daybook.checkpoints.pending_writes import Statement
from daybook.checkpoints.pool import Pool, row_of, rows_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.errors import (
    ForeignDomain,
    ForeignThread,
    ForeignWorld,
    NotSignedIn,
    ThreadClosed,
)
from daybook.state.people.lifecycle import Standing
from daybook.state.session import Person, Session

_SQL = statements("ledger.sql")


@dataclass(frozen=True)
class Thread:
    """One row of `thread`.

    Attributes:
        status: active (a turn is in progress), waiting (for a person), idle, closed.
        last_activity: UTC.
    """

    thread_id: str
    status: str
    created_at: datetime
    last_activity: datetime


@dataclass(frozen=True)
class Whose:
    """Whose a thread is.

    Attributes:
        domain: None if no agent has begun it.
        is_closed: what it held was erased.
    """

    user_id: str
    domain: str | None
    is_closed: bool


class Threads:
    """Find threads. Their status is kept by the ledger's entries."""

    def __init__(self, pool: Pool, serde: SerializerProtocol) -> None:
        self._pool = pool
        self._serde = serde

    async def admits(
        self, session: Session, domain: str, world: str | None, token_id: str | None = None
    ) -> bool:
        """Tell whether a thread was begun, by this person; False for one that nobody has begun.

        Args:
            world: which outside world this process reaches; None if it is not told.
            token_id: by which someone was let in.

        Raises:
            NotSignedIn: that token is good no longer.
            ForeignThread: it belongs to another user.
            ForeignDomain: it belongs to another domain, whose state this one cannot read.
            ForeignWorld: it deals with another outside world.
            ThreadClosed: what it held was erased.
        """
        row = await row_of(self._pool, *asks_whose(session.thread_id, token_id))
        return is_admitted(row, session, domain, world)

    async def whose(self, thread_id: str) -> Whose | None:
        """Tell whose a thread is and of which domain; None for one that nobody has begun."""
        row = await row_of(self._pool, *asks_whose(thread_id))
        if row is None:
            return None
        return Whose(row["user_id"], row["domain"], row["status"] == "closed")

    async def owner_of(self, thread_id: str) -> str | None:
        """Return the user of a thread; None if nobody has begun it, or it is closed."""
        whose = await self.whose(thread_id)
        return None if whose is None or whose.is_closed else whose.user_id

    async def knows(self, user_id: str) -> bool:
        """Tell whether anybody of that name has begun a thread, of whatever domain."""
        row = await row_of(self._pool, _SQL["is_user"], {"user_id": user_id})
        return row is not None and bool(row["is_user"])

    async def owner_for(self, person: Person, thread_id: str) -> str:
        """Return whose thread a person acts in: staff in a customer's, everybody in their own."""
        if not person.is_staff:
            return person.user_id
        return await self.owner_of(thread_id) or person.user_id

    async def begin(
        self, session: Session, domain: str, world: str | None, token_id: str | None = None
    ) -> None:
        """Write down whose a new thread is, before anything else of it is stored.

        What the checkpointer keeps could otherwise not be found again when the person is to be
        forgotten.

        Raises:
            NotSignedIn: the token by which someone was let in is good no longer.
            ForeignThread: it belongs to another user, or to another tenant, which only shows here.
        """
        about = {
            "thread_id": session.thread_id,
            "tenant_id": session.tenant_id,
            "user_id": session.user_id,
            "domain": domain,
            "world": world,
        }
        await run_of(self._pool, _SQL["open_thread"], about)
        if not await self.admits(session, domain, world, token_id):
            raise ForeignThread(session.thread_id)

    async def salt(self, thread_id: str) -> str | None:
        """Return the salt that the thread's state holds, in whatever checkpoint of it."""
        row = await row_of(self._pool, _SQL["salt_of_thread"], {"thread_id": thread_id})
        if row is None:
            return None
        salt: str = row["salt"] or self._serde.loads_typed((row["type"], bytes(row["blob"])))
        return salt

    async def of_user(self, user_id: str, domain: str, world: str | None = None) -> list[Thread]:
        """Return a person's threads of a domain and world, newest activity first."""
        about = {"user_id": user_id, "domain": domain, "world": world}
        rows = await rows_of(self._pool, _SQL["threads_of_user"], about)
        return [Thread(**row) for row in rows]


def asks_whose(thread_id: str, token_id: str | None = None) -> Statement:
    """Return what asks whose a thread is, for `is_admitted`."""
    return _SQL["whose"], {"thread_id": thread_id, "token_id": token_id}


def is_admitted(
    row: Mapping[str, Any] | None, session: Session, domain: str, world: str | None
) -> bool:
    """Tell whether a thread was begun, by this person (see `Threads.admits`)."""
    if row is None:
        return False
    if row["is_lapsed"]:
        raise NotSignedIn(
            "The token of this request is no longer valid. Nothing was done; sign in again."
        )
    if row["user_id"] != session.user_id:
        raise ForeignThread(session.thread_id)
    if row["domain"] not in (None, domain):
        raise ForeignDomain(session.thread_id, row["domain"])
    if world is not None and row["world"] not in (None, world):
        raise ForeignWorld(session.thread_id, row["world"], world)
    if row["status"] == "closed":
        raise ThreadClosed(session.thread_id)
    return True


async def standing(
    pool: Pool,
    *,
    domain: str | None = None,
    user_id: str | None = None,
    thread_id: str | None = None,
    most: int = 100,
) -> list[Standing]:
    """Return where conversations stand, the last active one first."""
    about = {"domain": domain, "user_id": user_id, "thread_id": thread_id, "most": most}
    return [Standing(**row) for row in await rows_of(pool, _SQL["standing"], about)]
