"""Make drafts of what a decision proposes, and observe what each step depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from daybook.nodes.planning.admission import refuse_if_off
from daybook.nodes.planning.phases import called_at
from daybook.nodes.running.given import OwnLedger
from daybook.nodes.running.work import Work
from daybook.state.context import PlanContext
from daybook.state.effects.keys import canonical, turn_op
from daybook.state.errors import ToolRefused
from daybook.state.people.rules import Rules
from daybook.tools.boundary import heard, made
from daybook.tools.calling import fitting, kept
from daybook.tools.checks.draft import check_draft
from daybook.tools.draft import ActionDraft, StepDraft, names_operation
from daybook.tools.kinds import EffectTool, PlanTool
from daybook.tools.signature import comparable, understood

State = Mapping[str, Any]


@dataclass(frozen=True)
class Proposed:
    """Name one call to be carried out: its name in the turn, tool and arguments."""

    call: str
    tool: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Drafted:
    """A draft with what was observed before each of its steps, and is expected after it."""

    call: str
    action: ActionDraft
    observed: tuple[Mapping[str, Any], ...]
    expected: tuple[Mapping[str, Any], ...]


async def draft(proposed: Proposed, rules: Rules, state: State, work: Work) -> Drafted:
    """Validate and plan one call, and observe its preconditions.

    Raises:
        ToolRefused: it cannot be done as it stands, or a tool of it is switched off.
        ServiceUnavailable: what it depends on cannot be read.
        ToolFailed: the domain's code failed or did not end in time, or the plan drafts steps that
            do not fit their tools. The log says what to mend.
    """
    tool = work.domain.registry.offered(proposed.tool)
    refuse_if_off(rules, tool.name)
    args = fitting(tool.name, tool.args, proposed.args)
    context = context_of(state, work)
    if isinstance(tool, PlanTool):
        action = await _planned(tool, args, context, work)
    elif isinstance(tool, EffectTool):
        action = _single(tool, args, proposed.call, context)
    else:
        raise ToolRefused(f"{proposed.tool} is no write: it cannot be part of a plan.")
    made(f"the draft of {tool.name}", lambda: check_draft(action, work.domain.registry))
    for step in action.steps:
        refuse_if_off(rules, step.tool)
    expected = [_expected(step, work) for step in action.steps]
    observed = [await observe(step, work, context) for step in action.steps]
    return Drafted(proposed.call, action, tuple(observed), tuple(expected))


def _expected(step: StepDraft, work: Work) -> Mapping[str, Any]:
    """Say what the result of a step must show."""
    effect = work.domain.registry.effect(step.tool)
    what = f"`evidence` of {effect.name}"
    return made(what, lambda: kept(effect.expected(dict(step.args), work.session)))


async def observe(step: StepDraft, work: Work, context: PlanContext[Any]) -> Mapping[str, Any]:
    """Read what a step depends on; empty for a tool that depends on nothing observable."""
    effect = work.domain.registry.effect(step.tool)
    if effect.observe is None:
        return {}
    look, what = effect.observe, f"`observe` of {effect.name}"
    seen = await heard(what, lambda: look(dict(step.args), ctx=context), work.seconds, work.clock)
    return made(what, lambda: kept(seen))


def context_of(state: State, work: Work) -> PlanContext[Any]:
    """Make the context that plans and observations are given."""
    return PlanContext(
        session=work.session,
        state=state,
        services=work.resources.services,
        ledger=OwnLedger(work.ledger),
        turn_id=state["turn"]["turn_id"],
    )


async def _planned(
    tool: PlanTool, args: Mapping[str, Any], context: PlanContext[Any], work: Work
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
            work.seconds,
            work.clock,
        )

    action = await build(args)
    normal = comparable(tool.args, args)
    if canonical(normal) == canonical(understood(tool.args, args)):
        return action
    named = await build(normal)
    if [(one.name, one.tool) for one in named.steps] != [(o.name, o.tool) for o in action.steps]:
        raise ToolRefused(
            "The arguments come to something else without the spaces around and between words. "
            "Write them without."
        )
    pairs = zip(action.steps, named.steps, strict=True)
    return replace(action, steps=tuple(replace(step, op=other.op) for step, other in pairs))


def _single(
    tool: EffectTool, args: Mapping[str, Any], call: str, context: PlanContext[Any]
) -> ActionDraft:
    """Make the action of an effect that the model called by itself: one step, its own pivot."""
    ordinal, position = called_at(call)
    name = tool.operation
    op = (
        made(f"`operation` of {tool.name}", lambda: name(comparable(tool.args, args)))
        if name is not None
        else turn_op(context.session.thread_id, context.turn_id, ordinal, position, tool.name)
    )
    if not names_operation(op):
        raise ToolRefused("The tool cannot tell what this is about. Nothing was done.")
    return ActionDraft(
        tool=tool.name,
        args=args,
        title="",
        summary=(),
        total=None,
        steps=(StepDraft(name=tool.name, tool=tool.name, op=op, args=args, pivot=True),),
    )
