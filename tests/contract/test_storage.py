"""How the saver keeps its rows: the sizes and the transactions that we count on."""

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from .database import Pool, rows_of, stored_rows, thread_id


class State(TypedDict, total=False):
    big: list[str]
    steps: list[str]
    count: int


Graph = CompiledStateGraph[State, None, State, State]


def graph_on(saver: AsyncPostgresSaver) -> Graph:
    """Return a graph of two steps that never touches `big`."""

    async def first(state: State) -> State:
        return {"steps": [*state.get("steps", []), "first"], "count": state.get("count", 0) + 1}

    async def second(state: State) -> State:
        return {"steps": [*state["steps"], "second"], "count": state["count"] + 1}

    builder = StateGraph(State).add_sequence([first, second]).add_edge(START, "first")
    return builder.compile(checkpointer=saver)


async def test_a_channel_that_did_not_change_is_not_written_again(pool, saver, thread):
    """Why lean state is enough and no DeltaChannel is needed: a step costs what it changed.

    A checkpoint and its blobs are one transaction. Pruning relies on it: no snapshot shows a
    checkpoint without its blobs, or the reverse.
    """
    graph = graph_on(saver)
    await graph.ainvoke({"big": ["x" * 1000]}, thread, durability="sync")
    await graph.ainvoke({"count": 0}, thread, durability="sync")

    versions = await rows_of(
        pool,
        thread,
        "SELECT channel, count(*) AS n FROM checkpoint_blobs"
        " WHERE thread_id = %(thread_id)s GROUP BY channel",
    )
    written = {row["channel"]: row["n"] for row in versions}
    assert written["big"] == 1
    assert written["steps"] == 4
    assert "count" not in written, "a plain number stands in the checkpoint's row itself"
    assert (await graph.aget_state(thread)).values["big"] == ["x" * 1000]

    rows = await rows_of(
        pool,
        thread,
        "SELECT c.xmin::text AS checkpoint, b.xmin::text AS blob"
        " FROM checkpoints c JOIN checkpoint_blobs b USING (thread_id, checkpoint_ns)"
        " WHERE thread_id = %(thread_id)s AND b.channel = 'steps'"
        " AND b.version = c.checkpoint -> 'channel_versions' ->> 'steps'"
        " AND c.metadata ->> 'source' = 'loop' AND c.metadata ->> 'step' IN ('1', '2')",
    )
    assert len(rows) == 2
    assert [row["checkpoint"] for row in rows] == [row["blob"] for row in rows]


class LedgerSaver(AsyncPostgresSaver):
    """Write a row of our own in the transaction of each checkpoint."""

    conn: Pool
    refused_step: int | None = None

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        async with self.conn.connection() as connection, connection.transaction():
            within = AsyncPostgresSaver(connection, serde=self.serde)
            stored = await within.aput(config, checkpoint, metadata, new_versions)
            if metadata["step"] == self.refused_step:
                raise PermissionError("old epoch")
            await connection.execute(
                "INSERT INTO runner (thread_id, checkpoint_id) VALUES (%s, %s)",
                (thread_id(stored), checkpoint["id"]),
            )
        return stored


@pytest.fixture
async def ledger_saver(pool: Pool, saver: AsyncPostgresSaver) -> LedgerSaver:
    async with pool.connection() as connection:
        await connection.execute("CREATE TABLE runner (thread_id text, checkpoint_id text)")
    return LedgerSaver(pool)


async def test_an_error_in_that_transaction_takes_the_checkpoint_back_and_not_the_writes(
    pool: Pool, ledger_saver: LedgerSaver, thread: RunnableConfig
) -> None:
    """A zombie's checkpoint must never become the head: so a subclass checks the runner's epoch.

    The epoch is checked in `aput_writes` too: a zombie's writes are taken for the node's, as they
    hang on the head that it and its successor share, under one task id. Who looks for unfinished
    threads asks for `tasks`: `next` is empty and yet there is work.
    """
    ledger_saver.refused_step = 1
    graph = graph_on(ledger_saver)
    with pytest.raises(PermissionError, match="old epoch"):
        await graph.ainvoke({"big": ["x"]}, thread, durability="sync")
    rows = (await stored_rows(pool, thread))["checkpoints"]
    assert [row["metadata"]["step"] for row in rows] == [-1, 0]
    ledger_saver.refused_step = None

    lost = await graph.aget_state(thread)
    assert lost.values["steps"] == ["first"]
    assert (lost.next, [task.name for task in lost.tasks]) == ((), ["first"])
    finished = await graph.ainvoke(None, thread, durability="sync")
    assert finished["steps"] == ["first", "second"], "the first node did not run again"
    assert (await graph.aget_state(thread)).tasks == ()
    # No checkpoint without our row, no row without it.
    stored = await rows_of(
        pool,
        thread,
        "SELECT c.xmin::text AS checkpoint, r.xmin::text AS ours"
        " FROM checkpoints c LEFT JOIN runner r USING (thread_id, checkpoint_id)"
        " WHERE thread_id = %(thread_id)s",
    )
    assert len(stored) > 2
    assert [row["checkpoint"] for row in stored] == [row["ours"] for row in stored]
