"""What a run left behind in a thread, and what input takes it up; for chat and worker alike."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from langgraph.types import StateSnapshot

from daybook.checkpoints.postgres import Postgres


class Left(StrEnum):
    """What is left to do in a thread."""

    QUESTION = "a question waits for a person"
    CUT_OFF = "a turn was cut off"
    UNSETTLED = "something is not settled yet"


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


async def _is_answered(snapshot: StateSnapshot, thread_id: str, postgres: Postgres) -> bool:
    """Tell whether the ledger holds the answer to the question that waits.

    Its runner died between the answer and the checkpoint that was to say so: nobody is asked again.
    """
    plan, _ = await postgres.ledger.plan(thread_id, snapshot.values["plan_id"])
    if plan is None:
        return False
    asked = {interrupt.value.get("approval_id") for interrupt in snapshot.interrupts}
    doubts = {step.question for step in plan.steps if step.question is not None}
    return not asked & (doubts if plan.decided else {plan.plan_id})
