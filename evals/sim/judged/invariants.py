"""What must hold after every step of a life, whatever is bought: asked of the ledger's own rows."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

from daybook.checkpoints.ledger.chain import link
from daybook.state.effects.keys import undo_key
from daybook.state.ledger.recovery import Event
from evals.sim.judged.witness import Witness
from evals.sim.lives.shop import Shop

_ASKED = {"approved", "edited"}

_DONE = frozenset({Event.ACKNOWLEDGED, Event.FOUND, Event.HAPPENED})
_WORDS = frozenset({Event.HAPPENED, Event.NOT_HAPPENED, Event.FOUND})


class Broken(Exception):
    """A promise was broken; the message says which, and by what."""


@dataclass
class Told:
    """A step as its entries tell of it.

    Attributes:
        state: "", "done", "undoing" or "undone".
        doubted: attempt whose answer raised a doubt that nobody has withdrawn.
    """

    name: str
    plan_id: str
    detail: Mapping[str, Any]
    state: str = ""
    doubted: int | None = None

    @property
    def action(self) -> tuple[str, int]:
        """Return the action that it is of."""
        return self.plan_id, self.detail.get("action", 0)


class Judge(ABC):
    """Ask the invariants after every step; each question looks at what is new.

    Args:
        shop: its book says what really happened.

    Attributes:
        conn: a session of its own.
        steps: as their entries tell of them, by name.
        heard: what was said yes to, by the plan.
        asked: how often.
        effects: how many happened, by kind.
        events: how many entries were written, by event.
    """

    def __init__(self, url: str, shop: Shop, witness: Witness) -> None:
        self.reconnect(url)
        self.shop = shop
        self._witness = witness
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._approved: set[str] = set()
        self.steps: dict[str, Told] = {}
        self.heard: dict[str, str] = {}
        self.asked = 0
        self.effects: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def reconnect(self, url: str) -> None:
        """Begin a session of its own, which no fault of a life ends but that of the server."""
        self.conn = psycopg.connect(url, autocommit=True, row_factory=dict_row, prepare_threshold=1)

    def look(self) -> None:
        """Ask all.

        Raises:
            Broken: one does not hold.
        """
        self.asked += 1
        news = self.shop.news()
        for head in self.conn.execute("select thread_id, seq, hash from thread_head").fetchall():
            seq, hash_ = self._heads.get(head["thread_id"], (0, b""))
            if head["seq"] != seq:
                self._read(head["thread_id"], seq, hash_)
        for effect in news:
            self.effects[str(effect["effect"])] += 1
            self.happens(effect)
        if complaint := self._witness.complaint(self.conn):
            raise Broken(complaint)

    def hears(self, approval_id: str, question: Any) -> None:
        """Note what a person says yes to."""
        self.heard[approval_id] = json.dumps(question, default=str)

    def _read(self, thread: str, seq: int, hash_: bytes) -> None:
        rows = self.conn.execute(
            "select * from ledger_event where thread_id = %s and seq > %s order by seq",
            (thread, seq),
        ).fetchall()
        for row in rows:
            if row["seq"] != seq + 1:
                raise Broken(f"the chain of {thread} has a gap after {seq}")
            seq, linked = row["seq"], link(row, hash_)
            if linked != bytes(row["hash"]):
                raise Broken(f"the chain of {thread} does not verify at {seq}")
            hash_ = linked
            self._enter(row)
        self._heads[thread] = seq, hash_

    def _enter(self, row: Mapping[str, Any]) -> None:
        event = Event(row["event"])
        self.events[event.value] += 1
        if event is Event.DECISION and _ASKED & set(row["detail"]["decisions"]):
            self._approved.add(row["plan_id"])
        if event is Event.CLOSING:
            self._closes(row)
        if row["op"] is None:
            return
        step = f"{row['op']}/{row['gen']}"
        if event is Event.INTENDED:
            self.steps[step] = Told(step, row["plan_id"], row["detail"])
        elif event is Event.ATTEMPTED:
            self._claims(step, step, row)
            if self.wants_yes(self.steps[step]):
                self._is_approved(step, row["plan_id"])
        elif event is Event.UNDO_ATTEMPTED:
            self._claims(undo_key(step), step, row)
            self._undoes(self.steps[step])
        else:
            self._tells(self.steps[step], event, row)

    def _tells(self, told: Told, event: Event, row: Mapping[str, Any]) -> None:
        if event is Event.ACKNOWLEDGED and told.doubted == row["attempt"] is not None:
            raise Broken(f"the answer that put {told.name} in doubt was taken for done")
        if event in _WORDS:
            told.doubted = None
        if event is Event.IN_DOUBT:
            told.state, told.doubted = "", row["attempt"]
        elif event is Event.UNDONE:
            told.state = "undone"
        elif event in _DONE and told.state in ("", "done"):
            told.state = "done"

    def _undoes(self, told: Told) -> None:
        """See that what came after it was undone before."""
        after = [one for one in self.steps.values() if one.action == told.action]
        for later in after[after.index(told) + 1 :]:
            if later.state == "done" and later.detail.get("undo"):
                raise Broken(f"{told.name} was undone before {later.name}, which came after it")
        told.state = "undoing"

    def _closes(self, row: Mapping[str, Any]) -> None:
        action = row["plan_id"], row["detail"]["action"]
        for told in self.steps.values():
            if told.action == action and told.detail.get("pivot") and told.state == "done":
                raise Broken(f"{told.name} is the point of no return, and is undone")

    def _claims(self, key: str, step: str, row: Mapping[str, Any]) -> None:
        if step not in self.steps:
            raise Broken(f"{step} was claimed without an intent")
        self.claims(key, step, row)

    def _is_approved(self, step: str, plan_id: str) -> None:
        if plan_id not in self._approved:
            raise Broken(f"{step} was claimed and nobody has approved it")
        if plan_id not in self.heard:
            raise Broken(f"{step} was claimed, and nobody said yes to that question")

    # -- what each trade says ---------------------------------------------------------------------

    def wants_yes(self, step: Told) -> bool:
        """Tell whether a person must have approved a step before it is claimed."""
        return True

    @abstractmethod
    def claims(self, key: str, step: str, row: Mapping[str, Any]) -> None:
        """Note that a step, or its undo, was claimed; the key says which."""

    @abstractmethod
    def happens(self, effect: Mapping[str, Any]) -> None:
        """Take in what really happened.

        Raises:
            Broken: it must not have.
        """

    @abstractmethod
    def has_happened(self, step: str) -> bool:
        """Tell whether the effect of a step happened: what a truthful person would say."""

    @abstractmethod
    def named(self, step: str) -> str:
        """Name what happened, as the other side does; "" where it has no name."""

    @abstractmethod
    def orders_of(self, user: str) -> list[str]:
        """Return the orders of a user that stand."""

    @abstractmethod
    def left(self, states: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
        """Say what is left in the evening that must not be.

        Args:
            states: what the graph holds for each person.
        """

    def alter(self) -> list[tuple[Any, ...]]:
        """Alter what was approved last, as nobody may; return what it was, for `put_right`."""
        return []

    def put_right(self, altered: list[tuple[Any, ...]]) -> None:
        """Put right what was altered."""
        for thread_id, seq, body in altered:
            self.conn.execute(
                "update ledger_payload set body = %s where thread_id = %s and seq = %s",
                (body, thread_id, seq),
            )

    # -- at rest ----------------------------------------------------------------------------------

    def unrest(self) -> list[str]:
        """Say what of the life is not at rest."""
        rows = self.conn.execute(_UNREST).fetchall()
        return [f"{row['thread_id']}: {row['why']}" for row in rows]

    def entries(self, thread: str) -> list[dict[str, Any]]:
        """Return all rows of a thread's ledger with their payloads, oldest first."""
        return self.conn.execute(
            "select e.*, p.body as payload"
            " from ledger_event e left join ledger_payload p using (thread_id, seq)"
            " where thread_id = %s order by seq",
            (thread,),
        ).fetchall()

    def dump(self) -> str:
        """Return all of the ledger's tables, for one life to be compared with another."""
        tables = ("thread", "thread_head", "ledger_event", "ledger_payload", "open_step")
        found = []
        for table in tables:
            rows = self.conn.execute(f"select * from {table} t order by t::text").fetchall()
            found += [f"{table} {dict(row)!r}" for row in rows]
        return "\n".join(found)

    def close(self) -> None:
        """Leave the database."""
        self.conn.close()


_UNREST = """
select t.thread_id, concat_ws(', ',
    case when h.open_plan is not null then 'a plan is open' end,
    case when t.status not in ('idle', 'waiting') then 'it is ' || t.status end,
    case when r.lease_until is not null then 'it has a runner' end,
    (select string_agg(s.op || ' is ' || s.state, ', ') from open_step s
     where s.thread_id = t.thread_id and s.due_at is not null)) as why
from thread t join thread_head h using (thread_id) left join runner r using (thread_id)
where h.open_plan is not null or t.status not in ('idle', 'waiting') or r.lease_until is not null
   or exists (select from open_step s where s.thread_id = t.thread_id and s.due_at is not null)
"""
