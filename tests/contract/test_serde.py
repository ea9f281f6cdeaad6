"""How models come back out of a checkpoint: only as models if the saver was told of them."""

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from .calls import LEDGER, LedgerState, ReadCall, Status, WriteCall
from .database import Pool


async def reloaded(
    pool: Pool, saver: AsyncPostgresSaver, thread: RunnableConfig, serde: JsonPlusSerializer
) -> LedgerState:
    """Return the state as a node gets it that was interrupted and is run again."""
    seen: list[LedgerState] = []

    async def look(state: LedgerState) -> LedgerState:
        seen.append(state)
        interrupt("wait")
        return {}

    builder = StateGraph(LedgerState).add_node("look", look).add_edge(START, "look")
    graph = builder.compile(checkpointer=AsyncPostgresSaver(pool, serde=serde))
    await graph.ainvoke({"ledger": LEDGER, "status": Status.DONE}, thread, durability="sync")
    await graph.ainvoke(None, thread, durability="sync")
    assert (await graph.aget_state(thread)).values == seen[-1]
    return seen[-1]


async def test_listed_models_of_a_union_come_back_as_models(pool, saver, thread):
    """State's ledger is a discriminated union; code matches on the class."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=[ReadCall, WriteCall, Status])

    assert await reloaded(pool, saver, thread, serde) == {"ledger": LEDGER, "status": Status.DONE}


@pytest.mark.parametrize("listed", [None, [], [("somewhere.else", "WriteCall")]])
async def test_models_that_are_not_listed_come_back_as_plain_data(pool, saver, thread, listed):
    """A forgotten class shows at once as a dict: every class of state has to be in the list."""
    serde = JsonPlusSerializer(allowed_msgpack_modules=listed)

    assert await reloaded(pool, saver, thread, serde) == {
        "ledger": {
            "1": {"kind": "read", "tool": "search"},
            "2": {
                "kind": "write",
                "tool": "charge",
                "total": {"cents": 350, "currency": "USD"},
                "status": "open",
            },
        },
        "status": "done",
    }
