"""Grade the steps of a thread: which are right, neutral or wrong, and the wasted tokens.

Each check is a pure function of a thread's steps and one of them, for any domain. All are
structural: they compare tool names, schemas, identifiers, amounts, ledger entries and recorded
results. None reads the user's or the model's language: numbers that are spelled out are not found,
and free text, calculations, dates, times and counts are not judged.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel

from daybook.state.effects.keys import canonical, normalise
from daybook.state.errors import ToolRefused
from daybook.state.people.policy import a_role, needs_of
from daybook.state.session import Person
from daybook.tools.signature import checked, comparable

# -- identifiers and amounts -----------------------------------------------------------------------

_LEAST_AMOUNT, _LEAST_DIGITS = 100, 3
"""Smaller whole numbers are counts; a word with fewer digits is no identifier."""

_NAMED_ID = re.compile(r"(?:^|_)ids?$")
_TIME = r"\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_DATE_OR_TIME = re.compile(rf"\d{{4}}-\d\d-\d\d(?:[T ]{_TIME})?|{_TIME}")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W_]+(?:[-_.@+]+[^\W_]+)*")
_NUMBER = re.compile(r"(?<![\w.,])(?<![^\W\d_]-)\d+(?:[.,]\d+)*")


class Token(NamedTuple):
    """An identifier or amount that arguments name; a handle is the number of a read's result."""

    sort: Literal["identifier", "amount", "handle"]
    written: str

    def is_in(self, text: frozenset[str]) -> bool:
        """Tell whether the tokens of a text contain it; cents are read as units too."""
        if self.sort != "amount":
            return text.issuperset(_WORD.findall(self.written.casefold()))
        amount = Decimal(self.written)
        return not text.isdisjoint(map(_number, (amount, amount / 100, amount * 100)))


@lru_cache(maxsize=8_192)
def _tokens(text: str) -> frozenset[str]:
    """Return the words and numbers of a text, normalised; a number stands behind a sign."""
    text = text.casefold()
    numbers = (_number(number) for found in _NUMBER.findall(text) for number in _readings(found))
    return frozenset((*_WORD.findall(text), *numbers))


def _number(number: Decimal) -> str:
    return f"={number.normalize():f}"


def text_of(value: Any) -> str:
    """Return a value as text."""
    # With spaces behind commas: "100,200" would be read as one number.
    is_text = isinstance(value, str)
    return value if is_text else json.dumps(value, ensure_ascii=False, default=str)


def _readings(written: str) -> Iterator[Decimal]:
    """Yield what a written number may mean: "1,299" is 1299, and 1.299 where a comma is decimal."""
    *whole, last = re.split("[.,]", written)
    if all(len(part) == 3 for part in (*whole[1:], last)) or not whole:
        yield Decimal("".join((*whole, last)))
    if whole:
        yield Decimal(f"{''.join(whole)}.{last}")


def argument_tokens(args: Any, name: str = "") -> Iterator[Token]:
    """Yield the identifiers and amounts that arguments name, however deep they stand.

    An identifier is a mail address, a word with three digits or more, and any value of an argument
    named `id`, `ids`, `..._id` or `..._ids`. An amount is a number of 100 or more, or with
    decimals. In free text only mail addresses and words that begin with a letter and have three
    digits count.

    Args:
        name: of the argument; of an item of a list that of the list.
    """
    if isinstance(args, Mapping | list | tuple):
        items = args.items() if isinstance(args, Mapping) else ((name, one) for one in args)
        for key, value in items:
            yield from argument_tokens(value, str(key))
    text = str(args).strip() if isinstance(args, str | int | float) else ""
    if not text or isinstance(args, bool) or _DATE_OR_TIME.fullmatch(text):
        return
    is_text, mails = isinstance(args, str), _MAIL.findall(text)
    if name == "handle" and not is_text:
        yield Token("handle", f"r{text}")
    elif _NAMED_ID.search(name):
        yield Token("identifier", text)
    elif not is_text or (_NUMBER.fullmatch(text) and not text.isdigit()):
        number = next(_readings(text)) if is_text else Decimal(text)
        if abs(number) >= _LEAST_AMOUNT or number != number.to_integral_value():
            yield Token("amount", f"{number:f}")
    else:
        is_word = len(text.split()) == 1 and not mails
        words = [text] if is_word else _WORD.findall(_MAIL.sub(" ", text))
        named = [word for word in words if is_word or word[0].isalpha()]
        long = [word for word in named if sum(map(str.isdigit, word)) >= _LEAST_DIGITS]
        yield from (Token("identifier", written) for written in (*mails, *long))


