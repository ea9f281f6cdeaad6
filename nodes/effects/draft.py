"""Draft one call: its steps, their preconditions, and their expected results."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from daybook.nodes.effects.engine import Engine
from daybook.state.context import PlanContext
from daybook.state.effects.keys import canonical, turn_op
from daybook.state.errors import ToolBarred, ToolChanged, ToolRefused
from daybook.state.ledger.plan import Plan
from daybook.state.ledger.step import Step
from daybook.state.people.rules import Rules
from daybook.tools.boundary import UNABLE, heard, made, made_or
from daybook.tools.calling import fitting, storable_mapping
from daybook.tools.checks.draft import check_draft
from daybook.tools.draft import ActionDraft, StepDraft, names_operation
from daybook.tools.kinds import EffectTool, PlanTool
from daybook.tools.signature import comparable, understood

_LOG = logging.getLogger(__name__)

UNCHECKED = "what it depends on cannot be read"
"""Said instead of the change if the precondition cannot be read: nothing is claimed then."""


@dataclass(frozen=True, eq=False)
class Call:
    """One call to be carried out.

    Attributes:
        name: of the call in its turn.
        position: of the decision in its turn, and of the call in the decision.
    """

    name: str
    tool: str
    args: Mapping[str, Any]
    position: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Draft:
    """A drafted call, with what was observed before each of its steps, and is expected after it."""

    call: Call
    action: ActionDraft
    observed: tuple[Mapping[str, Any], ...]
    expected: tuple[Mapping[str, Any], ...]

    @property
    def title(self) -> str:
        """Name it for a person."""
        return self.action.title or self.action.tool.replace("_", " ")


async def draft(engine: Engine, call: Call, rules: Rules, context: PlanContext[Any]) -> Draft:
    """Validate and plan one call, and observe its preconditions.

    Raises:
        ToolRefused: it cannot be done as it stands, or a tool of it is switched off.
        ServiceUnavailable: what it depends on cannot be read.
        ToolFailed: the domain's code failed or did not end in time, or the plan drafts steps that
            do not fit their tools. The log says what to mend.
    """
    tool = engine.registry.offered(call.tool)
    refuse_if_off(rules, tool.name)
    args = fitting(tool.name, tool.args, call.args)
    if isinstance(tool, PlanTool):
        action = await _planned(engine, tool, args, context)
    elif isinstance(tool, EffectTool):
        action = _single(tool, args, call.position, context)
    else:
        raise ToolRefused(f"{call.tool} is not a write, so it cannot be part of a plan.")
    made(f"the draft of {tool.name}", lambda: check_draft(action, engine.registry))
    for step in action.steps:
        refuse_if_off(rules, step.tool)
    expected = [_expected(engine, step) for step in action.steps]
    observed = [await _observed(engine, step, context) for step in action.steps]
    return Draft(call, action, tuple(observed), tuple(expected))


def refuse_if_off(rules: Rules, tool: str) -> None:
    """Refuse a call of a tool that is switched off.

    Raises:
        ToolBarred: it is.
    """
    if tool in rules and (off := rules[tool].off) is not None:
        raise ToolBarred(f"{off.why}.")


async def _planned(
    engine: Engine, tool: PlanTool, args: Mapping[str, Any], context: PlanContext[Any]
) -> ActionDraft:
    """Plan a call as it was decided; its operations are named after the normal form.

    The same order, written with a space behind it, is the same operation.

    Raises:
        ToolRefused: it cannot be done, or comes to something else in its normal form.
    """

    async def build(given: Mapping[str, Any]) -> ActionDraft:
        return await heard(
            f"the plan {tool.name}",
            lambda: tool.build(**given, ctx=context),
            engine.seconds,
            engine.clock,
        )

    action = await build(args)
    normal = comparable(tool.args, args)
    if canonical(normal) == canonical(understood(tool.args, args)):
        return action
    named = await build(normal)
    if [(one.name, one.tool) for one in named.steps] != [(o.name, o.tool) for o in action.steps]:
        raise ToolRefused(
            "The arguments change meaning when extra spaces are removed. Write them without extra "
            "spaces."
        )
    pairs = zip(action.steps, named.steps, strict=True)
    return replace(action, steps=tuple(replace(step, op=other.op) for step, other in pairs))


def _single(
    tool: EffectTool, args: Mapping[str, Any], position: tuple[int, int], context: PlanContext[Any]
) -> ActionDraft:
    """Make the action of an effect that was called by itself: one step, its own pivot."""
    name = tool.operation
    op = (
        made(f"`operation` of {tool.name}", lambda: name(comparable(tool.args, args)))
        if name is not None
        else turn_op(context.session.thread_id, context.turn_id, *position, tool.name)
    )
    if not names_operation(op):
        raise ToolRefused("The tool cannot determine what this call is about. Nothing was done.")
    return ActionDraft(
        tool=tool.name,
        args=args,
        title="",
        summary=(),
        total=tool.moves(args) if tool.money is not None else None,
        steps=(StepDraft(name=tool.name, tool=tool.name, op=op, args=args, pivot=True),),
    )


def _expected(engine: Engine, step: StepDraft) -> Mapping[str, Any]:
    """Say what the result of a step must show."""
    effect = engine.registry.effect(step.tool)
    what = f"`evidence` of {effect.name}"
    return made(what, lambda: storable_mapping(effect.expected(dict(step.args), engine.session)))


async def _observed(
    engine: Engine, step: StepDraft | Step, context: PlanContext[Any]
) -> Mapping[str, Any]:
    """Read what a step depends on; empty for a tool that depends on nothing observable."""
    effect = engine.registry.effect(step.tool)
    if effect.observe is None:
        return {}
    look, what = effect.observe, f"`observe` of {effect.name}"
    seen = await heard(
        what, lambda: look(dict(step.args), ctx=context), engine.seconds, engine.clock
    )
    return made(what, lambda: storable_mapping(seen))


async def what_moved(engine: Engine, plan: Plan, step: Step) -> str | None:
    """Say what moved since a plan was made, `UNCHECKED` where that cannot be read, or None."""
    if engine.registry.effect(step.tool).observe is None:
        return None
    context = PlanContext(
        session=engine.session,
        state={},
        services=engine.services,
        ledger=engine.ledger,
        turn_id=plan.turn_id,
    )
    try:
        now = await _observed(engine, step, context)
    except ToolChanged as changed:
        # It says what moved: waited for, it would be put to nobody until the approval is over.
        return changed.why
    except UNABLE as error:
        _LOG.warning("%s: %s: %s", step.step_id, UNCHECKED, error)
        return UNCHECKED
    return moved_between(engine, step, now)


def moved_between(engine: Engine, step: Step, now: Mapping[str, Any]) -> str | None:
    """Say what moved between what a plan observed and now; `UNCHECKED` where that fails."""
    effect = engine.registry.effect(step.tool)
    if effect.observe is None:
        return None
    # Raised, it would leave the answer unheard that was just given.
    return made_or(
        lambda: UNCHECKED,
        f"`moved` of {effect.name}",
        lambda: _words(effect.moved(step.preconditions, now)),
    )


def _words(moved: Any) -> str | None:
    if moved is not None and not isinstance(moved, str):
        raise TypeError(f"{type(moved).__name__} instead of what changed")
    return moved
