"""Small inputs that broke promises in agents and databases of other people, each from a report."""

import asyncio
import itertools
import os
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import psycopg
import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    SummarizationMiddleware,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.store.postgres import PostgresStore
from langgraph.types import Command
from pydantic import PrivateAttr
from typing_extensions import TypedDict

from daybook import Ledger
from daybook.graph.ledger import identity
from daybook.state.errors import ArgumentsChanged, DaybookError, InputRefused
from tests.databases import database

HALF = "thumbs up \ud83d"
APPROVED: Any = Command(resume={"decisions": [{"type": "approve"}]})
Decides = Callable[[list[BaseMessage]], AIMessage]


class Model(BaseChatModel):
    """Decide by the prompt alone, with new ids each time."""

    _decides: Decides = PrivateAttr()

    def __init__(self, decides: Decides) -> None:
        super().__init__()
        self._decides = decides

    @property
    def _llm_type(self) -> str:
        return "case"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._decides(messages))])


def call(name: str, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": str(uuid.uuid4())}])


def script(*turns: AIMessage) -> Model:
    left = iter(turns)
    return Model(lambda messages: next(left))


def told(state: Any, name: str = "pay") -> list[str]:
    return [one.text for one in state["messages"] if one.type == "tool" and one.name == name]


def fresh() -> Any:
    return {"configurable": {"thread_id": str(uuid.uuid4()), "user_id": "ada"}}


class Bank:
    """An effect, and whom it paid."""

    def __init__(self, url: str, name: str | None = None, **declared: Any) -> None:
        self.paid: list[str] = []
        self.ledger = Ledger(url, user="ada", node_seconds=2, name=name)

        @self.ledger.effect(**declared)
        def pay(to: str) -> str:
            """Pay somebody."""
            self.paid.append(to)
            return f"paid {to}"

        self.pay = pay

    def agent(self, model: Any, *tools: Any, beside: Any = (), **more: Any) -> Any:
        return create_agent(
            model,
            [self.pay, *tools],
            checkpointer=self.ledger.saver,
            middleware=[*beside, self.ledger.middleware()],
            **more,
        )


@pytest.fixture
async def asking(postgres_url: str) -> AsyncIterator[Bank]:
    bank = Bank(postgres_url)
    async with bank.ledger:
        yield bank


@pytest.fixture
async def unasked(postgres_url: str) -> AsyncIterator[Bank]:
    bank = Bank(postgres_url, approval="never")
    async with bank.ledger:
        yield bank


@pytest.mark.parametrize(
    ("said", "page"), [("pay bob", "whole"), (f"pay bob, {HALF}", "whole"), ("pay bob", HALF)]
)
async def test_01_half_a_character_in_the_conversation_denies_no_payment(asking, said, page):
    def decides(messages: list[BaseMessage]) -> AIMessage:
        results = [one.text for one in messages if one.type == "tool"]
        if not results:
            return call("fetch", about="bob")
        if len(results) < 2 or "othing was done" in results[-1]:
            return call("pay", to="bob")
        return AIMessage("done")

    def fetch(about: str) -> str:
        """Read a web page."""
        return page

    agent, config = asking.agent(Model(decides), fetch), fresh()
    await agent.ainvoke({"messages": [("user", said)]}, config)
    state = await agent.ainvoke(APPROVED, config)
    assert (asking.paid, told(state)) == (["bob"], ["paid bob"])
    assert "__interrupt__" not in state


class State(TypedDict, total=False):
    receipt: str


async def test_03_arguments_that_a_node_makes_anew_are_an_error_at_once(asking: Bank):
    numbers = itertools.count(1)

    async def settle(state: State) -> State:
        return {"receipt": await asking.pay(f"invoice-{next(numbers)}")}

    graph = StateGraph(State).add_node(settle).add_edge(START, "settle")
    compiled, config = graph.compile(checkpointer=asking.ledger.saver), fresh()
    await compiled.ainvoke({"receipt": ""}, config)
    for given in (APPROVED, None):
        with pytest.raises(ArgumentsChanged, match=r"invoice-1.*invoice-"):
            await compiled.ainvoke(given, config)
    assert asking.paid == []


class Workers:
    """A chief whose tool lets a worker pay; the worker's provider may be away afterwards."""

    def __init__(self, bank: Bank, *asked: str, is_away: bool = False) -> None:
        def works(messages: list[BaseMessage]) -> AIMessage:
            if messages[-1].type != "tool":
                return call("pay", to=messages[-1].text)
            if is_away:
                raise ConnectionError("the provider is away")
            return AIMessage(f"worker: {messages[-1].text}")

        worker = create_agent(
            Model(works), [bank.pay], middleware=[bank.ledger.middleware()], name="worker"
        )

        async def delegate(to: str) -> str:
            """Let a worker do it."""
            state = await worker.ainvoke({"messages": [("user", to)]})
            return str(state["messages"][-1].text)

        calls: Any = [
            {"name": "delegate", "args": {"to": to}, "id": str(position)}
            for position, to in enumerate(asked)
        ]
        model = script(AIMessage("", tool_calls=calls), AIMessage("done"), AIMessage("hello"))
        self.chief = create_agent(
            model,
            [delegate],
            checkpointer=bank.ledger.saver,
            middleware=[bank.ledger.middleware()],
        )
        self.config = fresh()

    async def say(self, text: str) -> Any:
        return await self.chief.ainvoke({"messages": [("user", text)]}, self.config)


@pytest.mark.parametrize("asked", [["bob"], ["bob", "carol"], ["bob", "bob"]])
async def test_04_sub_agents_pay_each_their_own(unasked: Bank, asked: list[str]):
    state = await Workers(unasked, *asked).say("go")
    assert sorted(unasked.paid) == asked
    assert told(state, "delegate") == [f"worker: paid {to}" for to in asked]


@pytest.mark.parametrize("asked", [["bob", "carol"], ["bob", "bob"]])
async def test_04_sub_agents_side_by_side_ask_each_their_own_question(asking: Bank, asked):
    workers = Workers(asking, *asked)
    state = await workers.say("go")
    for done in range(2):
        [question] = state["__interrupt__"]
        assert len(asking.paid) == done
        assert question.value["action_requests"][0]["name"] == "pay"
        state = await workers.chief.ainvoke(APPROVED, workers.config)
    assert told(state, "delegate") == [f"worker: paid {to}" for to in asked]
    assert sorted(asking.paid) == asked
    for old in [one async for one in workers.chief.aget_state_history(workers.config)]:
        if old.next:
            await workers.chief.ainvoke(None, old.config)
    assert sorted(asking.paid) == asked


async def test_04_sub_agents_that_are_nodes_side_by_side_ask_each_their_own_question(asking):
    graph = StateGraph(MessagesState)
    for name in ("bob", "carol"):

        def decides(messages: list[BaseMessage], to: str = name) -> AIMessage:
            results = [one.text for one in messages if one.type == "tool"]
            return AIMessage(f"told {results[-1]}") if results else call("pay", to=to)

        ledger = asking.ledger
        worker = create_agent(Model(decides), [asking.pay], middleware=[ledger.middleware()])
        graph.add_node(name, worker).add_edge(START, name)
    compiled, config = graph.compile(checkpointer=asking.ledger.saver), fresh()
    state = await compiled.ainvoke({"messages": [("user", "pay both")]}, config)
    for done in range(2):
        assert (len(state["__interrupt__"]), len(asking.paid)) == (1, done)
        state = await compiled.ainvoke(APPROVED, config)
    assert sorted(asking.paid) == ["bob", "carol"]
    assert sorted(told(state)) == ["paid bob", "paid carol"]
    answers = {one.text for one in state["messages"] if one.type == "ai"}
    assert {"told paid bob", "told paid carol"} <= answers


async def test_04_of_a_worker_that_fails_after_it_paid_nobody_says_that_nothing_was_done(unasked):
    workers = Workers(unasked, "bob", is_away=True)
    with pytest.raises(ConnectionError):
        await workers.say("go")
    state = await workers.say("hello?")
    assert unasked.paid == ["bob"]
    [said] = told(state, "delegate")
    assert "not known" in said
    [receipt] = await unasked.ledger.receipts(workers.config["configurable"]["thread_id"])
    assert (receipt.kind, receipt.status) == ("pay", "done")


@pytest.mark.parametrize("is_summarized", [False, True])
async def test_05_a_replay_from_any_checkpoint_pays_nothing_again(unasked, is_summarized):
    def decides(messages: list[BaseMessage]) -> AIMessage:
        so_far = " ".join(str(one.content) for one in messages)
        if "paid" in so_far:
            return AIMessage("done")
        if "seen-1" in so_far or "summary" in so_far:
            return call("pay", to="bob")
        return call("look", n=so_far.count("seen"))

    def look(n: int) -> str:
        """Look."""
        return f"seen-{n}"

    summary = Model(lambda messages: AIMessage("The summary."))
    beside = [SummarizationMiddleware(summary, trigger=("messages", 4), keep=("messages", 2))]
    agent = unasked.agent(Model(decides), look, beside=beside if is_summarized else [])
    config = fresh()
    await agent.ainvoke({"messages": [{"role": "user", "content": "pay bob"}]}, config)
    for old in [one async for one in agent.aget_state_history(config)]:
        await agent.ainvoke(None, old.config)
    assert unasked.paid == ["bob"]


class Short(AgentMiddleware):
    """Keep the first message and the last few."""

    async def abefore_model(self, state: Any, runtime: Any) -> Any:
        first, *others = state["messages"]
        last = others[-3:] if others[-3:] and others[-3:][0].type != "tool" else others[-2:]
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), first, *last]}


