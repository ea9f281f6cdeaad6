"""What must hold after every step of a life: asked of the ledger's own rows and the shop's book."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from daybook.checkpoints.ledger.chain import link
from daybook.state.effects.keys import undo_key
from daybook.state.ledger.recovery import Event
from daybook.state.money import in_units
from daybook.tools.services.mail import message_id
from evals.sim.judged.witness import Witness
from evals.sim.lives.shop import Shop

_ASKED = {"approved", "edited"}

_DONE = frozenset({Event.ACKNOWLEDGED, Event.FOUND, Event.HAPPENED})
_WORDS = frozenset({Event.HAPPENED, Event.NOT_HAPPENED, Event.FOUND})


class Broken(Exception):
    """A promise was broken; the message says which, and by what."""


@dataclass
class _Told:
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


class Judge:
    """Ask the invariants after every step; each question looks at what is new.

    Attributes:
        asked: how often.
        effects: how many happened, by kind.
        events: how many entries were written, by event.
    """

    def __init__(self, url: str, shop: Shop, witness: Witness) -> None:
        self.reconnect(url)
        self._shop = shop
        self._witness = witness
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._steps: dict[str, _Told] = {}
        self._details: dict[str, Mapping[str, Any]] = {}
        self._heard: dict[str, str] = {}
        self._claimed: dict[str, str] = {}
        self._approved: set[str] = set()
        self._happened: Counter[str] = Counter()
        self.asked = 0
        self.effects: Counter[str] = Counter()
        self.events: Counter[str] = Counter()

    def reconnect(self, url: str) -> None:
        """Begin a session of its own, which no fault of a life ends but that of the server."""
        self._conn = psycopg.connect(
            url, autocommit=True, row_factory=dict_row, prepare_threshold=1
        )

    def look(self) -> None:
        """Ask all.

        Raises:
            Broken: one does not hold.
        """
        self.asked += 1
        news = self._shop.news()
        for head in self._conn.execute("select thread_id, seq, hash from thread_head").fetchall():
            seq, hash_ = self._heads.get(head["thread_id"], (0, b""))
            if head["seq"] != seq:
                self._read(head["thread_id"], seq, hash_)
        for effect in news:
            self._happens(effect)
        if complaint := self._witness.complaint(self._conn):
            raise Broken(complaint)

    def hears(self, approval_id: str, question: Any) -> None:
        """Note what a person says yes to."""
        self._heard[approval_id] = json.dumps(question, default=str)

    def _read(self, thread: str, seq: int, hash_: bytes) -> None:
        rows = self._conn.execute(
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
            self._steps[step] = _Told(step, row["plan_id"], row["detail"])
        elif event is Event.ATTEMPTED:
            self._claims(step, step)
            if row["plan_id"] not in self._approved:
                raise Broken(f"{step} was claimed and nobody has approved it")
            if row["plan_id"] not in self._heard:
                raise Broken(f"{step} was claimed, and nobody said yes to that question")
        elif event is Event.UNDO_ATTEMPTED:
            self._claims(undo_key(step), step)
            self._undoes(self._steps[step])
        else:
            self._tells(self._steps[step], event, row)

    def _tells(self, told: _Told, event: Event, row: Mapping[str, Any]) -> None:
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

    def _undoes(self, told: _Told) -> None:
        """See that what came after it was undone before."""
        after = [one for one in self._steps.values() if one.action == told.action]
        for later in after[after.index(told) + 1 :]:
            if later.state == "done" and later.detail.get("undo"):
                raise Broken(f"{told.name} was undone before {later.name}, which came after it")
        told.state = "undoing"

    def _closes(self, row: Mapping[str, Any]) -> None:
        action = row["plan_id"], row["detail"]["action"]
        for told in self._steps.values():
            if told.action == action and told.detail.get("pivot") and told.state == "done":
                raise Broken(f"{told.name} is the point of no return, and is undone")

    def _claims(self, key: str, step: str) -> None:
        if step not in self._steps:
            raise Broken(f"{step} was claimed without an intent")
        self._claimed[key] = step
        self._claimed[message_id(key)] = step

    def _happens(self, effect: Mapping[str, Any]) -> None:
        reference = str(effect["reference"])
        self.effects[str(effect["effect"])] += 1
        self._happened[reference] += 1
        if reference not in self._claimed:
            raise Broken(f"{effect['effect']} {reference} happened and nobody had claimed it")
        if self._happened[reference] > 1:
            raise Broken(f"{effect['effect']} {reference} happened twice")
        self._details[reference] = effect["detail"]
        if effect["effect"] == "charge":
            question = self._heard[self._steps[self._claimed[reference]].plan_id]
            if not re.search(
                rf"\bamount {re.escape(in_units(effect['detail']['amount']))}\b", question
            ):
                raise Broken(f"{reference} is not what was approved")

    def has_happened(self, step: str) -> bool:
        """Tell whether the effect of a step happened: what a truthful person would say."""
        return bool(self._happened[step] or self._happened[message_id(step)])

    def named(self, step: str) -> str:
        """Name what happened, as the shop does; "" where it has no name."""
        detail = self._details.get(step, {})
        return next((detail[name] for name in _NAMES if name in detail), "")

    def orders_of(self, user: str) -> list[str]:
        """Return the orders of a user that stand."""
        placed = self._shop.rows(
            "select order_id from placed_order where user_id = ? and state = 'placed' order by n",
            user,
        )
        return [row["order_id"] for row in placed]

    def holds(self) -> list[str]:
        """Return the references of holds that still keep stock from others."""
        held = self._shop.rows("select reference from hold where state = 'held'")
        return [row["reference"] for row in held]

    def charges(self) -> list[str]:
        """Return the references of charges for which there is no order, and no refund."""
        left = self._shop.rows(
            "select reference from charge c"
            " where charge_id not in (select charge_id from placed_order) and amount >"
            " (select coalesce(sum(r.amount), 0) from refund r where r.charge_id = c.charge_id)"
        )
        return [row["reference"] for row in left]

    def old_news(self) -> list[str]:
        """Return the calls that were answered by what was read before a write that it tells of."""
        rows = self._conn.execute(_OLD_NEWS).fetchall()
        return [f"{row['tool']} of {row['turn_id']}/{row['call']}" for row in rows]

    def alter(self) -> list[tuple[Any, ...]]:
        """Alter what was approved last, as nobody may; return what it was, for `put_right`."""
        rows = self._conn.execute(_APPROVED).fetchall()
        self._conn.execute(
            _ALTER, {"of": [row["thread_id"] for row in rows], "seq": [r["seq"] for r in rows]}
        )
        return [(row["thread_id"], row["seq"], Jsonb(row["body"])) for row in rows]

    def put_right(self, altered: list[tuple[Any, ...]]) -> None:
        """Put right what was altered."""
        for thread_id, seq, body in altered:
            self._conn.execute(
                "update ledger_payload set body = %s where thread_id = %s and seq = %s",
                (body, thread_id, seq),
            )

    def unrest(self) -> list[str]:
        """Say what of the life is not at rest."""
        rows = self._conn.execute(_UNREST).fetchall()
        return [f"{row['thread_id']}: {row['why']}" for row in rows]

    def entries(self, thread: str) -> list[dict[str, Any]]:
        """Return all rows of a thread's ledger with their payloads, oldest first."""
        return self._conn.execute(
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
            rows = self._conn.execute(f"select * from {table} t order by t::text").fetchall()
            found += [f"{table} {dict(row)!r}" for row in rows]
        return "\n".join(found)

    def close(self) -> None:
        """Leave the database."""
        self._conn.close()


_NAMES = ("refund_id", "order_id", "charge_id", "hold_id")

_OLD_NEWS = """
select r.turn_id, r.call, r.tool from read_call r
join read_call m on m.thread_id = r.thread_id and m.handle = r.handle and m.cache <> 'hit'
where r.cache = 'hit' and 'orders' = any(m.tags) and exists (
    select from ledger_event e
    where e.thread_id = r.thread_id and e.event in ('acknowledged', 'found')
      and e.op like '%/place_order' and e.at > m.read_at and e.at < r.read_at)
"""

_APPROVED = """
select p.thread_id, p.seq, p.body from ledger_event e join ledger_payload p using (thread_id, seq)
where e.event = 'intended' and e.detail ->> 'tool' = 'charge_payment'
  and (e.thread_id, e.plan_id) = (
    select d.thread_id, d.plan_id from ledger_event d where d.event = 'decision'
    order by d.at desc, d.seq desc limit 1)
"""

_ALTER = """
update ledger_payload p set body = jsonb_set(body - 'written', '{args,amount}',
    to_jsonb((body -> 'args' ->> 'amount')::bigint + 100))
from unnest(%(of)s::text[], %(seq)s::bigint[]) as a (thread_id, seq)
where (p.thread_id, p.seq) = (a.thread_id, a.seq)
"""

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
