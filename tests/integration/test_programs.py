"""Several programs on one database, several users of one ledger, and what dead runs left to them."""

import asyncio
import os
import threading
from datetime import timedelta
from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from daybook import Ledger
from daybook.errors import (
    ConfigurationError,
    EffectNotDone,
    EffectUnsettled,
    ForeignDomain,
    InputRefused,
)
from daybook.state.effects.guarantees import Patience
from tests.cases.test_cases import Bank, Model, call, fresh

AT_ONCE = timedelta(0)


class State(TypedDict, total=False):
    came: Any


def graph_of(ledger: Ledger, node: Any) -> Any:
    graph: Any = StateGraph(State).add_node("node", node).add_edge(START, "node")
    return graph.compile(checkpointer=ledger.saver)


class Program:
    """One effect that is named by a key, and for what it was done."""

    def __init__(self, url: str, name: str, verb: str = "charge") -> None:
        self.ledger = Ledger(url, name=name, user="ada", node_seconds=2)
        self.done: list[str] = []

        async def act(order: str, cents: int = 1) -> str:
            self.done.append(order)
            return f"{verb} {order}"

        act.__name__ = act.__doc__ = verb
        self.act = self.ledger.effect(act, approval="never", key="order/{order}")

    async def on(self, order: str, config: Any = None, cents: int = 1) -> Any:
        async def node(state: State) -> State:
            return {"came": await self.act(order, cents)}

        return (await graph_of(self.ledger, node).ainvoke({}, config or fresh()))["came"]


# -- programs ---------------------------------------------------------------------------------------


async def test_programs_that_name_operations_alike_do_not_hold_each_other_up(postgres_url: str):
    billing, warehouse = Program(postgres_url, "billing"), Program(postgres_url, "warehouse")
    async with billing.ledger, warehouse.ledger:
        for program in (billing, warehouse, billing):
            assert await program.on("o-1") == "charge o-1"
    assert (billing.done, warehouse.done) == (["o-1"], ["o-1"])


async def test_an_operation_that_another_effect_did_is_not_said_to_be_done(postgres_url: str):
    program = Program(postgres_url, "shop")
    sent: list[str] = []

    @program.ledger.effect(approval="never", key="order/{order}")
    async def ship(order: str) -> str:
        """Ship it."""
        sent.append(order)
        return order

    async def node(state: State) -> State:
        with pytest.raises(EffectNotDone, match="by charge"):
            await ship("o-1")
        return {"came": "refused"}

    async with program.ledger:
        await program.on("o-1")
        assert (await graph_of(program.ledger, node).ainvoke({}, fresh()))["came"] == "refused"
    assert sent == []


async def test_an_operation_gives_its_record_in_another_thread_of_the_same_user(postgres_url: str):
    program = Program(postgres_url, "shop")
    async with program.ledger:
        for _ in range(2):
            assert await program.on("o-1") == "charge o-1"
        other = {"configurable": {**fresh()["configurable"], "user_id": "eve"}}
        with pytest.raises(EffectNotDone):
            await program.on("o-1", other)
        with pytest.raises(EffectNotDone):
            await program.on("o-1", cents=2)
    assert program.done == ["o-1"]


async def test_a_thread_of_another_program_is_refused_before_any_node_runs(postgres_url: str):
    runs: list[str] = []

    def program(name: str) -> tuple[Ledger, Any]:
        ledger = Ledger(postgres_url, name=name, user="ada", node_seconds=2)

        @ledger.effect(approval="never")
        async def pay(to: str) -> str:
            """Pay somebody."""
            return to

        async def node(state: State) -> State:
            runs.append(name)
            return {"came": await pay(name)}

        return ledger, graph_of(ledger, node)

    (one, ones), (two, twos) = program("one"), program("two")
    async with one, two:
        config = fresh()
        await twos.ainvoke({}, config)
        with pytest.raises(ForeignDomain):
            await ones.ainvoke({}, config)
        with pytest.raises(ForeignDomain):
            await one.recover(ones, config["configurable"]["thread_id"])
        with pytest.raises(ForeignDomain):
            await one.saver.adelete_thread(config["configurable"]["thread_id"])
        assert (await twos.aget_state(config)).values["came"] == "two"
    assert runs == ["two"]


@pytest.mark.parametrize("name", ["", "a/b", "a\0b"])
def test_a_name_that_cannot_be_kept_is_refused(name: str):
    with pytest.raises(InputRefused):
        Ledger(name=name)


async def test_an_operation_that_is_under_way_in_another_thread_is_not_settled(postgres_url: str):
    ledger, hung = Ledger(postgres_url, user="ada", node_seconds=1), Hung()

    @ledger.effect(approval="never", key="order/{order}")
    async def charge(order: str) -> str:
        """Charge it."""
        await hung.here()
        return order

    async def node(state: State) -> State:
        return {"came": await charge("o-1")}

    async with ledger:
        graph = graph_of(ledger, node)
        first = asyncio.create_task(graph.ainvoke({}, fresh()))
        await hung.is_reached()
        with pytest.raises(EffectUnsettled, match="another thread"):
            await graph.ainvoke({}, fresh())
        hung.go_on()
        assert (await first)["came"] == "o-1"


