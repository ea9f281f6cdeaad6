"""The checks: each is a pure function of a trajectory and one of its steps, for any domain.

All are structural: they compare tool names, schemas, identifiers, amounts, ledger entries and
recorded results. None reads the user's or the model's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from itertools import takewhile
from textwrap import shorten
from typing import Any

from daybook.app.grading.identifiers import Token, Tokens, argument_tokens, text_of, tokens_of
from daybook.app.grading.trajectory import Step, Trajectory
from daybook.state.effects.keys import canonical, normalise
from daybook.state.errors import ToolRefused
from daybook.state.people.policy import needs_of
from daybook.state.session import Person
from daybook.tools.signature import checked, comparable

_NOT_DONE = frozenset({"refused", "asked", "void", "erased", "failed", "undone"})
_LONGEST_QUOTE = 160


class Check(StrEnum):
    """The checks, in the order in which they run."""

    ARGUMENTS = "arguments"
    INVENTED = "invented"
    STALE = "stale"
    APPROVAL = "approval"
    REPEATED = "repeated"
    CLAIM = "claim"


@dataclass(frozen=True)
class Finding:
    """What a check found in a step.

    Attributes:
        why: a sentence for people.
        is_wrong: it makes the step wrong; otherwise the step did neither harm nor good.
    """

    check: Check
    why: str
    is_wrong: bool = True


def arguments(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call of a tool that is not offered, or with arguments that do not fit its schema.

    A rejected call whose arguments fit is not wrong: it had no effect, and the reason may lie
    outside the call (out of stock, a service that is down).
    """
    if step.is_call and step.kind == "unknown":
        return Finding(Check.ARGUMENTS, f"There is no tool {step.tool}.")
    if step.is_call and step.offered is not None and step.tool not in step.offered:
        why = f"{step.tool} is not offered where the flow is {step.flow}."
        return Finding(Check.ARGUMENTS, why)
    if step.fault:
        return Finding(Check.ARGUMENTS, step.fault)
    model = trajectory.arguments.get(step.tool) if step.is_call else None
    if model is not None:
        try:
            checked(model, step.args)
        except ToolRefused as refused:
            return Finding(Check.ARGUMENTS, str(refused))
        if why := _misfit(model.model_json_schema(), step.args):
            return Finding(Check.ARGUMENTS, f"The arguments do not fit: {why}.")
    if step.outcome == "refused" and step.error:
        return Finding(Check.ARGUMENTS, step.error, is_wrong=False)
    return None


