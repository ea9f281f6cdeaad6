"""What state is allowed to be, and what LangGraph lets in from outside."""

import operator
import sys
import typing
from contextlib import nullcontext
from typing import Annotated, Any

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.channels import BinaryOperatorAggregate, LastValue
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from pydantic import BaseModel, Field
from pydantic.errors import PydanticUserError
from typing_extensions import TypedDict


class Line(BaseModel):
    sku: str


class Input(TypedDict, total=False):
    """What a client may send."""

    messages: Annotated[
        list[str], Field(title="Messages", description="What people read."), operator.add
    ]
    line: Annotated[Line, Field(description="The line to add.")]


class State(Input, total=False):
    """What the graph keeps."""

    flow: str


class Output(TypedDict, total=False):
    """What a client sees."""

    messages: Annotated[list[str], operator.add]


Graph = CompiledStateGraph[State, None, Input, Output]


@pytest.fixture
def seen() -> list[dict[str, Any]]:
    """What the node found in the state, one entry a run."""
    return []


@pytest.fixture
def graph(seen: list[dict[str, Any]], saver: AsyncPostgresSaver) -> Graph:
    async def look(state: State) -> State:
        seen.append({**state})
        return {}

    builder = StateGraph(State, input_schema=Input, output_schema=Output)
    return builder.add_node("look", look).add_edge(START, "look").compile(checkpointer=saver)


async def send(graph: Graph, thread: RunnableConfig, given: Any) -> None:
    await graph.ainvoke(given, thread, durability="sync")


def test_the_json_schemas_carry_the_models_and_what_the_annotations_say(graph: Graph) -> None:
    """Studio builds its input form from this, and shows these words."""
    schema = graph.get_input_jsonschema()

    assert schema["description"] == "What a client may send."
    assert schema["properties"]["messages"] == {
        "type": "array",
        "items": {"type": "string"},
        "title": "Messages",
        "description": "What people read.",
    }
    assert schema["properties"]["line"]["description"] == "The line to add."
    assert schema["$defs"]["Line"]["required"] == ["sku"]
    assert set(schema["properties"]) == {"messages", "line"}
    assert set(graph.get_output_jsonschema()["properties"]) == {"messages"}


def test_a_state_of_the_standard_typeddict_has_no_schema_before_python_3_12() -> None:
    """Why state uses typing_extensions: behind the server these schemas are null, silently."""

    class Plain(typing.TypedDict):
        n: int

    builder = StateGraph(Plain).add_node("look", lambda state: {}).add_edge(START, "look")

    is_enough = sys.version_info >= (3, 12)
    refused = pytest.raises(PydanticUserError, match="typing_extensions")
    with nullcontext() if is_enough else refused:
        builder.compile().get_input_jsonschema()


def test_a_reducer_that_is_not_the_last_annotation_is_dropped_silently() -> None:
    """A `Field` behind the reducer would turn the append-only messages into a plain value."""

    class Wrong(TypedDict):
        messages: Annotated[list[str], operator.add, Field(description="What people read.")]

    builder = StateGraph(Wrong).add_node("look", lambda state: {}).add_edge(START, "look")

    assert builder.compile().invoke({"messages": ["a"]}) == {"messages": ["a"]}
    assert isinstance(builder.channels["messages"], LastValue)
    assert isinstance(StateGraph(State).channels["messages"], BinaryOperatorAggregate)


async def test_input_is_not_validated_and_arrives_as_it_was_sent(graph, seen, thread):
    """Why `receive` validates: the type says Line, the node gets a dict of wrong things."""
    await send(graph, thread, {"line": {"sku": 5, "price": "free"}})

    assert seen[-1]["line"] == {"sku": 5, "price": "free"}


async def test_keys_outside_the_input_schema_are_dropped_and_start_a_turn_nevertheless(
    graph: Graph, seen: list[dict[str, Any]], thread: RunnableConfig
) -> None:
    """A client cannot set the flow position with ordinary input.

    Why `receive` starts a turn only if the last message is a human's.
    """
    await send(graph, thread, {"messages": ["hello"], "flow": "paid", "nonsense": 1})
    await send(graph, thread, {"nonsense": 1})

    assert seen == [{"messages": ["hello"]}, {"messages": ["hello"]}]


async def test_a_command_writes_keys_that_the_input_schema_does_not_name(graph, seen, thread):
    """Why the auth rules look into `command`: its update passes by the input schema."""
    await send(graph, thread, {"messages": ["hello"]})
    await send(graph, thread, Command(update={"flow": "paid"}, goto="look"))

    assert seen[-1]["flow"] == "paid"


@pytest.mark.parametrize(
    "overwrite", [{"type": "__overwrite__", "value": ["forged"]}, {"__overwrite__": ["forged"]}]
)
async def test_an_overwrite_in_ordinary_input_bypasses_the_reducer(graph, seen, thread, overwrite):
    """Why the auth rules refuse both forms: a client could rewrite what people have read."""
    await send(graph, thread, {"messages": ["hello"]})
    await send(graph, thread, {"messages": overwrite})

    assert seen[-1]["messages"] == ["forged"]
