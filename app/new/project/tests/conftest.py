"""What the tests share: one Postgres, one fake service, and a conversation for each test."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from daybook import build
from daybook.domain import embedded_postgres
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from graph.app import open_resources
from graph.domain import DOMAIN
from service.__main__ import told

ROOT = Path(__file__).parents[1]

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


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start a Postgres that is gone with its data afterwards, and return its URL."""
    with embedded_postgres(tmp_path_factory.mktemp("daybook")) as server:
        yield server.url


@pytest.fixture
def service() -> Iterator[str]:
    """Run the fake service, and return its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def happened(service: str) -> Callable[[], list[str]]:
    """Return what tells all that the service has really done, in order."""

    def effects() -> list[str]:
        with urlopen(f"{service}/effects") as answer:
            return [one["path"] for one in json.load(answer)["effects"]]

    return effects


@pytest.fixture
def talk(database: str, service: str, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """Return a conversation that nobody has begun; nobody's key is used for it."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    more = {"OPENAI_API_KEY": "", "DATABASE_URL": database, "DAYBOOK_BUDGET_SECONDS": "1"}
    for name, value in {**told(service), **more}.items():
        monkeypatch.setenv(name, value)
    # Of a person of its own: what was hired to somebody for a day is hired to them once.
    thread = str(uuid.uuid4())
    return Talk(user=f"mia-{thread[:8]}", thread=thread)
