"""Parse a line as an answer to a question: y, n, or e with the edit."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from daybook.state.effects.exact import read_exactly
from daybook.state.people.questions.approvals import verdict
from daybook.state.people.questions.question import Question, typed

HELP = "y: approve, n [reason]: reject, e name=value ...: edit and approve, d: details"
_UNKNOWN: Mapping[str, Any] = {}
DOUBT_HELP = "h or it happened [reference]; n or it did not happen: it is tried again"


def help_with(action: Mapping[str, Any]) -> str:
    """Say how an action request is answered, and what of it can be edited."""
    edits = " ".join(f"{name}=..." for name in action["args"])
    return HELP.replace("name=value ...", edits) if edits else HELP


def doubt_help(request: Question) -> str:
    """Say how a question about a step in doubt is answered."""
    undo = "; u or undo [reference]: roll the action back" if request["can_be_undone"] else ""
    later = "" if request["holds_back"] else "; Enter: later"
    return f"{DOUBT_HELP}{undo}{later}"


def wants_arguments(line: str) -> bool:
    """Tell whether a line asks for the full arguments of what is to be approved."""
    return line.strip().casefold() in ("d", "details")


def is_message(line: str) -> bool:
    """Tell whether a line that is no answer is said to the assistant; the question waits."""
    first, _, rest = line.strip().partition(" ")
    return bool(rest) and first.casefold() not in ("e", "edit")


class Unclear(ValueError):
    """A line is no answer, and what would be."""


def decision(
    line: str, action: Mapping[str, Any], schema: Mapping[str, Any] = _UNKNOWN
) -> dict[str, Any]:
    """Read one line as a HITL decision about an action request.

    Args:
        schema: of its arguments, by which `name=value` is read: 5000 is a number where one is
            wanted.

    Raises:
        Unclear: the line is none of the three.
    """
    word, _, rest = line.strip().partition(" ")
    match word.lower():
        case "y" | "yes" | "approve" if not rest.strip():
            # "yes, but ship it to work" is no yes to what is shown.
            return {"type": "approve"}
        case "n" | "no" | "reject":
            return {"type": "reject", "message": rest.strip()}
        case "e" | "edit":
            args = {**action["args"], **_edits(rest, action["args"], schema)}
            return {"type": "edit", "edited_action": {"name": action["name"], "args": args}}
        case _:
            raise Unclear(f"That is not an answer: {HELP}.")


def rejection(line: str) -> dict[str, Any]:
    """Read one line as the rejection of what someone else must approve.

    Raises:
        Unclear: the line rejects nothing.
    """
    word, _, why = line.strip().partition(" ")
    if word.lower() not in ("n", "no", "reject"):
        raise Unclear("Another user must approve it: n [reason] rejects, Enter leaves it waiting.")
    return {"type": "reject", "message": why.strip()}


def doubt(line: str) -> dict[str, Any]:
    """Read one line as the answer about a step in doubt.

    Raises:
        Unclear: the line is none of the three.
    """
    word, _, rest = line.strip().partition(" ")
    short = {"h": f"it happened {rest}", "n": "it did not happen", "u": f"undo {rest}"}
    said = short.get(word.lower(), line).strip()
    try:
        verdict(said)
    except ValueError as error:
        raise Unclear(f"That is not an answer: {DOUBT_HELP}.") from error
    return {"type": "respond", "message": said}


def _edits(text: str, was: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Read `name=value ...` or a JSON object."""
    edits: Any = None
    try:
        if text.strip().startswith("{"):
            edits = read_exactly(text.encode())
        else:
            parts = [part.partition("=") for part in shlex.split(text)]
            if all(equals for _, equals, _ in parts):
                edits = {n: typed(value, was.get(n), n, schema) for n, _, value in parts}
    except ValueError as error:
        raise Unclear(f"The edit cannot be read ({error}): {HELP}.") from error
    if not edits:
        raise Unclear(f"An edit is written as name=value: {HELP}.")
    return dict(edits)
