"""The ledger: append-only, hash-chained, one writer per thread at a time.

Every change goes through `Ledger.page`, in one transaction (docs/protocol.md, Append): lock the
head of the thread; in a later statement read the clock and what is needed; decide; write; move the
head. Lock and guard in one statement would let two writers both commit.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from psycopg import OperationalError
from psycopg.errors import UniqueViolation
from psycopg.rows import DictRow

from daybook.checkpoints.cluster import Cluster
from daybook.checkpoints.encryption import CLEAR, Cipher
from daybook.checkpoints.ledger import chain
from daybook.checkpoints.ledger.chain import audit, listed, work_of_plans
from daybook.checkpoints.ledger.page import (
    Page,
    begin,
    read_operation,
)
from daybook.checkpoints.pending_writes import Statement, Unstored
from daybook.checkpoints.people.delegations import standing_in
from daybook.checkpoints.people.rules import RULES, rules_of
from daybook.checkpoints.pool import Conn, Pool, each_of, row_of, rows_of
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import (
    CannotDecrypt,
    ChainBroken,
    OperationReused,
    Overtaken,
    ReferenceHeld,
)
from daybook.state.fault_points import FaultPoint, reached
from daybook.state.ledger.entry import Entry, entry_of
from daybook.state.ledger.plan import Operation, Plan, fold
from daybook.state.ledger.recovery import Event
from daybook.state.people.rules import Rules
from daybook.state.session import Person, Session

_SQL = statements("ledger.sql")

_BATCH = 500

_CONFLICTS = {
    "one_intent": OperationReused,
    "one_attempt": Overtaken,
    "one_undo_attempt": Overtaken,
    "one_decision": Overtaken,
    "one_approval": Overtaken,
    "one_turn": Overtaken,
    "one_end_of_turn": Overtaken,
    "one_model_decision": Overtaken,
    "one_application": Overtaken,
    "ledger_event_seq": Overtaken,
    "one_reference": ReferenceHeld,
}


@dataclass(frozen=True)
class LeftOver:
    """A plan that is over and left something to do.

    Attributes:
        is_in_question: a person is to be asked.
    """

    plan_id: str
    is_in_question: bool


@dataclass(frozen=True)
class KeptHead:
    """Where a thread's chain ended at some time.

    Attributes:
        hash: of the entry, in hex.
    """

    thread_id: str
    seq: int
    hash: str


@dataclass(frozen=True)
class Span:
    """Which entries of a thread are meant, and between which hashes (in hex) they stand.

    Attributes:
        previous: of the entry before the first one; "" if there is none.
        hash: of the last one.
        head_seq, head_hash: where the thread's chain ended at that moment.
    """

    thread_id: str
    first: int
    previous: str
    last: int
    hash: str
    head_seq: int
    head_hash: str


@dataclass(frozen=True)
class Begun:
    """What a plan is begun with.

    Attributes:
        plan: that plan, where it was begun already.
        changed: the plans of the turn that a person changed.
        rules: of tools.
        refused: the calls that were refused before.
    """

    plan: Plan | None
    changed: Sequence[Plan]
    rules: Rules
    refused: Collection[str]


class Ledger:
    """Read and append the ledger of one tenant's threads."""

    def __init__(
        self,
        pool: Pool,
        cipher: Cipher = CLEAR,
        clock: Clock = SYSTEM,
        *,
        cluster: Cluster,
        unstored: Unstored,
    ) -> None:
        self._pool, self._cluster, self._unstored = pool, cluster, unstored
        self._cipher, self._clock = cipher, clock

    @property
    def was_restored(self) -> bool:
        """Tell whether it was restored once: what it does not know of may have been sent."""
        return self._cluster.was_restored

    @asynccontextmanager
    async def page(
        self,
        session: Session,
        plan_id: str | None = None,
        tool: str | None = None,
        known: Plan | None = None,
        *,
        is_step: bool = False,
    ) -> AsyncIterator[Page]:
        """Open a page under the thread's lock; it is committed when the block ends.

        An exception in the block rolls everything back.

        Args:
            plan_id: a plan that is read along, which saves a round trip.
            tool: a tool whose rule is locked and read along, to claim a call of it.
            known: that plan as this process read or committed it last. It is brought up to date
                and becomes the page's own: where the page fails it is worth nothing any more.
            is_step: what the run still has to store goes with it, and it is refused to a runner
                that was taken over. What tells of something done is none: it is kept from anybody.

        Raises:
            TakenOver: of a step, another process runs the thread by now.
            ForeignThread: the thread belongs to another user.
            Overtaken: a constraint says that another process wrote first.
            OperationReused: an intent of this operation and generation exists already.
            ReferenceHeld: a reference that was bound belongs to another step.
        """
        thread_id = session.thread_id
        async with AsyncExitStack() as stack:
            conn = await stack.enter_async_context(self._pool.connection())
            if tool is not None:
                await self._cluster.read_marks()
            opens = self._cipher, session, plan_id, tool, known, self._cluster.query_args
            try:
                page = await begin(conn, *opens)
            except OperationalError:
                if not conn.closed:
                    raise
                # The server has ended the session, and nothing was written yet: another one. What
                # a suspended runner has to tell of its last call would be lost otherwise.
                await stack.aclose()
                await self._pool.check()
                conn = await stack.enter_async_context(self._pool.connection())
                page = await begin(conn, *opens)
            try:
                yield page
                for about in page.about:
                    reached(FaultPoint.BEFORE_COMMIT, about)
                if is_step:
                    with self._unstored.taken(thread_id) as before:
                        await page.commit(before)
                else:
                    await page.commit()
                self._cluster.was_restored |= page.was_restored
                if page.accepted is not None and (head := page.head).seq:
                    newest = thread_id, head.seq, head.hash
                    await self._cluster.committed(*newest, *page.accepted)
                for about in page.about:
                    reached(FaultPoint.AFTER_COMMIT, about)
            except UniqueViolation as error:
                await conn.rollback()
                kind = _CONFLICTS.get(error.diag.constraint_name or "", Overtaken)
                raise kind(
                    f"Another process wrote first ({error.diag.constraint_name}). Nothing of this "
                    "transaction was written; read the ledger again."
                ) from error
            except BaseException:
                await conn.rollback()
                raise

    def asks_open_plan(self, thread_id: str) -> Statement:
        """Return what asks for the open plan of a thread, for `plan_in`."""
        return _SQL["entries_of_open_plan"], {"thread_id": thread_id}

    async def plan(self, thread_id: str, plan_id: str) -> tuple[Plan | None, datetime]:
        """Read one plan and the database's clock (UTC), without the lock."""
        rows = await rows_of(
            self._pool, _SQL["entries_of_plan"], {"thread_id": thread_id, "plan_id": plan_id}
        )
        return self.plan_in(rows)

    def plan_in(self, rows: Sequence[DictRow]) -> tuple[Plan | None, datetime]:
        """Return the plan that rows tell of, with the database's clock (UTC)."""
        now = rows[0]["now"] if rows else self._clock.now()
        return fold([entry_of(row) for row in rows]), now

    async def read_for_plan(
        self, thread_id: str, plan_id: str, turn_id: str, calls: Sequence[str] = ()
    ) -> Begun:
        """Read what is needed to start a plan, in one round trip.

        Args:
            calls: of the turn, which the plan is to carry out.
        """
        about = {"thread_id": thread_id, "plan_id": plan_id, "turn_id": turn_id}
        own, edited, rules, answered = await each_of(
            self._pool,
            (_SQL["entries_of_plan"], about),
            (_SQL["edited_plans"], about),
            (RULES["rules"], None),
            (_SQL["answered_calls"], {**about, "calls": [*calls]}),
        )
        others = _plans([entry_of(row) for row in edited])
        return Begun(
            plan=fold([entry_of(row) for row in own]),
            changed=[one for one in others if one.turn_id == turn_id],
            rules=rules_of(rules),
            refused={row["call"] for row in answered},
        )

    async def operation(self, op: str) -> Operation | None:
        """Read the newest generation of an operation, in whatever thread it was intended."""
        async with self._pool.connection() as conn:
            return await read_operation(conn, op)

    async def unsent_generations(self, op: str, before: int) -> list[int]:
        """Name the generations of an operation before one that were never sent, as it is known."""
        rows = await rows_of(self._pool, _SQL["unsent_generations"], {"op": op, "before": before})
        return [row["gen"] for row in rows]

    async def standing_in(self, person: Person) -> Person:
        """Return a person with the role that they have by now, and for whom they stand in."""
        return await standing_in(self._pool, person)

    async def open_plan(self, thread_id: str) -> str | None:
        """Return the id of a thread's open plan."""
        row = await row_of(self._pool, _SQL["head"], {"thread_id": thread_id})
        return row["open_plan"] if row else None

    async def left_over(self, thread_id: str) -> list[LeftOver]:
        """Find what plans that are over left behind and is due, or waits for a person."""
        rows = await rows_of(self._pool, *self.asks_left_over(thread_id))
        return [LeftOver(**row) for row in rows]

    def asks_left_over(self, thread_id: str) -> Statement:
        """Return what asks for the rows of `LeftOver`."""
        return _SQL["left_over"], {"thread_id": thread_id}

    async def ended_plans(self, thread_id: str, after: int) -> list[Plan]:
        """Read the plans that ended after entry `after`, in that order."""
        entries = await self._entries("ended_plans", thread_id=thread_id, after=after)
        return sorted(_plans(entries), key=lambda plan: plan.over_seq)

    async def ended_turn(
        self, thread_id: str, turn_id: str, after: int, more: Statement
    ) -> tuple[str | None, list[Plan], list[LeftOver], list[DictRow]]:
        """Read what the answer of a turn is made of: one round trip.

        Returns:
            Who wanted nothing more begun in the turn, or None; the plans that ended after entry
            `after`, in that order; what plans that are over left behind; and the rows of `more`.
        """
        about = {"thread_id": thread_id, "turn_id": turn_id, "after": after}
        stopped, ended, left, found = await each_of(
            self._pool,
            (_SQL["stopped_by"], about),
            (_SQL["ended_plans"], about),
            self.asks_left_over(thread_id),
            more,
        )
        over = sorted(_plans([entry_of(row) for row in ended]), key=lambda plan: plan.over_seq)
        who = stopped[0]["author"] if stopped else None
        return who, over, [LeftOver(**row) for row in left], found

    async def turn(self, thread_id: str, turn_id: str) -> list[Entry]:
        """Read what is known of one turn: received, model decisions, applied changes, done."""
        return await self._entries("entries_of_turn", thread_id=thread_id, turn_id=turn_id)

    async def turn_with(self, thread_id: str, turn_id: str, *more: Statement) -> tuple[Any, ...]:
        """Read what is known of one turn, and the rows of other statements: one round trip."""
        about = {"thread_id": thread_id, "turn_id": turn_id}
        rows, *found = await each_of(self._pool, (_SQL["entries_of_turn"], about), *more)
        return [entry_of(row) for row in rows], *found

    async def newest_turn(self, thread_id: str) -> Entry | None:
        """Return what says that the newest turn of a thread was begun; None if none was."""
        return next(iter(await self._entries("newest_turn", thread_id=thread_id)), None)

    async def decisions(
        self, thread_id: str, message: str, calls: Sequence[str], run: str
    ) -> AsyncIterator[list[Entry]]:
        """Yield lists of decisions that a model's message may be, the likeliest list first.

        In each list the newest one is first.

        Args:
            message: the hash of its id.
            calls: the hashes of the ids of its calls.
            run: the turn in which it may have been said with other ids.
        """
        about = {"thread_id": thread_id, "message": message, "calls": [*calls], "run": run}
        for statement in ("decisions_of_message", "decisions_of_calls", "decisions_of_run"):
            yield await self._entries(statement, **about)

    async def stopped_by(self, thread_id: str, turn_id: str) -> str | None:
        """Say who wants nothing more begun in a turn, or None."""
        about = {"thread_id": thread_id, "turn_id": turn_id}
        row = await row_of(self._pool, _SQL["stopped_by"], about)
        return row["author"] if row else None

    async def applied(self, thread_id: str, turn_id: str) -> tuple[list[Entry], Rules]:
        """Read what was applied in a turn, and the rules of tools: one round trip."""
        about = {"thread_id": thread_id, "turn_id": turn_id}
        rows, rules = await each_of(
            self._pool, (_SQL["entries_of_turn"], about), (RULES["rules"], None)
        )
        entries = [entry_of(row) for row in rows]
        return [entry for entry in entries if entry.event is Event.APPLIED], rules_of(rules)

    async def entries_of_plan(self, thread_id: str, plan_id: str) -> list[Entry]:
        """Read the entries of one plan in order."""
        return await self._entries("entries_of_plan", thread_id=thread_id, plan_id=plan_id)

    async def entries(self, thread_id: str, after: int = 0) -> list[Entry]:
        """Read a thread's entries in order, those after number `after`."""
        return await self._entries("entries_of_thread", thread_id=thread_id, after=after)

    async def stored(self, thread_id: str) -> list[DictRow]:
        """Read a thread's rows as they stand, in order: of any version, and not upgraded.

        Returns:
            Columns of `ledger_event`, with `payload` (None when there is none or it was erased).
        """
        about = {"thread_id": thread_id, "after": 0}
        return await rows_of(self._pool, _SQL["entries_of_thread"], about)

    async def verify(self, thread_id: str) -> int:
        """Check a thread's hash chain, then what is kept beside it, and count its entries.

        Raises:
            ChainBroken: the chain does not verify.
            ProjectionWrong: it does, and the thread's row, head or work list does not agree.
        """
        about = {"thread_id": thread_id}
        async with self._pool.connection() as conn, conn.transaction():
            await conn.execute("set transaction isolation level repeatable read")
            rows = await self._chain(conn, thread_id)
            beside = await (await conn.execute(_SQL["beside"], about)).fetchone()
            work = await (await conn.execute(_SQL["work_list"], about)).fetchall()
        assert beside is not None
        count = chain.verify(rows, beside)
        if rows or beside["has_thread"] or beside["has_head"]:
            audit(rows, beside, work)
        return count

    async def missing_threads(self) -> int:
        """Count the threads whose ledger was begun and is in no table any more."""
        [row] = await rows_of(self._pool, _SQL["missing_threads"], {})
        return int(row["missing"])

    async def heads(self, since: datetime | None = None) -> AsyncIterator[KeptHead]:
        """Return where each thread's chain ends now: kept elsewhere, they show what is changed.

        Args:
            since: only of threads that were written in since then (UTC).
        """
        async for row in self._by_threads("heads", since=since):
            yield KeptHead(row["thread_id"], row["seq"], row["hash"])

    async def spans(self, since: datetime | None, until: datetime | None) -> AsyncIterator[Span]:
        """Return which entries each thread has of a period (UTC), without its end.

        Where no entry is left of a thread that has a head, the span is empty: it ends at 0.
        """
        async for row in self._by_threads("spans", since=since, until=until):
            if row["last"] is None and row["head_seq"] and not (since or until):
                row |= {"first": 1, "last": 0, "hash": ""}
            if row["first"] and row["last"] is not None and row["first"] <= (row["last"] or 1):
                yield Span(**row)

    async def entries_of_spans(
        self, spans: Sequence[tuple[str, int, int]], *, payloads: bool
    ) -> list[DictRow]:
        """Read entries as they stand, in this order.

        Args:
            spans: thread, first and last entry.
            payloads: with payloads and salts, decrypted; else both are None.

        Raises:
            ChainBroken: a payload, or its salt, is not what was encrypted.
        """
        threads, firsts, lasts = (list(part) for part in zip(*spans, strict=True))
        about = {"threads": threads, "firsts": firsts, "lasts": lasts, "payloads": payloads}
        async with self._pool.connection() as conn:
            return await self._with_salts(conn, "entries_of_spans", about)

    async def now(self) -> datetime:
        """Read the database's clock (UTC)."""
        [row] = await rows_of(self._pool, _SQL["clock"], {"thread_id": ""})
        now: datetime = row["now"]
        return now

    async def lost(self, heads: Sequence[KeptHead]) -> list[KeptHead]:
        """Return the heads that were kept and that no chain goes through any more."""
        found: list[KeptHead] = []
        for at in range(0, len(heads), _BATCH):
            some = heads[at : at + _BATCH]
            about = {
                "threads": [one.thread_id for one in some],
                "seqs": [one.seq for one in some],
                "hashes": [one.hash for one in some],
            }
            rows = await rows_of(self._pool, _SQL["lost_heads"], about)
            found += [KeptHead(**row) for row in rows]
        return found

    async def rebuild(self, thread_id: str) -> bool:
        """Write a thread's work list again from its entries; tell whether it was another.

        Plans whose payloads were erased keep what is there.
        """
        about = {"thread_id": thread_id}
        async with self._pool.connection() as conn, conn.transaction():
            head = await (await conn.execute(_SQL["lock_head"], about)).fetchone()
            rows = await self._chain(conn, thread_id)
            found = await (await conn.execute(_SQL["work_list"], about)).fetchall()
            wanted, unreadable = work_of_plans(rows)
            if head is None or {*listed(found, but_not=unreadable)} == wanted:
                return False
            await conn.execute(_SQL["drop_work_list"], {**about, "but_not": [*unreadable]})
            whose = {**about, "tenant_id": rows[0]["tenant_id"], "user_id": head["user_id"]}
            for one in wanted:
                await conn.execute(_SQL["keep_open_step"], {**whose, **asdict(one)})
        return True

    async def thread_ids(self, only: str | None = None) -> AsyncIterator[str]:
        """Name the threads that anything is kept of, one after the other; or `only` that one."""
        if only is not None:
            yield only
            return
        async for row in self._by_threads("thread_ids"):
            yield row["thread_id"]

    async def _by_threads(self, statement: str, **params: Any) -> AsyncIterator[DictRow]:
        """Read a row of each thread, in the order of their ids."""
        # By batches, each in a transaction of its own: who asks may take long over each thread.
        after = ""
        while True:
            about = {**params, "after": after, "most": _BATCH}
            rows = await rows_of(self._pool, _SQL[statement], about)
            for row in rows:
                yield row
            if len(rows) < _BATCH:
                return
            after = rows[-1]["thread_id"]

    async def _chain(self, conn: Conn, thread_id: str) -> list[DictRow]:
        """Read a thread's rows with the salts of their payloads.

        Raises:
            ChainBroken: a payload, or its salt, is not what was encrypted.
        """
        return await self._with_salts(conn, "chain", {"thread_id": thread_id})

    async def _with_salts(
        self, conn: Conn, statement: str, about: Mapping[str, Any]
    ) -> list[DictRow]:
        try:
            rows = await (await conn.execute(_SQL[statement], about)).fetchall()
            return [
                {**row, "salt": self._cipher.opened_salt(bytes(row["salt"]))}
                if row["salt"]
                else row
                for row in rows
            ]
        except CannotDecrypt as error:
            raise ChainBroken("A payload cannot be decrypted because it was changed.") from error

    async def _entries(self, statement: str, **params: Any) -> list[Entry]:
        rows = await rows_of(self._pool, _SQL[statement], params)
        return [entry_of(row) for row in rows]


def _plans(entries: Iterable[Entry]) -> list[Plan]:
    """Add up the entries of several plans, oldest first; in the order in which they were opened."""
    plans: dict[str, Plan | None] = {}
    for entry in entries:
        assert entry.plan_id is not None
        plans[entry.plan_id] = fold([entry], plans.get(entry.plan_id))
    return [plan for plan in plans.values() if plan is not None]
