"""The version of a stored question, and how one of any version is read.

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
from daybook.state.versions import Upgrade, stepped

QUESTION_VERSION = 2
"""Of what `daybook.state.people.questions.approvals` writes: `request_for` and `doubt_request`."""

Question = dict[str, Any]


def _with_all_fields(question: Question) -> Question:
    """Give a question of before versions what it lacks: fields came one after the other.

    Before there were roles everybody was a customer; before a doubt told whether it can be undone,
    its words alone did.
    """
    needs = {"role": "customer", "four_eyes": False, "rules": []}
    common = {"approval_id": None, "needs": needs, "note": "", **question}
    if "in_doubt" not in question:
        plan = [
            {**one, "steps": [{"observed": {}, **step} for step in one["steps"]]}
            for one in question["plan"]
        ]
        return {"waits_until": None, **common, "plan": plan}
    words = question["action_requests"][0]["description"]
    return {"holds_back": True, "can_be_undone": '"undo' in words, **common}


UPGRADES: Mapping[int, Upgrade] = {1: _with_all_fields}
"""Version to the step that makes the next version of a question."""


def question_of(
    stored: Mapping[str, Any],
    current: int = QUESTION_VERSION,
    upgrades: Mapping[int, Upgrade] = UPGRADES,
) -> Question:
    """Read the value of an interrupt as a question of this release.

    Args:
        stored: as it was restored; without a version it is of before there were any.

    Raises:
        UnknownStateVersion: there is no way from its version to the current one.
    """
    found = stored.get("version", 1)
    question = stepped(stored, found, current, upgrades)
    if question is None:
        raise UnknownStateVersion(
            f"The question that waits here is of version {found}; this release reads version "
            f"{current} and has upgrade steps from {sorted(upgrades) or 'no other version'}. "
            "Nothing was changed: answer it in the release that wrote it."
        )
    return {**question, "version": current}


def is_doubt(question: Question) -> bool:
    """Tell whether it asks what became of a step, and not for an approval."""
    return "in_doubt" in question


def name_of(stored: Any) -> str | None:
    """Return by what the ledger knows a question: its plan, or its step in doubt.

    None where it does not say: an older one, or somebody else's.

    Args:
        stored: the value of an interrupt, of whatever version.
    """
    if not isinstance(stored, Mapping):
        return None
    name = stored.get("in_doubt") or stored.get("approval_id")
    return name if isinstance(name, str) else None


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
