"""Read a form as the answer to a question: LangChain's human-in-the-loop shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from daybook.app.console.pages import value
from daybook.state.errors import InputRefused
from daybook.state.people.questions.edited import schema_of, typed
from daybook.state.people.questions.question import Question, is_doubt

OVER = (
    "This question is over: it was answered, changed or withdrawn meanwhile. Nothing was done; "
    "what waits now is shown here."
)

_SAID = {"happened": "it happened", "not_happened": "it did not happen", "undo": "undo"}


def answer_of(form: Mapping[str, str], question: Question | None) -> dict[str, Any]:
    """Return the answer that a form gives to the question that waits, by its approval id.

    Args:
        question: what waits; None where nothing does.

    Raises:
        InputRefused: it answers another question, or leaves something out.
    """
    if question is None or (form.get("approval_id") or None) != question["approval_id"]:
        raise InputRefused(OVER)
    if is_doubt(question):
        decisions = [_word(form)]
    else:
        requests = question["action_requests"]
        decisions = [
            _decision(form, number, one, schema_of(question, number))
            for number, one in enumerate(requests)
        ]
    return {"decisions": decisions, "approval_id": question["approval_id"]}


def _word(form: Mapping[str, str]) -> dict[str, Any]:
    said = _SAID.get(form.get("word", ""))
    if said is None:
        raise InputRefused("Say what became of it. Nothing was done, and the question waits.")
    reference = form.get("reference", "").strip() if said != "it did not happen" else ""
    return {"type": "respond", "message": f"{said} {reference}".strip()}


def _decision(
    form: Mapping[str, str], number: int, request: Mapping[str, Any], schema: Mapping[str, Any]
) -> dict[str, Any]:
    decided = form.get(f"decision-{number}") or form.get("decision")
    message = form.get(f"message-{number}", "").strip()
    match decided:
        case "approve":
            if message or any(
                _is_changed(form.get(f"arg-{number}-{name}"), was)
                for name, was in request["args"].items()
            ):
                raise InputRefused(
                    "Something was typed beside this approval, which would be lost. Nothing was "
                    "done, and the question waits: load the page again, and approve it as it is, "
                    "with the changes, or say what you want instead."
                )
            return {"type": "approve"}
        case "reject" | "respond":
            return {"type": decided, "message": message}
        case "edit":
            args = {
                name: _edited(form.get(f"arg-{number}-{name}"), was, name, schema)
                for name, was in request["args"].items()
            }
            return {"type": "edit", "edited_action": {"name": request["name"], "args": args}}
        case _:
            raise InputRefused(
                f"Nothing was decided about {request['name'].replace('_', ' ')}. Nothing was done, "
                "and the question waits."
            )


def _is_changed(given: str | None, was: Any) -> bool:
    """Tell whether a field holds something else than was shown; browsers write lines their way."""
    return given is not None and given.split() != value(was).split()


def _edited(given: str | None, was: Any, name: str, schema: Mapping[str, Any]) -> Any:
    """Read an edited argument; what was shown and not changed stays as it was, to the byte."""
    if given is None or not _is_changed(given, was):
        return was
    try:
        return typed(given.replace("\r\n", "\n").strip(), was, name, schema)
    except ValueError as error:
        raise InputRefused(
            f"{given[:60]} cannot be read here: it must be written as {json.dumps(was)[:60]} is. "
            "Nothing was done, and the question waits."
        ) from error
