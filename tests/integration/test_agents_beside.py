"""Daybook beside other middlewares of langchain, and in an agent within another graph."""

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    ToolCallLimitMiddleware,
)
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from daybook.state.errors import ForeignThread, InputRefused
from daybook.testing.model import ScriptedModel, Turn
from tests.cases.test_cases import Bank, fresh
from tests.history import replayed
from tests.integration.desk import YES

A, B = ("pay", {"to": "a"}), ("pay", {"to": "b"})
SAID = {"messages": [("user", "pay")]}


def agent_of(bank: Bank, *turns: Turn, behind: Any = ()) -> Any:
    """Make an agent that pays, with other middlewares behind ours."""
    return create_agent(
        ScriptedModel(script=list(turns)),
        [bank.pay],
        checkpointer=bank.ledger.saver,
        middleware=[bank.ledger.middleware(), *behind],
    )


def within(bank: Bank, **agents: Any) -> Any:
    """Make agents nodes of another graph, one after the other."""
    graph: Any = StateGraph(MessagesState)
    before = START
    for name, agent in agents.items():
        graph.add_node(name, agent.copy(update={"checkpointer": None})).add_edge(before, name)
        before = name
    return graph.compile(checkpointer=bank.ledger.saver)


async def answer(graph: Any, config: Any, *decisions: Any) -> Any:
    return await graph.ainvoke(Command(resume={"decisions": list(decisions)}), config)


def told(state: Any) -> list[list[str]]:
    """Return what was answered to each call, in the order of the calls."""
    calls = [call["id"] for message in state["messages"][:2] for call in _calls(message)]
    tools = [message for message in state["messages"] if message.type == "tool"]
    return [[one.text for one in tools if one.tool_call_id == id_] for id_ in calls]


def _calls(message: Any) -> list[Any]:
    return list(getattr(message, "tool_calls", []))


async def test_a_call_that_another_middleware_has_refused_is_not_carried_out(paying: Bank):
    limit: Any = ToolCallLimitMiddleware(tool_name="pay", run_limit=1)
    state = await agent_of(paying, [A, B], "done", behind=[limit]).ainvoke(SAID, fresh())
    assert paying.paid == ["a"]
    first, second = told(state)
    assert first == ["paid a"]
    assert [text.startswith("Tool call limit exceeded") for text in second] == [True]


async def test_the_calls_behind_a_refused_one_keep_their_names(paying: Bank):
    asks: Any = HumanInTheLoopMiddleware(interrupt_on={"pay": True})
    agent, config = agent_of(paying, [A, B], "done", "done", behind=[asks]), fresh()
    await agent.ainvoke(SAID, config)
    state = await answer(agent, config, {"type": "reject", "message": "no"}, YES)
    assert paying.paid == ["b"]
    first, second = told(state)
    assert ("no" in first[0], len(first), second) == (True, 1, ["paid b"])
    await agent.ainvoke(SAID, config)
    assert paying.paid == ["b"]


async def test_in_an_agent_within_another_graph_each_question_is_answered_once_by_its_person(
    asking: Bank,
):
    top, config = within(asking, agent=agent_of(asking, [A], [B], "done")), fresh()
    await top.ainvoke(SAID, config)
    stranger = {"configurable": {**config["configurable"], "user_id": "bob"}}
    with pytest.raises(ForeignThread):
        await answer(top, stranger, YES)
    with pytest.raises(InputRefused):
        await answer(top, config, YES, YES)
    await top.ainvoke(None, config)
    assert asking.paid == []
    await answer(top, config, YES)
    assert asking.paid == ["a"]
    await top.ainvoke(None, config)
    assert asking.paid == ["a"], "the answer was to the first question"
    state = await answer(top, config, YES)
    assert asking.paid == ["a", "b"]
    assert state["messages"][-1].text == "done"


async def test_a_middleware_that_asks_the_model_again_is_given_another_answer(paying: Bank):
    class Again(AgentMiddleware):
        async def awrap_model_call(self, request: Any, handler: Any) -> Any:
            response = await handler(request)
            return await handler(request) if response.result[0].text == "hm" else response

    model = ScriptedModel(script=["hm", [A], "hm", "done"])
    agent, config = paying.agent(model, beside=[Again()]), fresh()
    assert (await agent.ainvoke(SAID, config))["messages"][-1].text == "done"
    await replayed(agent, config)
    assert (paying.paid, model.asked) == (["a"], 4)
