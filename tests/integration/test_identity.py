"""Which call is which, and which question an answer is for, by what LangGraph keeps of a run."""

import asyncio
import operator
from typing import Annotated, Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRetryMiddleware
from langchain_core.messages import AIMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, RetryPolicy, Send, interrupt

from daybook import Ledger, open_postgres
from daybook.errors import ConfigurationError, EffectNotDone, EffectUnsettled, InputRefused
from tests.cases.test_cases import APPROVED, Bank, Model, call, fresh, script, told
from tests.history import replayed
from tests.purchases import shop_database

SAID = {"messages": [("user", "pay")]}


class Told(TypedDict, total=False):
    told: Annotated[list[Any], operator.add]


def graph_of(saver: BaseCheckpointSaver[Any], *nodes: Any, **options: Any) -> Any:
    graph: Any = StateGraph(Told)
    for node in nodes:
        graph.add_node(node, **options).add_edge(START, node.__name__)
    return graph.compile(checkpointer=saver)


def asked(state: Any) -> list[Any]:
    return [
        one.value["action_requests"][0]["args"].get("to")
        if isinstance(one.value, dict)
        else one.value
        for one in state.get("__interrupt__", ())
    ]


# -- whose answer it is ----------------------------------------------------------------------------


async def test_an_answer_to_a_question_of_ones_own_approves_no_effect_behind_it(asking: Bank):
    async def node(state: Told) -> None:
        interrupt({"action_requests": [{"name": "show_plan", "args": {}}]})
        await asking.pay("bob")

    graph, config = graph_of(asking.ledger.saver, node), fresh()
    assert asked(await graph.ainvoke({"told": []}, config)) == [None]
    assert asked(await graph.ainvoke(APPROVED, config)) == ["bob"]
    assert asked(await graph.ainvoke(None, config)) == ["bob"]
    assert asking.paid == []


@pytest.mark.parametrize("saver", ["ours", "another"])
async def test_a_second_click_does_not_approve_what_was_asked_after_it(
    postgres_url: str, saver: str
):
    """Two servers take the same click; the second is slow, and comes when the first has gone on."""
    reads, goes_on = asyncio.Event(), asyncio.Event()
    others = InMemorySaver()
    quick, slow = Bank(postgres_url), Bank(postgres_url)

    def server(bank: Bank) -> Any:
        async def node(state: Told) -> None:
            if bank is slow:
                reads.set()
                await goes_on.wait()
            await bank.pay("alice")
            await bank.pay("bob")

        return graph_of(bank.ledger.saver if saver == "ours" else others, node)

    async with quick.ledger, slow.ledger:
        config = fresh()
        assert asked(await server(quick).ainvoke({"told": []}, config)) == ["alice"]
        second = asyncio.create_task(server(slow).ainvoke(APPROVED, config))
        await reads.wait()
        assert asked(await server(quick).ainvoke(APPROVED, config)) == ["bob"]
        goes_on.set()
        assert asked(await second) == ["bob"]
        assert asked(await server(quick).ainvoke(None, config)) == ["bob"]
    assert quick.paid + slow.paid == ["alice"]


@pytest.mark.parametrize("saver", ["ours", "another"])
async def test_an_answer_that_was_taken_approves_nothing_when_its_node_is_run_again(
    asking: Bank, saver: str
):
    fails = [True]

    async def own(state: Told) -> Any:
        return {"told": [interrupt("size?")]}

    async def node(state: Told) -> None:
        await asking.pay("alice")
        if fails.pop() if fails else False:
            raise ConnectionError("the shop was away")
        await asking.pay("bob")

    graph = graph_of(asking.ledger.saver if saver == "ours" else InMemorySaver(), own, node)
    config = fresh()
    first = await graph.ainvoke({"told": []}, config)
    size = next(one for one in first["__interrupt__"] if one.value == "size?")
    assert asked(await graph.ainvoke(Command(resume={size.id: "L"}), config)) == ["alice"]
    with pytest.raises(ConnectionError):
        await graph.ainvoke(APPROVED, config)
    assert asked(await graph.ainvoke(None, config)) == ["bob"]
    assert asked(await graph.ainvoke(None, config)) == ["bob"]
    assert asking.paid == ["alice"]


async def test_a_branch_that_waits_for_another_one_keeps_the_answer_to_its_own_question(
    asking: Bank,
):
    async def one(state: Told) -> None:
        await asking.pay("alice")

    async def two(state: Told) -> Any:
        size = interrupt("size?")
        await asking.pay("bob")
        return {"told": [size]}

    graph, config = graph_of(asking.ledger.saver, one, two), fresh()
    first = await graph.ainvoke({"told": []}, config)
    assert sorted(map(str, asked(first))) == ["alice", "size?"]
    size = next(one for one in first["__interrupt__"] if one.value == "size?")
    assert asked(await graph.ainvoke(Command(resume={size.id: "L"}), config)) == ["alice"]
    assert asked(await graph.ainvoke(APPROVED, config)) == ["bob"]
    assert (await graph.ainvoke(APPROVED, config))["told"] == ["L"]
    assert asking.paid == ["alice", "bob"]


