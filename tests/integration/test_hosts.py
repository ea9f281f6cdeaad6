"""Effects in graphs that are run in other ways, with other checkpointers, beside other branches."""

import asyncio
import operator
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt
from typing_extensions import TypedDict

from daybook.testing.model import ScriptedModel
from tests.cases import test_cases as cases
from tests.cases.test_cases import APPROVED
from tests.databases import database


class State(TypedDict, total=False):
    calls: list[str]
    receipts: Annotated[list[Any], operator.add]


class Bank(cases.Bank):
    """Two effects, one asked about, and whom they paid."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.started = asyncio.Event()

        @self.ledger.effect(approval="never")
        async def tip(to: str) -> str:
            """Tip somebody."""
            self.started.set()
            # Of virtual time: what fails beside it does so meanwhile.
            await asyncio.sleep(0.2)  # noqa: TID251
            self.paid.append(to)
            return f"tipped {to}"

        self.tip = tip

    def graph(self, saver: Any, node: Any) -> Any:
        return StateGraph(State).add_node("node", node).add_edge(START, "node").compile(saver)


@pytest.fixture
def bank(postgres_url: str) -> Iterator[Bank]:
    bank = Bank(postgres_url)
    yield bank

    async def close() -> None:
        async with bank.ledger:
            pass

    asyncio.run(close())


@pytest.fixture
def config() -> Any:
    return cases.fresh()


@pytest.fixture
def own_url(server_url: str) -> Iterator[str]:
    """Yield the URL of an empty database of the adopter's own."""
    with database(server_url) as url:
        yield url


@pytest.fixture
def sync_saver(own_url: str) -> Iterator[Any]:
    with PostgresSaver.from_conn_string(own_url) as saver:
        saver.setup()
        yield saver


@pytest.mark.parametrize("whose", ["ours", "memory", "PostgresSaver"])
def test_a_synchronous_graph_asks_and_pays_once(bank: Bank, config: Any, whose: str, request: Any):
    saver = (
        bank.ledger.saver
        if whose == "ours"
        else InMemorySaver()
        if whose == "memory"
        else request.getfixturevalue("sync_saver")
    )

    def node(state: State) -> State:
        return {"receipts": [bank.tip("eve"), bank.pay("bob"), bank.pay("carol")]}

    graph = bank.graph(saver, node)
    assert "__interrupt__" in graph.invoke({"receipts": []}, config)
    assert "__interrupt__" in graph.invoke(APPROVED, config)
    state = graph.invoke(APPROVED, config)
    assert state["receipts"] == ["tipped eve", "paid bob", "paid carol"]
    assert bank.paid == ["eve", "bob", "carol"]
    for old in list(graph.get_state_history(config)):
        if old.next:
            graph.invoke(None, old.config)
    assert bank.paid == ["eve", "bob", "carol"]


@pytest.mark.parametrize("whose", ["ours", "PostgresSaver"])
def test_a_synchronous_agent_asks_and_pays_once(bank: Bank, config: Any, whose: str, request: Any):
    saver = bank.ledger.saver if whose == "ours" else request.getfixturevalue("sync_saver")
    calls = [("pay", {"to": "bob"}), ("tip", {"to": "eve"}), ("pay", {"to": "carol"})]
    model = ScriptedModel(script=[calls, "done"])
    middleware = [bank.ledger.middleware()]
    agent = create_agent(model, [bank.pay, bank.tip], checkpointer=saver, middleware=middleware)
    agent.invoke({"messages": [("user", "pay")]}, config)
    agent.invoke(APPROVED, config)
    state = agent.invoke(APPROVED, config)
    assert bank.paid == ["bob", "eve", "carol"]
    assert state["messages"][-1].text == "done"
    told = [one.text for one in state["messages"] if one.type == "tool"]
    assert told == ["paid bob", "tipped eve", "paid carol"]


async def test_a_tool_node_of_a_graph_of_ones_own_carries_effects_out(bank: Bank, config: Any):
    calls: Any = [
        {"name": "tip", "args": {"to": to}, "id": to, "type": "tool_call"} for to in ("a", "b")
    ]
    graph: Any = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [AIMessage("", tool_calls=calls)]})
    graph.add_node("tools", ToolNode([bank.tip]))
    graph.add_edge(START, "model").add_edge("model", "tools")
    async with bank.ledger:
        compiled = graph.compile(checkpointer=bank.ledger.saver)
        state = await compiled.ainvoke({"messages": [("user", "tip")]}, config)
    assert [one.text for one in state["messages"][-2:]] == ["tipped a", "tipped b"]
    assert sorted(bank.paid) == ["a", "b"]


async def test_an_effect_in_flight_is_recorded_though_a_branch_beside_it_fails(bank, config):
    async def pays(state: State) -> State:
        return {"receipts": [await bank.tip("bob")]}

    async def fails(state: State) -> State:
        await bank.started.wait()
        raise ConnectionError("away")

    graph: Any = StateGraph(State).add_node(pays).add_node(fails)
    graph.add_edge(START, "pays").add_edge(START, "fails")
    async with bank.ledger:
        compiled = graph.compile(checkpointer=bank.ledger.saver)
        with pytest.raises(ConnectionError):
            await compiled.ainvoke({"receipts": []}, config)
        thread_id = config["configurable"]["thread_id"]
        [receipt] = await bank.ledger.receipts(thread_id)
        assert (receipt.status, bank.paid) == ("done", ["bob"])
        with pytest.raises(ConnectionError):
            await compiled.ainvoke(None, config)
    assert bank.paid == ["bob"]


async def test_the_answer_to_a_question_of_the_graphs_own_outlives_the_run(bank: Bank, config: Any):
    """A run that dies after its answer leaves it in the checkpoint: nobody is asked again."""
    fails = [True]

    async def node(state: State) -> State:
        to = interrupt("whom?")
        receipt = await bank.pay(to)
        if fails:
            fails.clear()
            raise ConnectionError("away")
        return {"receipts": [receipt]}

    async with bank.ledger:
        graph = bank.graph(bank.ledger.saver, node)
        await graph.ainvoke({"receipts": []}, config)
        [question] = (await graph.ainvoke(Command(resume="bob"), config))["__interrupt__"]
        assert "approval_id" in question.value
        with pytest.raises(ConnectionError):
            await graph.ainvoke(APPROVED, config)
        state = await graph.ainvoke(None, config)
        assert state["receipts"] == ["paid bob"]
    assert bank.paid == ["bob"]


def test_event_loops_one_after_the_other_need_nothing_opened_or_closed(bank: Bank, config: Any):
    async def node(state: State) -> State:
        return {"receipts": [await bank.tip("bob")]}

    graph = bank.graph(bank.ledger.saver, node)
    for _ in range(2):
        asyncio.run(graph.ainvoke({"receipts": []}, config))
    assert bank.paid == ["bob", "bob"]
