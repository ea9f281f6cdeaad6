"""Move the flow past a plan that is over, and bring the domain's state up to date with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.types import Command

from nodes.conclude import concluded
from nodes.work import Work

Exit = Literal["decide"]


async def advance(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Take the outcome of the plan under way into the state, then let the model tell it."""
    plan, _ = await work.plan(state["plan_id"])
    assert plan.over, "execute leaves for advance when the plan is over"
    return Command(update={**concluded(state, plan, work.domain), "decision": None}, goto="decide")
