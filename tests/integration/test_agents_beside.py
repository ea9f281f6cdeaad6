"""Daybook beside other middlewares, in other graphs, and what a client sees: text and receipts."""

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    ModelCallLimitMiddleware,
    ToolCallLimitMiddleware,
)
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from daybook.checkpoints.postgres import Postgres
from daybook.state.errors import ForeignThread, InputRefused
from daybook.state.people.policy import Policy, Rule
from daybook.state.receipts import is_receipt
from daybook.testing.model import Prompt, ScriptedModel, Turn
from tests.cases.test_cases import Bank, fresh
from tests.conftest import Shop
from tests.history import replayed
from tests.integration.desk import CARD, CHARGE, LOOK, TIP, YES, Desk, open_desk

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


UNASKED = Policy(
    rules=(Rule(name="unasked", tools=("charge_card", "tip"), approval="nobody"),),
)

DONE = ("charge_card", "done")


class StreamingModel(ScriptedModel):
    """Stream each answer of the script word by word."""

    async def _astream(
        self, messages: Prompt, *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        message = self._generate(messages).generations[0].message
        assert isinstance(message, AIMessage)
        if message.tool_calls:
            calls = AIMessageChunk("", tool_calls=message.tool_calls)
            yield ChatGenerationChunk(message=calls)
        for word in message.text.split():
            yield ChatGenerationChunk(message=AIMessageChunk(f"{word} "))


@pytest.fixture
async def desk(postgres: Postgres, shop: Shop) -> AsyncIterator[Desk]:
    async with open_desk(postgres, shop.url, model=StreamingModel(), policy=UNASKED) as desk:
        yield desk


async def kinds(desk: Desk) -> list[str]:
    """Return the types of the thread's messages, receipts by that name."""
    messages = (await desk.state()).values["messages"]
    return [one.name if is_receipt(one.id) else one.type for one in messages]


async def streamed(desk: Desk, given: Any) -> dict[str, list[Any]]:
    """Run the agent as a client does that streams; return what came, by stream mode."""
    came: dict[str, list[Any]] = {"messages": [], "custom": [], "values": []}
    stream = desk.agent.astream(given, desk.config, stream_mode=["messages", "custom", "values"])
    async for mode, event in stream:
        came[mode].append(event)
    return came


# -- what a client sees ----------------------------------------------------------------------------


@pytest.mark.parametrize("is_guarded", [False, True], ids=["plain", "guarded"])
async def test_a_client_streams_the_models_text_and_the_receipt_under_the_stored_ids(
    desk: Desk, shop: Shop, is_guarded: bool
):
    if is_guarded:
        assert desk.ledger is not None
        desk.agent = desk.ledger.guarded(desk.agent)
    desk.model.then([CHARGE, LOOK], "I charged your card.")
    said = {"role": "user", "content": "charge me", "id": str(uuid.uuid4())}
    came = await streamed(desk, {"messages": [said]})

    assert await kinds(desk) == ["human", "ai", "tool", "tool", "receipt", "ai"]
    *_, receipt, answer = (await desk.state()).values["messages"]
    chunks = [one for one, _ in came["messages"] if one.id == answer.id]
    assert [chunk.text for chunk in chunks if chunk.text] == ["I ", "charged ", "your ", "card. "]
    assert answer.text == "I charged your card. "
    assert [one.text for one, _ in came["messages"] if one.id == receipt.id] == [receipt.text]
    assert {one.id for one, _ in came["messages"] if one.type in ("ai", "AIMessageChunk")} == {
        one.id for one in (await desk.state()).values["messages"] if one.type == "ai"
    }

    [line] = receipt.additional_kwargs["receipt"]
    [charged] = shop.http.get("/effects").json()
    assert (line["kind"], line["status"], line["amount"]) == (*DONE, 1200)
    assert line["id"] == charged["detail"]["charge_id"]
    events = [event for event in came["custom"] if "receipt" in event]
    assert events == [{"id": receipt.id, "receipt": [line], "text": receipt.text}]
    assert came["values"][-1]["messages"][-1].id == answer.id
    assert not any(is_receipt(one.id) for prompt in desk.model.prompts for one in prompt)


async def test_the_receipt_is_stored_before_the_model_is_asked_again(desk: Desk, shop: Shop):
    def fails(prompt: Prompt) -> str:
        raise ConnectionError("the model cannot be reached")

    desk.model.then([CHARGE], fails)
    with pytest.raises(ConnectionError):
        await desk.say("charge me")
    assert await kinds(desk) == ["human", "ai", "tool", "receipt"]
    desk.model.then("done")
    await desk.go_on()
    assert await kinds(desk) == ["human", "ai", "tool", "receipt", "ai"]
    assert await desk.receipts() == [DONE]
    assert shop.happened() == ["charge"]


async def test_a_receipt_is_stored_where_the_model_is_not_asked_again(
    postgres: Postgres, shop: Shop
):
    limit: Any = ModelCallLimitMiddleware(run_limit=1, exit_behavior="end")
    async with open_desk(postgres, shop.url, before=[limit], policy=UNASKED) as desk:
        desk.model.then([CHARGE])
        await desk.say("charge me")
        assert await desk.receipts() == [DONE]
        assert shop.happened() == ["charge"]


# -- identity of decisions -------------------------------------------------------------------------


def tip(amount: int) -> Turn:
    return [("tip", {"card_id": CARD, "amount": amount})]


async def test_a_replay_stores_each_receipt_once_behind_its_own_call(desk: Desk):
    desk.model.then([CHARGE], [TIP], "done")
    await desk.say("charge me, and a tip")
    told = ["human", "ai", "tool", "receipt", "ai", "tool", "receipt", "ai"]
    assert await kinds(desk) == told
    history = [one async for one in desk.agent.aget_state_history(desk.config)]
    desk.model.then(*["done"] * len(history))
    for snapshot in history:
        await desk.agent.ainvoke(None, snapshot.config)
        assert await kinds(desk) == told
        assert await desk.receipts() == [DONE, ("tip", "done")]


# -- several agents --------------------------------------------------------------------------------


async def test_two_agents_in_one_graph_store_a_receipt_each_and_show_neither_to_a_model(
    paying: Bank,
):
    models = [ScriptedModel(script=[[call], "done"]) for call in (A, B)]
    first, second = (paying.agent(model) for model in models)
    state = await within(paying, first=first, second=second).ainvoke(SAID, fresh())
    assert paying.paid == ["a", "b"]
    assert [bool(is_receipt(one.id)) for one in state["messages"]] == [
        *(False, False, False, True, False),
        *(False, False, True, False),
    ]
    assert len({one.id for one in state["messages"]}) == len(state["messages"])
    prompts = [prompt for model in models for prompt in model.prompts]
    assert not any(is_receipt(one.id) for prompt in prompts for one in prompt)
