"""Which of the saver's rows may be deleted: those before the last checkpoint before this turn."""

from typing import Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot, interrupt
from typing_extensions import TypedDict

from daybook.checkpoints.statements import statements

from .database import Pool, stored_rows, thread_id

PRUNE: Any = statements("prune.sql")["prune"]


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


async def prune(pool: Pool, thread: RunnableConfig) -> None:
    async with pool.connection() as connection:
        await connection.execute(PRUNE, {"thread_id": thread_id(thread), "keep": 16})


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


async def test_pruning_leaves_this_turn_and_one_checkpoint_before_it(graph, pool, thread):
    """Time travel within the turn goes on working."""
    await turns(graph, thread, "one", "two")
    before = await graph.aget_state(thread)
    await prune(pool, thread)
    history = [state async for state in graph.aget_state_history(thread)]

    assert visible(history[0]) == visible(before)
    # The head, after think, after the input, and the last one of the turn before.
    assert [(state.metadata or {})["source"] for state in history] == ["loop"] * 3 + [
        "input",
        "loop",
    ]
    assert history[-1].parent_config is None
    assert history[-1].values["answers"][-1] == "one"


async def test_a_pruned_thread_takes_new_turns_remembers_the_old_ones_and_does_not_grow(
    graph: Graph, pool: Pool, thread: RunnableConfig
) -> None:
    """The graph prunes when a turn ends, so every turn but the first starts on a pruned thread."""
    await turns(graph, thread)
    left = []
    for asked in ("one", "two", "three", "four"):
        await prune(pool, thread)
        left.append(await sizes(pool, thread))
        state = await turn(graph, thread, asked)

    told = ["nothing", "one", "two", "three", "four"]
    assert state["answers"] == [word for reply in told for word in ("thought", reply)]
    assert state["big"] == ["x" * 1000]
    assert left[2] == left[3]


async def test_a_thread_pruned_while_a_question_is_pending_can_be_answered(graph, pool, thread):
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


async def test_replays_beyond_what_is_kept_leave_every_value_of_the_head(graph, pool, thread):
    """Each replay adds checkpoints; the input of the turn is then older than the newest ones."""
    await turns(graph, thread, "tea")
    before = (await graph.aget_state(thread)).values
    for _ in range(12):
        history = [state async for state in graph.aget_state_history(thread)]
        replayed = next(state for state in reversed(history) if state.next == ("reply",))
        await graph.ainvoke(None, replayed.config, durability="sync")
        await prune(pool, thread)
    after = (await graph.aget_state(thread)).values
    assert after["big"] == before["big"]
    assert after["asked"] == "tea"


async def test_without_a_turn_nothing_is_deleted(graph: Graph, pool: Pool, thread: RunnableConfig):
    await turns(graph, thread, "tea", "milk")
    async with pool.connection() as connection:
        await connection.execute("delete from checkpoints where metadata ->> 'source' = 'input'")
    before = await sizes(pool, thread)
    await prune(pool, thread)
    assert await sizes(pool, thread) == before
