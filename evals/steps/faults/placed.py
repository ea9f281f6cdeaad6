"""How a step gets into a trajectory: in the place of another one, or beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from daybook.app.grading.steps.trajectory import Decision, Step, Trajectory
from evals.steps.faults.fault import Ground, Mutant

_GAP = 100
"""Between the entries of a trajectory into which something is put."""


def with_changed(ground: Ground, step: Step) -> Mutant:
    """Put another step in the place of the one of its key."""
    return Mutant(ground.trajectory.with_step(step), step.key)


def with_inserted(
    ground: Ground,
    beside: Step,
    step: Step,
    *,
    is_before: bool = False,
    keeps_parent: bool = False,
) -> Mutant:
    """Put a step in, decided on its own: behind another one and what belongs to it, or before it.

    Args:
        keeps_parent: it is one more effect of the same plan.
    """
    spread = _spread(ground.trajectory)
    here = spread.step(beside.key)
    decided = here.decided + (-_GAP // 2 if is_before else _GAP // 2)
    following = next((one for one in spread.decisions if one.seq > decided), None)
    flow = here.flow if keeps_parent or following is None else following.flow
    new = replace(
        step,
        key=f"{here.key}{'<' if is_before else '>'}",
        seq=decided,
        decided=here.decided if keeps_parent else decided,
        parent=here.parent if keeps_parent else "",
        turn=here.turn,
        ordinal=here.ordinal,
        flow=flow,
        # Whether it is offered there is another fault.
        offered=here.offered | {step.tool} if here.offered is not None else None,
        said=here.said,
        shown=here.shown,
        superseded=here.superseded,
        zones=here.zones,
    )
    at = next(
        (place for place, one in enumerate(spread.steps) if one.key == here.key),
        # An answer stands behind all that was called before it.
        sum(one.decided < here.decided for one in spread.steps),
    )
    if not is_before:
        at += 1
        while at < len(spread.steps) and spread.steps[at].decided == here.decided:
            at += 1
    steps = (*spread.steps[:at], new, *spread.steps[at:])
    decision = Decision(
        seq=decided, turn=new.turn, ordinal=new.ordinal, flow=new.flow, zones=new.zones
    )
    decisions = spread.decisions
    if not keeps_parent:
        decisions = tuple(sorted((*decisions, decision), key=lambda one: one.seq))
    return Mutant(replace(spread, steps=steps, decisions=decisions), new.key)


def _spread(trajectory: Trajectory) -> Trajectory:
    """Leave room between the entries."""

    def apart(steps: Sequence[Step]) -> tuple[Step, ...]:
        return tuple(
            replace(
                one,
                seq=_GAP * one.seq,
                decided=_GAP * one.decided,
                approved=_GAP * one.approved,
                attempted=_GAP * one.attempted,
            )
            for one in steps
        )

    return replace(
        trajectory,
        turns=tuple(replace(one, seq=_GAP * one.seq) for one in trajectory.turns),
        outside=tuple(replace(one, seq=_GAP * one.seq) for one in trajectory.outside),
        decisions=tuple(replace(one, seq=_GAP * one.seq) for one in trajectory.decisions),
        steps=apart(trajectory.steps),
        answers=apart(trajectory.answers),
    )
