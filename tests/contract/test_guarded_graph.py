"""The exported graph is a `CompiledStateGraph` subclass: every run must pass through it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Self

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict


class State(TypedDict, total=False):
    n: int


class Guarded(CompiledStateGraph[State, None, State, State]):
    """Note every run, as Daybook's graph locks the thread of every run."""

    def __init__(self, *, runs: list[str], **parts: Any) -> None:
        super().__init__(**parts)
        self.runs = runs

    @classmethod
    def around(cls, compiled: CompiledStateGraph[State, None, State, State]) -> Self:
        """Make a guarded graph of a compiled one, the way `copy()` makes a copy."""
        parts = {name: part for name, part in vars(compiled).items() if name != "__orig_class__"}
        return cls(runs=[], **parts)

    async def astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        self.runs.append("astream")
        async for chunk in super().astream(*args, **kwargs):
            yield chunk

    def stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        self.runs.append("stream")
        yield from super().stream(*args, **kwargs)


def count(state: State) -> State:
    return {"n": state.get("n", 0) + 1}


def counter() -> StateGraph[State, None, State, State]:
    """Return a graph of one node that adds one."""
    return StateGraph(State).add_node("count", count).add_edge(START, "count")


@pytest.fixture
def graph(saver: AsyncPostgresSaver) -> Guarded:
    """Return a guarded counter."""
    return Guarded.around(counter().compile(checkpointer=saver))


async def all_of(chunks: AsyncIterator[Any]) -> list[Any]:
    return [chunk async for chunk in chunks]


async def one(item: Any) -> AsyncIterator[Any]:
    yield item


async def as_a_node(graph: Guarded, saver: AsyncPostgresSaver, thread: RunnableConfig) -> Any:
    outer = StateGraph(State).add_node("inner", graph).add_edge(START, "inner")
    return await outer.compile(checkpointer=saver).ainvoke({"n": 1}, thread)


async def events_v3(graph: Guarded, saver: AsyncPostgresSaver, thread: RunnableConfig) -> Any:
    return await (await graph.astream_events({"n": 1}, thread, version="v3")).output()


async def log(graph: Guarded, saver: AsyncPostgresSaver, thread: RunnableConfig) -> Any:
    with pytest.warns(DeprecationWarning, match="astream_log"):
        return await all_of(graph.astream_log({"n": 1}, thread))


ASYNC_WAYS_IN: dict[str, Callable[[Guarded, AsyncPostgresSaver, RunnableConfig], Awaitable[Any]]]
ASYNC_WAYS_IN = {
    "ainvoke": lambda graph, _, thread: graph.ainvoke({"n": 1}, thread),
    "ainvoke v2": lambda graph, _, thread: graph.ainvoke({"n": 1}, thread, version="v2"),
    "astream": lambda graph, _, thread: all_of(graph.astream({"n": 1}, thread)),
    "astream_events v2": lambda graph, _, thread: all_of(
        graph.astream_events({"n": 1}, thread, version="v2")
    ),
    "astream_events v3": events_v3,
    "astream_log": log,
    "abatch": lambda graph, _, thread: graph.abatch([{"n": 1}], thread),
    "abatch_as_completed": lambda graph, _, thread: all_of(
        graph.abatch_as_completed([{"n": 1}], thread)
    ),
    "atransform": lambda graph, _, thread: all_of(graph.atransform(one({"n": 1}), thread)),
    "with_config": lambda graph, _, thread: graph.with_config(tags=["a"]).ainvoke({"n": 1}, thread),
    "with_retry": lambda graph, _, thread: graph.with_retry().ainvoke({"n": 1}, thread),
    "a pipe": lambda graph, _, thread: (graph | (lambda state: state)).ainvoke({"n": 1}, thread),
    "a node of another graph": as_a_node,
}


# It is said once a process.
@pytest.mark.filterwarnings("ignore:The v3 streaming protocol on Pregel")
@pytest.mark.parametrize("way", ASYNC_WAYS_IN)
async def test_every_asynchronous_way_to_run_the_graph_passes_once_through_astream(
    graph: Guarded, saver: AsyncPostgresSaver, thread: RunnableConfig, way: str
) -> None:
    """The lock, the durability and the refusals of GuardedGraph live in `astream` alone."""
    await ASYNC_WAYS_IN[way](graph, saver, thread)

    assert graph.runs == ["astream"]
    assert (await graph.aget_state(thread)).values == {"n": 2}


async def test_a_copy_is_of_the_subclass_and_keeps_what_the_constructor_takes_by_name(
    graph: Guarded, thread: RunnableConfig
) -> None:
    """The server copies the exported graph on every access and runs the copy.

    Any other attribute is lost silently: so GuardedGraph's bear the names of those arguments.
    """
    graph.afterthought = "set from outside"  # type: ignore[attr-defined]
    copy = graph.copy({"name": "another"})
    await copy.ainvoke({"n": 1}, thread)

    assert type(copy) is Guarded
    assert copy.name == "another"
    assert graph.runs == ["astream"], "the copy shares the very list of the original"
    assert not hasattr(copy, "afterthought")
