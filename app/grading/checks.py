"""The checks: each is a pure function of a trajectory and one of its steps, for any domain.

All are structural: they compare tool names, schemas, identifiers, amounts, ledger entries and
recorded results. None reads the user's or the model's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from textwrap import shorten
from typing import TypeAlias

from daybook.app.grading.identifiers import Token, Tokens, argument_tokens, text_of, tokens_of
from daybook.app.grading.schema import unfit
from daybook.app.grading.trajectory import Step, Trajectory
from daybook.app.grading.verdict import Check, Finding
from daybook.state.effects.keys import canonical, normalise
from daybook.state.errors import ToolRefused
from daybook.state.people.policy import needs_of
from daybook.state.session import Person
from daybook.tools.signature import checked, comparable

Checking: TypeAlias = Callable[[Trajectory, Step], Finding | None]

_NOT_DONE = frozenset({"refused", "asked", "void", "erased", "failed", "undone"})
_LONGEST_QUOTE = 160


def offered(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find a call of a tool that does not exist, or was not offered at that flow position."""
    if not step.is_call:
        return None
    if step.kind == "unknown":
        return Finding(Check.OFFERED, f"There is no tool {step.tool}.")
    if step.offered is not None and step.tool not in step.offered:
        return Finding(Check.OFFERED, f"{step.tool} is not offered where the flow is {step.flow}.")
    return None


def arguments(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find arguments that do not fit the tool's schema, or a call rejected before processing.

    A rejected call whose arguments fit is not wrong: it had no effect, and the reason may lie
    outside the call (out of stock, a service that is down).
    """
    if step.fault:
        return Finding(Check.ARGUMENTS, step.fault)
    schema = trajectory.arguments.get(step.tool) if step.is_call else None
    if schema is not None:
        try:
            checked(schema, step.args)
        except ToolRefused as refused:
            return Finding(Check.ARGUMENTS, str(refused))
        if why := unfit(schema.model_json_schema(), step.args):
            return Finding(Check.ARGUMENTS, f"The arguments do not fit: {why}.")
    if step.outcome == "refused" and step.error:
        return Finding(Check.ARGUMENTS, step.error, is_wrong=False)
    return None


def invented(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an identifier or amount that no user message, read, ledger line or state contains.

    An invented amount is wrong only in what has an effect outside: a search limit or a note in the
    thread's state may hold a number that the user spelled out. Where the user's messages are erased
    nothing is judged.
    """
    if step.kind == "answer" or (not step.said and trajectory.turns):
        return None
    tokens = list(argument_tokens(step.args))
    known = [source.tokens for source in sources_of(trajectory, step)] if tokens else []
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
    sources = list(sources_of(trajectory, step))
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
    if not step.attempts or step.needs == "nobody":
        return None
    if step.approval != "person":
        why = f"It was sent without the approval of a {step.needs}, which it needs."
        return Finding(Check.APPROVAL, why)
    if not step.approved:
        return Finding(Check.APPROVAL, "It was sent, and no ledger entry holds an approval.")
    if step.approved > step.attempted > 0:
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
    for one in reversed(_earlier_calls(trajectory, step)):
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


def _earlier_calls(trajectory: Trajectory, step: Step) -> list[Step]:
    """Return the calls of the turn before a step, those of its own decision included."""
    calls = takewhile(lambda one: one.key != step.key, trajectory.steps)
    return [one for one in calls if one.is_call and one.turn == step.turn]


def _normal(trajectory: Trajectory, step: Step) -> str:
    """Return arguments in their normal form, with defaults filled in."""
    schema = trajectory.arguments.get(step.tool)
    return canonical(comparable(schema, step.args) if schema else normalise(step.args))


def _same_operation(trajectory: Trajectory, step: Step) -> Step | None:
    """Return an earlier step that did the same business operation, whatever its generation."""
    if step.outcome in _NOT_DONE:
        return None
    for one in trajectory.steps:
        if one.key == step.key:
            return None
        is_done = one.outcome not in _NOT_DONE and one.executions > 0
        if one.op and _operation(one) == _operation(step) and is_done:
            return one
    return None


def _operation(step: Step) -> str:
    return step.op.rpartition("/")[0] or step.op


def effect(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an effect that happened more than once, or with another result than was expected.

    Fields of the expected result that were never observed are doubtful.
    """
    if step.executions > 1:
        return Finding(Check.EFFECT, f"It happened {step.executions} times.")
    if not step.expected:
        return None
    if step.outcome == "done" and (step.executions == 0 or step.observed is None):
        return Finding(Check.EFFECT, "It counts as done, and nothing shows that it happened.")
    if step.observed is None:
        return None
    seen = step.observed
    other = {k: seen[k] for k, v in step.expected.items() if k in seen and seen[k] != v}
    if other:
        wanted = {name: step.expected[name] for name in other}
        return Finding(Check.EFFECT, f"Expected {wanted}, and the provider shows {other}.")
    unseen = [name for name in step.expected if name not in seen]
    if unseen:
        why = f"Nothing was observed of its {', '.join(unseen)}."
        return Finding(Check.EFFECT, why, is_wrong=False)
    return None


def claim(trajectory: Trajectory, step: Step) -> Finding | None:
    """Find an answer about which the receipts check had findings when it was given.

    They are read from the ledger; the check is not run again.
    """
    if not step.claims:
        return None
    lines = (f"“{shorten(one.quote, _LONGEST_QUOTE)}”: {one.correction}" for one in step.claims)
    return Finding(Check.CLAIM, "\n".join(dict.fromkeys(lines)))


CHECKS: Mapping[Check, Checking] = {
    Check.OFFERED: offered,
    Check.ARGUMENTS: arguments,
    Check.INVENTED: invented,
    Check.STALE: stale,
    Check.APPROVAL: approval,
    Check.REPEATED: repeated,
    Check.EFFECT: effect,
    Check.CLAIM: claim,
}

BEFORE = tuple(check for check in Check if check not in (Check.EFFECT, Check.CLAIM))
"""The checks that need neither the outcome of a call nor what came later."""


# -- where arguments may come from -----------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """One text that was known when a step was decided.

    Attributes:
        step: key of the step whose result it is; "" for messages and state.
        handle: of the read whose result it is, or 0.
        is_message: it is a message of the user.
    """

    tokens: Tokens
    step: str = ""
    handle: int = 0
    is_message: bool = False


def sources_of(trajectory: Trajectory, step: Step) -> Iterator[Source]:
    """Yield what was known when a step was decided; of an effect, when its plan was approved.

    A refusal that only repeats the arguments it refuses is no source of them.
    """
    for said in step.said:
        yield Source(tokens_of(said), is_message=True)
    yield Source(tokens_of(step.shown))
    for event in trajectory.outside:
        if event.seq < (step.decided or step.seq):
            yield Source(tokens_of(event.text))
    for one in trajectory.before(step):
        tokens = tokens_of(trajectory.texts[one.key])
        if one.outcome in ("refused", "asked"):
            own = tokens_of(text_of(dict(one.args)))
            tokens = Tokens(tokens.words - own.words, tokens.numbers - own.numbers)
        yield Source(tokens, one.key, one.handle)
    if step.parent:
        parent = trajectory.step(step.parent)
        yield Source(tokens_of("\n".join((*parent.described, text_of(dict(parent.args))))))
