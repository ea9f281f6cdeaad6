"""create_agent, sync, whose tools run in resume-guard.

Its guard never takes over what another process began; what is to become of that is its verdict's,
which looks by the read-only probe. "SAFE" says that it may be executed again: that is done by hand,
for the guard has no other way. "DO-NOT-RESUME" is a person's.
"""

from __future__ import annotations

from pathlib import Path

from resume_guard import EffectLedger, GuardedEffects, IdempotencyProbe, Reconciler

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.agent import drive, opened
from evals.rivals.contenders.outside import Order, Outside, Result, serve


class Probe(IdempotencyProbe):
    """Look one kind of effect up by its key."""

    def __init__(self, outside: Outside, effect: str) -> None:
        self._outside, self._effect = outside, effect

    def _fetch(self, idempotency_key: str) -> Result | None:
        return next(iter(self._outside.look(self._effect, idempotency_key)), None)


def work(order: Order) -> str:
    """Buy; what was begun before is asked a verdict about first."""
    outside = Outside(order)
    ledger = EffectLedger(str(Path(order["home"]) / "resume-guard.db"))
    reconciler = Reconciler(ledger, {effect: Probe(outside, effect) for effect in EFFECTS})
    guard = GuardedEffects(ledger, reconciler)

    def perform(effect: str, args: Result, call: str) -> Result:
        def send(key: str) -> Result:
            return outside.perform(effect, args, key, key)

        begun = ledger.get_by_identity(outside.run, "", "tools", call)
        if begun is not None and begun["status"] != "LANDED":
            declared = [{"effect_key": call, "kind": effect}]
            verdict = reconciler.verdict(outside.run, "", "tools", declared)["verdict"]
            row = outside.settle(effect) if verdict["state"] == "DO-NOT-RESUME" else None
            if verdict["state"] != "RESUME-WITH-SKIPS":
                ledger.record_landed(begun["effect_id"], row or send(begun["effect_id"]))
        receipt: Result
        receipt, _ = guard.run_effect(outside.run, "", "tools", call, effect, send)
        return receipt

    with opened(order, outside, perform) as (agent, config):
        return drive(agent, config, outside)


if __name__ == "__main__":
    serve(work)
