"""create_agent, sync, whose tools are effects of call4agents.

As its documentation says: a resend under the same key where the service honours it, else a look-up
by `reconcile=`; what is in doubt is put to a person, who resolves it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import call4agents as c4a
from call4agents import ops
from call4agents.adapters import langgraph as c4a_lg

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.create_agent import drive, opened
from evals.rivals.contenders.outside import Order, Outside, Result, serve

_DAY = 24 * 3600


def work(order: Order) -> str:
    """Buy, and let a person resolve what is in doubt."""
    outside = Outside(order)
    record = str(Path(order["home"]) / "ledger.sqlite")
    c4a.init(record)

    def once_for(effect: str) -> Callable[..., Result]:
        def act(args: Result, reference: str) -> Result:
            return outside.perform(effect, args, reference, c4a.idempotency_key())

        def reconcile(args: Result, reference: str) -> Result | None:
            return next(iter(outside.look(effect, reference)), None)

        if order.get("probe") == "no":
            known: dict[str, Any] = {}
        elif outside.honours_keys:
            known = {"idempotent_for": _DAY}
        else:
            known = {"reconcile": reconcile}
        once: Callable[..., Result] = c4a_lg.effect(act, approval=True, name=effect, **known)
        return once

    guarded = {effect: once_for(effect) for effect in EFFECTS}

    def about(effect: str, args: Result) -> Result:
        return {"args": args, "reference": f"{outside.run}/{effect}"}

    def perform(effect: str, args: Result, call: str) -> Result:
        return guarded[effect](**about(effect, args))

    with opened(order, outside, perform) as (agent, config):

        def approve(request: Result) -> None:
            effect = request["name"]
            c4a_lg.approve(guarded[effect], config, **about(effect, request["args"]))

        while True:
            try:
                return drive(agent, config, outside, note=approve)
            except c4a.EffectInDoubt:
                _resolve(record, outside)


def _resolve(record: str, outside: Outside) -> None:
    """Do what the person on call does: `call4agents doubt`, then `call4agents resolve`."""
    ledger = ops.open_record(record)
    for doubt in ops.in_doubt(ledger):
        if doubt["run_id"] == outside.run:
            row = outside.settle(doubt["tool"])
            outcome = "not-done" if row is None else "done"
            ops.resolve(ledger, doubt["key"], outcome, "asked the service", row)


if __name__ == "__main__":
    serve(work)
