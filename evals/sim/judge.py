"""What must hold after every step of a life, whatever is bought: asked of the ledger's own rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from daybook import Guarantees, Patience
from daybook.checkpoints.ledger.chain import link
from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.statements import statements
from daybook.demo.shop.clock import stamp
from daybook.state.effects.keys import undo_key
from daybook.state.ledger.entry import entry_of
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.money import in_units
from daybook.tools.services.mail import message_id
from evals.protocol.walk import Unlike, Walk
from evals.sim.shop import Shop

SQL: dict[str, Any] = statements("sim.sql", Path(__file__).parent)

_ASKED = {"approved", "edited"}

_DONE = frozenset({Event.ACKNOWLEDGED, Event.FOUND, Event.HAPPENED})
_WORDS = frozenset({Event.HAPPENED, Event.NOT_HAPPENED, Event.FOUND})


MayBeTaken = Callable[[str], bool]


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


class Judge:
    """Ask the invariants after every step: each effect is a step's, once, and as it was approved.

    Each question looks at what is new.

    Args:
        shop: its book says what really happened.
        may_be_taken: tells whether a process, by the name that the server knows it by, may have
            been silent.

    Attributes:
        conn: a session of its own.
        steps: as their entries tell of them, by name.
        heard: what was said yes to, by the plan.
        asked: how often.
        effects: how many happened, by kind.
        events: how many entries were written, by event.
    """

    def __init__(self, url: str, shop: Shop, may_be_taken: MayBeTaken) -> None:
        self.reconnect(url)
        self.shop = shop
        self._may_be_taken, self._seen = may_be_taken, 0
        self._heads: dict[str, tuple[int, bytes]] = {}
        self._approved: set[str] = set()
        self.steps: dict[str, Told] = {}
        self.heard: dict[str, str] = {}
        self.asked = 0
        self.effects: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self._claimed: dict[str, str] = {}
        self._details: dict[str, Mapping[str, Any]] = {}
        self._happened: Counter[str] = Counter()

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
        self._runners()

    def _runners(self) -> None:
        """Look at who wrote for whom, and who took a thread from whom."""
        rows = self.conn.execute("select * from sim_seen where n > %s order by n", (self._seen,))
        for row in rows.fetchall():
            self._seen = row["n"]
            if row["what"] != "runner":
                raise Broken(
                    f"a runner that was taken over wrote to {row['what']} of {row['thread']}: "
                    f"{row['process']}, and {row['other']} runs it"
                )
            if not self._may_be_taken(row["other"]):
                raise Broken(f"{row['thread']} was taken from {row['other']}, which was awake")

    def hears(self, approval_id: str, question: Any) -> None:
        """Note what a person says yes to."""
        self.heard[approval_id] = json.dumps(question, default=str)

    def _read(self, thread: str, seq: int, hash_: bytes) -> None:
        rows = self.conn.execute(SQL["new_entries"], (thread, seq)).fetchall()
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

    # -- what happened, by the shop's own book -----------------------------------------------------

    def wants_yes(self, step: Told) -> bool:
        """Tell whether a person must have approved a step before it is claimed."""
        return True

    def claims(self, key: str, step: str, row: Mapping[str, Any]) -> None:
        """Note by which reference the shop will tell it."""
        self._claimed[key] = step
        self._claimed[message_id(key)] = step

    def happens(self, effect: Mapping[str, Any]) -> None:
        """Take in what really happened."""
        reference = str(effect["reference"])
        self._happened[reference] += 1
        if reference not in self._claimed:
            raise Broken(f"{effect['effect']} {reference} happened and nobody had claimed it")
        if self._happened[reference] > 1:
            raise Broken(f"{effect['effect']} {reference} happened twice")
        self._details[reference] = effect["detail"]
        if effect["effect"] == "charge":
            question = self.heard[self.steps[self._claimed[reference]].plan_id]
            if not re.search(
                rf"\bamount {re.escape(in_units(effect['detail']['amount']))}\b", question
            ):
                raise Broken(f"{reference} is not what was approved")

    def has_happened(self, step: str) -> bool:
        """Tell whether the effect of a step happened."""
        return bool(self._happened[step] or self._happened[message_id(step)])

    def named(self, step: str) -> str:
        """Name what happened, as the shop does."""
        detail = self._details.get(step, {})
        return next((detail[name] for name in _NAMES if name in detail), "")

    def orders_of(self, user: str) -> list[str]:
        """Return the orders of a user that stand."""
        return [row["order_id"] for row in self.shop.rows(SQL["orders_of"], user)]

    def left(self, states: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
        """Say what is held, charged for nothing, or answered by what was read before."""
        if holds := [one for one in self._references(SQL["held"]) if not self._ran_out(one)]:
            yield f"holds are left: {holds}"
        if charges := self._references(SQL["no_order"]):
            yield f"charges are left: {charges}"
        rows = self.conn.execute(SQL["old_news"]).fetchall()
        if old := [f"{row['tool']} of {row['turn_id']}/{row['call']}" for row in rows]:
            yield f"was answered by what was read before: {old}"

    def _ran_out(self, reference: str) -> bool:
        """Tell whether a hold was over by itself when the engine had given it back."""
        (hold,) = self.shop.rows("select expires_at from hold where reference = ?", reference)
        given_back = self.conn.execute(SQL["given_back"], {"reference": reference}).fetchall()
        return any(hold["expires_at"] <= stamp(row["at"].astimezone(UTC)) for row in given_back)

    def _references(self, query: str) -> list[str]:
        return [row["reference"] for row in self.shop.rows(query)]

    def alter(self) -> list[tuple[Any, ...]]:
        """Alter the amount that was approved last, as nobody may."""
        rows = self.conn.execute(SQL["approved"]).fetchall()
        self.conn.execute(
            SQL["alter"],
            {"of": [row["thread_id"] for row in rows], "seq": [r["seq"] for r in rows]},
        )
        return [(row["thread_id"], row["seq"], Jsonb(row["body"])) for row in rows]

    def put_right(self, altered: list[tuple[Any, ...]]) -> None:
        """Put right what was altered."""
        for thread_id, seq, body in altered:
            self.conn.execute(SQL["put_right"], (body, thread_id, seq))

    # -- at rest ----------------------------------------------------------------------------------

    def unrest(self) -> list[str]:
        """Say what of the life is not at rest."""
        rows = self.conn.execute(SQL["unrest"]).fetchall()
        return [f"{row['thread_id']}: {row['why']}" for row in rows]

    def entries(self, thread: str) -> list[dict[str, Any]]:
        """Return all rows of a thread's ledger with their payloads, oldest first."""
        return self.conn.execute(SQL["entries"], (thread,)).fetchall()

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


