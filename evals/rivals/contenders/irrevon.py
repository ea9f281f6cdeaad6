"""create_agent, sync, whose tools dispatch through the engine of irrevon.

Its declaration says what the service can do: keys (tier C1), else look-ups with their bound (C2).
Booting replays what was open; absence that is confirmed is redispatched by its opt-in policy.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from irrevon.adapters.base import Adapter, DispatchOrder, DispatchResult, StatusAnswer
from irrevon.api import Engine
from irrevon.ledger.db import apply_migrations
from irrevon.reconciler import ReconcileConfig
from irrevon.resolution import ResolutionConfig

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.agent import drive, opened
from evals.rivals.contenders.outside import Order, Outside, Result, serve

_BETWEEN = 0.05
"""Seconds between two looks at what is ambiguous; its worker's are 30."""


class Till(Adapter):
    """Reach one kind of effect."""

    def __init__(self, outside: Outside, effect: str) -> None:
        self.adapter_id = self._effect = effect
        self._outside = outside

    def declare(self) -> Result:
        """Say what the service promises."""
        keyed = self._outside.honours_keys
        window = {"window": "24h", "replay_semantics": "the first answer"}
        return {
            "adapter": self._effect,
            "destination": "the shop of the rivals",
            "api_version": "1",
            "tier": "C1" if keyed else "C2",
            "idempotency": {"supported": keyed, **(window if keyed else {})},
            "queryable": {"supported": True, "by": ["client_ref"]},
            "client_ref_field": "reference",
            "list_queryable": False,
            # From the claim on, so with what the request itself may take.
            "consistency": {
                "status_settlement_lag": f"PT{self._outside.bound + 1:g}S",
                "listing_lag": None,
            },
            "compensation_hook": None,
            "citations": ["https://example.com/shop"],
            "evidence_quality": "VF",
        }

    def dispatch(self, order: DispatchOrder, deadline_s: float) -> DispatchResult:
        """Send once."""
        ref = order.client_ref
        row = self._outside.perform(self._effect, order.payload, ref, ref)
        return DispatchResult("OK", destination_ref=row["id"])

    def status_query(self, *, client_ref: str | None = None, **about: Any) -> StatusAnswer:
        """Look."""
        found = self._outside.look(self._effect, client_ref or "")
        refs = tuple(row["id"] for row in found)
        return StatusAnswer("PRESENT", len(refs), refs) if refs else StatusAnswer("ABSENT")

    def list_effects(self, *window: Any, **about: Any) -> list[Result]:
        """List nothing: the service has no lists."""
        return []


class Guarded:
    """Do effects through the engine, until each is settled."""

    def __init__(self, engine: Engine, outside: Outside) -> None:
        self._engine, self._outside = engine, outside

    def perform(self, effect: str, args: Result, call: str) -> Result:
        """Return the reference of what was done once."""
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        registered = self._engine.register_intent(
            {
                "schema_version": "1",
                "stable_ids": {"purchase": self._outside.run, "step": effect},
                "effect_type": effect,
                "effect_class": "IRREVERSIBLE",
                "scope": self._outside.run,
                "adapter_id": effect,
                "parameters": args,
                "authority_ref": f"{self._outside.run}/{effect}",
                "stamped_at": now,
            }
        )
        name: str = registered.effect_id
        self._engine.dispatch(name)
        while True:
            status = self._engine.status(name)
            match status["record"]["lifecycle"]:
                case "SETTLED_COMMITTED":
                    refs = [one["destination_ref"] for one in status["receipts"]]
                    refs += [one["destination_ref"] for one in status["findings"]]
                    return {"id": next(ref for ref in reversed(refs) if ref)}
                case "SETTLED_FAILED":
                    lost = status["findings"][-1]["finding_id"]
                    fresh = {"fresh_authority_ref": f"again/{lost}", "stamped_at": now}
                    self._engine.resolve(lost, "REDISPATCHED", fresh, actor="policy_auto")
                case _:
                    time.sleep(_BETWEEN)
                    self._engine.reconcile(name)


def work(order: Order) -> str:
    """Buy; the engine boots first, and replays what was open."""
    outside = Outside(order)
    apply_migrations(order["database"])
    looks = ReconcileConfig(stuck_threshold_s=1, absence_reread_gap_s=_BETWEEN)
    policy = ResolutionConfig(auto_redispatch_effect_types=frozenset(EFFECTS), reconcile=looks)
    adapters = {effect: Till(outside, effect) for effect in EFFECTS}
    engine = Engine(order["database"], adapters, reconcile_config=looks, resolution_config=policy)
    with engine:
        engine.boot()
        guarded = Guarded(engine, outside)
        with opened(order, outside, guarded.perform) as (agent, config):
            return drive(agent, config, outside)


if __name__ == "__main__":
    serve(work)
