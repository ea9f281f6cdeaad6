"""Agents, graphs and inputs that are alike: none is taken for another, and none for new."""

import asyncio
import operator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphInterrupt
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, RetryPolicy, interrupt
from pydantic import BaseModel

from daybook import Ledger
from daybook.checkpoints.encryption import Cipher
from daybook.errors import InputRefused
from daybook.graph.ledger import identity
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.people.privacy import redacted
from tests.cases.test_cases import APPROVED, Bank, Model, call, fresh, script, told


class Task(BaseModel):
    messages: Annotated[list[AnyMessage], add_messages] = []


@dataclass
class Given:
    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)


class Told(TypedDict, total=False):
    told: Any


def asked(state: Any) -> list[str]:
    return [one.value["action_requests"][0]["args"]["to"] for one in state.get("__interrupt__", ())]


def agent(bank: Bank, name: str, effect: Any, **more: Any) -> Any:
    """Make an agent that calls its one effect, and then says what it was told."""

    def decides(messages: Any) -> AIMessage:
        said = messages[-1]
        return (
            AIMessage(f"{name}: {said.text}")
            if said.type == "tool"
            else call(effect.name, to="bob")
        )

    middleware = [bank.ledger.middleware()]
    return create_agent(Model(decides), [effect], middleware=middleware, name=name, **more)


async def test_a_sub_graph_with_a_model_for_its_state_pays_once_when_its_node_is_tried_again(
    paying: Bank,
):
    fails = [True, True]

    async def work(state: Task) -> None:
        await paying.pay("bob")

    sub: Any = StateGraph(Task).add_node(work).add_edge(START, "work").compile()

    async def node(state: Told) -> Told:
        await sub.ainvoke(Task(messages=[HumanMessage("pay bob")]))
        if fails and fails.pop():
            raise ConnectionError("the next service is away")
        return {"told": "done"}

    graph: Any = StateGraph(Told).add_node(node, retry_policy=RetryPolicy(initial_interval=0.01))
    compiled = graph.add_edge(START, "node").compile(checkpointer=paying.ledger.saver)
    assert (await compiled.ainvoke({"told": ""}, fresh()))["told"] == "done"
    assert paying.paid == ["bob"]


@pytest.mark.parametrize("is_encrypted", [False, True])
async def test_a_run_that_is_gone_on_with_elsewhere_is_known_by_what_it_was_given(
    paying: Bank, is_encrypted: bool
):
    fails = [True, True]
    # Each time the same is encrypted otherwise.
    serde = Cipher(b"0123456789abcdef").serializer(())
    saver = InMemorySaver(serde=serde if is_encrypted else None)

    class Given(MessagesState):
        customer: str

    async def node(state: Given) -> None:
        await paying.pay(state["customer"])
        if fails and fails.pop():
            raise ConnectionError("the process dies here")

    graph: Any = StateGraph(Given).add_node(node).add_edge(START, "node")
    compiled, config = graph.compile(checkpointer=saver), fresh()
    given: Any = {"messages": [HumanMessage("pay", id="m-1")], "customer": "bob"}
    for _ in range(3):
        # Another process remembers nothing.
        identity._origins.clear()
        with suppress(ConnectionError):
            await compiled.ainvoke(given, config)
        given = None
    assert paying.paid == ["bob"]


async def test_what_differs_by_its_id_alone_is_not_the_same(paying: Bank):
    class Tickets(TypedDict, total=False):
        ticket: dict[str, str]

    async def pay(state: Tickets) -> None:
        await paying.pay("bob")

    sub: Any = StateGraph(Tickets).add_node(pay).add_edge(START, "pay").compile()

    async def node(state: Told) -> None:
        for number in ("t-1", "t-2"):
            ticket = {"id": number, "type": "refund", "content": "pay bob"}
            await sub.ainvoke({"ticket": ticket})

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    await graph.compile(checkpointer=paying.ledger.saver).ainvoke({"told": ""}, fresh())
    assert paying.paid == ["bob", "bob"]


