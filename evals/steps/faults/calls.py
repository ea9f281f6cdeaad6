"""Calls that cannot be: of a tool that is not there, or with arguments that it does not take."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from daybook.app.grading.steps.trajectory import Step
from evals.steps.faults.fault import Ground, Mutant
from evals.steps.faults.placed import with_changed


def out_of_position(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a tool be called where it is not offered."""
    elsewhere = [flow for flow, tools in ground.positions.items() if step.tool not in tools]
    if not step.is_call or not elsewhere:
        return None
    flow = chance.choice(sorted(elsewhere))
    return with_changed(ground, replace(step, flow=flow, offered=ground.positions[flow]))


def no_such_tool(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Let a tool be called that there is not."""
    if not step.is_call:
        return None
    return with_changed(
        ground, replace(step, tool=f"{step.tool}_now", kind="unknown", outcome="refused")
    )


def argument_missing(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Leave out an argument that must be given."""
    schema = ground.trajectory.arguments.get(step.tool)
    if not step.is_call or schema is None:
        return None
    given = sorted(set(schema.model_json_schema().get("required", ())) & step.args.keys())
    if not given:
        return None
    gone = chance.choice(given)
    return with_changed(
        ground, replace(step, args={k: v for k, v in step.args.items() if k != gone})
    )


def argument_of_wrong_type(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Give an argument a value that it cannot take."""
    if not step.is_call or not step.args:
        return None
    name = chance.choice(sorted(step.args))
    wrong: Any = {"value": step.args[name]} if chance.random() < 0.5 else [[step.args[name]]]
    return with_changed(ground, replace(step, args={**step.args, name: wrong}))


def argument_unknown(ground: Ground, step: Step, chance: random.Random) -> Mutant | None:
    """Give an argument that the tool does not have."""
    if not step.is_call or step.tool not in ground.trajectory.arguments:
        return None
    return with_changed(ground, replace(step, args={**step.args, "urgency": "high"}))
