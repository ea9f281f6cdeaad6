"""A conversation with the agent, on what the environment names."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from daybook import build
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from graph.app import open_resources
from graph.domain import DOMAIN

PATIENCE = 60.0
"""Seconds after which a test gives up."""

APPROVE: Command[Any] = Command(resume={"decisions": [{"type": "approve"}]})
REJECT: Command[Any] = Command(resume={"decisions": [{"type": "reject"}]})


@dataclass(frozen=True)
class Stands:
    """Say where a conversation stands.

    Attributes:
        text: what was said last.
        asked: what a person is asked: the values of the interrupts.
    """

    text: str
    asked: tuple[Any, ...]


@dataclass(frozen=True)
class Talk:
    """A thread of one person."""

    user: str
    thread: str

    def hold(self, *given: str | Command[Any], role: str = "customer") -> Stands:
        """Say something or answer what waits."""
        said = [
            {"messages": [{"role": "user", "content": one}]} if isinstance(one, str) else one
            for one in given
        ]
        user = f"{self.user}-clerk" if role == "clerk" else self.user
        return asyncio.run(_talk(said, {"thread_id": self.thread, "user_id": user, "role": role}))


async def _talk(given: Sequence[Any], person: dict[str, str]) -> Stands:
    config: RunnableConfig = {"configurable": person}
    async with asyncio.timeout(PATIENCE), open_resources() as resources:
        graph = build(DOMAIN, lambda: resources, resources.postgres.saver)
        for one in given:
            await graph.ainvoke(one, config)
        state = await graph.aget_state(config)
        asked = tuple(interrupt.value for interrupt in state.interrupts)
        return Stands(state.values["messages"][-1].text, asked)
