"""The progress documents of a tenant's threads, by version."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import DictRow

from daybook.checkpoints.encryption import Confidential
from daybook.checkpoints.pool import Pool, row_of, rows_of, run_of
from daybook.checkpoints.statements import statements
from daybook.state.session import Session

_SQL = statements("progress.sql")


@dataclass(frozen=True)
class Version:
    """One document as it was stored.

    Attributes:
        epoch: which epoch of the thread's prompt it began.
        covers: last ledger entry that it covers.
        last: last decision that it covers, 0 for none.
        why: why the epoch before it ended.
        document: markdown, as `daybook.state.prompt.progress.render` writes it.
        digest: what the prompt holds of it.
        at: UTC.
    """

    version: int
    epoch: int
    covers: int
    last: int
    why: str
    document: str
    digest: str
    at: datetime


class Documents:
    """Keep and find progress documents."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def keep(
        self,
        session: Session,
        *,
        epoch: int,
        covers: int,
        last: int,
        why: str,
        document: str,
        digest: str,
    ) -> Version:
        """Store what an epoch begins with, and return it as it is stored.

        An epoch that was begun before, by a node that was killed, begins with what it began with.
        """
        about: dict[str, Any] = {
            "thread_id": session.thread_id,
            "tenant_id": session.tenant_id,
            "user_id": session.user_id,
            "epoch": epoch,
            "covers": covers,
            "last": last,
            "why": why,
        }
        about["body"] = Confidential({"document": document, "digest": digest})
        await run_of(self._pool, _SQL["keep"], about)
        row = await row_of(self._pool, _SQL["kept"], about)
        assert row is not None
        return _version(row)

    async def versions(self, thread_id: str) -> list[Version]:
        """Return the documents of a thread, oldest first."""
        rows = await rows_of(self._pool, _SQL["versions"], {"thread_id": thread_id})
        return [_version(row) for row in rows]


def _version(row: DictRow) -> Version:
    body = row.pop("body")
    del row["thread_id"]
    return Version(**row, **body)