# -- which call it is ------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [("one", "one"), ("one", "another")])
async def test_two_runs_of_sub_agents_in_one_node_decide_for_themselves(paying: Bank, names: Any):
    def decides(messages: Any) -> AIMessage:
        last = messages[-1]
        return AIMessage(last.text) if last.type == "tool" else call("pay", to=last.text)

    made = {
        name: create_agent(
            Model(decides), [paying.pay], middleware=[paying.ledger.middleware()], name=name
        )
        for name in names
    }

    async def node(state: MessagesState) -> Any:
        said = []
        for name, to in zip(names, ("bob", "carol"), strict=True):
            came = await made[name].ainvoke({"messages": [("user", to)]})
            said.append(came["messages"][-1])
        return {"messages": said}

    graph: Any = StateGraph(MessagesState).add_node(node).add_edge(START, "node")
    state = await graph.compile(checkpointer=paying.ledger.saver).ainvoke(SAID, fresh())
    assert paying.paid == ["bob", "carol"]
    assert [one.text for one in state["messages"]][1:] == ["paid bob", "paid carol"]


async def test_a_fork_that_gives_a_graph_within_another_state_makes_the_same_call(paying: Bank):
    async def pay(state: Told) -> Any:
        return {"told": [await paying.pay("bob")]}

    inner = StateGraph(Told).add_node(pay).add_edge(START, "pay").compile()
    graph: Any = StateGraph(Told).add_node("inner", inner).add_edge(START, "inner")
    graph, config = graph.compile(checkpointer=paying.ledger.saver), fresh()
    await graph.ainvoke({"told": []}, config)
    [before] = [one async for one in graph.aget_state_history(config) if one.next == ("inner",)]
    forked = await graph.aupdate_state(before.config, {"told": ["edited"]})
    assert (await graph.ainvoke(None, forked))["told"] == ["edited", "edited", "paid bob"]
    assert paying.paid == ["bob"]


async def test_a_replay_finds_the_decision_of_a_model_that_failed_at_first(paying: Bank):
    fails = [True]

    def decides(messages: Any) -> AIMessage:
        if messages[-1].type == "tool":
            return AIMessage("done")
        if fails.pop() if fails else False:
            raise ConnectionError("the provider was away")
        return call("pay", to="bob")

    retry = ModelRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)
    agent, config = paying.agent(Model(decides), beside=[retry]), fresh()
    await agent.ainvoke(SAID, config)
    await replayed(agent, config)
    assert paying.paid == ["bob"]


class Again(AgentMiddleware[Any, Any, Any]):
    """Ask a tool once more, whatever it answered."""

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        await handler(request)
        return await handler(request)


async def test_a_middleware_that_asks_a_tool_once_more_makes_the_same_call(paying: Bank):
    agent = paying.agent(script(call("pay", to="bob"), AIMessage("done")), beside=[Again()])
    assert told(await agent.ainvoke(SAID, fresh())) == ["paid bob"]
    assert paying.paid == ["bob"]


async def test_a_node_that_tries_again_what_is_not_settled_makes_the_same_call(postgres_url: str):
    ledger, sent = Ledger(postgres_url, user="ada", node_seconds=0.5), []

    @ledger.effect(approval="never")
    async def pay(to: str) -> str:
        """Pay somebody, of which nobody can tell."""
        sent.append(to)
        raise TimeoutError("the reply was lost")

    async def node(state: Told) -> Any:
        for _ in range(2):
            with pytest.raises(EffectUnsettled):
                await pay("bob")
        return {"told": ["unsettled twice"]}

    async with ledger:
        state = await graph_of(ledger.saver, node).ainvoke({"told": []}, fresh())
    assert (state["told"], sent) == (["unsettled twice"], ["bob"])


async def test_what_was_refused_may_be_done_in_another_call(postgres_url: str):
    ledger, done = Ledger(postgres_url, user="ada"), []

    @ledger.effect
    async def pay(to: str) -> str:
        """Pay somebody."""
        done.append(to)
        return to

    async def node(state: Told) -> Any:
        try:
            await pay("bob")
        except EffectNotDone:
            return {"told": [await pay("bob")]}

    async with ledger:
        graph, config = graph_of(ledger.saver, node), fresh()
        await graph.ainvoke({"told": []}, config)
        no: Any = Command(resume={"decisions": [{"type": "reject", "message": "not now"}]})
        assert asked(await graph.ainvoke(no, config)) == ["bob"]
        assert (await graph.ainvoke(APPROVED, config))["told"] == ["bob"]
    assert done == ["bob"]


