"""langchain's create_agent before the same retailer, as its documentation says: no ledger."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal
from urllib.parse import quote

import httpx
import openai
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
)
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool
from pydantic import SecretStr

from evals.tau_retail.data import TauRetail
from evals.tau_retail.endpoint import MODEL
from evals.tau_retail.marks import Marks, Place
from evals.tau_retail.playing import Standing

Durability = Literal["async", "sync"]

_SECONDS = 30.0

Answer = Callable[[str, Mapping[str, Any], str], Awaitable[str]]
"""Answers a call: tool, arguments, the id that the model gave the call."""


class Plain:
    """Play one thread with create_agent.

    Args:
        durability: "async" is what it does where nothing is said.
    """

    def __init__(
        self, name: str, graph: CompiledStateGraph[Any, Any, Any, Any], durability: Durability
    ) -> None:
        self._graph, self._durability = graph, durability
        self._config: RunnableConfig = {"configurable": {"thread_id": name}}
        self._has_begun = False

    async def standing(self) -> Standing:
        """Tell where the thread stands.

        Killed between two checkpoints a thread may name no next node and yet have one: its state
        shows a message whose answer was never begun, or an answer that the next message would
        drop. Told to go on it does, so whoever takes a thread up tells it so once, whatever it
        names. That is more than the documentation asks for.
        """
        state = await self._state()
        messages = state.values.get("messages", [])
        is_taken_up = bool(messages) and not self._has_begun
        heard = frozenset(str(one.id) for one in messages)
        return Standing(heard, bool(state.next) or is_taken_up)

    async def go_on(self) -> None:
        """Resume with None, as the documentation says."""
        self._has_begun = True
        await self._graph.ainvoke(None, self._config, durability=self._durability)

    async def say(self, message_id: str, text: str) -> bool:
        """Say something, and return whether it was answered."""
        self._has_begun = True
        said = {"messages": [{"role": "user", "content": text, "id": message_id}]}
        await self._graph.ainvoke(said, self._config, durability=self._durability)
        return True

    async def results(self) -> list[str]:
        """Return the tool messages of the thread's state, in order."""
        messages = (await self._state()).values.get("messages", [])
        return [one.text for one in messages if isinstance(one, ToolMessage)]

    async def _state(self) -> StateSnapshot:
        return await self._graph.aget_state(self._config)


class Counter:
    """Reach one world of the retailer as a plain client does.

    Args:
        has_keys: send the id of the model's call as idempotency key.
    """

    def __init__(
        self,
        http: httpx.AsyncClient,
        world: str,
        marks: Marks,
        *,
        writes: Sequence[str],
        has_keys: bool,
    ) -> None:
        self._http, self._marks, self._writes = http, marks, frozenset(writes)
        self._world, self._has_keys = quote(world, safe=""), has_keys

    async def answer(self, tool: str, args: Mapping[str, Any], call_id: str) -> str:
        """Answer one call."""
        if tool not in self._writes:
            with self._marks.within(Place.READ):
                path = f"/worlds/{self._world}/reads/{tool}"
                read = await self._http.get(path, params={"args": json.dumps(args)})
            return str(read.json()["text"])
        headers = {"Idempotency-Key": call_id} if self._has_keys else {}
        with self._marks.within(Place.REQUEST):
            path = f"/worlds/{self._world}/writes/{tool}"
            done = await self._http.post(path, json=dict(args), headers=headers)
        self._marks.enter(Place.REPLIED)
        body = done.json()
        return str(body["text"] if done.is_success else body["message"])


class _Tool(BaseTool):
    """Offer a tool as it is described, and hand every call on as it came."""

    answers: Answer

    async def ainvoke(
        self, input: str | dict[str, Any] | Any, config: RunnableConfig | None = None, **more: Any
    ) -> ToolMessage:
        """Answer a call of the model."""
        assert isinstance(input, dict)
        text = await self.answers(self.name, input["args"], input["id"])
        return ToolMessage(text, name=self.name, tool_call_id=input["id"])

    def _run(self, *args: Any, **given: Any) -> Any:
        raise TypeError("This tool is called by create_agent alone.")


class _Model(ChatOpenAI):
    """Ask a provider, and mark it."""

    marks: Marks

    async def _agenerate(self, *args: Any, **given: Any) -> Any:
        with self.marks.within(Place.MODEL):
            return await super()._agenerate(*args, **given)


class _Saver(AsyncPostgresSaver):
    """Write checkpoints, and mark it."""

    def __init__(self, pool: AsyncConnectionPool[AsyncConnection[DictRow]], marks: Marks) -> None:
        super().__init__(pool)
        self._marks = marks

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Write a checkpoint."""
        with self._marks.within(Place.CHECKPOINT):
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Write what a node returned: from then on a reply is recorded."""
        of_a_reply = self._marks.is_replied
        with self._marks.within(Place.CHECKPOINT):
            await super().aput_writes(config, writes, task_id, task_path)
        if of_a_reply:
            self._marks.recorded()


@asynccontextmanager
async def open_plain(
    data: TauRetail,
    name: str,
    marks: Marks,
    *,
    database: str,
    retailer: str,
    provider: str,
    durability: Durability,
    has_keys: bool,
) -> AsyncIterator[Plain]:
    """Open create_agent for one thread, on a database whose tables are made.

    Args:
        database, retailer, provider: URLs.
        has_keys: its tools send the id of the model's call as idempotency key.
    """
    async with (
        _pool(database) as pool,
        httpx.AsyncClient(base_url=retailer, timeout=_SECONDS, trust_env=False) as http,
    ):
        writes = [spec.name for spec in data.tools if spec.is_write]
        counter = Counter(http, name, marks, writes=writes, has_keys=has_keys)
        model = _Model(
            model=f"{MODEL}{name}",
            base_url=provider,
            api_key=SecretStr("none"),
            # Of this type it gives the model a client of its own, and none that a fork would share.
            timeout=openai.Timeout(_SECONDS),
            marks=marks,
        )
        tools = [
            _Tool(
                name=spec.name,
                description=spec.description,
                args_schema=dict(spec.parameters),
                answers=counter.answer,
            )
            for spec in data.tools
        ]
        graph = create_agent(
            model, tools, system_prompt=data.policy, checkpointer=_Saver(pool, marks)
        )
        try:
            yield Plain(name, graph, durability)
        finally:
            await model.root_async_client.close()


async def make_tables(database: str) -> None:
    """Make the tables that create_agent's checkpoints need."""
    async with _pool(database) as pool:
        await AsyncPostgresSaver(pool).setup()


def _pool(database: str) -> AsyncConnectionPool[AsyncConnection[DictRow]]:
    return AsyncConnectionPool(
        database,
        min_size=1,
        max_size=4,
        open=False,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )
