"""Identify the database of the ledger: a restored one may lack effects that were sent.

For each program the ledger holds the cluster's system identifier and timeline, and the oids of the
database and of the ledger's table, as they were when ledger and service were last known to agree. A
server whose files were put back looks the same, so each host keeps, outside of the database, the
newest entry of each program that it knows to have been committed. Each claim compares both
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
from typing import Any, Final, TypeAlias

from psycopg.types.json import Jsonb

from daybook.checkpoints.pool import Conn, Pool, row_of, rows_of
from daybook.checkpoints.reach import read_only
from daybook.state.clock import Clock
from daybook.state.errors import LedgerRestored

IS_ELSEWHERE: Final = """
select program, is_elsewhere(program, %(ignores_timeline)s, %(marks)s) as is_elsewhere,
    accepted_at::text, coalesce(accepted_by <> 'daybook', false) as was_restored
from (select coalesce(
    %(program)s, (select domain from thread where thread_id = %(thread_id)s), '') as program) it
left join lateral (
    select c.accepted_at, c.accepted_by from cluster c
    where c.tenant_id = current_setting('daybook.tenant') and c.program in ('', it.program)
    order by c.program = '' limit 1) as last on true
"""
"""Tells whether this is another database than the one that a program was last accepted on."""

CLUSTER_NOW: Final = """
select system_id, database, ledger, pg_is_in_recovery() as is_standby from cluster_now()
"""

_ACCEPTED = "select count(*) > 0 as is_accepted from cluster where tenant_id = %(tenant_id)s"

_PROGRAMS_ELSEWHERE = """
select domain from (select distinct domain from thread where domain is not null) it
where is_elsewhere(domain, %(ignores_timeline)s, %(marks)s) order by 1
"""

_BETWEEN = timedelta(seconds=1)
"""The file is written at most so often; the process itself compares its very last entry."""

_LOG = logging.getLogger(__name__)


Marks: TypeAlias = dict[str, dict[str, Any]]
"""By program, the newest entry that is known to have been committed."""


class Cluster:
    """Compare the database with the one that the ledger was last accepted on.

    Attributes:
        was_restored: it was accepted after a restore or promotion, so what it does not know of may
            have been sent all the same.

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
        self._is_standby = False
        self.was_restored = False
        self._prefix: str | None = None
        self._own: Marks = {}
        self._kept: Marks = {}
        self._read_at: datetime | None = None
        self._clock = clock
        self._written: dict[str, datetime] = {}

    @property
    def query_args(self) -> dict[str, Any]:
        """Return what `IS_ELSEWHERE` is asked with, beside the thread or the program."""
        marks = Jsonb(_listed(self._own, self._kept))
        return {"ignores_timeline": self._ignores_timeline, "marks": marks, "program": None}

    async def read_marks(self) -> None:
        """Read what other processes of this host have kept since, at most once a second."""
        now = self._clock.now()
        is_fresh = self._read_at is not None and abs(now - self._read_at) < _BETWEEN
        if self._marks is None or self._prefix is None or is_fresh:
            return
        self._read_at = now
        self._kept = await asyncio.to_thread(read_marks, self._marks, self._prefix)

    async def is_elsewhere(self, program: str) -> bool:
        """Tell whether a program's ledger may lack what was sent: it sends nothing then."""
        about = {**self.query_args, "program": program, "thread_id": None}
        row = await row_of(self._pool, IS_ELSEWHERE, about)
        assert row is not None
        self.was_restored |= row["was_restored"]
        return bool(row["is_elsewhere"])

    async def check(self, program: str) -> None:
        """Refuse to let a program work on a ledger that may lack what it sent.

        Raises:
            LedgerRestored: it may.
            ConfigurationError: it takes no writes: it is a standby.
        """
        if self._is_standby:
            raise read_only("it is a standby")
        if await self.is_elsewhere(program):
            raise LedgerRestored

    async def programs_elsewhere(self) -> list[str]:
        """Name the programs with threads whose ledger may lack what they sent."""
        rows = await rows_of(self._pool, _PROGRAMS_ELSEWHERE, self.query_args)
        return [row["domain"] for row in rows]

    async def begin(self) -> None:
        """Read this host's marks; where nobody has said which database it is, take this one."""
        now = await row_of(self._pool, CLUSTER_NOW)
        assert now is not None
        self._is_standby = bool(now["is_standby"])
        if self._marks is not None:
            self._prefix = prefix_of(now, self._pool.place.tenant_id)
            await self.read_marks()
        known = await row_of(self._pool, _ACCEPTED, {"tenant_id": self._pool.place.tenant_id})
        assert known is not None
        # A mark of before: what it was made of is gone, and the ledger with it.
        if not self._is_standby and not known["is_accepted"] and not self._kept:
            await row_of(self._pool, "select begin_cluster()")

    async def accept(self, by: str, program: str = "") -> None:
        """Take this database for the ledger's own from now on: ledger and service agree.

        Args:
            program: it was compared alone; with "" all were.
        """
        marks = Jsonb(_listed(self._own, self._kept))
        async with self._as_owner() as conn:
            await conn.execute("select accept_cluster(%s, %s, %s)", (by, program, marks))
        for one in [program] if program else [*self._own.keys() | self._kept.keys()]:
            self._own.pop(one, None)
            self._kept.pop(one, None)
            if (file := self._file(one)) is not None:
                await asyncio.to_thread(file.unlink, missing_ok=True)

    async def committed(
        self, thread_id: str, seq: int, hash_: bytes, program: str, accepted_at: str
    ) -> None:
        """Keep an entry that was committed, before anything is sent on the strength of it.

        Args:
            program: of the thread.
            accepted_at: when it was last accepted, as the entry's transaction read it.
        """
        mark = {
            "program": program,
            "thread_id": thread_id,
            "seq": seq,
            "hash": hash_.hex(),
            "accepted_at": accepted_at,
        }
        self._own[program] = mark
        now, written = self._clock.now(), self._written.get(program)
        file = self._file(program)
        if file is None or (written is not None and abs(now - written) < _BETWEEN):
            return
        self._written[program] = now
        try:
            await asyncio.to_thread(_write, file, mark)
        except OSError as error:
            _LOG.warning(
                "%s cannot be written (%s): that this database's files were put back is noticed by "
                "running processes alone.",
                file,
                error.strerror,
            )
            self._marks = None

    def _file(self, program: str) -> Path | None:
        if self._marks is None or self._prefix is None:
            return None
        return self._marks / f"{self._prefix}.{hashlib.sha256(program.encode()).hexdigest()[:16]}"