async def test_as_many_branches_as_one_likes_make_equal_calls(
    paying: Bank, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("daybook.graph.ledger.identity._MOST_TASKS", 2)

    async def tip(state: Told) -> Any:
        return {"told": [await paying.pay("waiter")]}

    graph: Any = StateGraph(Told).add_node(tip)
    graph.add_conditional_edges(START, lambda state: [Send("tip", {}) for _ in range(4)])
    await graph.compile(checkpointer=paying.ledger.saver).ainvoke({"told": []}, fresh())
    assert paying.paid == ["waiter"] * 4


async def test_nodes_with_and_without_an_event_loop_take_turns(paying: Bank):
    def waits(state: Told) -> Any:
        return {"told": [paying.pay("bob")]}

    async def awaits(state: Told) -> Any:
        return {"told": [await paying.pay("carol")]}

    graph = graph_of(paying.ledger.saver, waits, awaits)
    for _ in range(5):
        state = await graph.ainvoke({"told": []}, fresh())
        assert sorted(state["told"]) == ["paid bob", "paid carol"]
    assert sorted(paying.paid) == ["bob"] * 5 + ["carol"] * 5


async def test_an_effect_within_an_effect_is_refused(paying: Bank):
    @paying.ledger.effect(approval="never")
    async def outer(to: str) -> str:
        """Pay by another effect."""
        with pytest.raises(InputRefused):
            await paying.pay(to)
        return "refused"

    async def node(state: Told) -> Any:
        return {"told": [await outer("bob")]}

    state = await graph_of(paying.ledger.saver, node).ainvoke({"told": []}, fresh())
    assert (state["told"], paying.paid) == (["refused"], [])


async def test_a_result_with_one_field_comes_back_as_it_is(postgres_url: str):
    ledger = Ledger(postgres_url, user="ada")

    @ledger.effect(approval="never")
    async def price() -> dict[str, int]:
        """Fix a price."""
        return {"value": 10}

    async def node(state: Told) -> Any:
        return {"told": [await price()]}

    async with ledger:
        state = await graph_of(ledger.saver, node).ainvoke({"told": []}, fresh())
    assert state["told"] == [{"value": 10}]


async def test_a_node_that_langgraph_runs_again_makes_the_calls_of_its_sub_graphs_once(
    paying: Bank,
):
    fails = [True]

    async def pay(state: Told) -> Any:
        return {"told": [await paying.pay(state["told"][-1])]}

    inner = StateGraph(Told).add_node(pay).add_edge(START, "pay").compile()

    async def node(state: Told) -> Any:
        for to in ("bob", "carol"):
            await inner.ainvoke({"told": [to]})
        if fails.pop() if fails else False:
            raise ConnectionError("the shop was away")

    again = RetryPolicy(initial_interval=0, jitter=False)
    await graph_of(paying.ledger.saver, node, retry_policy=again).ainvoke({"told": []}, fresh())
    assert paying.paid == ["bob", "carol"]


async def test_operators_find_the_effects_that_a_program_declares(postgres_url: str):
    bank = Bank(postgres_url, approval="never")
    async with (
        bank.ledger,
        shop_database(postgres_url) as postgres,
    ):

        async def node(state: Told) -> Any:
            return {"told": [await bank.pay("bob")]}

        await graph_of(bank.ledger.saver, node).ainvoke({"told": []}, fresh())
        [one] = await postgres.rules.declared()
        assert (one.tool, one.about["kind"], one.about["approval"]) == ("pay", "write", "never")
        assert list(one.about["arguments"]["properties"]) == ["to"]


async def test_two_programs_without_names_on_one_database_are_told_to_take_one(postgres_url: str):
    paying = Bank(postgres_url, approval="never")
    unnamed, named = Ledger(postgres_url, user="ada"), Ledger(postgres_url, user="ada", name="mail")
    sent: list[str] = []

    def program(ledger: Ledger) -> Any:
        @ledger.effect(approval="never")
        async def send(to: str) -> str:
            """Send a mail."""
            sent.append(to)
            return to

        async def node(state: Told) -> Any:
            return {"told": [await send("bob")]}

        return graph_of(ledger.saver, node)

    async def pays(state: Told) -> Any:
        return {"told": [await paying.pay("bob")]}

    async with paying.ledger, unnamed, named:
        await graph_of(paying.ledger.saver, pays).ainvoke({"told": []}, fresh())
        graph = program(unnamed)
        with pytest.raises(ConfigurationError, match="name="):
            await graph.ainvoke({"told": []}, fresh())
        with pytest.raises(ConfigurationError, match="name="):
            await unnamed.sweep(graph)
        assert sent == []
        await program(named).ainvoke({"told": []}, fresh())
        assert sent == ["bob"]
        async with open_postgres(postgres_url, tenant_id="default", stored_types=()) as postgres:
            assert await postgres.rules.forget("agent") == 1
        # The program has other effects from now on.
        await graph.ainvoke({"told": []}, fresh())
        assert sent == ["bob", "bob"]