def _misfit(schema: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    """Return why arguments do not fit the schema that the model was shown, or "".

    A tool that passes its arguments on (an MCP tool) accepts more than it shows.
    """
    if unknown := sorted(args.keys() - schema.get("properties", {}).keys()):
        return f"there is no {', '.join(unknown)}"
    if find_spec("jsonschema") is None:
        missing = [name for name in schema.get("required", ()) if name not in args]
        return f"{', '.join(missing)} is missing" if missing else ""
    from jsonschema import Draft202012Validator

    return next((one.message for one in Draft202012Validator(schema).iter_errors(dict(args))), "")


def invented(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an identifier or amount that no user message, read, ledger line or state contains.

    An invented amount is wrong only in what has an effect outside: a search limit or a note in the
    thread's state may hold a number that the user spelled out. Where the user's messages are erased
    nothing is judged.
    """
    if step.kind == "answer" or (not step.said and trajectory.turns):
        return None
    tokens = list(argument_tokens(step.args))
    known = [source.tokens for source in _sources(trajectory, step)] if tokens else []
    unknown = [one for one in tokens if not any(source.contains(one) for source in known)]
    if not unknown:
        return None
    is_sent = step.kind in ("write", "hybrid", "plan")
    is_wrong = is_sent or any(one.sort != "amount" for one in unknown)
    what = ", ".join(dict.fromkeys(f"the {one.sort} {one.written}" for one in unknown))
    why = f"{what}: in no user message, read result, ledger entry or state before it."
    return Finding(Check.INVENTED, why, is_wrong)


def stale(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an argument that is known only from reads that a later write made stale.

    An amount from there makes the step wrong. An identifier may still be valid: a change by it is
    doubtful, and a read by it is how the thing is read again.
    """
    if not step.is_call or not step.superseded:
        return None
    sources = list(_sources(trajectory, step))
    found: list[tuple[Token, int]] = []
    for token in argument_tokens(step.args):
        if token.sort == "handle" or (token.sort == "identifier" and not step.acts):
            continue
        holders = [one.handle for one in sources if one.tokens.contains(token)]
        if holders and step.superseded.issuperset(holders):
            found.append((token, holders[-1]))
    if not found:
        return None
    what = ", ".join(f"{one.written} is known only from r{handle}" for one, handle in found)
    is_wrong = any(one.sort == "amount" for one, _ in found)
    return Finding(Check.STALE, f"{what}, which is out of date: read it again.", is_wrong)


def approval(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an effect that was sent without its approval, or a call that overtook a question."""
    return _unapproved(step) or _unanswered(trajectory, step)


def _unapproved(step: Step) -> Finding | None:
    if not step.attempted or step.needs == "nobody":
        return None
    if step.approval != "person":
        why = f"It was sent without the approval of a {step.needs}, which it needs."
        return Finding(Check.APPROVAL, why)
    if not step.approved:
        return Finding(Check.APPROVAL, "It was sent, and no ledger entry holds an approval.")
    if step.approved > step.attempted:
        why = f"It was sent (entry {step.attempted}) before the approval (entry {step.approved})."
        return Finding(Check.APPROVAL, why)
    if not step.approved_by:
        why = f"It needs a {step.needs}, and the approver's role is not recorded."
        return Finding(Check.APPROVAL, why, is_wrong=False)
    barred = needs_of({"role": step.needs}).bars(Person("somebody", step.approved_by), "")
    return Finding(Check.APPROVAL, barred) if barred else None


def _unanswered(trajectory: Trajectory, step: Step) -> Finding | None:
    if not step.is_call or step.outcome in ("asked", "refused", "erased"):
        return None
    questions = [
        one for one in trajectory.before(step) if one.tool == step.tool and one.outcome == "asked"
    ]
    if not questions or questions[-1].turn < step.turn:
        return None
    why = f"It was called before this question was answered: {questions[-1].error}"
    return Finding(Check.APPROVAL, why)


def repeated(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an operation that was done twice, or the same call again with nothing changed between.

    Calls are compared within a turn: a user who asks again wants it again. To repeat a call in vain
    (rejected, failed) does no harm; a retry that succeeds is right.
    """
    if step.op and (twice := _same_operation(trajectory, step)) is not None:
        return Finding(Check.REPEATED, f"{_operation(step)} was done already, at {twice.key}.")
    if not step.is_call or step.outcome in ("asked", "erased", "void"):
        return None
    # A call that is only proposed is open.
    succeeded = step.outcome not in (*_NOT_DONE, "open")
    args = _normal(trajectory, step)
    # Those of its own decision included.
    calls = takewhile(lambda one: one.key != step.key, trajectory.steps)
    for one in reversed([one for one in calls if one.is_call and one.turn == step.turn]):
        is_same = one.tool == step.tool and _normal(trajectory, one) == args
        if is_same and (one.outcome not in _NOT_DONE or (not succeeded and one.outcome != "asked")):
            why = f"{one.key} made the same call, and nothing changed since."
            return Finding(Check.REPEATED, why, not {one.outcome, step.outcome} & _NOT_DONE)
        if one.acts and one.outcome not in _NOT_DONE and _concerns(one, step):
            return None
    return None


def _concerns(change: Step, step: Step) -> bool:
    """Tell whether a change may make the same call another one: it is about the same things."""
    if step.kind == "read":
        return True
    changed = {token.value for token in argument_tokens(change.args)}
    named = {token.value for token in argument_tokens(step.args)}
    return not changed or not named or not changed.isdisjoint(named)


def _normal(trajectory: Trajectory, step: Step) -> str:
    """Return arguments in their normal form, with defaults filled in."""
    schema = trajectory.arguments.get(step.tool)
    return canonical(comparable(schema, step.args) if schema else normalise(step.args))


def _same_operation(trajectory: Trajectory, step: Step) -> Step | None:
    """Return an earlier step that did the same business operation, whatever its generation."""
    if step.outcome in _NOT_DONE:
        return None
    for one in takewhile(lambda one: one.key != step.key, trajectory.steps):
        if one.op and one.outcome == "done" and _operation(one) == _operation(step):
            return one
    return None


def _operation(step: Step) -> str:
    return step.op.rpartition("/")[0] or step.op


def claim(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an answer about which the receipts check had findings when it was given.

    They are read from the ledger; the check is not run again.
    """
    if not step.claims:
        return None
    lines = (f"“{shorten(one.quote, _LONGEST_QUOTE)}”: {one.correction}" for one in step.claims)
    return Finding(Check.CLAIM, "\n".join(dict.fromkeys(lines)))


CHECKS: Mapping[Check, Callable[[Trajectory, Step], Finding | None]] = {
    Check.ARGUMENTS: arguments,
    Check.INVENTED: invented,
    Check.STALE: stale,
    Check.APPROVAL: approval,
    Check.REPEATED: repeated,
    Check.CLAIM: claim,
}


# -- where arguments may come from -----------------------------------------------------------------


@dataclass(frozen=True)
class _Source:
    """One text that was known when a step was decided; `handle` is of the read it comes from."""

    tokens: Tokens
    handle: int = 0


def _sources(trajectory: Trajectory, step: Step) -> Iterator[_Source]:
    """Yield what was known when a step was decided; of an effect, when its plan was approved.

    A refusal that only repeats the arguments it refuses is no source of them.
    """
    for text in (*step.said, step.shown):
        yield _Source(tokens_of(text))
    for event in trajectory.outside:
        if event.seq < (step.decided or step.seq):
            yield _Source(tokens_of(event.text))
    for one in trajectory.before(step):
        tokens = tokens_of(trajectory.texts[one.key])
        if one.outcome in ("refused", "asked"):
            own = tokens_of(text_of(dict(one.args)))
            tokens = Tokens(tokens.words - own.words, tokens.numbers - own.numbers)
        yield _Source(tokens, one.handle)
    if step.parent:
        parent = trajectory.step(step.parent)
        yield _Source(tokens_of("\n".join((*parent.described, text_of(dict(parent.args))))))