async def test_an_edit_leaves_the_arguments_as_they_were_shown(postgres_url: str):
    # It could be the number of a card.
    account, sent = "6304000000000000", []
    account = next(one for digit in range(10) if redacted(one := f"{account[:-1]}{digit}") != one)
    ledger = Ledger(postgres_url, user="ada")

    @ledger.effect
    def transfer(account: str, cents: int) -> str:
        """Transfer money."""
        sent.append((account, cents))
        return "ok"

    async with ledger:
        asks = script(call("transfer", account=account, cents=10), AIMessage("done"))
        agent = ledger.guarded(create_agent(asks, [transfer], middleware=[ledger.middleware()]))
        agent.checkpointer, config = ledger.saver, fresh()
        await agent.ainvoke({"messages": [("user", "pay the rent")]}, config)

        def edit(**args: Any) -> Any:
            edited = {"name": "transfer", "args": args}
            return Command(resume={"decisions": [{"type": "edit", "edited_action": edited}]})

        another = "4111 1111 1111 1111"
        with pytest.raises(InputRefused, match="the question is still open"):
            await agent.ainvoke(edit(account=another, cents=10), config)
        await agent.ainvoke(edit(account=account, cents=12), config)
    assert sent == [(account, 12)]


async def test_two_agents_that_one_node_asks_about_the_same_messages_decide_each(paying: Bank):
    mailed: list[str] = []

    @paying.ledger.effect(approval="never")
    def mail(to: str) -> str:
        """Mail somebody."""
        mailed.append(to)
        return f"mailed {to}"

    agents = agent(paying, "billing", paying.pay), agent(paying, "mailer", mail)

    async def node(state: MessagesState) -> Any:
        said = [await one.ainvoke({"messages": state["messages"]}) for one in agents]
        return {"messages": [AIMessage(" / ".join(one["messages"][-1].text for one in said))]}

    graph: Any = StateGraph(MessagesState).add_node(node).add_edge(START, "node")
    state = await graph.compile(checkpointer=paying.ledger.saver).ainvoke(
        {"messages": [("user", "pay bob and mail him")]}, fresh()
    )
    assert state["messages"][-1].text == "billing: paid bob / mailer: mailed bob"
    assert (paying.paid, mailed) == (["bob"], ["bob"])


async def test_a_message_that_is_handed_to_another_agent_is_decided_on_by_that_one(paying: Bank):
    saver = paying.ledger.saver
    triage = create_agent(
        script(AIMessage("billing")),
        [paying.pay],
        middleware=[paying.ledger.middleware()],
        name="triage",
        checkpointer=saver,
    )
    billing = agent(paying, "billing", paying.pay, checkpointer=saver)
    config = fresh()
    said = {"messages": [{"role": "user", "content": "please pay bob", "id": "ui-1"}]}
    assert (await triage.ainvoke(said, config))["messages"][-1].text == "billing"
    for _ in range(2):
        # The client repeats itself.
        state = await billing.ainvoke(said, config)
        assert state["messages"][-1].text == "billing: paid bob"
    assert paying.paid == ["bob"]


@pytest.mark.parametrize("edits", [False, True])
async def test_equal_calls_of_two_runs_of_a_sub_graph_are_two_behind_an_edit_too(
    paying: Bank, edits: bool
):
    class Why(TypedDict, total=False):
        why: str
        told: str

    async def pay(state: Why) -> Any:
        return {"told": f"{state['why']}: {await paying.pay('bob')}"}

    sub: Any = StateGraph(Why).add_node(pay).add_edge(START, "pay").compile()

    async def work(state: Any) -> Any:
        return {"told": [(await sub.ainvoke({"why": one}))["told"] for one in state["plan"]]}

    class Plan(TypedDict, total=False):
        plan: list[str]
        told: list[str]

    graph: Any = StateGraph(Plan).add_node("think", lambda state: {"plan": ["rent", "fod"]})
    graph.add_node(work).add_edge(START, "think").add_edge("think", "work")
    compiled = graph.compile(checkpointer=paying.ledger.saver, interrupt_before=["work"])
    config = fresh()
    await compiled.ainvoke({"plan": []}, config)
    second = "food" if edits else "fod"
    if edits:
        await compiled.aupdate_state(config, {"plan": ["rent", "food"]})
    state = await compiled.ainvoke(None, config)
    assert state["told"] == ["rent: paid bob", f"{second}: paid bob"]
    assert paying.paid == ["bob", "bob"]