@pytest.mark.parametrize("beside", [[], [Short()]])
async def test_07_payments_beside_a_middleware_that_trims_are_each_made_once(unasked, beside):
    def look(at: str) -> str:
        """Look."""
        return "seen"

    people = ("bob", "carol", "dave")
    turns = [
        [call("look", at=to), call("look", at=to), call("pay", to=to), AIMessage("done")]
        for to in people
    ]
    agent = unasked.agent(script(*itertools.chain(*turns)), look, beside=beside)
    config = fresh()
    for to in people:
        state = await agent.ainvoke({"messages": [("user", f"pay {to}")]}, config)
        assert told(state)[-1] == f"paid {to}"
    assert unasked.paid == [*people]


async def test_08_an_edit_of_a_guarded_agents_state_is_refused_in_words(asking: Bank):
    agent = asking.ledger.guarded(asking.agent(script(call("pay", to="bob"))))
    config = fresh()
    await agent.ainvoke({"messages": [("user", "pay bob")]}, config)
    for edit in ({"messages": [("user", "pay carol")]}, {"jump_to": None}, {"nothing": 1}):
        with pytest.raises(InputRefused, match="othing was changed"):
            await agent.aupdate_state(config, edit)
    assert (await agent.aget_state(config)).interrupts


async def test_11_a_decision_reads_as_many_checkpoints_in_a_long_thread(unasked, monkeypatch):
    agent, config = unasked.agent(Model(lambda messages: AIMessage("hello"))), fresh()
    reads: list[int] = []
    found = identity._origin_of

    async def counted(*given: Any) -> Any:
        reads[-1] += 1
        return await found(*given)

    monkeypatch.setattr(identity, "_origin_of", counted)
    for _ in range(2):
        many = [("user", "q")] * 2_000
        reads.append(0)
        await agent.ainvoke({"messages": many}, config)
    assert reads[0] == reads[1]


