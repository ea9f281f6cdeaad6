"""Hold what the engine wrote, reads and shows of a thread against the protocol's model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.state.effects.guarantees import Guarantees, Patience
from daybook.state.ledger.recovery import Event, StepState
from daybook.state.ledger.step import Step
from daybook.state.ledger.version import entry_of
from evals.protocol.walk import Unlike, Walk
from evals.sim.judged.invariants import Broken, Judge


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