# -- steps -----------------------------------------------------------------------------------------

Outcome: TypeAlias = Literal[
    "done", "refused", "asked", "failed", "undone", "void", "in_doubt", "open", "erased"
]
_FOR_NOTHING: Mapping[Outcome, str] = {
    "refused": "It was refused.",
    "asked": "A question to the user came first.",
    "failed": "It failed.",
    "undone": "It was undone.",
    "void": "It was never sent.",
    "in_doubt": "It is in doubt.",
    "open": "It is not finished.",
    "erased": "Its data was erased, so it cannot be judged.",
}


@dataclass(frozen=True, kw_only=True)
class Step:
    """A call of the model, an effect of a plan that it started, or an answer.

    A write or hybrid that the model called directly is one step: the call is its effect.

    Attributes:
        key: unique in the thread: turn/decision.position; of an effect of a plan with its name
            behind a colon (`2/0.1:charge`); of an answer its decision alone (`2/1`).
        seq: ledger entry: the decision of a call, the intent of an effect of a plan.
        kind: of its tool; `unknown` where the domain has no such tool.
        decided: ledger entry of the decision that it comes from.
        parent: key of the plan's call; "" for a call itself.
        op: business operation and generation, the idempotency key; "" if there is no effect.
        offered: tools that the model was offered; None if the ledger does not say.
        fault: why the arguments could not be parsed.
        result: what was read or returned, or the line that the model was shown; None without one.
        error: why it was refused or failed, or the question that comes first.
        handle: number of a read's result in the thread; 0 for others.
        needs: the least role that may approve it; `nobody` where policy approves.
        approved: ledger entry of the approval by a person, 0 for none; likewise `attempted`.
        said: the user's messages up to then, oldest first.
        shown: what else was known: the prompt's digest and tail, events from outside the chat; of
            an effect of a plan what its approver was shown.
        superseded: handles of reads that a later write had made stale by then.
        claims: of an answer: findings of the receipts check.
    """

    key: str
    seq: int
    turn: int
    tool: str
    kind: Literal["read", "change", "write", "hybrid", "plan", "unknown", "answer"]
    decided: int = 0
    parent: str = ""
    op: str = ""
    flow: str = ""
    offered: frozenset[str] | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    result: Any = None
    error: str = ""
    outcome: Outcome = "done"
    handle: int = 0
    needs: str = "nobody"
    approved_by: str = ""
    approved: int = 0
    attempted: int = 0
    said: tuple[str, ...] = ()
    shown: str = ""
    superseded: frozenset[int] = frozenset()
    claims: tuple[str, ...] = ()

    @property
    def is_call(self) -> bool:
        """Tell whether the model called it itself."""
        return not self.parent and self.kind != "answer"

    @property
    def acts(self) -> bool:
        """Tell whether it changes the world or the thread's state."""
        return self.kind not in ("read", "unknown", "answer")

    @property
    def operation(self) -> str:
        """Return the business operation, whatever its generation."""
        return self.op.rpartition("/")[0] or self.op

    @cached_property
    def text(self) -> str:
        """Return what it returned to the model: handle and result, or its error."""
        text = self.error if self.result is None else text_of(self.result)
        return f"r{self.handle} {text}" if self.handle else text


@dataclass(frozen=True)
class Trajectory:
    """What a thread did.

    Attributes:
        steps: in order; the effects of a plan follow its call, an answer the calls beside it.
        tokens: ledger entry of each decision to the estimated tokens of its prompt.
        schemas: the argument model of each tool that the model may be offered.
        notes: what could not be read, in plain sentences.
    """

    thread_id: str
    steps: tuple[Step, ...] = ()
    tokens: Mapping[int, int] = field(default_factory=dict)
    schemas: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def before(self, step: Step) -> Iterator[Step]:
        """Yield the calls and effects whose results a step was decided or started with, in order.

        Calls of one decision were decided together: none knows the result of another.
        """
        for one in takewhile(lambda one: one.key != step.key, self.steps):
            is_beside = one.decided == step.decided > 0
            is_known = not is_beside or (step.parent and one.parent == step.parent)
            if is_known and one.kind != "answer":
                yield one

    def sources(self, step: Step) -> Iterator[tuple[frozenset[str], int]]:
        """Yield the tokens known when a step was decided, each with the handle of its read.

        A refusal that only repeats the arguments that it refuses is no source of them.
        """
        for text in (*step.said, step.shown):
            yield _tokens(text), 0
        for one in self.before(step):
            own = text_of(dict(one.args)) if one.outcome in ("refused", "asked") else ""
            yield _tokens(one.text) - _tokens(own), one.handle


