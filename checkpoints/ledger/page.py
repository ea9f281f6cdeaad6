"""A ledger transaction: one database transaction on one thread, under the thread's lock."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import DictRow
from psycopg.types.json import Jsonb

from daybook.checkpoints.cluster import IS_ELSEWHERE
from daybook.checkpoints.encryption import Cipher, Confidential
from daybook.checkpoints.ledger import chain
from daybook.checkpoints.pending_writes import Statement
from daybook.checkpoints.people.rules import RULES, bucket_row, rule_of
from daybook.checkpoints.pool import Conn
from daybook.checkpoints.statements import statements
from daybook.state.effects.keys import salted, step_id, storable
from daybook.state.effects.reference import Namespace
from daybook.state.errors import ForeignThread, LedgerRestored, PlanStillOpen, ThreadClosed
from daybook.state.ledger.entry import LEDGER_VERSION, Entry, entry_of
from daybook.state.ledger.plan import Operation, Plan, fold
from daybook.state.ledger.recovery import Event
from daybook.state.ledger.step import Step
from daybook.state.ledger.work_list import OpenStep, open_steps
from daybook.state.people.budget import Usage
from daybook.state.people.rules import MACHINE, Barred, Bucket, ToolRule
from daybook.state.people.spending import SpendingLimit, Spent, Use
from daybook.state.session import Session

_SQL = statements("ledger.sql")
_READS = statements("reads.sql")
_ENDS_A_PLAN = frozenset({Event.SUCCEEDED, Event.ENDED})
_STORED = (*chain.COVERED, "hash")
_CLAIMS = (Event.ATTEMPTED.value, Event.UNDO_ATTEMPTED.value)
_GOES_ON = frozenset({Event.RECEIVED, Event.DECIDED, Event.APPLIED, Event.TURN_DONE, Event.OPENED})

_STATUS = {
    Event.RECEIVED.value: "active",
    Event.IN_DOUBT.value: "waiting",
    Event.APPROVAL.value: "waiting",
    Event.DECISION.value: "active",
    Event.HAPPENED.value: "active",
    Event.NOT_HAPPENED.value: "active",
    Event.TURN_DONE.value: "idle",
}


_LATER = timedelta(seconds=5)
"""When a claim is asked for again that a restored ledger has held up."""


@dataclass(frozen=True)
class Head:
    """The head of a thread's chain as it was read under the lock."""

    seq: int
    hash: bytes
    open_plan: str | None


