"""Know which database the ledger is on: a restored one may lack what was sent since.

A row of the ledger holds the cluster's system identifier and timeline, and the oids of the database
and of the ledger's table, as they were when ledger and world were last known to agree. A server
whose files were put back looks the same, so each host keeps, outside of the database, the newest
entry of the ledger that it knows to have been committed. Each claim compares both
(docs/protocol.md, Send).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Conn, Pool, row_of
from daybook.state.clock import Clock
from daybook.state.errors import LedgerRestored

IS_ELSEWHERE: Final = """
select is_elsewhere(%(ignores_timeline)s, %(mark)s) as is_elsewhere,
    (select accepted_at::text from cluster) as accepted_at
"""
"""Tells whether this is another database than the one that the ledger was last accepted on."""

CLUSTER_NOW: Final = "select system_id, database, ledger from cluster_now()"

_BETWEEN = timedelta(seconds=1)
"""The file is written at most so often; the process itself compares its very last entry."""

_LOG = logging.getLogger(__name__)


class Cluster:
    """Compare the database with the one that the ledger was last accepted on.

    Args:
        as_owner: connects with the right to accept another one.
        ignores_timeline: a promoted replica of this cluster lacks nothing.
        marks: the folder of this host in which the newest known entry is kept; None keeps it for
            the life of this process only.
    """

    def __init__(
        self,
        pool: Pool,
        as_owner: Callable[[], AbstractAsyncContextManager[Conn]],
        clock: Clock,
        *,
        ignores_timeline: bool,
        marks: Path | None,
    ) -> None:
        self._pool = pool
        self._as_owner = as_owner
        self._ignores_timeline = ignores_timeline
        self._marks = marks
        self._file: Path | None = None
        self._mark: dict[str, Any] | None = None
        self._clock = clock
        self._written: datetime | None = None

    @property
    def known(self) -> dict[str, Any]:
        """Return what `IS_ELSEWHERE` is asked with."""
        mark = Jsonb(self._mark) if self._mark is not None else None
        return {"ignores_timeline": self._ignores_timeline, "mark": mark}

    async def is_elsewhere(self) -> bool:
        """Tell whether the ledger may lack what was sent: nothing is sent by it then."""
        row = await row_of(self._pool, IS_ELSEWHERE, self.known)
        return row is not None and bool(row["is_elsewhere"])

    async def check(self) -> None:
        """Refuse to work on a ledger that may lack what was sent.

        Raises:
            LedgerRestored: it may.
        """
        if await self.is_elsewhere():
            raise LedgerRestored

    async def begin(self) -> None:
        """Read this host's mark; where nobody has said which database it is, take this one."""
        now = await row_of(self._pool, CLUSTER_NOW)
        assert now is not None
        if self._marks is not None:
            self._file = mark_file(self._marks, now, self._pool.place.tenant_id)
            self._mark = await asyncio.to_thread(read_mark, self._file)
        if await row_of(self._pool, "select from cluster") is None:
            await self.accept("daybook")

    async def accept(self, by: str) -> None:
        """Take this database for the ledger's own from now on: ledger and world agree."""
        async with self._as_owner() as conn:
            await conn.execute("select accept_cluster(%s)", (by,))

    async def committed(self, thread_id: str, seq: int, hash_: bytes, accepted_at: str) -> None:
        """Keep an entry that was committed, before anything is sent on the strength of it.

        Args:
            accepted_at: when the ledger was last accepted, as the entry's transaction read it.
        """
        self._mark = {
            "thread_id": thread_id,
            "seq": seq,
            "hash": hash_.hex(),
            "accepted_at": accepted_at,
        }
        now = self._clock.now()
        is_fresh = self._written is not None and abs(now - self._written) < _BETWEEN
        if self._file is None or is_fresh:
            return
        self._written = now
        try:
            await asyncio.to_thread(_write, self._file, self._mark)
        except OSError as error:
            _LOG.warning(
                "%s cannot be written (%s): that this database's files were put back is noticed by "
                "running processes alone.",
                self._file,
                error.strerror,
            )
            self._file = None


def mark_file(marks: Path, now: Mapping[str, Any], tenant_id: str) -> Path | None:
    """Name the file of a database's mark; None where the host of the server shows no cluster.

    Args:
        now: a row of `CLUSTER_NOW`.
    """
    if not now["system_id"]:
        return None
    about = [now["system_id"], str(now["database"]), str(now["ledger"]), tenant_id]
    return marks / hashlib.sha256("\0".join(about).encode()).hexdigest()[:32]


def read_mark(file: Path | None) -> dict[str, Any] | None:
    """Read a mark; None where none was kept, or none can be read."""
    try:
        return dict(json.loads(file.read_bytes())) if file is not None else None
    except (OSError, ValueError):
        return None


def _write(file: Path, mark: Mapping[str, Any]) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    with open(handle, "w", encoding="utf-8") as new:
        json.dump(mark, new)
    os.replace(name, file)
