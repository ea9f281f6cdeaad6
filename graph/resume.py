"""What a run left unfinished in a thread, and the input that continues it.

Other people's clients let a thread end at its question ("mark as resolved"). A plan that nobody
answered would wait in the ledger, and nothing would ask about it: it is withdrawn as by a stop. A
doubt is not resolved by looking away: it stays asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END
from langgraph.types import Command, StateSnapshot

from daybook.checkpoints.ledger.ledger import Ledger
from daybook.checkpoints.postgres import Postgres
from daybook.nodes.running.identity import person_of
from daybook.state.ledger.stopping import STOP
from daybook.state.people.questions.question import is_doubt

_PLACE = ("checkpoint_id", "checkpoint_ns", "checkpoint_map")


class Left(StrEnum):
    """What is left to do in a thread."""

    QUESTION = "a question waits for an answer"
    CUT_OFF = "a turn was interrupted"
    UNSETTLED = "an outcome is not known yet"


TAKES_UP: Mapping[Left, Any] = {Left.CUT_OFF: None, Left.UNSETTLED: {"events": []}}
"""The input that goes on with it. A question is answered by a person, or is over (`UNSETTLED`)."""


async def left_in(snapshot: StateSnapshot, postgres: Postgres) -> Left | None:
    """Tell what is left to do in a thread; its checkpoints may be gone."""
    thread_id = snapshot.config["configurable"]["thread_id"]
    if snapshot.interrupts and await _is_answered(snapshot, thread_id, postgres):
        return Left.UNSETTLED
    if snapshot.interrupts:
        return Left.QUESTION
    if snapshot.tasks:
        return Left.CUT_OFF
    ledger = postgres.ledger
    if await ledger.open_plan(thread_id) or await ledger.left_over(thread_id):
        return Left.UNSETTLED
    return None


async def live_questions(ledger: Ledger, thread_id: str) -> set[str | None]:
    """Name the questions of a thread that wait for an answer, as the ledger has it.

    None stands for those that the ledger knows nothing of: a graph's own.
    """
    live: set[str | None] = {None}
    open_plan, left_over = await ledger.open_plan(thread_id), await ledger.left_over(thread_id)
    for name in filter(None, (open_plan, *(one.plan_id for one in left_over))):
        plan, _ = await ledger.plan(thread_id, name)
        if plan is not None:
            asked = {one.question for one in plan.steps} if plan.decided else {plan.question}
            # A step that is not in question asks nothing.
            live |= asked
    return live


def named_in(question: Any) -> str | None:
    """Return the name of the question in an interrupt's value; None of one that is not ours."""
    return question.get("approval_id") if isinstance(question, Mapping) else None


async def _is_answered(snapshot: StateSnapshot, thread_id: str, postgres: Postgres) -> bool:
    """Tell whether the ledger holds the answer to the question that waits.

    Its runner died between the answer and the checkpoint that was to say so: nobody is asked again.
    """
    plan, _ = await postgres.ledger.plan(thread_id, snapshot.values["plan_id"])
    if plan is None:
        return False
    asked = {interrupt.value.get("approval_id") for interrupt in snapshot.interrupts}
    doubts = {step.question for step in plan.steps if step.question is not None}
    return not asked & (doubts if plan.decided else {plan.question})


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
    """Return the event that withdraws the plan which waits; None if nothing is withdrawn."""
    waiting = [one for one in stands.interrupts if isinstance(one.value, dict)]
    if not waiting or is_doubt(waiting[0].value):
        return None
    name = str(waiting[0].value["approval_id"]).replace("/", "-")
    return {"events": [{"id": f"resolved-{name}", "type": STOP}]}


def by_owner(config: RunnableConfig, owner: str | None, user: str) -> RunnableConfig:
    """Return the configuration of a run at the head of a thread, for its user.

    A client that edits state names nobody; where it is not signed in it acts for the owner.
    """
    person = person_of(config, owner or user)
    kept = {name: one for name, one in config["configurable"].items() if name not in _PLACE}
    who = {"user_id": person.user_id, "role": person.role}
    return {**config, "configurable": {**kept, **who}}
