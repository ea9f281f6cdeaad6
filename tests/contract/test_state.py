"""What LangGraph lets in from outside."""

import operator
from typing import Annotated, Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from typing_extensions import TypedDict


class Input(TypedDict, total=False):
    """What a client may send."""

    messages: Annotated[list[str], operator.add]


class State(Input, total=False):
    """What the graph keeps."""

    flow: str


async def test_keys_outside_the_input_schema_are_dropped_and_start_a_turn_nevertheless(
    saver: AsyncPostgresSaver, thread: RunnableConfig
) -> None:
    """A client cannot set the flow position with ordinary input.

    Why `receive` starts a turn only if the last message is a human's.
    """
    seen: list[dict[str, Any]] = []

    async def look(state: State) -> State:
        seen.append({**state})
        return {}

    builder = StateGraph(State, input_schema=Input).add_node("look", look).add_edge(START, "look")
    graph = builder.compile(checkpointer=saver)
    for given in ({"messages": ["hello"], "flow": "paid", "nonsense": 1}, {"nonsense": 1}):
        await graph.ainvoke(given, thread, durability="sync")

    assert seen == [{"messages": ["hello"]}, {"messages": ["hello"]}]
