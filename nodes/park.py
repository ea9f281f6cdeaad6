"""Leave a plan that would have to wait for long: it stays open and is taken up again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langchain_core.messages import AIMessage
from langgraph.types import Command

from nodes.work import Work

Exit = Literal["__end__"]


async def park(state: Mapping[str, Any], work: Work) -> Command[Exit]:
    """Tell the person what is still open. The turn is not done: the next run continues it."""
    plan, _ = await work.plan(state["plan_id"])
    titles = "; ".join(action.title for action in plan.actions)
    text = (
        f"This is not settled yet: {titles}. The other side does not say whether it was done. "
        "Nothing is done twice: it is looked at again when you come back to this conversation."
    )
    told = AIMessage(text, id=f"{plan.plan_id}/parked/{plan.last_seq}")
    return Command(update={"messages": [told]}, goto="__end__")
