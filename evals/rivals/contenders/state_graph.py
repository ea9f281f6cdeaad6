"""A StateGraph of LangGraph whose nodes do what is not repeatable in tasks."""

from __future__ import annotations

import operator
from typing import Annotated, Any

from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.func import task
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.outside import Order, Outside, Result, serve


class Purchase(TypedDict, total=False):
    """What the graph remembers."""

    results: Annotated[list[Result], operator.add]
    call: Result
    answer: str


def graph_of(outside: Outside) -> Any:
    """Write the loop of an agent: decide, approve, act."""

    @task
    def ask(results: list[Result]) -> Result:
        return outside.decide(results)

    @task
    def perform(call: Result) -> Result:
        return outside.perform(call["name"], call["args"], call["id"], call["id"])

    def decide(state: Purchase) -> Purchase:
        decided = ask(state.get("results", [])).result()
        return {"answer": decided["answer"]} if "answer" in decided else {"call": decided["call"]}

    def approve(state: Purchase) -> Purchase:
        interrupt(state["call"]["name"])
        return {}

    def act(state: Purchase) -> Purchase:
        call = state["call"]
        if call["name"] in EFFECTS:
            return {"results": [perform(call).result()]}
        return {"results": [outside.read(call["name"], call["args"])]}

    def after_decision(state: Purchase) -> str:
        if "answer" in state:
            return END
        return "approve" if state["call"]["name"] in EFFECTS else "act"

    graph = StateGraph(Purchase)
    graph.add_node("decide", decide)
    graph.add_node("approve", approve)
    graph.add_node("act", act)
    graph.add_edge(START, "decide")
    graph.add_conditional_edges("decide", after_decision, ["approve", "act", END])
    graph.add_edge("approve", "act")
    graph.add_edge("act", "decide")
    return graph


def work(order: Order) -> str:
    """Buy, or go on with `None`."""
    outside = Outside(order)
    with PostgresSaver.from_conn_string(order["database"]) as saver:
        saver.setup()
        graph = graph_of(outside).compile(checkpointer=saver)
        config: Any = {"configurable": {"thread_id": order["run"]}}
        given: Any = None if graph.get_state(config).values else {"results": []}
        while True:
            state = graph.invoke(given, config, durability="sync")
            if "__interrupt__" not in state:
                return str(state["answer"])
            for asked in state["__interrupt__"]:
                outside.approve(asked.value)
            given = Command(resume=True)


if __name__ == "__main__":
    serve(work)
