"""An open question as a page shows it, and the answer read from its form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from daybook.app.console import house
from daybook.app.console.pages import value
from daybook.checkpoints.ledger.steps import InInbox
from daybook.nodes.running.identity import session_of
from daybook.state.errors import InputRefused
from daybook.state.money import Money
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
from daybook.tools.boundary import UNABLE, heard
from daybook.tools.domain import Domain
from daybook.tools.kinds import EffectTool

_SECONDS = 3.0
"""Seconds that a page waits for the labels of choices."""


@dataclass(frozen=True)
class Asked:
    """One question that waits.

    Attributes:
        asks: langchain's HITL request, with what we add.
        barred: why this person may not approve it, or say what became of a step; else "".
        asked_at, until: UTC; None if it is not known, or does not end.
        happening: of a doubt, that it happened, as its tool says it in words; else "".
        tool: of a doubt, what was called; None if this release has no such tool.
        words: what may be chosen for arguments, in words that are kept nowhere.
    """

    thread_id: str
    owner: str
    asks: Question
    barred: str
    asked_at: datetime | None
    until: datetime | None
    happening: str = ""
    tool: EffectTool | None = None
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def who(self) -> str:
        """Say who may answer."""
        return who_may(self.asks["needs"], self.owner, self.asks.get("approved_by", ()))

    def choices(self, number: int, name: str) -> Mapping[str, str]:
        """Return what may be chosen for an argument, each in words; nothing if all may be."""
        schema = schema_of(self.asks, number).get("properties", {}).get(name, {})
        words = self.words.get(name, {})
        return {
            str(one["const"]): words.get(one["const"], one.get("title", one["const"]))
            for one in schema.get("oneOf", ())
            if isinstance(one, Mapping) and isinstance(one.get("const"), str)
        }

    @property
    def amount(self) -> Money | None:
        """Return the money that a step in doubt moves; None if none is declared."""
        sent = self.asks["action_requests"][0]["args"].get("arguments", {})
        return self.tool.moves(sent) if self.tool is not None else None

    @property
    def is_doubt(self) -> bool:
        """Tell whether a reviewer is asked what became of a step."""
        return is_doubt(self.asks)

    @property
    def note(self) -> list[str]:
        """Return why it is asked again, and how it differs from before, line by line."""
        return str(self.asks["note"]).splitlines()

    @property
    def approval_id(self) -> str:
        """Return by what its answer names it; "" if it has no such id."""
        return str(self.asks["approval_id"] or "")

    @property
    def plan_id(self) -> str:
        """Name the plan that it asks about; "" of a doubt."""
        return str(self.asks.get("plan_id", ""))

    @property
    def title(self) -> str:
        """Say in a line what it is about."""
        if self.is_doubt:
            return f"In doubt: {self.happening}"
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
        tool=_tool(asks, domain) if is_doubt(asks) else None,
    )


async def asked_of(
    thread_id: str, owner: str, person: Person, asked_at: datetime | None = None
) -> Asked | None:
    """Return the question that waits in a thread, or None."""
    domain = await house.domain_of(thread_id)
    return asked_in(await house.state_of(thread_id, domain), domain, owner, person, asked_at)


async def in_words(asked: Asked) -> Asked:
    """Read what may be chosen in the words of the service, such as a street: they are kept nowhere.

    Where that fails, the question's own words are shown.
    """
    domain = await house.domain_of(asked.thread_id)
    configs = asked.asks.get("review_configs", ())
    if domain.choices is None or not any("args_schema" in one for one in configs):
        return asked
    opened, read = house.resources(domain), domain.choices
    config: RunnableConfig = {
        "configurable": {"thread_id": asked.thread_id, "user_id": asked.owner}
    }
    session = session_of(config, opened.postgres.tenant_id)
    try:
        words = await heard(
            "`choices`", lambda: read(opened.services, session), _SECONDS, opened.clock
        )
    except UNABLE:
        return asked
    return replace(asked, words=words)


# -- who may answer, and what it is about ----------------------------------------------------------


def who_may(needs: Mapping[str, Any], owner: str, given: Sequence[Mapping[str, Any]] = ()) -> str:
    """Say who may answer: how many of which role or people, but for whom, and who has already.

    Args:
        given: the approvals that there are.
    """
    people, count = needs.get("people") or (), needs.get("approvals") or 1
    named = " or ".join(people) or str(needs["role"])
    if named == "customer":
        named = f"{owner} or staff"
    who = named
    if count > 1:
        who = f"{count} of {', '.join(people)}" if people else f"{count} {named}s"
    if needs.get("four_eyes") or count > 1:
        who += f", but not {' or '.join(filter(None, (owner, needs.get('asked_by'))))}"
    if given:
        who += f"; approved by {', '.join(str(one['user']) for one in given)}"
    return who


def asks_of(one: InInbox) -> Question:
    """Return what of a listed question says who may answer it."""
    needs: dict[str, Any] = {"role": "customer", "four_eyes": False, "rules": [], **one.needs}
    if one.is_doubt:
        needs |= {"role": needs.get("doubt", "customer"), "four_eyes": False}
        return {"in_doubt": "", "needs": {name: needs[name] for name in _OF_DOUBT}}
    return {"needs": needs, "approved_by": one.approved_by}


_OF_DOUBT = ("role", "four_eyes", "rules")


def title_of(one: InInbox, domain: Domain | None) -> str:
    """Say in a line what a listed question is about."""
    if not one.is_doubt:
        return "; ".join(one.titles)
    name = one.undo or one.tool
    tool = domain.registry.effects.get(name) if domain is not None else None
    happening = tool.happening({} if one.undo else one.args) if tool is not None else ""
    return f"In doubt: {happening or name.replace('_', ' ') + ' happened'}"


def _tool(asks: Question, domain: Domain) -> EffectTool | None:
    seen = asks["action_requests"][0]["args"]
    return domain.registry.effects.get(str(asks.get("about") or seen["tool"]))


def _happening(asks: Question, domain: Domain) -> str:
    """Say what nobody can tell: of an undo that is stuck, that it was undone."""
    seen = asks["action_requests"][0]["args"]
    name = str(asks.get("about") or seen["tool"])
    tool = _tool(asks, domain)
    # The arguments are those of the step; an undo has its own, which nobody was shown.
    args = seen.get("arguments", {}) if name == seen["tool"] else {}
    return tool.happening(args) if tool else f"{name.replace('_', ' ')} happened"


# -- forms -----------------------------------------------------------------------------------------

OVER = (
    "This question is closed: it was answered, changed or withdrawn. Nothing was done; reload the "
    "page to see what is waiting now."
)

_SAID = {"happened": "it happened", "not_happened": "it did not happen", "undo": "undo"}


def answer_of(form: Mapping[str, str], question: Question | None) -> dict[str, Any]:
    """Return the answer that a form gives to the question that waits, by its approval id.

    Args:
        question: what waits; None if nothing does.

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
        raise InputRefused(
            "Choose what happened. Nothing was done, and the question is still open."
        )
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
                    "You typed a change or message but chose to approve, so it would be lost. "
                    "Nothing was done, and the question is still open; reload the page, then "
                    "approve it unchanged, approve with changes, or reject it with your message."
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
                f"No answer was given for {request['name'].replace('_', ' ')}. Nothing was done, "
                "and the question is still open."
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
            f"{given[:60]} is invalid: write a value like {json.dumps(was)[:60]}. Nothing was "
            "done, and the question is still open."
        ) from error
