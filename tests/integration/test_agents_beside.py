"""Daybook beside other middlewares of langchain, and in an agent within another graph."""

import uuid
from collections.abc import Sequence
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    ToolCallLimitMiddleware,
)
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command

from daybook import Ledger
from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ForeignThread, InputRefused
from daybook.state.people.policy import Policy, Rule
from daybook.testing.model import ScriptedModel, Turn

Graph = CompiledStateGraph[Any, Any, Any, Any]

A, B = ("pay", {"to": "a"}), ("pay", {"to": "b"})
YES = {"type": "approve"}
FREE = Policy(rules=(Rule(name="free", tools=("pay",), approval="nobody"),))


class Bank:
    """Count what was really paid."""

    def __init__(self) -> None:
        self.paid: list[str] = []

    def tool(self) -> BaseTool:
        @tool
        async def pay(to: str) -> str:
            """Pay."""
            self.paid.append(to)
            return f"paid {to}"

        return pay


@pytest.fixture
def bank() -> Bank:
    return Bank()


@pytest.fixture
def config() -> RunnableConfig:
    return {"configurable": {"thread_id": str(uuid.uuid4()), "user_id": "ada"}}


def agent_of(
    postgres: Postgres,
    bank: Bank,
    *turns: Turn,
    beside: Sequence[AgentMiddleware] = (),
    policy: Policy | None = None,
    is_within: bool = False,
    model: ScriptedModel | None = None,
) -> Graph:
    """Make an agent that pays; one that is within another graph has that graph's checkpointer."""
    ledger = Ledger(postgres, policy=policy)
    return create_agent(
        model or ScriptedModel(script=list(turns)),
        [ledger.effect(bank.tool())],
        checkpointer=None if is_within else postgres.saver,
        middleware=[ledger.middleware(), *beside],
    )


def within(postgres: Postgres, agent: Graph) -> Graph:
    """Make the agent a node of another graph."""
    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_edge(START, "agent")
    graph.add_edge("agent", END)
    return graph.compile(checkpointer=postgres.saver)


async def say(graph: Graph, config: RunnableConfig) -> dict[str, Any]:
    said: dict[str, Any] = await graph.ainvoke({"messages": [("user", "pay")]}, config)
    return said


async def answer(graph: Graph, config: RunnableConfig, *decisions: Any) -> dict[str, Any]:
    said: dict[str, Any] = await graph.ainvoke(
        Command(resume={"decisions": list(decisions)}), config
    )
    return said


def told(state: dict[str, Any]) -> dict[str, list[str]]:
    """Return what was answered to each call, in the order of the calls."""
    calls = [call["id"] for message in state["messages"][:2] for call in _calls(message)]
    tools = [message for message in state["messages"] if message.type == "tool"]
    return {id_: [one.text for one in tools if one.tool_call_id == id_] for id_ in calls}


def _calls(message: Any) -> list[Any]:
    return list(getattr(message, "tool_calls", []))


async def test_a_call_that_another_middleware_has_refused_is_not_carried_out(
    postgres: Postgres, bank: Bank, config: RunnableConfig
):
    limit: Any = ToolCallLimitMiddleware(tool_name="pay", run_limit=1)
    agent = agent_of(postgres, bank, [A, B], "done", beside=[limit], policy=FREE)
    state = await say(agent, config)
    assert bank.paid == ["a"]
    first, second = told(state).values()
    assert first == ["paid a"]
    assert [text.startswith("Tool call limit exceeded") for text in second] == [True]


async def test_the_calls_behind_a_refused_one_keep_their_names(
    postgres: Postgres, bank: Bank, config: RunnableConfig
):
    asks: Any = HumanInTheLoopMiddleware(interrupt_on={"pay": True})
    agent = agent_of(postgres, bank, [A, B], "done", "done", beside=[asks], policy=FREE)
    await say(agent, config)
    state = await answer(agent, config, {"type": "reject", "message": "no"}, YES)
    assert bank.paid == ["b"]
    first, second = told(state).values()
    assert ("no" in first[0], len(first), second) == (True, 1, ["paid b"])
    await say(agent, config)
    assert bank.paid == ["b"]


async def test_in_an_agent_within_another_graph_each_question_is_answered_once(
    postgres: Postgres, bank: Bank, config: RunnableConfig
):
    top = within(postgres, agent_of(postgres, bank, [A], [B], "done", is_within=True))
    await say(top, config)
    await answer(top, config, YES)
    assert bank.paid == ["a"]
    await top.ainvoke(None, config)
    assert bank.paid == ["a"], "the answer was to the first question"
    state = await answer(top, config, YES)
    assert bank.paid == ["a", "b"]
    assert state["messages"][-1].text == "done"


async def test_in_an_agent_within_another_graph_a_refused_answer_counts_for_nobody(
    postgres: Postgres, bank: Bank, config: RunnableConfig
):
    top = within(postgres, agent_of(postgres, bank, [A], "done", is_within=True))
    await say(top, config)
    stranger: RunnableConfig = {"configurable": {**config["configurable"], "user_id": "bob"}}
    with pytest.raises(ForeignThread):
        await answer(top, stranger, YES)
    with pytest.raises(InputRefused):
        await answer(top, config, YES, YES)
    await top.ainvoke(None, config)
    assert bank.paid == []
    await answer(top, config, YES)
    assert bank.paid == ["a"]


async def test_a_middleware_that_asks_the_model_again_is_given_another_answer(
    postgres: Postgres, bank: Bank, config: RunnableConfig
):
    class Again(AgentMiddleware):
        async def awrap_model_call(self, request: Any, handler: Any) -> Any:
            response = await handler(request)
            return await handler(request) if response.result[0].text == "hm" else response

    model = ScriptedModel(script=["hm", [A], "hm", "done"])
    ledger = Ledger(postgres, user="ada", policy=FREE)
    agent = create_agent(
        model,
        [ledger.effect(bank.tool())],
        checkpointer=postgres.saver,
        middleware=[Again(), ledger.middleware()],
    )
    assert (await say(agent, config))["messages"][-1].text == "done"
    for old in [one async for one in agent.aget_state_history(config) if one.next]:
        await agent.ainvoke(None, old.config)
    assert (bank.paid, model.asked) == (["a"], 4)