_NAMES = ("refund_id", "order_id", "charge_id", "hold_id")


async def agrees(
    thread: str,
    judge: Judge,
    ledger: Ledger,
    state: Mapping[str, Any],
    promised: Mapping[str, Guarantees],
    patience: Patience,
    mistold: int = 0,
) -> set[tuple[StepState, Event]]:
    """Walk a thread's ledger on the model; return the moves of the recovery table that were made.

    Args:
        ledger: the engine's reading.
        state: what the graph shows.
        mistold: how many answers of the shop named another effect than was done.

    Raises:
        Broken: the model does not allow what was written, or holds something else.
    """
    walk = Walk(promised, patience, mistold=mistold)
    try:
        walk.all(map(entry_of, judge.entries(thread)))
    except Unlike as unlike:
        raise Broken(f"not as the model of the protocol has it, {thread}: {unlike}") from unlike
    for plan_id, plan in walk.plans.items():
        read, _ = await ledger.plan(thread, plan_id)
        if read != plan:
            raise Broken(f"the plan {plan_id} is read otherwise than the model has it")
    _shows(state, [step for plan in walk.plans.values() for step in plan.steps])
    return walk.taken


def _shows(state: Mapping[str, Any], steps: Iterable[Step]) -> None:
    shown = state.get("ledger", {})
    for step in steps:
        if step.step_id in shown and shown[step.step_id].status is not step.state:
            raise Broken(
                f"{step.step_id} is shown as {shown[step.step_id].status}, and is {step.state}"
            )
