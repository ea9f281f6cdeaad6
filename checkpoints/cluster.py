"""Know which database the ledger is on: a restored one may lack what was sent since.

A row of the ledger holds the cluster's system identifier and timeline, and the oids of the database
and of the ledger's table, as they were when ledger and world were last known to agree. Each claim
compares them (docs/protocol.md, Send).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Final

from daybook.checkpoints.pool import Conn, Pool, row_of
from daybook.state.errors import LedgerRestored

IS_ELSEWHERE: Final = "select is_elsewhere(%(ignores_timeline)s) as is_elsewhere"
"""Tells whether this is another database than the one that the ledger was last accepted on."""


class Cluster:
    """Compare the database with the one that the ledger was last accepted on.

    Args:
        as_owner: connects with the right to accept another one.
        ignores_timeline: a promoted replica of this cluster lacks nothing.
    """

    def __init__(
        self,
        pool: Pool,
        as_owner: Callable[[], AbstractAsyncContextManager[Conn]],
        *,
        ignores_timeline: bool,
    ) -> None:
        self._pool = pool
        self._as_owner = as_owner
        self._about = {"ignores_timeline": ignores_timeline}

    async def is_elsewhere(self) -> bool:
        """Tell whether the ledger may lack what was sent: nothing is sent by it then."""
        row = await row_of(self._pool, IS_ELSEWHERE, self._about)
        return row is not None and bool(row["is_elsewhere"])

    async def check(self) -> None:
        """Refuse to work on a ledger that may lack what was sent.

        Raises:
            LedgerRestored: it may.
        """
        if await self.is_elsewhere():
            raise LedgerRestored

    async def begin(self) -> None:
        """Take the database for the ledger's own, where nobody has said which one that is."""
        if await row_of(self._pool, "select from cluster") is None:
            await self.accept("daybook")

    async def accept(self, by: str) -> None:
        """Take this database for the ledger's own from now on: ledger and world agree."""
        async with self._as_owner() as conn:
            await conn.execute("select accept_cluster(%s)", (by,))
