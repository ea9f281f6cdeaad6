"""The written conversations: the user's messages and answers, and the expected end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

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
