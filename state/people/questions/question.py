"""A stored question and its version, and values that a user types for its arguments.

A question waits in a thread's checkpoint for as long as nobody answers it: a later release shows
it. Whoever shows or answers one reads it through `question_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from daybook.state.effects.exact import read_exactly
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
            f"The pending question has version {stored.get('version')}; this release reads "
            f"version {QUESTION_VERSION}. Nothing was changed: answer it in the release that "
            "wrote it."
        )
    return dict(stored)


def is_doubt(question: Question) -> bool:
    """Tell whether it asks what became of a step, and not for an approval."""
    return "in_doubt" in question


def is_expired(stored: Any, now: datetime) -> bool:
    """Tell whether a question waits for nobody any more.

    Args:
        stored: the value of an interrupt, of whatever version, or someone else's.
        now: UTC.
    """
    until = stored.get("waits_until") if isinstance(stored, Mapping) else None
    return isinstance(until, str) and datetime.fromisoformat(until) <= now


def barred(question: Question, person: Person, owner: str) -> str:
    """Say why a person cannot say yes to a question, or nothing.

    Args:
        owner: whose thread it waits in.
    """
    asked: Mapping[str, Any] = question["needs"]
    if is_doubt(question):
        return Needs(doubt=asked["role"]).bars_word(person)
    needs = Needs(
        role=asked["role"],
        four_eyes=asked["four_eyes"],
        approvals=asked.get("approvals", 1),
        people=tuple(asked.get("people", ())),
        asked_by=asked.get("asked_by", ""),
    )
    given = [(one["user"], *one["stands_for"]) for one in question.get("approved_by", ())]
    return needs.bars(person, owner, [name for names in given for name in names])


def is_asked_by(question: Question, approval_id: str) -> bool:
    """Tell whether an id names a question, or the same plan's before someone approved it, too."""
    plan_id = question.get("plan_id")
    is_of_plan = plan_id is not None and approval_id.partition("?")[0] == plan_id
    return (approval_id or None) == question["approval_id"] or is_of_plan


def schema_of(request: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Return the schema of an action's arguments; empty where an older question says none."""
    configs: Sequence[Mapping[str, Any]] = request.get("review_configs", ())
    schema: Mapping[str, Any] = configs[number].get("args_schema", {}) if configs[number:] else {}
    return schema


def typed(text: str, was: Any, name: str, schema: Mapping[str, Any]) -> Any:
    """Return the value that a typed text stands for.

    Args:
        was: the argument before; None if there was none.
        schema: a JSON schema of all arguments, which may know nothing of this one.

    Raises:
        ValueError: no text is wanted, and it is no JSON either.
    """
    wanted = _types(schema.get("properties", {}).get(name), schema)
    is_text = "string" in wanted if wanted else was is None or isinstance(was, str)
    if is_text and (was is None or isinstance(was, str) or wanted <= {"string", "null"}):
        return text
    try:
        return read_exactly(text.encode())
    except ValueError:
        if is_text:
            return text
        raise


def _types(schema: Any, whole: Mapping[str, Any]) -> frozenset[str]:
    """Name the types of JSON that a schema allows; none if it does not say."""
    if not isinstance(schema, Mapping):
        return frozenset()
    if isinstance(ref := schema.get("$ref"), str):
        return _types(whole.get("$defs", {}).get(ref.rpartition("/")[2]), whole)
    if "type" in schema:
        listed = schema["type"]
        return frozenset([listed] if isinstance(listed, str) else listed)
    if either := [*schema.get("anyOf", ()), *schema.get("oneOf", ())]:
        return frozenset().union(*(_types(one, whole) for one in either))
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    return frozenset("string" if isinstance(one, str) else "other" for one in values)
