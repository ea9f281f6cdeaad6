"""A graph of two nodes, exported as a subclass that notes every run."""

from collections.abc import AsyncIterator
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import interrupt
from toy_calls import Call, WriteCall
from toy_saver import note
from typing_extensions import TypedDict

from daybook.state.clock import SYSTEM


class Input(TypedDict, total=False):
    """What a client may send."""

    asked: str


class State(Input, total=False):
    """What the graph keeps."""

    ledger: dict[str, Call]
    answer: str


class Busy(RuntimeError):
    """An error of a kind whose words the server passes on."""


class Secret(Exception):
    """An error of a kind whose words the server keeps to itself."""


class Guarded(CompiledStateGraph[State, None, Input, State]):
    """Note what the server hands to `astream`."""

    def __init__(self, *, mark: str, **parts: Any) -> None:
        super().__init__(**parts)
        self.mark = mark

    @classmethod
    def around(cls, compiled: CompiledStateGraph[State, None, Input, State], mark: str) -> Self:
        parts = {name: part for name, part in vars(compiled).items() if name != "__orig_class__"}
        return cls(mark=mark, **parts)

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        assert config is not None
        configurable = config["configurable"]
        await note(
            config,
            "run",
            mark=self.mark,
            durability=kwargs.get("durability"),
            has_saver=self.checkpointer is not None,
            checkpoint_id=configurable.get("checkpoint_id"),
            user={name: configurable["langgraph_auth_user"][name] for name in ("identity", "role")},
        )
        async for chunk in super().astream(input, config, **kwargs):
            yield chunk


async def remember(state: State, config: RunnableConfig) -> State:
    await note(config, "remember")
    return {"ledger": {"1": WriteCall(tool="charge", cents=350)}}


async def act(state: State, config: RunnableConfig) -> State:
    match state["asked"]:
        case "ask":
            answer = interrupt({"question": "shall I?"})
        case "block":
            SYSTEM.block(0.001)
            answer = "blocked"
        case "busy":
            raise Busy("somebody else is at it")
        case "secret":
            raise Secret("nobody should read this")
        case asked:
            answer = f"did {asked}"
    await note(config, "act", call=type(state["ledger"]["1"]).__name__)
    return {"answer": answer}


builder = StateGraph(State, input_schema=Input).add_sequence([remember, act])
graph = Guarded.around(builder.add_edge(START, "remember").compile(), mark="kept by the copy")
