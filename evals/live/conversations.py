"""The written conversations: what a person says and answers, and what must be so at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

_FILE = Path(__file__).with_name("conversations.json")

Words: TypeAlias = str | Sequence[str]
"""What must be said; of several, any one."""

Decision: TypeAlias = str | Sequence[tuple[str, Mapping[str, Any]]]
"""What a model decides: an answer, or calls."""


@dataclass(frozen=True)
class Line:
    """One thing that a person says.

    Attributes:
        answers: to the questions for approval that come of it, in order: `approve`, `reject`, or
            `wait`, which leaves the question open. What is asked beyond them is approved: a hasty
            person hides nothing of what a model does.
        again: said where the answer only asks back: nothing was put up for approval.
        doubt: the answer where somebody is asked whether an effect happened.
        shop: requests to the shop's control plane, before it: method, path, body.
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
        user: a person of the shop.
        effects: all that must have happened at the shop, and nothing else. A name with `at most`
            or `begins` behind it is compared so, any other as it stands.
        says: what the last answer must say.
        never: what it must not say.
        decides: what a model that is right decides, answer by answer.
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
