"""A question that waits, as a page shows it, and a form read as the answer to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from langgraph.types import StateSnapshot

from daybook.app.console import house
from daybook.app.console.pages import value
from daybook.state.errors import InputRefused
from daybook.state.people.questions.question import (
    Question,
    barred,
    is_asked_by,
    is_doubt,
    question_of,
    schema_of,
    typed,
)
from daybook.state.session import Person
from daybook.tools.domain import Domain


@dataclass(frozen=True)
class Asked:
    """One question that waits.

    Attributes:
        asks: langchain's HITL request, with what we add.
        barred: why this person may not approve it, or say what became of a step; else "".
        asked_at, until: UTC; None where it is not known, or does not end.
        happening: of a doubt, that it happened, as its tool says it in words; else "".
    """

    thread_id: str
    owner: str
    asks: Question
    barred: str
    asked_at: datetime | None
    until: datetime | None
    happening: str = ""

    @property
    def is_doubt(self) -> bool:
        """Tell whether a person is asked what became of a step."""
        return is_doubt(self.asks)

    @property
    def note(self) -> list[str]:
        """Return why it is asked again, and how it differs from before, line by line."""
        return str(self.asks["note"]).splitlines()

    @property
    def approval_id(self) -> str:
        """Return by what its answer names it; "" where it has no such id."""
        return str(self.asks["approval_id"] or "")

    @property
    def plan_id(self) -> str:
        """Name the plan that it asks about; "" of a doubt."""
        return str(self.asks.get("plan_id", ""))

    @property
    def title(self) -> str:
        """Say in a line what it is about."""
        if self.is_doubt:
            return f"Whether {self.happening}"
        return "; ".join(one["title"] for one in self.asks["plan"])

    @property
    def dom_id(self) -> str:
        """Name it within a page."""
        plain = "".join(c if c.isalnum() else "-" for c in str(self.asks["approval_id"]))
        return f"q-{plain[-40:]}"


def asked_in(
    snapshot: StateSnapshot,
    domain: Domain,
    owner: str,
    person: Person,
    asked_at: datetime | None = None,
) -> Asked | None:
    """Return the question that waits in a thread of a domain, or None."""
    if not snapshot.interrupts:
        return None
    asks = question_of(snapshot.interrupts[0].value)
    until = asks.get("waits_until")
    return Asked(
        thread_id=snapshot.config["configurable"]["thread_id"],
        owner=owner,
        asks=asks,
        barred=barred(asks, person, owner),
        asked_at=asked_at,
        until=datetime.fromisoformat(until) if until else None,
        happening=_happening(asks, domain) if is_doubt(asks) else "",
    )


async def asked_of(thread_id: str, owner: str, person: Person) -> Asked | None:
    """Return the question that waits in a thread, or None."""
    domain = await house.domain_of(thread_id)
    return asked_in(await house.state_of(thread_id, domain), domain, owner, person)


def _happening(asks: Question, domain: Domain) -> str:
    """Say what nobody can tell: of an undo that is stuck, that it was undone."""
    seen = asks["action_requests"][0]["args"]
    name = str(asks.get("about") or seen["tool"])
    tool = domain.registry.effects.get(name)
    # The arguments are those of the step; an undo has its own, which nobody was shown.
    args = seen.get("arguments", {}) if name == seen["tool"] else {}
    return tool.happening(args) if tool else f"{name.replace('_', ' ')} happened"


# -- forms -----------------------------------------------------------------------------------------

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
    if question is None or not is_asked_by(question, form.get("approval_id", "")):
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
