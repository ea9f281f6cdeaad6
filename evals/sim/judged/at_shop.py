"""What must hold at the demo's shop, by its own book."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Any

from psycopg.types.json import Jsonb

from daybook.demo.shop.clock import stamp
from daybook.state.money import in_units
from daybook.tools.services.mail import message_id
from evals.sim.judged.invariants import Broken, Judge
from evals.sim.judged.witness import Witness
from evals.sim.lives.shop import Shop


class ShopJudge(Judge):
    """Ask that each effect is a step's, once, and as it was approved."""

    def __init__(self, url: str, shop: Shop, witness: Witness) -> None:
        super().__init__(url, shop, witness)
        self._claimed: dict[str, str] = {}
        self._details: dict[str, Mapping[str, Any]] = {}
        self._happened: Counter[str] = Counter()

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
        placed = self.shop.rows(
            "select order_id from placed_order where user_id = ? and state = 'placed' order by n",
            user,
        )
        return [row["order_id"] for row in placed]

    def left(self, states: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
        """Say what is held, charged for nothing, or answered by what was read before."""
        if holds := [one for one in self._references(_HELD) if not self._ran_out(one)]:
            yield f"holds are left: {holds}"
        if charges := self._references(_NO_ORDER):
            yield f"charges are left: {charges}"
        rows = self.conn.execute(_OLD_NEWS).fetchall()
        if old := [f"{row['tool']} of {row['turn_id']}/{row['call']}" for row in rows]:
            yield f"was answered by what was read before: {old}"

    def _ran_out(self, reference: str) -> bool:
        """Tell whether a hold was over by itself when the engine had given it back."""
        (hold,) = self.shop.rows("select expires_at from hold where reference = ?", reference)
        given_back = self.conn.execute(_GIVEN_BACK, {"reference": reference}).fetchall()
        return any(hold["expires_at"] <= stamp(row["at"].astimezone(UTC)) for row in given_back)

    def _references(self, query: str) -> list[str]:
        return [row["reference"] for row in self.shop.rows(query)]

    def alter(self) -> list[tuple[Any, ...]]:
        """Alter the amount that was approved last, as nobody may."""
        rows = self.conn.execute(_APPROVED).fetchall()
        self.conn.execute(
            _ALTER, {"of": [row["thread_id"] for row in rows], "seq": [r["seq"] for r in rows]}
        )
        return [(row["thread_id"], row["seq"], Jsonb(row["body"])) for row in rows]


_HELD = "select reference from hold where state = 'held'"

_GIVEN_BACK = """
select at from ledger_event where event = 'undone' and op || '/' || gen = %(reference)s
"""

_NO_ORDER = (
    "select reference from charge c"
    " where charge_id not in (select charge_id from placed_order) and amount >"
    " (select coalesce(sum(r.amount), 0) from refund r where r.charge_id = c.charge_id)"
)

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
