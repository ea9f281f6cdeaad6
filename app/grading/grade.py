"""Grade the steps of a thread: which are right, for nothing or wrong, and the wasted tokens.

Each check is a pure function of a trajectory and one of its steps, for any domain. All are
structural: they compare tool names, schemas, identifiers, amounts, ledger entries and recorded
results. None reads the user's or the model's language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import takewhile
from textwrap import shorten
from typing import Any, Literal, TypeAlias

from daybook.app.grading.trajectory import (
    Outcome,
    Step,
    Tokens,
    Trajectory,
    argument_tokens,
    text_of,
    tokens_of,
)
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
    """What a check found in a step; one that is not wrong did neither harm nor good."""

    check: Check
    why: str
    is_wrong: bool = True


Found = tuple[str, bool] | None
"""Why a step is at fault, in a sentence, and whether that makes it wrong; None where it is not."""


def findings(trajectory: Trajectory, step: Step) -> tuple[Finding, ...]:
    """Return what the checks find in a step, in their order."""
    found = {check: look(trajectory, step) for check, look in _LOOKS.items()}
    return tuple(Finding(check, *one) for check, one in found.items() if one is not None)


def _arguments(trajectory: Trajectory, step: Step) -> Found:
    """Find a call of a tool that is not offered, or with arguments that do not fit its schema.

    A rejected call whose arguments fit is not wrong: it had no effect, and the reason may lie
    outside the call (out of stock, a service that is down).
    """
    if step.is_call and step.kind == "unknown":
        return f"There is no tool {step.tool}.", True
    if step.is_call and step.offered is not None and step.tool not in step.offered:
        return f"{step.tool} is not offered where the flow is {step.flow}.", True
    if step.fault:
        return step.fault, True
    if step.is_call and (model := trajectory.arguments.get(step.tool)) is not None:
        try:
            checked(model, step.args)
        except ToolRefused as refused:
            return str(refused), True
        if why := _misfit(model.model_json_schema(), step.args):
            return f"The arguments do not fit: {why}.", True
    return (step.error, False) if step.outcome == "refused" and step.error else None


def _misfit(schema: Mapping[str, Any], args: Mapping[str, Any]) -> str:
    """Return why arguments do not fit the schema that the model was shown, or "".

    A tool that passes its arguments on (an MCP tool) accepts more than it shows.
    """
    try:
        from jsonschema import Draft202012Validator
    except ModuleNotFoundError:
        # It comes with the extra of those tools.
        return ""
    shown = Draft202012Validator({**schema, "additionalProperties": False})
    return next((one.message for one in shown.iter_errors(dict(args))), "")


def _invented(trajectory: Trajectory, step: Step) -> Found:
    """Find an identifier or amount that no user message, read, ledger line or state contains.

    An invented amount is wrong only in what has an effect outside: a search limit or a note in the
    thread's state may hold a number that the user spelled out. Where the user's messages are erased
    nothing is judged.
    """
    if step.kind == "answer" or (not step.said and trajectory.turns):
        return None
    tokens = list(argument_tokens(step.args))
    known = [text for text, _ in _sources(trajectory, step)] if tokens else []
    unknown = [one for one in tokens if not any(text.contains(one) for text in known)]
    if not unknown:
        return None
    is_sent = step.kind in ("write", "hybrid", "plan")
    what = ", ".join(dict.fromkeys(f"the {one.sort} {one.written}" for one in unknown))
    why = f"{what}: in no user message, read result, ledger entry or state before it."
    return why, is_sent or any(one.sort != "amount" for one in unknown)


def _stale(trajectory: Trajectory, step: Step) -> Found:
    """Find an argument that is known only from reads that a later write made stale.

    An amount from there makes the step wrong. An identifier may still be valid: a change by it is
    doubtful, and a read by it is how the thing is read again.
    """
    if not step.is_call or not step.superseded:
        return None
    judged = ("amount", "identifier") if step.acts else ("amount",)
    tokens = [one for one in argument_tokens(step.args) if one.sort in judged]
    sources = list(_sources(trajectory, step))
    stale = []
    for token in tokens:
        holders = {handle for text, handle in sources if text.contains(token)}
        if holders and holders <= step.superseded:
            stale.append(token)
    if not stale:
        return None
    what = ", ".join(one.written for one in stale)
    why = f"{what}: known only from reads that are out of date. Read it again."
    return why, any(one.sort == "amount" for one in stale)


def _approval(trajectory: Trajectory, step: Step) -> Found:
    """Find an effect that was sent without its approval, or a call that overtook a question."""
    if step.attempted and step.needs != "nobody" and (found := _unapproved(step)):
        return found
    if not step.is_call or step.outcome in ("asked", "refused", "erased"):
        return None
    same = [one for one in trajectory.before(step) if one.tool == step.tool]
    questions = [one for one in same if one.outcome == "asked" and one.turn == step.turn]
    if not questions:
        return None
    return f"It was called before this question was answered: {questions[-1].error}", True


def _unapproved(step: Step) -> Found:
    if step.approval != "person":
        return f"It was sent without the approval of a {step.needs}, which it needs.", True
    if not 0 < step.approved < step.attempted:
        return "It was sent, and no ledger entry before it holds an approval.", True
    if not step.approved_by:
        return f"It needs a {step.needs}, and the approver's role is not recorded.", False
    barred = needs_of({"role": step.needs}).bars(Person("somebody", step.approved_by), "")
    return (barred, True) if barred else None


def _repeated(trajectory: Trajectory, step: Step) -> Found:
    """Find an operation that was done twice, or the same call again with nothing changed between.

    Calls are compared within a turn: a user who asks again wants it again. To repeat a call in vain
    (rejected, failed) does no harm; a retry that succeeds is right.
    """
    earlier = list(takewhile(lambda one: one.key != step.key, trajectory.steps))
    operation = _operation(step)
    for one in earlier if operation and step.outcome not in _NOT_DONE else ():
        if one.outcome == "done" and _operation(one) == operation:
            return f"{operation} was done already, at {one.key}.", True
    if not step.is_call or step.outcome in ("asked", "erased", "void"):
        return None
    succeeded = step.outcome not in _NOT_DONE
    args = _normal(trajectory, step)
    for one in reversed([one for one in earlier if one.is_call and one.turn == step.turn]):
        is_in_vain = one.outcome in _NOT_DONE
        is_same = one.tool == step.tool and _normal(trajectory, one) == args
        if is_same and (not is_in_vain or (not succeeded and one.outcome != "asked")):
            is_wrong = not {one.outcome, step.outcome} & _NOT_DONE
            return f"{one.key} made the same call, and nothing changed since.", is_wrong
        if one.acts and not is_in_vain and _concerns(one, step):
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


def _operation(step: Step) -> str:
    """Return the business operation, whatever its generation."""
    return step.op.rpartition("/")[0] or step.op


def _claim(trajectory: Trajectory, step: Step) -> Found:
    """Find an answer about which the receipts check had findings when it was given."""
    lines = (f"“{shorten(one.quote, _LONGEST_QUOTE)}”: {one.correction}" for one in step.claims)
    return ("\n".join(dict.fromkeys(lines)), True) if step.claims else None


_LOOKS: Mapping[Check, Callable[[Trajectory, Step], Found]] = {
    Check.ARGUMENTS: _arguments,
    Check.INVENTED: _invented,
    Check.STALE: _stale,
    Check.APPROVAL: _approval,
    Check.REPEATED: _repeated,
    Check.CLAIM: _claim,
}


def _sources(trajectory: Trajectory, step: Step) -> Iterator[tuple[Tokens, int]]:
    """Yield what was known when a step was decided, with the handle of the read it comes from.

    Of an effect, what was known when its plan was approved. A refusal that only repeats the
    arguments that it refuses is no source of them.
    """
    for text in (*step.said, step.shown):
        yield tokens_of(text), 0
    for event in trajectory.outside:
        if event.seq < (step.decided or step.seq):
            yield tokens_of(event.text), 0
    for one in trajectory.before(step):
        tokens = tokens_of(trajectory.texts[one.key])
        if one.outcome in ("refused", "asked"):
            own = tokens_of(text_of(dict(one.args)))
            tokens = Tokens(tokens.words - own.words, tokens.numbers - own.numbers)
        yield tokens, one.handle
    if step.parent:
        parent = trajectory.step(step.parent)
        yield tokens_of("\n".join((*parent.described, text_of(dict(parent.args))))), 0


Score: TypeAlias = Literal[1, 0, -1]

SCORES: Mapping[Score, str] = {1: "right", 0: "for nothing", -1: "wrong"}
"""The scores by name, in the order of tables."""

_FOR_NOTHING: Mapping[Outcome, str] = {
    "refused": "It was refused.",
    "asked": "A question to the user came first.",
    "failed": "It failed.",
    "undone": "It was undone.",
    "void": "It was never sent.",
    "in_doubt": "Whether it happened is in doubt.",
    "open": "It is not finished.",
    "erased": "Its data was erased: it cannot be judged.",
}


@dataclass(frozen=True)
class Verdict:
    """The verdict on a step.

    Attributes:
        step: its key.
        score: 1 for a right step; -1 where a finding makes it wrong; 0 where it did neither harm
            nor good, or cannot be judged.
        findings: of the checks, in their order.
        why: the reason for the score, in one line.
    """

    step: str
    score: Score
    findings: tuple[Finding, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Grade:
    """The verdicts on a thread's steps.

    Attributes:
        judged: the steps in order, each with its verdict.
        wasted_tokens: of the prompts of decisions whose steps were all wrong.
        tokens: of the prompts of all decisions.
        notes: what could not be judged, in plain sentences.
    """

    thread_id: str
    judged: tuple[tuple[Step, Verdict], ...] = ()
    wasted_tokens: int = 0
    tokens: int = 0
    notes: tuple[str, ...] = ()

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """Return the verdicts, in order."""
        return [verdict for _, verdict in self.judged]

    @property
    def first_wrong(self) -> tuple[Step, Verdict] | None:
        """Return the first wrong step and its verdict, or None."""
        return next((one for one in self.judged if one[1].score == -1), None)

    def of(self, key: str) -> Verdict:
        """Return the verdict on a step.

        Raises:
            KeyError: it has no such step.
        """
        return {verdict.step: verdict for verdict in self.verdicts}[key]

    def as_json(self) -> dict[str, Any]:
        """Return the grade as a JSON object."""
        wrong = self.first_wrong
        return {
            "thread": self.thread_id,
            "verdicts": [
                {**asdict(verdict), "entry": step.seq, "tool": step.tool}
                for step, verdict in self.judged
            ],
            "first_wrong": None if wrong is None else wrong[0].key,
            "wasted_tokens": self.wasted_tokens,
            "tokens": self.tokens,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        """Return the number of steps by score, as a sentence."""
        counts = Counter(verdict.score for verdict in self.verdicts)
        named = ", ".join(f"{counts[score]} {name}" for score, name in SCORES.items())
        return f"{len(self.judged)} {'step' if len(self.judged) == 1 else 'steps'}: {named}."


def grade(trajectory: Trajectory) -> Grade:
    """Return one verdict for each step."""
    judged = tuple((step, _verdict(trajectory, step)) for step in trajectory.judged)
    early = sum(step.outcome in ("open", "in_doubt") for step, _ in judged)
    note = f"Steps not finished: {early}. Until then they count as for nothing."
    return Grade(
        thread_id=trajectory.thread_id,
        judged=judged,
        wasted_tokens=_wasted_tokens(trajectory, judged),
        tokens=sum(decision.tokens for decision in trajectory.decisions),
        notes=(*trajectory.notes, *([note] if early else [])),
    )


def _verdict(trajectory: Trajectory, step: Step) -> Verdict:
    found = findings(trajectory, step) if step.outcome != "erased" else ()
    if found:
        # The first that makes it wrong gives the reason.
        worst = min(found, key=lambda finding: not finding.is_wrong)
        return Verdict(step.key, -1 if worst.is_wrong else 0, found, worst.why)
    if step.outcome in _FOR_NOTHING:
        return Verdict(step.key, 0, found, _FOR_NOTHING[step.outcome])
    return Verdict(step.key, 1)


def _wasted_tokens(trajectory: Trajectory, judged: Sequence[tuple[Step, Verdict]]) -> int:
    """Return the tokens of the decisions whose steps are all wrong."""
    scores: dict[int, set[Score]] = {}
    for step, verdict in judged:
        if not step.parent:
            scores.setdefault(step.decided, set()).add(verdict.score)
    return sum(one.tokens for one in trajectory.decisions if scores.get(one.seq) == {-1})
