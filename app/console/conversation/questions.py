"""A question that waits, as a page shows it: what is asked, and whether this person may answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from langgraph.types import StateSnapshot

from daybook.state.people.questions.question import Question, barred, is_doubt, question_of
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


def _happening(asks: Question, domain: Domain) -> str:
    """Say what nobody can tell: of an undo that is stuck, that it was undone."""
    seen = asks["action_requests"][0]["args"]
    name = str(asks.get("about") or seen["tool"])
    tool = domain.registry.effects.get(name)
    # The arguments are those of the step; an undo has its own, which nobody was shown.
    args = seen.get("arguments", {}) if name == seen["tool"] else {}
    return tool.happening(args) if tool else f"{name.replace('_', ' ')} happened"
