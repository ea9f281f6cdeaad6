"""Which of the saver's rows may be deleted: everything but the head and what it refers to."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot, interrupt
from typing_extensions import TypedDict

from .database import Pool, stored_rows, thread_id

PRUNE: Any = Path(__file__).with_name("prune.sql").read_text()


class State(TypedDict, total=False):
    asked: str
    big: list[str]
    answers: list[str]


Graph = CompiledStateGraph[State, None, State, State]


@pytest.fixture
def graph(saver: AsyncPostgresSaver) -> Graph:
    """Return a graph that answers by itself, or asks for the answer when it is asked to."""

    async def think(state: State) -> State:
        return {"answers": [*state.get("answers", []), "thought"]}

    async def reply(state: State) -> State:
        reply = interrupt("what?") if state["asked"] == "ask me" else state["asked"]
        return {"answers": [*state["answers"], reply]}

    builder = StateGraph(State).add_sequence([think, reply]).add_edge(START, "think")
    return builder.compile(checkpointer=saver)


@pytest.fixture
def outer(graph: Graph, saver: AsyncPostgresSaver) -> Graph:
    """Return a graph that calls the other one from inside a node."""

    async def delegate(state: State) -> State:
        inner = await graph.ainvoke(state)
        return {"answers": [*inner["answers"], "delegated"]}

    builder = StateGraph(State).add_node("delegate", delegate).add_edge(START, "delegate")
    return builder.compile(checkpointer=saver)


async def prune(pool: Pool, thread: RunnableConfig) -> None:
    async with pool.connection() as connection:
        await connection.execute(PRUNE, {"thread_id": thread_id(thread)})


async def sizes(pool: Pool, thread: RunnableConfig) -> dict[str, int]:
    return {table: len(rows) for table, rows in (await stored_rows(pool, thread)).items()}


async def turn(graph: Graph, thread: RunnableConfig, asked: str) -> Any:
    state: Any = await graph.ainvoke({"asked": asked}, thread, durability="sync")
    return state


async def turns(graph: Graph, thread: RunnableConfig, *asked: str) -> None:
    """Store something big, and then run one turn for each."""
    await graph.ainvoke({"asked": "nothing", "big": ["x" * 1000]}, thread, durability="sync")
    for words in asked:
        await turn(graph, thread, words)


def visible(state: StateSnapshot) -> tuple[object, ...]:
    """Return all of a state but the parent, which pruning removes."""
    return (state.values, state.next, state.tasks, state.interrupts, state.config, state.metadata)


async def test_pruning_leaves_one_checkpoint_its_blobs_and_the_same_state(
    graph: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """Growth stays flat: what is left does not depend on the number of turns."""
    await turns(graph, thread, "one", "two", "three")
    before = await graph.aget_state(thread)
    await prune(pool, thread)
    after = await graph.aget_state(thread)

    assert visible(after) == visible(before)
    assert after.parent_config is None
    assert [s.values async for s in graph.aget_state_history(thread)] == [before.values]
    assert await sizes(pool, thread) == {
        "checkpoints": 1,
        "checkpoint_blobs": 2,  # big, answers; "asked" is a plain string in the checkpoint's row
        "checkpoint_writes": 0,
    }


async def test_a_pruned_thread_takes_new_turns_and_remembers_the_old_ones(
    graph: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """The graph prunes when a turn ends, so every turn but the first starts on a pruned thread."""
    await turns(graph, thread)
    await prune(pool, thread)
    await turn(graph, thread, "one")
    await prune(pool, thread)
    state = await turn(graph, thread, "two")

    assert state["answers"] == ["thought", "nothing", "thought", "one", "thought", "two"]
    assert state["big"] == ["x" * 1000]


async def test_a_thread_pruned_while_a_question_is_pending_can_be_answered(
    graph: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """Turns that end with an approval are pruned too."""
    await turns(graph, thread, "one", "ask me")
    before = await graph.aget_state(thread)
    await prune(pool, thread)
    after = await graph.aget_state(thread)

    assert visible(after) == visible(before)
    [question] = after.interrupts
    state = await graph.ainvoke(Command(resume={question.id: "yes"}), thread, durability="sync")
    assert state["answers"][-2:] == ["thought", "yes"]
    assert state["big"] == ["x" * 1000]


async def test_a_thread_pruned_while_a_subgraph_asks_can_be_answered_and_leaves_nothing_of_it(
    outer: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """A sub-agent's rows live in namespaces of their own: they go once its call is over."""
    await turn(outer, thread, "ask me")
    await prune(pool, thread)
    state = await outer.ainvoke(Command(resume="yes"), thread, durability="sync")
    namespaces = {row["checkpoint_ns"] for row in (await stored_rows(pool, thread))["checkpoints"]}
    await prune(pool, thread)

    assert state["answers"] == ["thought", "yes", "delegated"]
    assert len(namespaces) == 2
    assert await sizes(pool, thread) == {
        "checkpoints": 1,
        "checkpoint_blobs": 1,
        "checkpoint_writes": 0,
    }


async def test_pruning_touches_no_other_thread_and_none_without_checkpoints(
    graph: Graph, pool: Pool, thread: RunnableConfig, other_thread: RunnableConfig
) -> None:
    """One thread's housekeeping is nobody else's business."""
    await turns(graph, other_thread, "one")
    before = await stored_rows(pool, other_thread)
    await prune(pool, thread)
    await turns(graph, thread, "one")
    await prune(pool, thread)

    assert await stored_rows(pool, other_thread) == before


async def test_the_library_would_prune_nothing_more(
    graph: Graph, saver: AsyncPostgresSaver, pool: Pool, thread: RunnableConfig
) -> None:
    """`aprune` is the library's own word on what may go; it takes five times as long."""
    await turns(graph, thread, "one", "ask me")
    await prune(pool, thread)
    before = await stored_rows(pool, thread)
    await saver.aprune([thread_id(thread)])

    assert await stored_rows(pool, thread) == before
