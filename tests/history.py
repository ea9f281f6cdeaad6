"""Old checkpoints in tests: go back to them, go on otherwise, copy them to another thread."""

import uuid
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot, StateUpdate

from tests.conftest import Agent
from tests.conversation import Conversation


async def checkpoints(talk: Conversation) -> list[StateSnapshot]:
    """Return the checkpoints that a thread has kept, newest first."""
    return [snapshot async for snapshot in talk.graph.aget_state_history(talk.config)]


async def before(talk: Conversation, node: str, ordinal: int | None = None) -> StateSnapshot:
    """Return the newest checkpoint at which a node was next."""
    for snapshot in await checkpoints(talk):
        turn = snapshot.values.get("turn") or {}
        if snapshot.next == (node,) and ordinal in (None, turn.get("ordinal")):
            return snapshot
    raise AssertionError(f"no checkpoint was kept before {node}")


def at(talk: Conversation, config: RunnableConfig) -> Conversation:
    """Return a conversation that goes on from an old checkpoint."""
    gone_back = Conversation(talk.graph, talk.config["configurable"]["user_id"], talk.thread_id)
    gone_back.config = {"configurable": {**config["configurable"], **talk.config["configurable"]}}
    return gone_back


async def again(talk: Conversation, snapshot: StateSnapshot) -> StateSnapshot:
    """Replay from an old checkpoint; return where the thread stands."""
    await talk.graph.ainvoke(None, at(talk, snapshot.config).config)
    return await talk.state()


async def replayed(graph: Any, config: Any) -> None:
    """Run on from every checkpoint of a thread behind which something comes."""
    for old in [one async for one in graph.aget_state_history(config) if one.next]:
        await graph.ainvoke(None, old.config)


async def edited(talk: Conversation, snapshot: StateSnapshot, **values: Any) -> StateSnapshot:
    """Rewrite the state of an old checkpoint and go on from there, with the turn that it is in."""
    fork = await rewritten(talk, snapshot.config, **values)
    begun = await talk.graph.aupdate_state(at(talk, fork).config, {"events": []}, "__start__")
    await talk.graph.ainvoke(None, at(talk, begun).config)
    return await talk.state()


async def rewritten(talk: Conversation, config: RunnableConfig, **values: Any) -> RunnableConfig:
    """Rewrite the state of a checkpoint past the guard, whatever it is, as who owns the tables can."""
    update = StateUpdate(values, "respond")
    config = at(talk, config).config
    return await CompiledStateGraph.abulk_update_state(talk.graph, config, [[update]])


async def copied(agent: Agent, talk: Conversation) -> Conversation:
    """Copy the checkpoints of a thread to another one, of the same person."""
    copy = Conversation(talk.graph, talk.config["configurable"]["user_id"], str(uuid.uuid4()))
    async with agent.resources.postgres.pool.connection() as conn:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            found = await conn.execute(
                "select column_name from information_schema.columns "
                "where table_name = %s and column_name not in ('thread_id', 'tenant_id')",
                (table,),
            )
            names = ", ".join(f'"{row["column_name"]}"' for row in await found.fetchall())
            await conn.execute(
                f"insert into {table} (thread_id, {names}) "
                f"select %s, {names} from {table} where thread_id = %s",
                (copy.thread_id, talk.thread_id),
            )
    return copy