# -- dead runs --------------------------------------------------------------------------------------


class Hung:
    """A point at which a run hangs, once, to be ended there as by a kill."""

    def __init__(self) -> None:
        self._reached, self._goes_on = asyncio.Event(), asyncio.Event()

    async def here(self) -> None:
        if not self._reached.is_set():
            self._reached.set()
            await self._goes_on.wait()

    async def is_reached(self) -> None:
        await self._reached.wait()

    def go_on(self) -> None:
        self._goes_on.set()

    async def end(self, run: Any) -> None:
        task = asyncio.ensure_future(run)
        await self.is_reached()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_worker_goes_on_with_a_run_that_was_cut_off_between_two_effects(postgres_url: str):
    bank, hung = Bank(postgres_url, approval="never"), Hung()

    async def node(state: State, config: RunnableConfig) -> State:
        account = config["configurable"].get("account", "main")
        await bank.pay(f"alice from {account}")
        await hung.here()
        return {"came": await bank.pay(f"bob from {account}")}

    async with bank.ledger:
        graph, config = graph_of(bank.ledger, node), fresh()
        config["configurable"]["account"] = "savings"
        await hung.end(graph.ainvoke({}, config, durability="sync"))
        thread_id = config["configurable"]["thread_id"]
        assert await bank.ledger.sweep(graph, idle=AT_ONCE) == {thread_id: "finished"}
        assert await bank.ledger.sweep(graph, idle=AT_ONCE) == {}
    assert bank.paid == ["alice from savings", "bob from savings"]


@pytest.mark.parametrize("saver", ["the ledger's", "another"])
async def test_a_sweep_goes_on_behind_a_step_whose_checkpoint_was_lost(
    postgres_url: str, saver: str
):
    """LangGraph says of it that nothing is next, for its tasks have written what they came to."""
    bank = Bank(postgres_url, approval="never")
    is_lost = True

    async def one(state: State) -> State:
        return {"came": [await bank.pay("alice")]}

    async def two(state: State) -> State:
        return {"came": [*state["came"], await bank.pay("bob")]}

    async with bank.ledger:
        kept: Any = InMemorySaver() if saver == "another" else bank.ledger.saver
        stores = kept.aput

        async def loses(config: Any, checkpoint: Any, metadata: Any, versions: Any) -> Any:
            if is_lost and metadata["step"] == 1:
                raise ConnectionError("killed here")
            return await stores(config, checkpoint, metadata, versions)

        kept.aput = loses
        builder: Any = StateGraph(State).add_node(one).add_node(two)
        graph = builder.add_edge(START, "one").add_edge("one", "two").compile(checkpointer=kept)
        other = graph_of(bank.ledger, one)
        config = fresh()
        with pytest.raises(ConnectionError):
            await graph.ainvoke({}, config, durability="sync")
        is_lost = False
        thread_id = config["configurable"]["thread_id"]
        assert await bank.ledger.sweep(other, graph, idle=AT_ONCE) == {thread_id: "finished"}
    assert bank.paid == ["alice", "bob"]


async def test_a_sweep_gives_each_thread_to_the_agent_that_it_is_of(postgres_url: str):
    bank, hung = Bank(postgres_url, approval="never"), Hung()

    async def look(what: str) -> str:
        """Look something up."""
        await hung.here()
        return "balance 7"

    def agent(name: str | None, *tools: Any) -> Any:
        def decides(messages: list[BaseMessage]) -> AIMessage:
            if messages[-1].type == "tool":
                return AIMessage(f"{name}: {messages[-1].text}")
            return call("look", what="balance")

        return bank.agent(Model(decides), *tools, name=name)

    async with bank.ledger:
        with pytest.raises(ConfigurationError, match="name="):
            await bank.ledger.sweep(agent(None), agent(None, look))
        one, two, config = agent("one"), agent("two", look), fresh()
        await hung.end(two.ainvoke({"messages": [("user", "go")]}, config, durability="sync"))
        thread_id = config["configurable"]["thread_id"]
        assert await bank.ledger.sweep(one, two, idle=AT_ONCE) == {thread_id: "finished"}
        state = await two.aget_state(config)
        assert state.values["messages"][-1].text == "two: balance 7"


async def test_a_run_that_has_ended_leaves_nothing_to_a_worker(postgres_url: str):
    bank = Bank(postgres_url, approval="never")

    async def node(state: State) -> State:
        return {"came": await bank.pay("bob")}

    async with bank.ledger:
        graph = graph_of(bank.ledger, node)
        await graph.ainvoke({}, fresh())
        assert await bank.ledger.sweep(graph, idle=AT_ONCE) == {}
    assert bank.paid == ["bob"]


# -- what is not settled ----------------------------------------------------------------------------


