"""Read "mark as resolved" of other people's clients, which let a thread end at its question.

A plan that nobody answered would wait in the ledger, and nothing would ask about it. So the plan is
withdrawn as by a stop. A doubt is not resolved by looking away: it stays asked.
"""

from __future__ import annotations

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END
from langgraph.types import Command, StateSnapshot

from daybook.nodes.running.identity import person_of
from daybook.state.ledger.stopping import STOP
from daybook.state.people.questions.question import is_doubt

_PLACE = ("checkpoint_id", "checkpoint_ns", "checkpoint_map")


def is_resolving(given: Any) -> bool:
    """Tell whether a run is given nothing but the wish that the thread ends here."""
    return (
        isinstance(given, Command)
        and given.goto in (END, [END], (END,))
        and given.resume is None
        and not given.update
        and given.graph is None
    )


def resolving(stands: StateSnapshot) -> dict[str, Any] | None:
    """Return the event that withdraws the plan which waits; None where nothing is withdrawn."""
    waiting = [one for one in stands.interrupts if isinstance(one.value, dict)]
    if not waiting or is_doubt(waiting[0].value):
        return None
    name = str(waiting[0].value["approval_id"]).replace("/", "-")
    return {"events": [{"id": f"resolved-{name}", "type": STOP}]}


def by_owner(config: RunnableConfig, owner: str | None, user: str) -> RunnableConfig:
    """Return the configuration of a run at the head of a thread, for its person.

    A client that edits state names nobody; where it is not signed in it acts for the owner.
    """
    person = person_of(config, owner or user)
    kept = {name: one for name, one in config["configurable"].items() if name not in _PLACE}
    who = {"user_id": person.user_id, "role": person.role}
    return {**config, "configurable": {**kept, **who}}
