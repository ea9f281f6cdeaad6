"""Check a plan's draft against the effects of its steps.

A plan is written by a function, so it can be checked only when there is one; that is before
anything of it stands in the ledger.
"""

from __future__ import annotations

from contextlib import suppress

from pydantic import ValidationError

from daybook.state.errors import DeclarationError, ToolRefused
from daybook.state.misfits import faults_of
from daybook.tools.draft import ActionDraft, StepDraft
from daybook.tools.kinds import EffectTool
from daybook.tools.registry import Registry
from daybook.tools.signature import comparable, misnamed, takes_unnamed


def check_draft(action: ActionDraft, registry: Registry) -> None:
    """Check that every step of an action can be sent as it is drafted.

    Raises:
        DeclarationError: a step names a tool, an argument or an earlier result that is not there.
        ToolRefused: an argument has a value that the step's tool does not take.
    """
    for step in action.steps:
        effect = registry.effects.get(step.tool)
        where = f"The step {step.name} of {action.tool}"
        if effect is None:
            raise DeclarationError(
                f"{where} names the tool {step.tool}, which is no effect of the registry. Nothing "
                f"was written; add it to Registry(steps=...). Effects: {sorted(registry.effects)}."
            )
        if not takes_unnamed(effect.args):
            if why := misnamed(effect.args, {*step.args, *step.binds}):
                raise DeclarationError(
                    f"{where} gives {effect.name} {why}. Nothing was written; correct the step's "
                    "args and binds."
                )
            _check_known(where, step, effect)
        _check_values(where, step, effect)


def _check_known(where: str, step: StepDraft, effect: EffectTool) -> None:
    """Check that what is made of the arguments beforehand needs none that is bound to a result."""
    try:
        effect.evidence(step.args)
        for tag in effect.makes_stale:
            # Values that a tag cannot be made of are no mistake of the plan: it is left out then.
            with suppress(ValueError, TypeError, AttributeError, IndexError):
                tag.format_map(comparable(effect.args, step.args))
    except KeyError as missing:
        raise DeclarationError(
            f"{where}: `evidence` or `makes_stale` of {effect.name} uses {missing}, which is not "
            "known in advance. Nothing was written; use only arguments in the step's `args`, "
            f"which are {sorted(step.args)}."
        ) from missing


def _check_values(where: str, step: StepDraft, effect: EffectTool) -> None:
    try:
        effect.args.model_validate(dict(step.args), strict=False)
    except ValidationError as error:
        if faults := faults_of(error, "arguments", but=step.binds.keys()):
            raise ToolRefused(f"{where} cannot be done: {faults}.") from error
