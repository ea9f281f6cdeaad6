"""Fixtures: one Postgres, one fake service, and a conversation for each test."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from daybook import build
from daybook.domain import embedded_postgres
from daybook.testing import serve
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from graph.app import open_resources
from graph.domain import DOMAIN
from service.desk import Desk

PATIENCE = 60.0
"""Seconds after which a test gives up."""

APPROVE: Command[Any] = Command(resume={"decisions": [{"type": "approve"}]})
REJECT: Command[Any] = Command(resume={"decisions": [{"type": "reject"}]})


@dataclass(frozen=True)
class Stands:
    """Hold the end of a conversation.

    Attributes:
        text: the last message.
        asked: the open questions: the values of the interrupts.
    """

    text: str
    asked: tuple[Any, ...]


@dataclass(frozen=True)
class Talk:
    """A thread of one user."""

    user: str
    thread: str

    def hold(self, *given: str | Command[Any], role: str = "customer") -> Stands:
        """Send messages and answers, in order."""
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


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a temporary Postgres, and return its URL."""
    with embedded_postgres(tmp_path_factory.mktemp("daybook")) as server:
        yield server.url


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Serve a fake desk; `desk.happened()` returns what it has done, in order."""
    desk = Desk()
    with serve({"desk": desk}) as url:
        desk.url = f"{url}/desk"
        yield desk


@pytest.fixture
def talk(database: str, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Return a new conversation, which uses no provider's key."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("DAYBOOK_BUDGET_SECONDS", "1")
    monkeypatch.setenv("SERVICE_URL", desk.url)
    # With its own user: a bike is hired to a user only once per day.
    thread = str(uuid.uuid4())
    return Talk(user=f"mia-{thread[:8]}", thread=thread)