@dataclass
class Page:
    """One transaction on one thread's ledger, under the thread's lock.

    Attributes:
        now: the database's clock, read after the lock was granted, UTC.
        is_closed: the thread was erased: it takes late evidence and nothing else.
        rule: of the tool that the page was begun for, locked; None if it says nothing.
        is_elsewhere: the page was begun for a tool, and the ledger may lack what was sent.
        was_restored: it was accepted after a restore: what it does not know of may have been sent.
        accepted: the thread's program, and when it was last accepted; None if no tool is called.
    """

    session: Session
    now: datetime
    head: Head
    is_closed: bool
    rule: ToolRule | None
    is_elsewhere: bool
    was_restored: bool
    accepted: tuple[str, str] | None
    _conn: Conn
    _cipher: Cipher
    _plans: dict[str, Plan | None] = field(default_factory=dict)
    _listed: dict[str, dict[str, OpenStep]] = field(default_factory=dict)
    _rows: list[dict[str, Any]] = field(default_factory=list)
    _stale: set[str] = field(default_factory=set)
    _references: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _stopped: dict[str, str] = field(default_factory=dict)
    _bucket: Bucket | None = None

    @property
    def open_plan(self) -> str | None:
        """Return the id of the thread's open plan."""
        return self.head.open_plan

    async def plan(self, plan_id: str) -> Plan | None:
        """Read one plan of the thread."""
        if plan_id not in self._plans:
            self._plans[plan_id] = await read_plan(self._conn, self.session.thread_id, plan_id)
        return self._plans[plan_id]

    async def turn(self, turn_id: str) -> list[Entry]:
        """Read what is known of one turn, as `Ledger.turn` does, on the page's own connection.

        Another one may not be free as long as this page is open.
        """
        about = {"thread_id": self.session.thread_id, "turn_id": turn_id}
        rows = await (await self._conn.execute(_SQL["entries_of_turn"], about)).fetchall()
        return [entry_of(row) for row in rows]

    async def turn_under_way(self) -> str | None:
        """Name the thread's turn that was begun and is not over; None if there is none."""
        about = {"thread_id": self.session.thread_id}
        row = await (await self._conn.execute(_SQL["turn_under_way"], about)).fetchone()
        return row["turn_id"] if row and row["event"] == Event.RECEIVED.value else None

    async def stopped_by(self, turn_id: str) -> str | None:
        """Say who wants nothing more begun in a turn, or None."""
        about = {"thread_id": self.session.thread_id, "turn_id": turn_id}
        row = await (await self._conn.execute(_SQL["stopped_by"], about)).fetchone()
        return row["author"] if row else None

    async def read_turn(
        self, turn_id: str, ops: Sequence[str]
    ) -> tuple[str | None, list[Operation]]:
        """Return who stopped a turn, and the newest generation of operations of any thread."""
        about = {"thread_id": self.session.thread_id, "turn_id": turn_id}
        async with self._conn.pipeline():
            stopped = await self._conn.execute(_SQL["stopped_by"], about)
            intents = await self._conn.execute(_SQL["intents_of_operations"], {"ops": [*ops]})
        who = await stopped.fetchone()
        newest = {row["op"]: row for row in await intents.fetchall()}
        found = [await _operation(self._conn, row) for row in newest.values()]
        return who["author"] if who else None, found

    def write(self, *entries: Entry) -> None:
        """Take entries into the page; they are checked now and inserted when the page ends.

        Raises:
            IllegalTransition: the recovery table does not allow an entry.
            PlanStillOpen: a plan is opened while another one is open.
            ThreadClosed: something would go on in a thread that was closed.
        """
        for entry in entries:
            self._write(entry)

    def make_stale(self, tags: Sequence[str]) -> None:
        """Mark the cached reads that carry one of the tags as superseded, in this transaction."""
        self._stale.update(tags)

    async def held(
        self, names: Namespace, references: Collection[str], but_not: Step
    ) -> dict[str, str]:
        """Return which of some references the ledger holds for other steps, and for which."""
        if not references:
            return {}
        hashes = {hashed(reference).hex(): reference for reference in references}
        about = {**asdict(names), "op": but_not.op, "gen": but_not.gen}
        rows = await self._conn.execute(
            _SQL["references_held"], {**about, "references": [*map(bytes.fromhex, hashes)]}
        )
        return {
            hashes[row["reference"]]: step_id(row["op"], row["gen"])
            for row in await rows.fetchall()
        }

    async def holds(self, names: Namespace, reference: str, step: Step) -> bool:
        """Tell whether a step has a reference."""
        about = {**asdict(names), "reference": hashed(reference), "op": step.op, "gen": step.gen}
        return await (await self._conn.execute(_SQL["holds"], about)).fetchone() is not None

    def bind(self, names: Namespace, reference: str, step: Step) -> None:
        """Take a reference for a step, in this transaction.

        Raises, when the page ends:
            ReferenceHeld: another step has it.
        """
        about = {**asdict(names), "reference": hashed(reference), "op": step.op, "gen": step.gen}
        self._references.append(("bind_reference", about))

    async def spent(self, limit: SpendingLimit, whose: str) -> Spent:
        """Read what counts against a limit; whoever asks at the same time waits for this page."""
        currency = limit.money.currency if limit.money is not None else ""
        about = {
            "limit_name": limit.name,
            "whose": whose,
            "currency": currency,
            "since": limit.since,
        }
        async with self._conn.pipeline():
            await self._conn.execute(_SQL["lock_limit"], about)
            found = await self._conn.execute(_SQL["spent"], about)
        row = await found.fetchone()
        assert row is not None
        return Spent(int(row["cents"]), row["calls"])

    def spend(self, use: Use) -> None:
        """Count a step against a limit from now on."""
        amount = use.amount
        about = {
            "limit_name": use.limit.name,
            "whose": use.whose or "",
            "op": use.op,
            "gen": use.gen,
            "currency": amount.currency if amount is not None else None,
            "cents": amount.amount if amount is not None else None,
        }
        self._references.append(("keep_spending", about))

    def use(self, used: Sequence[Usage]) -> None:
        """Count calls of models, in this transaction."""
        self._references += [("keep_usage", usage_row(self.session, one)) for one in used]

    def release(self, names: Namespace, step: Step) -> None:
        """Give back what a step had taken: what it was taken for is in doubt now."""
        about = {**asdict(names), "op": step.op, "gen": step.gen}
        self._references.append(("release_references", about))

    def stop(self, tool: str, why: str) -> None:
        """Switch a tool off, in this transaction, until an operator has looked."""
        self._stopped[tool] = why

    @property
    def barred(self) -> Barred | None:
        """Say why the page's tool may not be called now, or None."""
        if self.is_elsewhere:
            return Barred(str(LedgerRestored()), self.now + _LATER)
        return self.rule.bars(self.now) if self.rule is not None else None

    def take_token(self) -> None:
        """Take a token for one call of the page's tool, in this transaction."""
        if self.rule is not None and self.rule.bucket is not None:
            self._bucket = self.rule.bucket.taken(self.now)
            assert self._bucket is not None, "a page asks first whether its tool is barred"

    def _write(self, entry: Entry) -> None:
        # A runner that was suspended while its thread was erased. Of what it sent it may tell.
        if self.is_closed and entry.event in _GOES_ON:
            raise ThreadClosed(self.session.thread_id)
        entry = replace(
            entry,
            seq=self.head.seq + 1,
            at=self.now,
            detail=storable(entry.detail),
            payload=storable(entry.payload),
        )
        open_plan = self.head.open_plan
        if entry.event is Event.OPENED:
            if open_plan is not None:
                raise PlanStillOpen(
                    f"The plan {open_plan} of this thread is still open. Nothing was written; "
                    "finish or withdraw it first."
                )
            assert entry.plan_id is not None
            self._plans[entry.plan_id] = Plan(entry.plan_id, entry.turn_id or "")
            open_plan = entry.plan_id
        if entry.plan_id is not None:
            plan = self._plans.get(entry.plan_id)
            assert plan is not None, "a plan is read before it is written to"
            if entry.plan_id not in self._listed:
                self._listed[entry.plan_id] = open_steps(plan)
            plan.apply(entry)
        if entry.event in _ENDS_A_PLAN and open_plan == entry.plan_id:
            open_plan = None
        row = self._row(entry)
        self._rows.append(row)
        self.head = Head(entry.seq, row["hash"], open_plan)

    def _row(self, entry: Entry) -> dict[str, Any]:
        salt = secrets.token_bytes(16)
        payload = dict(entry.payload) if entry.payload is not None else None
        row = {
            "thread_id": self.session.thread_id,
            "tenant_id": self.session.tenant_id,
            "user_id": self.session.user_id,
            "ledger_version": LEDGER_VERSION,
            "event": entry.event.value,
            "payload_hash": salted(payload, salt) if payload is not None else None,
            "salt": salt,
            "payload": payload,
        }
        for name in chain.COVERED:
            row.setdefault(name, getattr(entry, name, None))
        row["detail"] = dict(entry.detail)
        row["hash"] = chain.link(row, self.head.hash)
        return row

    @property
    def about(self) -> list[str]:
        """Say what the page was begun for: its first event, and its claim, with their tools."""
        first = [self._named(row) for row in self._rows[:1]] or ["nothing"]
        claims = [self._named(row) for row in self._rows[1:] if row["event"] in _CLAIMS]
        return [*first, *claims]

    def _named(self, row: Mapping[str, Any]) -> str:
        plan = self._plans.get(row["plan_id"] or "")
        if plan is None or row["op"] is None:
            return str(row["event"])
        _, step = plan.find(step_id(row["op"], row["gen"]))
        return f"{row['event']}/{step.tool}"

    async def commit(self, before: Sequence[Statement] = ()) -> None:
        """Insert what was written and commit, in one round trip.

        Args:
            before: what else is to be stored, in the same transaction.
        """
        async with self._conn.pipeline(), self._conn.cursor() as cursor:
            for one in before:
                await cursor.execute(*one)
            if self._stale:
                about = {"thread_id": self.session.thread_id, "tags": sorted(self._stale)}
                await cursor.execute(_READS["mark_stale"], about)
            if self.rule is not None and self._bucket is not None:
                await cursor.execute(RULES["keep_bucket"], bucket_row(self.rule.tool, self._bucket))
            for tool, why in sorted(self._stopped.items()):
                about = {"tool": tool, "why": why, "by": MACHINE}
                await cursor.execute(RULES["stop"], about)
            for statement, about in self._references:
                about = {**about, "tenant_id": self.session.tenant_id}
                await cursor.execute(_SQL[statement], about)
            if self._rows:
                await self._insert(cursor)
            await cursor.execute("commit")

    async def _insert(self, cursor: AsyncCursor[DictRow]) -> None:
        kept = [row for row in self._rows if row["payload"] is not None]
        gone, listed = self._work_list()
        status = [said for row in self._rows if (said := self._status(row)) is not None]
        about = {
            "thread_id": self.session.thread_id,
            "tenant_id": self.session.tenant_id,
            "user_id": self.session.user_id,
            "entries": Jsonb([{name: _told(row[name]) for name in _STORED} for row in self._rows]),
            "payload_seqs": [row["seq"] for row in kept],
            "salts": [self._cipher.sealed_salt(row["salt"]) for row in kept],
            "bodies": [Confidential(row["payload"], _totals(row["payload"])) for row in kept],
            "gone": Jsonb(gone),
            "listed": Jsonb(listed),
            "seq": self.head.seq,
            "hash": self.head.hash,
            "open_plan": self.head.open_plan,
            # A change from outside the chat says nothing about who waits, and yet someone is at
            # work.
            "is_active": bool(status) or any(row["event"] == Event.APPLIED for row in self._rows),
            "stands": status[-1] if status else None,
        }
        await cursor.execute(_SQL["append_page"], about)

    def _status(self, row: Mapping[str, Any]) -> str | None:
        """Tell what an entry says about the thread: does anybody wait for anybody?"""
        plan = self._plans.get(row["plan_id"] or "")
        if row["op"] and plan is not None and plan.over and row["event"] in _STATUS:
            # About what a plan that is over left behind; its turn was done before, or goes on.
            return "idle"
        asked = str(row["detail"].get("approval", "")).startswith("asked")
        return "waiting" if asked or "waits" in row["detail"] else _STATUS.get(row["event"])

    def _work_list(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return what the page takes off the work list, and what it puts there or changes."""
        gone, listed = list[dict[str, Any]](), list[dict[str, Any]]()
        for plan_id, before in sorted(self._listed.items()):
            plan = self._plans[plan_id]
            assert plan is not None
            after = open_steps(plan)
            gone += [_row_of(before[step]) for step in before.keys() - after.keys()]
            listed += [_row_of(row) for step, row in after.items() if before.get(step) != row]
        return gone, listed


def _row_of(step: OpenStep) -> dict[str, Any]:
    return {name: _told(value) for name, value in asdict(step).items()}


def _told(value: Any) -> Any:
    """Write the value of a column as JSON from which Postgres reads the same."""
    if isinstance(value, datetime):
        return value.isoformat()
    return f"\\x{value.hex()}" if isinstance(value, bytes) else value


def usage_row(session: Session, used: Usage) -> dict[str, Any]:
    """Write a call of a model as it is kept."""
    of = {"tenant_id": session.tenant_id, "thread_id": session.thread_id}
    return {**asdict(used), **of, "user_id": session.user_id}


def hashed(reference: str) -> bytes:
    """Hash a reference as it is kept: nothing of anybody is left in it."""
    return hashlib.sha256(reference.encode("utf-8", "surrogatepass")).digest()


def _totals(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what plans are searched by: what each of their actions comes to."""
    actions = payload.get("actions")
    if not isinstance(actions, Mapping):
        return {}
    totals = {
        name: {"total": about["total"]} for name, about in actions.items() if "total" in about
    }
    return {"actions": totals} if totals else {}


async def begin(
    conn: Conn,
    cipher: Cipher,
    session: Session,
    plan_id: str | None,
    tool: str | None,
    known: Plan | None = None,
    cluster: Mapping[str, Any] | None = None,
) -> Page:
    """Lock the thread's head and a tool's rule, then read the clock and a plan: one round trip.

    Of a plan that this process knows only what it does not know of it, whoever wrote that.

    They are statements of their own, each with a snapshot of its own: what is read after a lock
    was granted is what the last holder committed, and `daybook_now` is not the time before the wait
    for a lock. A rule that says nothing is not locked: claims would wait for each other.
    """
    about = {
        "thread_id": session.thread_id,
        "tenant_id": session.tenant_id,
        "user_id": session.user_id,
        "plan_id": plan_id,
        "after": known.last_seq if known is not None else 0,
        "domain": None,
        "world": None,
        **(cluster or {}),
    }
    async with conn.pipeline():
        await conn.execute("begin")
        locked = await conn.execute(_SQL["lock_head"], about)
        rule = await conn.execute(RULES["lock_rule"], {"tool": tool}) if tool else None
        found = await conn.execute(IS_ELSEWHERE, about) if tool else None
        clock = await conn.execute(_SQL["clock"], about)
        rows = await conn.execute(_SQL["later_entries_of_plan"], about) if plan_id else None
    head = await locked.fetchone()
    if head is None:
        await conn.execute(_SQL["open_thread"], about)
        head = await (await conn.execute(_SQL["lock_head"], about)).fetchone()
        clock = await conn.execute(_SQL["clock"], about)
    if head is None or head["user_id"] != session.user_id:
        raise ForeignThread(session.thread_id)
    now = await clock.fetchone()
    assert now is not None
    ruled = await rule.fetchone() if rule is not None else None
    agrees = await found.fetchone() if found is not None else None
    page = Page(
        session=session,
        now=now["now"],
        head=Head(head["seq"], bytes(head["hash"]), head["open_plan"]),
        is_closed=now["closed"],
        rule=rule_of(ruled) if ruled is not None else None,
        is_elsewhere=bool(agrees and agrees["is_elsewhere"]),
        was_restored=bool(agrees and agrees["was_restored"]),
        accepted=(agrees["program"], agrees["accepted_at"])
        if agrees and agrees["accepted_at"]
        else None,
        _conn=conn,
        _cipher=cipher,
    )
    if plan_id and rows is not None:
        later = [entry_of(row) for row in await rows.fetchall()]
        page._plans[plan_id] = fold(later, known)
    return page


async def read_plan(conn: Conn, thread_id: str, plan_id: str) -> Plan | None:
    """Read one plan of a thread."""
    cursor = await conn.execute(
        _SQL["entries_of_plan"], {"thread_id": thread_id, "plan_id": plan_id}
    )
    return fold([entry_of(row) for row in await cursor.fetchall()])


async def read_operation(conn: Conn, op: str) -> Operation | None:
    """Read the newest generation of an operation, in whatever thread it was intended."""
    intents = await (await conn.execute(_SQL["intents_of_operations"], {"ops": [op]})).fetchall()
    return await _operation(conn, intents[-1]) if intents else None


async def _operation(conn: Conn, newest: DictRow) -> Operation:
    plan = await read_plan(conn, newest["thread_id"], newest["plan_id"])
    assert plan is not None
    return Operation(newest["op"], newest["thread_id"], plan, newest["gen"])
