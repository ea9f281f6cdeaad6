"""create_agent with the execution boundary of effect-ledger, installed last.

What died in flight waits. Its recovery policy, where there is one, completes what a look-up shows
and lets what the service covers by its key be tried again; what it abstains from is a person's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from effect_ledger import EffectExecutor
from effect_ledger.langchain import READ_ONLY, ExecutionBoundary, current_operation
from effect_ledger.langgraph import LedgerRunner
from effect_ledger.recovery import RecoveryDecision

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.agent import START, approved, opened
from evals.rivals.contenders.outside import Order, Outside, Result, serve


def work(order: Order) -> str:
    """Buy, and let policy and person decide what was left unresolved."""
    outside = Outside(order)

    def policy(operation: Any) -> RecoveryDecision | None:
        decision = f"policy-{operation.operation_id}-{operation.version}"
        if found := outside.look(operation.effect, operation.provider_key):
            result = ExecutionBoundary.result(json.dumps(found[0]))
            return RecoveryDecision("complete", decision, "the service has it", result)
        if outside.honours_keys:
            return RecoveryDecision("retry", decision, "the service honours its key")
        return None

    executor = EffectExecutor(
        Path(order["home"]) / "effects.sqlite",
        scope=outside.run,
        recovery=None if order.get("probe") == "no" else policy,
    )
    boundary = ExecutionBoundary(
        executor,
        workflow_id="purchase:v1",
        tools={
            **{effect: effect for effect in EFFECTS},
            **dict.fromkeys(("search", "add_to_cart"), READ_ONLY),
        },
    )

    def perform(effect: str, args: Result, call: str) -> Result:
        key = current_operation().provider_key
        return outside.perform(effect, args, key, key)

    with opened(order, outside, perform, boundary) as (agent, config):
        runner = LedgerRunner(agent)
        for operation in executor.unresolved():
            executor.recover(operation.operation_id, workers_stopped=True)
        is_begun = bool(agent.get_state(config).values)
        state = runner.resume(config) if is_begun else runner.start(START, config)
        while "__interrupt__" in state:
            answers = {}
            for asked in state["__interrupt__"]:
                if asked.value.get("kind") == "effect_recovery":
                    _decide(executor, asked.value, outside)
                else:
                    answers[asked.id] = approved([asked], outside)
            state = runner.resume(config, responses=answers)
        return str(state["messages"][-1].text)


def _decide(executor: EffectExecutor, asked: Result, outside: Outside) -> None:
    """Do what the operator does: read the service's record, then `effect-ledger resolve`."""
    name = asked["operation_id"]
    operation = executor.get(name)
    assert operation is not None
    row = outside.settle(operation.effect)
    told = {"result": ExecutionBoundary.result(json.dumps(row))} if row is not None else {}
    executor.resolve(
        name,
        expected_version=operation.version,
        decision_id=f"operator-{name}-{operation.version}",
        action="retry" if row is None else "complete",
        reason="asked the service",
        workers_stopped=True,
        **told,
    )


if __name__ == "__main__":
    serve(work)