async def test_calls_side_by_side_behind_an_edit_are_those_that_were_not_made_before(paying: Bank):
    goes_on = asyncio.Event()

    async def pay(state: Any) -> None:
        if state["why"] == "rent":
            await goes_on.wait()
        await paying.pay("bob")
        goes_on.set()

    class Why(TypedDict, total=False):
        why: str

    sub: Any = StateGraph(Why).add_node(pay).add_edge(START, "pay").compile()
    fails = [True]

    async def work(state: Told) -> None:
        reasons = str(state["told"]).split()
        await asyncio.gather(*(sub.ainvoke({"why": one}) for one in reasons))
        if fails and fails.pop():
            goes_on.clear()
            raise ConnectionError("the next service is away")

    graph: Any = StateGraph(Told).add_node("think", lambda state: {"told": "rent fod"})
    graph.add_node(work).add_edge(START, "think").add_edge("think", "work")
    compiled = graph.compile(checkpointer=paying.ledger.saver, interrupt_before=["work"])
    config = fresh()
    await compiled.ainvoke({"told": ""}, config)
    await compiled.aupdate_state(config, {"told": "rent food"})
    with pytest.raises(ConnectionError):
        await compiled.ainvoke(None, config)
    # Food comes first now, and is none of what was paid before the edit.
    await compiled.ainvoke(None, config)
    assert paying.paid == ["bob", "bob"]


async def test_what_an_approver_changed_for_one_agent_is_asked_about_for_the_next(asking: Bank):
    worker = agent(asking, "worker", asking.pay)

    async def delegate(why: str) -> str:
        """Let a worker do it."""
        return (await worker.ainvoke({"messages": [("user", why)]}))["messages"][-1].text

    chief = create_agent(
        script(call("delegate", why="rent"), call("delegate", why="food"), AIMessage("done")),
        [delegate],
        checkpointer=asking.ledger.saver,
        middleware=[asking.ledger.middleware()],
    )
    config = fresh()
    assert asked(await chief.ainvoke({"messages": [("user", "go")]}, config)) == ["bob"]
    edited = {"type": "edit", "edited_action": {"name": "pay", "args": {"to": "zed"}}}
    state = await chief.ainvoke(Command(resume={"decisions": [edited]}), config)
    assert asked(state) == ["bob"]
    state = await chief.ainvoke(APPROVED, config)
    assert asking.paid == ["zed", "bob"]
    assert told(state, "delegate")[-1] == "worker: paid bob"


async def test_a_call_that_a_person_settled_by_hand_is_not_asked_about_any_more(asking: Bank):
    async def first(state: Told) -> Told:
        return {"told": await asking.pay("bob")}

    async def second(state: Told) -> Told:
        return {"told": await asking.pay("carol")}

    graph: Any = StateGraph(Told).add_node(first).add_node(second)
    graph.add_edge(START, "first").add_edge("first", "second")
    compiled, config = graph.compile(checkpointer=asking.ledger.saver), fresh()
    assert asked(await compiled.ainvoke({"told": ""}, config)) == ["bob"]
    await compiled.aupdate_state(config, {"told": "paid bob by hand"}, as_node="first")
    assert asked(await compiled.ainvoke(None, config)) == ["carol"]
    await compiled.ainvoke(APPROVED, config)
    assert asking.paid == ["carol"]


async def test_messages_of_ones_own_shape_are_no_obstacle(paying: Bank):
    class Mails(TypedDict):
        messages: Annotated[list[dict[str, str]], operator.add]

    async def node(state: Mails) -> Any:
        return {"messages": [{"body": await paying.pay(state["messages"][0]["sender"])}]}

    graph: Any = StateGraph(Mails).add_node(node).add_edge(START, "node")
    compiled = graph.compile(checkpointer=paying.ledger.saver)
    state = await compiled.ainvoke({"messages": [{"sender": "bob"}]}, fresh())
    assert state["messages"][-1] == {"body": "paid bob"}


async def test_an_effect_that_asks_a_question_of_its_own_is_put_to_a_reviewer_in_words(
    postgres_url: str,
):
    soon = Patience(unknown_settle=timedelta(0), budget=timedelta(seconds=1))
    ledger = Ledger(postgres_url, user="ada", patience=soon)

    @ledger.effect(approval="never")
    async def send(to: str) -> str:
        interrupt({"to": to})
        return "sent"

    async def node(state: Told) -> Told:
        return {"told": await send("bob")}

    graph: Any = StateGraph(Told).add_node(node).add_edge(START, "node")
    async with ledger:
        compiled = graph.compile(checkpointer=ledger.saver)
        [question] = (await compiled.ainvoke({"told": ""}, fresh()))["__interrupt__"]
    assert "an effect must not" in str(question.value)


