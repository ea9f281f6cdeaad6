"""A conversation that is held in a process of its own, which may be killed."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from daybook import GuardedGraph, build, errors
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from graph.app import open_resources
from graph.domain import DOMAIN

PATIENCE = 60.0
"""Seconds after which a test gives up waiting for a process."""

# Forked from a process that has imported all this already: the next one is there at once.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["tests.talking", "langchain_openai"])


@dataclass(frozen=True)
class Stands:
    """Say where a conversation stands after a process has run it.

    Attributes:
        killed: the process was killed with SIGKILL before it could tell.
        text: what was said last.
        asked: what a person is asked: the values of the interrupts.
    """

    killed: bool
    text: str = ""
    asked: tuple[Any, ...] = ()


APPROVE: Command[Any] = Command(resume={"decisions": [{"type": "approve"}]})
REJECT: Command[Any] = Command(resume={"decisions": [{"type": "reject"}]})


@dataclass(frozen=True)
class Talk:
    """A thread of one person.

    Attributes:
        environment: what its processes are told: the database, the service, the model.
    """

    environment: Mapping[str, str]
    user: str
    thread: str

    def hold(self, *given: str | Command[Any], role: str = "customer", die_at: str = "") -> Stands:
        """Say something or answer what waits, in a new process, and let it end.

        Args:
            die_at: the moment at which the process kills itself with SIGKILL.
        """
        said = [
            {"messages": [{"role": "user", "content": one}]} if isinstance(one, str) else one
            for one in given
        ]
        return self._run(said, role, {"DAYBOOK_DIE_AT": die_at} if die_at else {})

    def go_on(self) -> Stands:
        """Go on where a dead process has left it, as `daybook chat` and a worker do."""
        return self._run([None], "customer", {})

    def _run(self, given: Sequence[Any], role: str, more: Mapping[str, str]) -> Stands:
        told, tells = _PROCESSES.Pipe(duplex=False)
        user = f"{self.user}-clerk" if role == "clerk" else self.user
        person = {"thread_id": self.thread, "user_id": user, "role": role}
        environment = {**self.environment, **more}
        process = _PROCESSES.Process(target=_work, args=(environment, given, person, tells))
        process.start()
        tells.close()
        assert told.poll(PATIENCE), "the process is silent"
        try:
            stands: Stands = told.recv()
        except EOFError:
            process.join(PATIENCE)
            assert process.exitcode == -signal.SIGKILL, "the process has failed: see its traceback"
            return Stands(killed=True)
        process.join(PATIENCE)
        return stands


def _work(
    environment: Mapping[str, str], given: Sequence[Any], person: dict[str, str], tells: Connection
) -> None:
    os.environ.update(environment)
    tells.send(asyncio.run(_talk(given, person)))


async def _talk(given: Sequence[Any], person: dict[str, str]) -> Stands:
    config: RunnableConfig = {"configurable": person}
    async with asyncio.timeout(PATIENCE), open_resources() as resources:
        graph = build(DOMAIN, lambda: resources, resources.postgres.saver)
        for one in given:
            await _run(graph, one, config)
        state = await graph.aget_state(config)
        asked = tuple(interrupt.value for interrupt in state.interrupts)
        return Stands(False, state.values["messages"][-1].text, asked)


async def _run(graph: GuardedGraph, given: Any, config: RunnableConfig) -> None:
    while True:
        try:
            await graph.ainvoke(given, config)
            return
        except errors.ThreadBusy:  # Postgres has not seen yet that the dead process is dead
            await asyncio.sleep(0.01)
