"""The ledger: append-only, hash-chained, one writer a thread at a time.

Every change goes through `Ledger.page`, in one transaction (PROTOCOL: Appending): lock the head of
the thread; in a later statement read the clock and what is needed; decide; write; move the head.
Lock and guard in one statement would let two writers both commit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from psycopg import AsyncConnection
from psycopg.errors import UniqueViolation
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from checkpoints import chain
from checkpoints.page import Operation, Page, begin, entry_of, read_operation, read_plan
from checkpoints.statements import statements
from state.entry import Entry
from state.errors import OperationReused, Overtaken
from state.plan import Plan, fold
from state.session import Session

_SQL = statements("ledger.sql")

_CONFLICTS = {
    "one_intent": OperationReused,
    "one_attempt": Overtaken,
    "one_undo_attempt": Overtaken,
    "one_decision": Overtaken,
    "one_turn": Overtaken,
    "one_end_of_turn": Overtaken,
    "one_model_decision": Overtaken,
    "one_application": Overtaken,
    "ledger_event_seq": Overtaken,
}


class Ledger:
    """Read and append the ledger of one tenant's threads."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[DictRow]]) -> None:
        self._pool = pool

    @asynccontextmanager
    async def page(self, session: Session, plan_id: str | None = None) -> AsyncIterator[Page]:
        """Open a page under the thread's lock; it is committed when the block ends.

        An exception in the block rolls everything back.

        Args:
            plan_id: a plan that is read along, which saves a round trip.

        Raises:
            ForeignThread: the thread belongs to another user.
            Overtaken: a constraint says that another process wrote first.
            OperationReused: an intent of this operation and generation exists already.
        """
        async with self._pool.connection() as conn:
            try:
                page = await begin(conn, session, plan_id)
                yield page
                await page.commit()
            except UniqueViolation as error:
                await conn.rollback()
                kind = _CONFLICTS.get(error.diag.constraint_name or "", Overtaken)
                raise kind(
                    f"Another process wrote first ({error.diag.constraint_name}). "
                    "Nothing of this page was written; read the ledger again."
                ) from error
            except BaseException:
                await conn.rollback()
                raise

    async def plan(self, thread_id: str, plan_id: str) -> tuple[Plan | None, datetime]:
        """Read one plan and the database's clock (UTC), without the lock."""
        async with self._pool.connection() as conn:
            cursor = await conn.execute(
                _SQL["entries_of_plan"], {"thread_id": thread_id, "plan_id": plan_id}
            )
            rows = await cursor.fetchall()
            now = rows[0]["now"] if rows else datetime.now(UTC)
            return fold([entry_of(row) for row in rows]), now

    async def operation(self, op: str) -> Operation | None:
        """Read the newest generation of an operation, in whatever thread it was intended."""
        async with self._pool.connection() as conn:
            return await read_operation(conn, op)

    async def open_plan(self, thread_id: str) -> str | None:
        """Return the id of a thread's open plan."""
        async with self._pool.connection() as conn:
            cursor = await conn.execute(_SQL["head"], {"thread_id": thread_id})
            row = await cursor.fetchone()
            return row["open_plan"] if row else None

    async def ended_plans(self, thread_id: str, after: int) -> list[Plan]:
        """Read the plans that ended after entry `after`, in that order."""
        about = {"thread_id": thread_id, "after": after}
        async with self._pool.connection() as conn:
            rows = await (await conn.execute(_SQL["ended_plans"], about)).fetchall()
            plans = [await read_plan(conn, thread_id, row["plan_id"]) for row in rows]
            return [plan for plan in plans if plan is not None]

    async def turn(self, thread_id: str, turn_id: str) -> list[Entry]:
        """Read what is known of one turn: received, model decisions, applied changes, done."""
        return await self._entries("entries_of_turn", thread_id=thread_id, turn_id=turn_id)

    async def entries(self, thread_id: str, after: int = 0) -> list[Entry]:
        """Read a thread's entries in order, those after number `after`."""
        return await self._entries("entries_of_thread", thread_id=thread_id, after=after)

    async def verify(self, thread_id: str) -> int:
        """Check the hash chain of a thread and return how many entries were checked.

        Raises:
            ChainBroken: it does not verify.
        """
        async with self._pool.connection() as conn, conn.transaction():
            await conn.execute("set transaction isolation level repeatable read")
            rows = await (await conn.execute(_SQL["chain"], {"thread_id": thread_id})).fetchall()
            cursor = await conn.execute(_SQL["head"], {"thread_id": thread_id})
            head = await cursor.fetchone()
        return chain.verify(rows, head or {"seq": 0, "hash": b""})

    async def _entries(self, statement: str, **params: Any) -> list[Entry]:
        async with self._pool.connection() as conn:
            cursor = await conn.execute(_SQL[statement], params)
            return [entry_of(row) for row in await cursor.fetchall()]