async def test_a_guarded_agent_takes_the_wish_to_stop_and_no_other_events(asking: Bank):
    guarded = asking.ledger.guarded(agent(asking, "payer", asking.pay))
    guarded.checkpointer, config = asking.ledger.saver, fresh()
    for given in ({"events": [{"id": "e-1", "type": "click"}]}, Command(resume=None)):
        with pytest.raises(InputRefused):
            await guarded.ainvoke(given, config)
    assert asked(await guarded.ainvoke({"messages": [("user", "pay bob")]}, config)) == ["bob"]
    stop = {"events": [{"id": "e-2", "type": "stop"}]}
    state = await guarded.ainvoke(stop, config)
    assert state["messages"][-1].text == "payer: pay withdrawn: nothing was done"
    said = len(state["messages"])
    assert len((await guarded.ainvoke(stop, config))["messages"]) == said, "nobody is asked again"
    assert asking.paid == []


async def test_a_node_that_gathers_graphs_ends_with_the_question_of_one(asking: Bank):
    class Why(TypedDict, total=False):
        why: str

    left = asyncio.Event()

    async def pay(state: Why) -> None:
        try:
            await asking.pay(state["why"])
        except GraphInterrupt as asks:
            if not asks.args[0]:
                left.set()
            # The one that asks is slow, and would come second.
            with suppress(TimeoutError):
                async with SYSTEM.timeout(0.2 if asks.args[0] else 0):
                    await left.wait()
            raise

    sub: Any = StateGraph(Why).add_node(pay).add_edge(START, "pay").compile()

    async def work(state: Told) -> Told:
        left.clear()
        await asyncio.gather(*(sub.ainvoke({"why": one}) for one in ("rent", "food", "gas")))
        return {"told": "paid"}

    graph: Any = StateGraph(Told).add_node(work).add_edge(START, "work")
    compiled, config = graph.compile(checkpointer=asking.ledger.saver), fresh()
    state = await compiled.ainvoke({"told": ""}, config)
    for _ in range(3):
        assert len(asked(state)) == 1
        state = await compiled.ainvoke(APPROVED, config)
    assert state["told"] == "paid"
    assert sorted(asking.paid) == ["food", "gas", "rent"]


@pytest.mark.parametrize("kind", [Task, Given])
async def test_a_request_that_is_repeated_as_a_model_is_a_repeat(paying: Bank, kind: Any):
    async def node(state: Any) -> None:
        await paying.pay("bob")

    graph: Any = StateGraph(kind).add_node(node).add_edge(START, "node")
    compiled, config = graph.compile(checkpointer=InMemorySaver()), fresh()
    for _ in range(2):
        await compiled.ainvoke(kind(messages=[HumanMessage("pay", id="m-1")]), config)
    assert paying.paid == ["bob"]


@pytest.mark.parametrize("is_guarded", [False, True])
async def test_questions_of_agents_side_by_side_are_answered_by_their_names(
    asking: Bank, is_guarded: bool
):
    def decides(messages: Any) -> AIMessage:
        said = messages[-1]
        return AIMessage(said.text) if said.type == "tool" else call("pay", to=said.text)

    middleware = [asking.ledger.middleware()]
    worker = create_agent(Model(decides), [asking.pay], middleware=middleware, name="worker")

    async def delegate(to: str) -> str:
        """Let a worker pay somebody."""
        return str((await worker.ainvoke({"messages": [("user", to)]}))["messages"][-1].text)

    two = AIMessage(
        "",
        tool_calls=[
            {"name": "delegate", "args": {"to": to}, "id": f"call-{to}"} for to in ("bob", "eve")
        ],
    )
    chief: Any = create_agent(
        script(two, AIMessage("done")), [delegate], middleware=[asking.ledger.middleware()]
    )
    chief = asking.ledger.guarded(chief) if is_guarded else chief
    chief.checkpointer, config = asking.ledger.saver, fresh()
    state = await chief.ainvoke({"messages": [("user", "pay both")]}, config)
    for _ in range(2):
        [one] = state["__interrupt__"]
        answer = {"decisions": [{"type": "approve"}], "approval_id": one.value["approval_id"]}
        state = await chief.ainvoke(Command(resume=answer), config)
    assert sorted(asking.paid) == ["bob", "eve"]
    assert "__interrupt__" not in state