# -- checks ----------------------------------------------------------------------------------------

Found: TypeAlias = tuple[str, bool] | None
"""The fault of a step, and whether it makes the step wrong; None if there is no fault."""

_NOT_DONE = frozenset({"refused", "asked", "void", "erased", "failed", "undone"})


def _arguments(thread: Trajectory, step: Step) -> Found:
    """Find a call of a tool that is not offered, or with arguments that do not fit its schema.

    A rejected call whose arguments fit is not wrong: it had no effect, and the reason may lie
    outside the call (out of stock, a service that is down).
    """
    if step.is_call and step.kind == "unknown":
        return f"Unknown tool {step.tool}.", True
    if step.is_call and step.offered is not None and step.tool not in step.offered:
        return f"{step.tool} is not offered where the flow is {step.flow}.", True
    if step.fault:
        return step.fault, True
    if step.is_call and (model := thread.schemas.get(step.tool)) is not None:
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


def _invented(thread: Trajectory, step: Step) -> Found:
    """Find an identifier or amount that no user message, read, ledger line or state contains.

    An invented amount is wrong only in what has an effect outside: a search limit or a note in the
    thread's state may hold a number that the user spelled out. Where the user's messages are erased
    nothing is judged.
    """
    if step.kind == "answer" or not step.said:
        return None
    known = [text for text, _ in thread.sources(step)]
    named = argument_tokens(step.args)
    unknown = [one for one in named if not any(one.is_in(text) for text in known)]
    if not unknown:
        return None
    is_sent = step.kind in ("write", "hybrid", "plan")
    what = ", ".join(dict.fromkeys(f"the {one.sort} {one.written}" for one in unknown))
    why = f"{what}: not in any earlier user message, read result, ledger entry or state."
    return why, is_sent or any(one.sort != "amount" for one in unknown)


def _stale(thread: Trajectory, step: Step) -> Found:
    """Find an argument that is known only from reads that a later write made stale.

    An amount from there makes the step wrong. An identifier may still be valid: a change by it is
    doubtful, and a read by it is how the thing is read again.
    """
    if not step.is_call or not step.superseded:
        return None
    judged = ("amount", "identifier") if step.acts else ("amount",)
    sources, stale = list(thread.sources(step)), []
    for token in argument_tokens(step.args):
        holders = {handle for text, handle in sources if token.is_in(text)}
        if token.sort in judged and holders and holders <= step.superseded:
            stale.append(token)
    if not stale:
        return None
    what = ", ".join(one.written for one in stale)
    why = f"{what}: known only from reads that are out of date. Read it again."
    return why, any(one.sort == "amount" for one in stale)


def _approval(thread: Trajectory, step: Step) -> Found:
    """Find an effect that was sent without its approval, or a call that overtook a question."""
    if step.attempted and step.needs != "nobody":
        if not 0 < step.approved < step.attempted:
            return (
                f"It was sent without the approval of {a_role(step.needs)}, which it needs.",
                True,
            )
        if not step.approved_by:
            return f"It needs {a_role(step.needs)}, and the approver's role is not recorded.", False
        if barred := needs_of({"role": step.needs}).bars(Person("somebody", step.approved_by), ""):
            return barred, True
    if not step.is_call or step.outcome in ("asked", "refused", "erased"):
        return None
    same = [one for one in thread.before(step) if (one.tool, one.turn) == (step.tool, step.turn)]
    asked = [one.error for one in same if one.outcome == "asked"]
    why = f"It was called before this question was answered: {asked[-1] if asked else ''}"
    return (why, True) if asked else None


def _repeated(thread: Trajectory, step: Step) -> Found:
    """Find an operation that was done twice, or the same call again with nothing changed between.

    Calls are compared within a turn: a user who asks again wants it again. To repeat a call in vain
    (rejected, failed) does no harm; a retry that succeeds is right.
    """
    earlier = list(takewhile(lambda one: one.key != step.key, thread.steps))
    operation = step.operation
    for one in earlier if operation and step.outcome not in _NOT_DONE else ():
        if one.outcome == "done" and one.operation == operation:
            return f"{operation} was done already, at {one.key}.", True
    if not step.is_call or step.outcome in ("asked", "erased", "void"):
        return None
    succeeded = step.outcome not in _NOT_DONE
    args = _normal(thread, step)
    for one in reversed([one for one in earlier if one.is_call and one.turn == step.turn]):
        is_in_vain = one.outcome in _NOT_DONE
        is_same = one.tool == step.tool and _normal(thread, one) == args
        if is_same and (not is_in_vain or (not succeeded and one.outcome != "asked")):
            is_wrong = not {one.outcome, step.outcome} & _NOT_DONE
            return f"{one.key} made the same call, and nothing changed since.", is_wrong
        if one.acts and not is_in_vain and _concerns(one, step):
            return None
    return None


