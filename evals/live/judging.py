"""The judges of a conversation: effects at the shop, steps, answers; and whether it ended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from textwrap import shorten
from typing import Any

from daybook.app.grading.grade import Grade
from daybook.app.grading.trajectory import Claim
from evals.live.conversations import Conversation


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
        Fault(Judge.STEPS, f"{step.tool}: {verdict.why}")
        for step, verdict in grade.judged
        if verdict.score == -1 and step.kind != "answer"
    ]


def faults_of_answers(
    one: Conversation, claims: Sequence[Claim], last: str, happened: Sequence[Mapping[str, Any]]
) -> list[Fault]:
    """Find the findings of the receipts check, and what the last answer lacks or must not say.

    Args:
        claims: findings about the conversation's answers.
        last: what the user read in the last turn.
    """
    why = [f"“{shorten(said.quote, 160)}”, but: {said.correction}" for said in claims]
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