async def test_what_comes_behind_something_unsettled_is_done_when_that_is_settled(
    postgres_url: str,
):
    patience = Patience(unknown_settle=timedelta(seconds=1))
    ledger = Ledger(postgres_url, user="ada", node_seconds=0.1, patience=patience)
    sent: list[str] = []

    @ledger.effect(approval="never")
    async def pay(to: str) -> str:
        """Pay somebody; of alice nobody can tell."""
        sent.append(to)
        if to == "alice":
            raise TimeoutError("the reply was lost")
        return to

    async def node(state: State) -> State:
        with pytest.raises(EffectUnsettled):
            await pay("alice")
        return {"came": await pay("bob")}

    async with ledger:
        graph, config = graph_of(ledger, node), fresh()
        with pytest.raises(EffectUnsettled, match="not started"):
            await graph.ainvoke({}, config)
        assert [one.kind for one in await ledger.receipts(config["configurable"]["thread_id"])] == [
            "pay"
        ]
    assert sent == ["alice"]


# -- one ledger, opened several times ---------------------------------------------------------------


def opened_twice(url: str) -> tuple[Bank, Any]:
    bank = Bank(url, approval="never")

    def node(state: State) -> State:
        return {"came": [bank.pay(f"first {state['came']}"), bank.pay(f"second {state['came']}")]}

    return bank, graph_of(bank.ledger, node)


async def test_the_end_of_one_request_closes_nothing_under_another(postgres_url: str):
    bank, graph = opened_twice(postgres_url)
    is_over = asyncio.Event()

    async def short() -> None:
        async with bank.ledger:
            await graph.ainvoke({"came": "ada"}, fresh())
        is_over.set()

    async def long() -> None:
        async with bank.ledger:
            await is_over.wait()
            await graph.ainvoke({"came": "bob"}, fresh())

    await asyncio.gather(long(), short())
    assert bank.paid == ["first ada", "second ada", "first bob", "second bob"]


def test_the_end_of_one_thread_closes_nothing_under_another(postgres_url: str):
    bank, graph = opened_twice(postgres_url)
    both, is_over = threading.Barrier(2), threading.Event()

    def short() -> None:
        both.wait()
        with bank.ledger:
            graph.invoke({"came": "ada"}, fresh())
        is_over.set()

    def long() -> None:
        both.wait()
        with bank.ledger:
            is_over.wait()
            graph.invoke({"came": "bob"}, fresh())

    threads = [threading.Thread(target=one) for one in (short, long)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert bank.paid == ["first ada", "second ada", "first bob", "second bob"]


def test_a_process_that_was_forked_opens_the_ledger_for_itself(postgres_url: str):
    bank, graph = opened_twice(postgres_url)
    with bank.ledger:
        graph.invoke({"came": "ada"}, fresh())
        child = os.fork()
        if not child:
            # Nothing of the tests may go on in it, whatever happens.
            code = 1
            try:
                came = graph.invoke({"came": "bob"}, fresh())["came"]
                bank.ledger.__exit__()
                code = 0 if came == ["paid first bob", "paid second bob"] else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        graph.invoke({"came": "carol"}, fresh())
    assert bank.paid == ["first ada", "second ada", "first carol", "second carol"]


@pytest.mark.parametrize(
    "url", ["postgresql+psycopg://u:hunter2@127.0.0.1/db", "postgresql://u:hunter2@[bad/db"]
)
async def test_a_url_that_cannot_be_read_is_not_shown(url: str):
    with pytest.raises(ConfigurationError) as wrong:
        async with Ledger(url):
            pass
    assert "hunter2" not in str(wrong.value)
    assert wrong.value.__suppress_context__


async def test_a_plain_function_that_gives_something_to_await_is_awaited(postgres_url: str):
    ledger, paid = Ledger(postgres_url, user="ada"), []

    async def send(to: str) -> str:
        paid.append(to)
        return to

    @ledger.effect(approval="never")
    def pay(to: str) -> Any:
        """Pay somebody by another function."""
        return send(to)

    async def node(state: State) -> State:
        return {"came": await pay("bob")}

    async with ledger:
        assert (await graph_of(ledger, node).ainvoke({}, fresh()))["came"] == "bob"
    assert paid == ["bob"]


async def test_what_a_run_that_was_cancelled_would_have_asked_is_in_no_log(
    postgres_url: str, caplog: pytest.LogCaptureFixture
):
    ledger, hung = Ledger(postgres_url, user="ada"), Hung()

    async def observe(args: Any) -> Any:
        looks.set()
        await asyncio.to_thread(goes_on.wait)
        return {}

    looks, goes_on = asyncio.Event(), threading.Event()

    @ledger.effect(observe=observe)
    async def pay(to: str, token: str) -> str:
        """Pay somebody."""
        return to

    async def node(state: State) -> State:
        return {"came": await pay("bob", "sk_live_4eC39HqLyjWDarjtT1zdp7dc")}

    async with ledger:
        run = asyncio.create_task(graph_of(ledger, node).ainvoke({}, fresh()))
        await looks.wait()
        run.cancel()
        goes_on.set()
        await asyncio.gather(run, return_exceptions=True)
        del run
    assert "sk_live" not in caplog.text
    assert "never retrieved" not in caplog.text
    del hung
