"""What people do here: put boots into a cart, ask to check out, approve, or say a word."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from daybook.graph.guarded import GuardedGraph
from daybook.state.fault_points import FaultPoint
from evals.crash.script import SKU


class Gone(Exception):
    """The process of a run is no more."""


def dies_at_the_approval(point: FaultPoint, about: str) -> None:
    """End a run once its approval is written down; for `daybook.state.fault_points.arm`.

    Raises:
        Gone: it is.
    """
    if point is FaultPoint.AFTER_COMMIT and about == "decision":
        raise Gone


@dataclass(frozen=True)
class Talk:
    """One person's thread."""

    graph: GuardedGraph
    user: str
    thread_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def config(self) -> RunnableConfig:
        """Return what a run of it is given."""
        about = {"thread_id": self.thread_id, "user_id": self.user}
        return {"configurable": about, "recursion_limit": 200}

    async def say(self, text: str) -> Any:
        """Say something; return the state that it led to."""
        said = {"role": "user", "content": text, "id": str(uuid.uuid4())}
        return await self.graph.ainvoke({"messages": [said]}, self.config)

    async def ask_to_buy(self) -> None:
        """Bring a purchase to its question."""
        await self.say(f"add {SKU}")
        asked = await self.say("check out")
        assert "__interrupt__" in asked, "a checkout asks for an approval"

    async def approve(self) -> Any:
        """Approve what is asked."""
        return await self.graph.ainvoke(
            Command(resume={"decisions": [{"type": "approve"}]}), self.config
        )

    async def buy(self) -> None:
        """Buy one pair of boots, from the first word to the answer."""
        await self.ask_to_buy()
        done = await self.approve()
        assert done["flow"] == "ordered", "a purchase ends with an order"
