"""The written conversations, a model that plays them, and the judges: effects, steps, answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from daybook.app.grading.grade import Grade
from evals.model_server import Message, Unanswerable, calls_of, text_of

_FILE = Path(__file__).with_name("conversations.json")

Words: TypeAlias = str | Sequence[str]
"""A required text; of several, any one."""

Decision: TypeAlias = str | Sequence[tuple[str, Mapping[str, Any]]]
"""A decision of a model: an answer, or calls."""


@dataclass(frozen=True)
class Line:
    """One message of the user.

    Attributes:
        answers: to the approvals that follow, in order: `approve`, `reject`, or `wait`, which
            leaves the question open. Further approvals are given: a careful user would hide what a
            model does wrong.
        again: sent if the model only asks back, with nothing to approve.
        doubt: the answer to the question whether an effect happened.
        shop: requests to the shop's control plane before the message: method, path, body.
    """

    said: str
    answers: Sequence[str] = ()
    again: str = ""
    doubt: str = "it happened"
    shop: Sequence[tuple[str, str, Mapping[str, Any]]] = ()


@dataclass(frozen=True)
class Conversation:
    """One written conversation.

    Attributes:
        user: a user of the shop.
        effects: all effects that must have happened at the shop, and no others. A name with
            `at most` or `begins` behind it is compared so, any other for equality.
        says: texts that the last answer must contain.
        never: texts that it must not contain.
        decides: the decisions of a model that is right, in order.
    """

    name: str
    user: str
    lines: Sequence[Line]
    effects: Sequence[Mapping[str, Any]]
    says: Sequence[Words]
    decides: Sequence[Decision]
    never: Sequence[str] = ()


@cache
def conversations() -> tuple[Conversation, ...]:
    """Read the thirty conversations."""
    written = json.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(
        Conversation(**{**one, "lines": [Line(**line) for line in one["lines"]]}) for one in written
    )


class Judge(StrEnum):
    """The judges."""

    EFFECTS = "effects"
    STEPS = "steps"
    ANSWERS = "answers"
    END = "end"


@dataclass(frozen=True)
class Fault:
    """A fault that a judge found."""

    judge: Judge
    why: str


def faults_of_effects(one: Conversation, happened: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """Compare what happened at the shop (`GET /effects`) with what was to happen."""
    left = list(happened)
    faults = []
    for wanted in one.effects:
        found = next((effect for effect in left if _fits(wanted, effect)), None)
        if found is None:
            faults.append(Fault(Judge.EFFECTS, f"this did not happen: {_listed(wanted)}"))
        else:
            left.remove(found)
    faults += [
        Fault(Judge.EFFECTS, f"nobody wanted: {effect['effect']} {_listed(effect['detail'])}")
        for effect in left
    ]
    return faults


def _fits(wanted: Mapping[str, Any], effect: Mapping[str, Any]) -> bool:
    there = {**effect["detail"], "effect": effect["effect"]}
    return all(_agrees(name, value, there) for name, value in wanted.items())


def _agrees(name: str, value: Any, there: Mapping[str, Any]) -> bool:
    if name.endswith(" at most"):
        found = there.get(name.removesuffix(" at most"))
        return found is not None and bool(found <= value)
    if name.endswith(" begins"):
        return str(there.get(name.removesuffix(" begins"), "")).startswith(value)
    return bool(there.get(name) == value)


def _listed(detail: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in detail.items())


def faults_of_steps(grade: Grade) -> list[Fault]:
    """Find the calls and effects that are wrong."""
    return [
        Fault(Judge.STEPS, f"{step.tool}: {why}")
        for step, score, _, why in grade.verdicts
        if score == -1 and step.kind != "answer"
    ]


def faults_of_answers(
    one: Conversation, claims: Sequence[str], last: str, happened: Sequence[Mapping[str, Any]]
) -> list[Fault]:
    """Find the findings of the receipts check, and what the last answer lacks or must not say.

    Args:
        claims: findings about the conversation's answers.
        last: what the user read in the last turn.
    """
    why = [*claims]
    orders = [effect["detail"]["order_id"] for effect in happened if effect["effect"] == "order"]
    for words in one.says:
        ways = [words] if isinstance(words, str) else words
        wanted = [orders[-1] if way == "{order}" and orders else way for way in ways]
        if not any(_contains(way, last) for way in wanted):
            why.append(f"the last answer does not say {' or '.join(wanted)}")
    why += [f"the last answer says {words}" for words in one.never if _contains(words, last)]
    return [Fault(Judge.ANSWERS, one) for one in why]


def _contains(words: str, text: str) -> bool:
    """Tell whether words stand in a text; an amount does only as a whole."""
    start = r"(?<![\d.,])" if words[:1].isdigit() else ""
    end = r"(?![\d]|[.,]\d)" if words[-1:].isdigit() else ""
    pattern = f"{start}{re.escape(words)}{end}"
    return re.search(pattern, text.replace("\u2019", "'"), re.IGNORECASE) is not None


_ORDER = re.compile(r"\bDB-\d+\b")


class Scripted:
    """Reply as is written; the conversation is recognised by its first user message."""

    def __init__(self, known: Sequence[Conversation]) -> None:
        self._known = known

    def reply(self, request: Mapping[str, Any]) -> Message:
        """Answer one request (a model of `evals.model_server`).

        Raises:
            Unanswerable: no decision is written for it.
        """
        messages = request["messages"]
        texts = [text_of(one) for one in messages]
        first = next(t for m, t in zip(messages, texts, strict=True) if m["role"] == "user")
        # For a server without system messages, their text is appended to it.
        one = next((one for one in self._known if first.startswith(one.lines[0].said)), None)
        if one is None:
            raise Unanswerable(f"no conversation begins with {first}")
        decided = self.decided(one, _decided_in(messages, one.decides))
        return message_of(decided, texts)

    def decided(self, one: Conversation, at: int) -> Decision:
        """Return a decision by its number.

        Raises:
            Unanswerable: there are not so many.
        """
        if at >= len(one.decides):
            raise Unanswerable(f"{one.name} has {len(one.decides)} decisions, and not one more")
        return one.decides[at]


def _decided_in(messages: Sequence[Mapping[str, Any]], decides: Sequence[Decision]) -> int:
    """Count the decisions in a prompt; calls in a message each are one decision still."""
    shown = [len(m.get("tool_calls") or ()) for m in messages if m["role"] == "assistant"]
    at = 0
    while shown:
        calls = decides[at] if at < len(decides) else ""
        is_split = not isinstance(calls, str) and shown[0] == 1
        del shown[: len(calls) if is_split else 1]
        at += 1
    return at


def message_of(decided: Decision, texts: Sequence[str]) -> Message:
    """Return a decision as a message of the OpenAI API.

    Args:
        texts: of the prompt; its order ids replace `{order}` (the last) and `{first order}`.
    """
    orders = list(dict.fromkeys(_ORDER.findall("\n".join(texts))))
    written = json.dumps(decided, ensure_ascii=False)
    if orders:
        written = written.replace("{order}", orders[-1]).replace("{first order}", orders[0])
    said = json.loads(written)
    if isinstance(said, str):
        return {"role": "assistant", "content": said}
    return calls_of(said)
