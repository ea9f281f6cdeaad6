"""Three judges, each apart: what happened at the shop, the steps, and the words; and the end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from daybook.app.grading.verdict import Grade
from evals.live.conversations import Conversation


class Judge(StrEnum):
    """Who finds fault with a conversation."""

    EFFECTS = "effects"
    STEPS = "steps"
    WORDS = "words"
    END = "end"


@dataclass(frozen=True)
class Fault:
    """What a judge found."""

    judge: Judge
    why: str


@dataclass(frozen=True)
class Spoken:
    """One answer of the model, as it reached the person.

    Attributes:
        untrue: what of it contradicts what was known.
        withheld: what of it was not let through at first, and why.
        is_set_right: the machine had to take it out, as the model stood by it.
    """

    text: str
    untrue: Sequence[str] = ()
    withheld: Sequence[str] = ()
    is_set_right: bool = False


def faults_of_effects(one: Conversation, happened: Sequence[Mapping[str, Any]]) -> list[Fault]:
    """Compare what happened at the shop (`GET /effects`) with what was to happen."""
    left = list(happened)
    faults = []
    for wanted in one.effects:
        found = next((effect for effect in left if _fits(wanted, effect)), None)
        if found is None:
            faults.append(Fault(Judge.EFFECTS, f"this did not happen: {_shown(wanted)}"))
        else:
            left.remove(found)
    faults += [
        Fault(Judge.EFFECTS, f"nobody wanted: {effect['effect']} {_shown(effect['detail'])}")
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


def _shown(detail: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in detail.items())


def faults_of_steps(grade: Grade) -> list[Fault]:
    """Find the steps that are wrong."""
    return [
        Fault(Judge.STEPS, f"{step.tool}: {verdict.why}")
        for step, verdict in grade.judged
        if verdict.score == -1
    ]


def faults_of_words(
    one: Conversation, spoken: Sequence[Spoken], last: str, happened: Sequence[Mapping[str, Any]]
) -> list[Fault]:
    """Find what reached the person and is not so, what the model stood by, and what is missing.

    What the model took back when it was asked once more is no fault: nobody has read it.

    Args:
        last: what the person read last.
    """
    faults = [Fault(Judge.WORDS, f"untrue: {why}") for said in spoken for why in said.untrue]
    faults += [
        Fault(Judge.WORDS, f"set right by the machine: {why}")
        for said in spoken
        if said.is_set_right
        for why in said.withheld
    ]
    orders = [effect["detail"]["order_id"] for effect in happened if effect["effect"] == "order"]
    for words in one.says:
        ways = [words] if isinstance(words, str) else words
        wanted = [orders[-1] if way == "{order}" and orders else way for way in ways]
        if not any(_stands(way, last) for way in wanted):
            faults.append(Fault(Judge.WORDS, f"the last answer does not say {' or '.join(wanted)}"))
    faults += [
        Fault(Judge.WORDS, f"the last answer says {words}")
        for words in one.never
        if _stands(words, last)
    ]
    return faults


def _stands(words: str, text: str) -> bool:
    """Tell whether words stand in a text; an amount does only as a whole."""
    start = r"(?<![\d.,])" if words[:1].isdigit() else ""
    end = r"(?![\d]|[.,]\d)" if words[-1:].isdigit() else ""
    found = re.search(f"{start}{re.escape(words)}{end}", text.replace("\u2019", "'"), re.IGNORECASE)
    return found is not None
