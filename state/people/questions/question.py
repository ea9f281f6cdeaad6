"""A stored question and its version.

A question waits in a thread's checkpoint for as long as nobody answers it: a later release shows
it. Whoever shows or answers one reads it through `question_of`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from daybook.state.errors import UnknownStateVersion
from daybook.state.people.policy import Needs
from daybook.state.session import Person

QUESTION_VERSION = 1
"""Of what `daybook.state.people.questions.approvals` writes: `request_for` and `doubt_request`.

A later release that changes their form reads this one too.
"""

Question = dict[str, Any]


def question_of(stored: Mapping[str, Any]) -> Question:
    """Read the value of an interrupt as a question.

    Args:
        stored: as it was restored.

    Raises:
        UnknownStateVersion: it is of another version.
    """
    if stored.get("version") != QUESTION_VERSION:
        raise UnknownStateVersion(
            f"The question that waits here is of version {stored.get('version')}; this release "
            f"reads version {QUESTION_VERSION}. Nothing was changed: answer it in the release that "
            "wrote it."
        )
    return dict(stored)


def is_doubt(question: Question) -> bool:
    """Tell whether it asks what became of a step, and not for an approval."""
    return "in_doubt" in question


def is_expired(stored: Any, now: datetime) -> bool:
    """Tell whether a question waits for nobody any more.

    Args:
        stored: the value of an interrupt, of whatever version, or somebody else's.
        now: UTC.
    """
    until = stored.get("waits_until") if isinstance(stored, Mapping) else None
    return isinstance(until, str) and datetime.fromisoformat(until) <= now


def barred(question: Question, person: Person, owner: str) -> str:
    """Say why a person cannot say yes to a question, or nothing.

    Args:
        owner: whose thread it waits in.
    """
    role, four_eyes = question["needs"]["role"], question["needs"]["four_eyes"]
    if is_doubt(question):
        return Needs(doubt=role).bars_word(person)
    return Needs(role=role, four_eyes=four_eyes).bars(person, owner)