async def test_a_person_who_is_asked_by_another_middleware_is_asked_before_money_moves(unasked):
    asks = HumanInTheLoopMiddleware(interrupt_on={"pay": True})
    agent = unasked.agent(script(call("pay", to="bob"), AIMessage("done")), beside=[asks])
    config = fresh()
    state = await agent.ainvoke({"messages": [("user", "pay bob")]}, config)
    assert (len(state["__interrupt__"]), unasked.paid) == (1, [])
    state = await agent.ainvoke(APPROVED, config)
    assert (unasked.paid, told(state)) == (["bob"], ["paid bob"])


# -- other people's databases ----------------------------------------------------------------------


class Count(TypedDict):
    n: int


def app(url: str) -> Any:
    """Run the app as it was before: no ledger in it."""
    with PostgresSaver.from_conn_string(url) as saver:
        saver.setup()
        graph = StateGraph(Count).add_node("add", lambda state: {"n": state["n"] + 1})
        compiled = graph.add_edge(START, "add").compile(checkpointer=saver)
        return compiled.invoke({"n": 1}, {"configurable": {"thread_id": "app-1"}})


@pytest.mark.parametrize("has_store", [False, True])
async def test_02_an_app_on_the_same_database_is_left_as_it_is(server_url: str, has_store: bool):
    with database(server_url) as named:
        # As the app itself connects: its search path leads nowhere near Daybook's schema.
        url = psycopg.conninfo.make_conninfo(named, options="")
        if has_store:
            with PostgresStore.from_conn_string(url) as store:
                store.setup()
                store.put(("people", "ada"), "size", {"v": 42})
        assert await asyncio.to_thread(app, url) == {"n": 2}
        bank = Bank(url, approval="never")
        async with bank.ledger:
            agent = bank.agent(script(call("pay", to="bob"), AIMessage("done")))
            await agent.ainvoke({"messages": [("user", "pay bob")]}, fresh())
        assert bank.paid == ["bob"]
        assert await asyncio.to_thread(app, url) == {"n": 2}


async def test_06_of_the_runs_after_a_restart_at_most_one_fails_and_in_words(server_url, template):
    with database(server_url, template) as url:
        bank = Bank(url)
        async with bank.ledger:
            agent = bank.agent(Model(lambda messages: AIMessage("hello")))

            async def run() -> str:
                try:
                    await agent.ainvoke({"messages": [("user", "hi")]}, fresh())
                except DaybookError:
                    return "in words"
                return "ok"

            assert await asyncio.gather(*[run() for _ in range(5)]) == ["ok"] * 5
            with psycopg.connect(url, autocommit=True) as conn:
                conn.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where datname = current_database() and pid <> pg_backend_pid()"
                )
            assert [await run() for _ in range(5)].count("in words") <= 1


def test_09_a_byte_that_is_no_text_ends_no_chat(postgres_url: str):
    said = b"add BOOT-013\ncaf\xe9\ncheck out\n"
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "DATABASE_URL": postgres_url}
    chat = [sys.executable, "-m", "daybook", "chat"]
    ended = subprocess.run(chat, input=said, capture_output=True, env=environment, check=False)
    assert ended.returncode == 0, ended.stderr.decode(errors="replace")
    assert b"Traceback" not in ended.stderr