def _concerns(change: Step, step: Step) -> bool:
    """Tell whether a change may make the same call another one: it is about the same things."""
    changed, named = set(argument_tokens(change.args)), set(argument_tokens(step.args))
    return step.kind == "read" or not changed or not named or not changed.isdisjoint(named)


def _normal(thread: Trajectory, step: Step) -> str:
    """Return arguments in their normal form, with defaults filled in."""
    schema = thread.schemas.get(step.tool)
    return canonical(comparable(schema, step.args) if schema else normalise(step.args))


def _claim(thread: Trajectory, step: Step) -> Found:
    """Find an answer about which the receipts check had findings when it was given."""
    return ("\n".join(dict.fromkeys(step.claims)), True) if step.claims else None


Check: TypeAlias = Literal["arguments", "invented", "stale", "approval", "repeated", "claim"]

_CHECKS: Mapping[Check, Callable[[Trajectory, Step], Found]] = {
    "arguments": _arguments,
    "invented": _invented,
    "stale": _stale,
    "approval": _approval,
    "repeated": _repeated,
    "claim": _claim,
}


# -- verdicts --------------------------------------------------------------------------------------

SCORES: Mapping[int, str] = {1: "right", 0: "neutral", -1: "wrong"}


class Finding(NamedTuple):
    """What a check found in a step; one that is not wrong did neither harm nor good."""

    check: Check
    why: str
    is_wrong: bool


class Verdict(NamedTuple):
    """A step, and the findings of the checks on it, in their order.

    Attributes:
        score: 1 for a right step; -1 where a finding makes it wrong; 0 if it did neither harm
            nor good, or cannot be judged.
        why: the reason for the score; "" of a right step.
    """

    step: Step
    score: int
    findings: tuple[Finding, ...]
    why: str


@dataclass(frozen=True)
class Grade:
    """The verdicts on a thread's steps, in order."""

    thread: Trajectory
    verdicts: Sequence[Verdict]

    @property
    def first_wrong(self) -> Verdict | None:
        """Return the verdict on the first wrong step."""
        return next((one for one in self.verdicts if one.score == -1), None)

    @property
    def tokens(self) -> int:
        """Return the tokens of the prompts of all decisions."""
        return sum(self.thread.tokens.values())

    @property
    def wasted_tokens(self) -> int:
        """Return the tokens of the prompts of decisions whose steps are all wrong."""
        calls = [one for one in self.verdicts if not one.step.parent]
        kept = {one.step.decided for one in calls if one.score != -1}
        wasted = {one.step.decided for one in calls} - kept
        return sum(self.thread.tokens.get(seq, 0) for seq in wasted)

    @property
    def notes(self) -> Sequence[str]:
        """Say what could not be judged."""
        early = sum(one.step.outcome in ("open", "in_doubt") for one in self.verdicts)
        note = f"Unfinished steps: {early}. They count as neutral until they finish."
        return [*self.thread.notes, *([note] if early else [])]

    def __str__(self) -> str:
        """Return the number of steps by score, as a sentence."""
        counts = Counter(verdict.score for verdict in self.verdicts)
        named = ", ".join(f"{counts[score]} {name}" for score, name in SCORES.items())
        count = len(self.verdicts)
        return f"{count} {'step' if count == 1 else 'steps'}: {named}."


def grade(thread: Trajectory) -> Grade:
    """Judge each step."""
    return Grade(thread, [_verdict(thread, step) for step in thread.steps])


def _verdict(thread: Trajectory, step: Step) -> Verdict:
    checks = _CHECKS.items() if step.outcome != "erased" else ()
    looked = ((name, check(thread, step)) for name, check in checks)
    found = tuple(Finding(name, *one) for name, one in looked if one is not None)
    # The first that makes it wrong gives the reason.
    worst = min(found, key=lambda finding: not finding.is_wrong, default=None)
    why = worst.why if worst else _FOR_NOTHING.get(step.outcome, "")
    return Verdict(step, -1 if worst and worst.is_wrong else 0 if why else 1, found, why)
