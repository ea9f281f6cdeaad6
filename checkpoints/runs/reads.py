"""The reads of a thread, cached by tool and normalised arguments, and its progress documents.

Reads are knowledge and no effects: they are outside the chain, and may be run again at any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from psycopg.rows import DictRow

from daybook.checkpoints.encryption import Confidential
from daybook.checkpoints.pending_writes import Statement, Unstored
from daybook.checkpoints.people.rules import RULES, rules_of
from daybook.checkpoints.pool import Pool, each_of, row_of, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import storable
from daybook.state.ledger.entry import Entry, entry_of
from daybook.state.people.rules import Rules
from daybook.state.session import Session

_SQL, _LEDGER = statements("reads.sql"), statements("ledger.sql")

Cache = Literal["hit", "miss", "uncached", "failed"]


@dataclass(frozen=True)
class Read:
    """One read call and its result.

    Attributes:
        call: which call of the turn, as `<ordinal>.<position>`.
        handle: number in the thread; a hit carries the handle of the read it repeats.
        cache: hit, miss (read and kept), uncached (never kept), failed.
        hidden: keys of rows that were not to be shown when the call was made.
        lifetime: seconds for which a miss may be repeated as a hit.
        superseded: a write made it stale. (Not its lifetime: a prompt that is compiled again after
            a restart must be the same, or the model would be asked again.)
    """

    call: str
    tool: str
    args: dict[str, Any]
    args_hash: str
    cache: Cache
    result: Any
    handle: int = 0
    hidden: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    lifetime: float = 0
    turn_id: str = ""
    superseded: bool = False
    read_at: datetime | None = None


class Reads:
    """Keep and find the reads of one tenant's threads."""

    def __init__(self, pool: Pool, unstored: Unstored) -> None:
        self._pool, self._unstored = pool, unstored

    async def cached_reads(
        self, thread_id: str, turn_id: str, calls: Sequence[str], hashes: Sequence[str]
    ) -> tuple[list[Read], dict[str, tuple[int, Any]], int, Rules]:
        """Find reads that can be reused, and the rules that bar tools, in one round trip.

        Args:
            calls: calls of the turn that an earlier run of the node may have answered.
            hashes: of tool and arguments, for which an earlier read can be reused.

        Returns:
            The answered calls, by hash the reusable handle and result, the thread's last handle,
            and the rules of tools.
        """
        about = {
            "thread_id": thread_id,
            "turn_id": turn_id,
            "calls": list(calls),
            "hashes": list(hashes),
        }
        with self._reads_that_wait(thread_id) as before:
            answered, live, [last], rules = await each_of(
                self._pool,
                (_SQL["reads_of_decision"], about),
                (_SQL["live_reads"], about),
                (_SQL["last_handle"], about),
                (RULES["rules"], None),
                before=before,
            )
        reads = [_read(row, turn_id=turn_id) for row in answered]
        live_by_hash = {row["args_hash"]: (row["handle"], row["result"]) for row in live}
        return reads, live_by_hash, last["handle"], rules_of(rules)

    async def keep_along(
        self, session: Session, turn_id: str, reads: Sequence[Read], last: int
    ) -> list[Read]:
        """Keep reads with the next checkpoint of the run, which tells of them: a commit less.

        Where it dies before that, they are read once more.

        Args:
            last: the thread's last handle.
        """
        if not self._unstored.takes(session.thread_id):
            return await self.keep(session, turn_id, reads)
        kept = []
        for read in reads:
            last += not read.handle
            kept.append(replace(read, handle=read.handle or last))
        rows = [self._row(session, turn_id, read) for read in kept]
        self._unstored.add(session.thread_id, *((_SQL["keep_read"], row) for row in rows))
        return kept

    async def refuse_along(self, session: Session, turn_id: str, refused: Sequence[Read]) -> None:
        """Keep refusals with what the run stores next: nothing goes on without them before that.

        Where it dies before that, the calls are met once more as they were met first.
        """
        if not self._unstored.takes(session.thread_id):
            await self.keep(session, turn_id, refused)
            return
        rows = [(_SQL["keep_read"], self._row(session, turn_id, read)) for read in refused]
        self._unstored.add(session.thread_id, *rows)

    async def keep(self, session: Session, turn_id: str, reads: Sequence[Read]) -> list[Read]:
        """Keep reads of one decision; new ones get the next handles. Returns them with handles."""
        if not reads:
            return []
        rows = [(_SQL["keep_read"], self._row(session, turn_id, read)) for read in reads]
        with self._reads_that_wait(session.thread_id) as before:
            kept = await each_of(self._pool, *rows, before=before)
        return [
            replace(read, handle=row["handle"]) for read, [row] in zip(reads, kept, strict=True)
        ]

    @contextmanager
    def _reads_that_wait(self, thread_id: str) -> Iterator[Sequence[Statement]]:
        """Yield what waits to be stored, where reads are among it: their handles are taken."""
        if not self._unstored.holds(thread_id, _SQL["keep_read"]):
            yield ()
            return
        with self._unstored.taken(thread_id) as before:
            yield before

    def _row(self, session: Session, turn_id: str, read: Read) -> dict[str, Any]:
        return {
            "thread_id": session.thread_id,
            "turn_id": turn_id,
            "tenant_id": session.tenant_id,
            "user_id": session.user_id,
            "call": read.call,
            "handle": read.handle or None,
            "cache": read.cache,
            "tool": read.tool,
            "args": Confidential(storable(read.args)),
            "args_hash": read.args_hash,
            "result": None if read.cache == "hit" else Confidential(storable(read.result)),
            "hidden": list(read.hidden),
            "tags": list(read.tags),
            "lifetime": read.lifetime,
        }

    async def of_epoch(
        self, thread_id: str, after: int
    ) -> tuple[list[Entry], list[Read], list[int]]:
        """Read what a prompt is made of: one round trip, with what waits to be stored.

        Returns:
            The entries of the thread after one, the reads of their turns, and the handles of all
            stale reads.

        Raises:
            TakenOver: something waited, and another process runs the thread by now.
        """
        about = {"thread_id": thread_id, "after": after}
        with self._unstored.taken(thread_id) as before:
            rows, found, stale = await each_of(
                self._pool,
                (_LEDGER["entries_of_thread"], about),
                (_SQL["results_after"], about),
                (_SQL["stale_handles"], about),
                before=before,
            )
        reads = [_read(row) for row in found]
        return [entry_of(row) for row in rows], reads, [row["handle"] for row in stale]

    async def results(self, thread_id: str, turn_id: str, calls: Sequence[str]) -> list[Read]:
        """Return the reads of some calls of a turn."""
        asked = self.asks_results(thread_id, turn_id, calls)
        return self.results_in(await rows_of(self._pool, *asked))

    def asks_results(self, thread_id: str, turn_id: str, calls: Sequence[str]) -> Statement:
        """Return what asks for the reads of some calls of a turn, for `results_in`."""
        about = {"thread_id": thread_id, "turn_id": turn_id, "calls": [*calls]}
        return _SQL["results"], about

    def results_in(self, rows: Sequence[DictRow]) -> list[Read]:
        """Return the reads that rows hold."""
        return [_read(row) for row in rows]

    async def latest(self, thread_id: str, most: int) -> list[Read]:
        """Return the last reads that are not out of date, oldest first."""
        about = {"thread_id": thread_id, "most": most}
        rows = await rows_of(self._pool, _SQL["latest_reads"], about)
        return [_read(row) for row in reversed(rows)]

    async def by_handle(self, thread_id: str, handle: int) -> Read | None:
        """Return a read by its handle; None if there is none, or it was refused."""
        about = {"thread_id": thread_id, "handle": handle}
        row = await row_of(self._pool, _SQL["read_of_handle"], about)
        return _read(row) if row else None

    async def of_turns(self, thread_id: str, turns: Sequence[str]) -> list[Read]:
        """Return the reads of some turns, in the order of their handles."""
        rows = await rows_of(
            self._pool, _SQL["reads_of_turns"], {"thread_id": thread_id, "turns": list(turns)}
        )
        return [_read(row) for row in rows]


def _read(row: DictRow, turn_id: str = "") -> Read:
    return Read(
        call=row["call"],
        tool=row["tool"],
        args=row["args"],
        args_hash="",
        cache=row["cache"],
        result=row["result"],
        handle=row["handle"],
        hidden=tuple(row["hidden"]),
        turn_id=row.get("turn_id", turn_id),
        superseded=row.get("superseded", False),
        read_at=row.get("read_at"),
    )


_PROGRESS = statements("progress.sql")


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
        _, [row] = await each_of(self._pool, (_PROGRESS["keep"], about), (_PROGRESS["kept"], about))
        return _version(row)

    async def versions(self, thread_id: str) -> list[Version]:
        """Return the documents of a thread, oldest first."""
        rows = await rows_of(self._pool, _PROGRESS["versions"], {"thread_id": thread_id})
        return [_version(row) for row in rows]


def _version(row: DictRow) -> Version:
    body = row.pop("body")
    del row["thread_id"]
    return Version(**row, **body)
