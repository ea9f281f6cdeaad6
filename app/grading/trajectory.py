"""What a thread did, step by step: the typed, frozen input of the checks, for any domain.

`daybook.app.grading.history` builds it from the ledger; tests and `evals/steps` build it by hand.

The identifiers and amounts of arguments are compared with texts token by token after normalisation:
case, a leading `#`, surrounding punctuation, thousands separators, and units against cents. No
language is parsed: a number that is spelled out is not found, and free text, calculations, dates,
times and counts are not judged.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel

_LEAST_AMOUNT = 100
"""The smallest whole number that is judged as an amount; smaller ones are counts."""

_LEAST_DIGITS = 3
"""Digits that make a word an identifier where the argument's name does not say that it is one."""

_NAMED_ID = re.compile(r"(?:^|_)ids?$")
_TIME = r"\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_DATE_OR_TIME = re.compile(rf"\d{{4}}-\d\d-\d\d(?:[T ]{_TIME})?|{_TIME}")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_WORD = re.compile(r"[^\W_]+(?:[-_.@+]+[^\W_]+)*")
_NUMBER = re.compile(r"(?<![\w.,])(?<![^\W\d_]-)\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Token:
    """One identifier or amount that arguments name: as it is compared, and as it is written."""

    sort: Literal["identifier", "amount", "handle"]
    value: str
    written: str


@dataclass(frozen=True)
class Tokens:
    """The words and numbers of one text, normalised."""

    words: frozenset[str]
    numbers: frozenset[Decimal]

    def contains(self, token: Token) -> bool:
        """Tell whether the text contains an identifier or amount; cents are read as units too."""
        if token.sort == "amount":
            amount = Decimal(token.value)
            return not self.numbers.isdisjoint((amount, amount / 100, amount * 100))
        return self.words.issuperset(_WORD.findall(token.value))


def text_of(value: Any) -> str:
    """Return a value as text for `tokens_of`."""
    # With spaces behind commas: "100,200" would be read as one number.
    is_text = isinstance(value, str)
    return value if is_text else json.dumps(value, ensure_ascii=False, default=str)


@lru_cache(maxsize=8_192)
def tokens_of(text: str) -> Tokens:
    """Return the words and numbers of a text."""
    lowered = text.casefold()
    numbers = {number for found in _NUMBER.findall(lowered) for number in _readings(found)}
    return Tokens(frozenset(_WORD.findall(lowered)), frozenset(numbers))


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
    if isinstance(args, Mapping):
        for key, value in args.items():
            yield from argument_tokens(value, str(key))
    elif isinstance(args, list | tuple):
        for value in args:
            yield from argument_tokens(value, name)
    elif isinstance(args, str):
        yield from _in_text(args.strip(), name)
    elif isinstance(args, int | float) and not isinstance(args, bool):
        if name == "handle":
            yield Token("handle", f"r{args}", f"r{args}")
        elif _NAMED_ID.search(name):
            yield _identifier(str(args))
        else:
            yield from _amount(Decimal(str(args)))


def _in_text(text: str, name: str) -> Iterator[Token]:
    if not text or _DATE_OR_TIME.fullmatch(text):
        return
    if _NAMED_ID.search(name):
        yield _identifier(text)
    elif _NUMBER.fullmatch(text) and not text.isdigit():
        yield from _amount(next(_readings(text)))
    elif len(text.split()) == 1 and not _MAIL.search(text):
        if _digits(text) >= _LEAST_DIGITS:
            yield _identifier(text)
    else:
        yield from map(_identifier, _MAIL.findall(text))
        for word in _WORD.findall(_MAIL.sub(" ", text)):
            if _digits(word) >= _LEAST_DIGITS and word[0].isalpha():
                yield _identifier(word)


def _digits(text: str) -> int:
    return sum(sign.isdigit() for sign in text)


def _amount(number: Decimal) -> Iterator[Token]:
    if abs(number) >= _LEAST_AMOUNT or number != number.to_integral_value():
        yield Token("amount", f"{number:f}", f"{number:f}")


def _identifier(written: str) -> Token:
    return Token("identifier", written.casefold().lstrip("#"), written)


# -- steps -----------------------------------------------------------------------------------------


Kind: TypeAlias = Literal["read", "change", "write", "hybrid", "plan", "unknown", "answer"]
"""The kind of a tool; `unknown` where the domain has no such tool; `answer` for text."""

Outcome: TypeAlias = Literal[
    "done", "refused", "asked", "failed", "undone", "void", "in_doubt", "open", "erased"
]
"""The outcome of a step.

`refused`: rejected before processing. `asked`: a question to the user comes first. `failed`: tried
without effect. `undone`: compensated. `void`: never sent (rejected, expired, superseded). `open`:
not finished. `erased`: the data is gone, so the outcome is not known.
"""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn of the conversation; `said` is the user's message, "" where it was erased."""

    number: int
    turn_id: str
    said: str = ""


@dataclass(frozen=True, kw_only=True)
class OutsideEvent:
    """An event from outside the chat, by its ledger entry, as the model is shown it."""

    seq: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Decision:
    """One reply of the model: calls, or the text that ends a turn.

    Attributes:
        seq: ledger entry.
        ordinal: index of the decision within the turn, from 0.
        tokens: estimated tokens of its prompt; 0 where they are not known.
    """

    seq: int
    turn: int
    ordinal: int
    tokens: int = 0


@dataclass(frozen=True)
class Claim:
    """A finding of the receipts check about a part of an answer, as the ledger holds it."""

    kind: str
    about: str
    quote: str
    correction: str


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: a call of the model, an effect of a plan that the call started, or an answer.

    A write or hybrid that the model called directly is one step: the call is its effect.

    Attributes:
        key: unique in the thread: turn/decision.position; of an effect with its name behind a
            colon (`2/0.1:charge`); of an answer its decision alone (`2/1`).
        seq: ledger entry: the decision of a call, the intent of an effect of a plan.
        decided: ledger entry of the decision that it comes from.
        parent: key of the plan's call; "" for a call itself.
        op: business operation and generation, the idempotency key; "" where there is no effect.
        offered: tools that the model was offered; None where the ledger does not say.
        args: as the model gave them; of an effect of a plan as approved; of an answer its text.
        fault: why the arguments could not be parsed.
        result: what was read or returned, or the line that the model was shown; None without one.
        error: why it was refused or failed, or the question that comes first.
        handle: number of a read's result in the thread; 0 for others.
        needs: the least role that may approve it; `nobody` where policy approves.
        approved: ledger entry of the approval, 0 for none; likewise `attempted`.
        described: the lines that the approver was shown.
        said: the user's messages up to then, oldest first.
        shown: state in that prompt: digest and tail.
        superseded: handles of reads that a later write had made stale by then.
        claims: of an answer: findings of the receipts check.
    """

    key: str
    seq: int
    turn: int
    tool: str
    kind: Kind
    ordinal: int = 0
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
    approval: Literal["person", "policy", "none"] = "none"
    approved_by: str = ""
    approved: int = 0
    described: tuple[str, ...] = ()
    attempted: int = 0
    said: tuple[str, ...] = ()
    shown: str = ""
    superseded: frozenset[int] = frozenset()
    claims: tuple[Claim, ...] = ()

    @property
    def is_call(self) -> bool:
        """Tell whether the model called it itself."""
        return not self.parent and self.kind != "answer"

    @property
    def acts(self) -> bool:
        """Tell whether it changes the world or the thread's state."""
        return self.kind not in ("read", "unknown", "answer")


@dataclass(frozen=True)
class Trajectory:
    """What a thread did.

    Attributes:
        steps: calls in order; the effects of a plan follow its call.
        answers: answers in order: steps of the kind `answer`.
        decisions: in order, including those that only answered.
        arguments: the argument model of each tool that the model may be offered.
        notes: what could not be read, in plain sentences.
    """

    thread_id: str
    turns: tuple[Turn, ...] = ()
    steps: tuple[Step, ...] = ()
    answers: tuple[Step, ...] = ()
    decisions: tuple[Decision, ...] = ()
    outside: tuple[OutsideEvent, ...] = ()
    arguments: Mapping[str, type[BaseModel]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def judged(self) -> Sequence[Step]:
        """Return all steps that are judged, in order: calls, effects and answers."""
        return list(heapq.merge(self.steps, self.answers, key=lambda one: one.decided))

    def before(self, step: Step) -> Iterator[Step]:
        """Yield the steps whose results were known when a step was decided or started, in order.

        Calls of one decision were decided together: none knows the result of another.
        """
        for one in self.steps:
            if one.key == step.key:
                return
            is_beside = one.decided == step.decided and one.decided > 0
            if not is_beside or (step.parent and one.parent == step.parent):
                yield one

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Return what each step returned to the model, by key: handle and result, or its error."""
        return {one.key: _text_of(one) for one in self.steps}

    def step(self, key: str) -> Step:
        """Return a step by its key.

        Raises:
            KeyError: there is no such step.
        """
        return {one.key: one for one in (*self.steps, *self.answers)}[key]

    def with_step(self, step: Step) -> Trajectory:
        """Return the trajectory with a step in place of the one with the same key."""
        return replace(
            self, steps=tuple(step if one.key == step.key else one for one in self.steps)
        )


def _text_of(step: Step) -> str:
    text = step.error if step.result is None else text_of(step.result)
    return f"r{step.handle} {text}" if step.handle else text
