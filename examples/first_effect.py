"""One effect in a graph: asked for twice under one name, it is done once.

DATABASE_URL=postgresql://... python first_effect.py
"""

import asyncio
from typing import Any, TypedDict

from langgraph.graph import START, StateGraph

from daybook import Ledger

ledger = Ledger()  # DATABASE_URL, or an embedded Postgres (the extra `embedded`)
greeted: list[str] = []


class State(TypedDict):
    """What the graph remembers."""

    name: str


@ledger.effect(key="greeting/{name}", approval="never")
async def greet(name: str) -> dict[str, Any]:
    """Greet somebody."""
    greeted.append(name)
    return {"greeted": name}


async def node(state: State) -> dict[str, str]:
    """Greet whom the state names."""
    return {"name": (await greet(state["name"]))["greeted"]}


async def main() -> None:
    """Run the graph in two threads."""
    async with ledger:
        builder = StateGraph(State).add_node("greet", node).add_edge(START, "greet")
        graph = builder.compile(checkpointer=ledger.saver)
        for thread in ("t-1", "t-2"):
            config: Any = {"configurable": {"thread_id": thread, "user_id": "ada"}}
            await graph.ainvoke({"name": "Grace"}, config)
        print(f"greeted {greeted}; receipts: {await ledger.receipts('t-1')}")
    assert greeted == ["Grace"]


if __name__ == "__main__":
    asyncio.run(main())
