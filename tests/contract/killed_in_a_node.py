"""A graph that charges inside a task, and a process that is killed right after it did.

Run as a script with a database URL and a thread id. The effect is a row of the table `effect`,
written on a connection of its own: the world outside.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.func import task
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict


class State(TypedDict, total=False):
    receipt: str


class SlowSaver(AsyncPostgresSaver):
    """A saver whose connection is so slow that no task result arrives in time."""

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        await asyncio.Event().wait()


def charging_graph(
    url: str, saver: BaseCheckpointSaver[str], *, then: Callable[[], None]
) -> CompiledStateGraph[State, None, State, State]:
    """Return a graph that charges in a task, and then does something else in the same node."""

    @task
    async def charge() -> str:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            await connection.execute("INSERT INTO effect DEFAULT VALUES")
        return "receipt"

    async def execute(state: State) -> State:
        receipt = await charge()
        then()
        return {"receipt": receipt}

    builder = StateGraph(State).add_node("execute", execute).add_edge(START, "execute")
    return builder.compile(checkpointer=saver)


async def main(url: str, thread_id: str) -> None:
    """Run the graph on a new thread until it is killed."""
    async with AsyncPostgresSaver.from_conn_string(url) as saver:
        die = partial(os.kill, os.getpid(), signal.SIGKILL)
        graph = charging_graph(url, SlowSaver(saver.conn), then=die)
        thread: RunnableConfig = {"configurable": {"thread_id": thread_id}}
        await graph.ainvoke({}, thread, durability="sync")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