def _listed(*known: Marks) -> dict[str, list[dict[str, Any]]]:
    programs = {program for marks in known for program in marks}
    return {one: [marks[one] for marks in known if one in marks] for one in programs}


def prefix_of(now: Mapping[str, Any], tenant_id: str) -> str | None:
    """Name the files of a database's marks; None if its host shows nobody the cluster.

    Args:
        now: a row of `CLUSTER_NOW`.
    """
    if not now["system_id"]:
        return None
    about = [now["system_id"], str(now["database"]), str(now["ledger"]), tenant_id]
    return hashlib.sha256("\0".join(about).encode()).hexdigest()[:32]


def read_marks(marks: Path, prefix: str | None) -> Marks:
    """Read the marks of a database; without those that cannot be read."""
    found: Marks = {}
    for file in marks.glob(f"{prefix}.*") if prefix is not None else ():
        try:
            mark = json.loads(file.read_bytes())
            datetime.fromisoformat(mark["accepted_at"])
            about = {
                "program": str(mark["program"]),
                "thread_id": str(mark["thread_id"]),
                "seq": int(mark["seq"]),
                "hash": bytes.fromhex(mark["hash"]).hex(),
                "accepted_at": mark["accepted_at"],
            }
            found[about["program"]] = about
        except (OSError, ValueError, LookupError, TypeError):
            _LOG.warning("%s cannot be read, and is left out.", file)
    return found


def _write(file: Path, mark: Mapping[str, Any]) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent)
    with open(handle, "w", encoding="utf-8") as new:
        json.dump(mark, new)
    os.replace(name, file)
