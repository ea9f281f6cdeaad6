"""A model's decision is found again whatever others do to its message, and its calls with it."""

import asyncio
import operator
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.structured_output import ToolStrategy
from langchain.tools import ToolRuntime, tool
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, Send, StateUpdate, interrupt
from pydantic import BaseModel
from typing_extensions import TypedDict

from daybook.errors import ForeignThread, InputRefused
from daybook.state.clock import SYSTEM
from tests.cases.test_cases import APPROVED, Bank, Model, call, fresh, told

SAID = {"messages": [("user", "pay")]}


class Told(TypedDict, total=False):
    told: Annotated[list[str], operator.add]


Edit = Callable[[AIMessage], AIMessage]


def calls(*to: str) -> AIMessage:
    named = [{"name": "pay", "args": {"to": one}, "id": f"call-{one}"} for one in to]
    return AIMessage("", tool_calls=named)


def deciding(message: Callable[[], AIMessage]) -> Model:
    def decides(messages: list[BaseMessage]) -> AIMessage:
        return AIMessage("done") if messages[-1].type == "tool" else message()

    return Model(decides)


def asked(state: Any) -> set[str]:
    return {one.value["action_requests"][0]["args"]["to"] for one in state.get("__interrupt__", ())}


def changed(message: AIMessage, *to: str) -> AIMessage:
    return message.model_copy(update={"tool_calls": calls(*to).tool_calls})


EDITS: dict[str, tuple[Edit, list[str]]] = {
    "written anew": (lambda was: AIMessage("", id=was.id, tool_calls=was.tool_calls), []),
    "with new ids": (lambda was: AIMessage("", id=was.id, tool_calls=renamed(was)), []),
    "the first taken out": (lambda was: changed(was, "carol"), []),
    "turned round": (lambda was: changed(was, "carol", "bob"), []),
    "one put before": (lambda was: changed(was, "dan", "bob", "carol"), ["dan"]),
    "one out, and the ids moved up": (lambda was: moved_up(was), []),
}


def moved_up(message: AIMessage) -> AIMessage:
    first, second = message.tool_calls
    return message.model_copy(update={"tool_calls": [{**second, "id": first["id"]}]})


def renamed(message: AIMessage) -> Any:
    return [{**one, "id": f"{one['id']}-anew"} for one in message.tool_calls]


@pytest.mark.parametrize("how", EDITS)
async def test_a_fork_that_edits_a_decision_pays_only_what_is_new_in_it(paying: Bank, how: str):
    edit, new = EDITS[how]
    agent, config = paying.agent(deciding(lambda: calls("bob", "carol"))), fresh()
    await agent.ainvoke(SAID, config)
    old = [one async for one in agent.aget_state_history(config) if "tools" in one.next][-1]
    edited = edit(old.values["messages"][-1])
    forked = await agent.aupdate_state(old.config, {"messages": [edited]})
    state = await agent.ainvoke(None, forked)
    assert paying.paid == ["bob", "carol", *new]
    assert told(state) == [f"paid {one['args']['to']}" for one in edited.tool_calls]


async def test_a_state_that_is_edited_while_its_question_waits_asks_about_the_edit(asking: Bank):
    agent, config = asking.agent(deciding(lambda: calls("bob", "carol"))), fresh()
    state = await agent.ainvoke(SAID, config)
    [question] = state["__interrupt__"]
    edited = changed(state["messages"][-1], "mallory", "carol")
    edited.tool_calls[0]["id"] = "call-bob"
    await agent.aupdate_state(config, {"messages": [edited]})
    yes = {"decisions": [{"type": "approve"}]}
    assert asked(await agent.ainvoke(Command(resume={question.id: yes}), config)) == {"mallory"}
    assert asking.paid == []
    assert asked(await agent.ainvoke(APPROVED, config)) == {"carol"}
    await agent.ainvoke(APPROVED, config)
    assert asking.paid == ["mallory", "carol"]


@pytest.mark.parametrize("approval", ["never", "always"])
async def test_agents_that_decide_alike_side_by_side_each_make_their_call(
    postgres_url: str, approval: str
):
    """By a cache of the model's answers, ids and all."""
    bank = Bank(postgres_url, approval=approval)

    def decides(messages: list[BaseMessage]) -> AIMessage:
        if messages[-1].type == "tool":
            return AIMessage(messages[-1].text, id="said-last")
        return calls("bob").model_copy(update={"id": "said-first"})

    middleware = [bank.ledger.middleware()]
    worker = create_agent(Model(decides), [bank.pay], middleware=middleware, name="worker")

    async def work(state: Any) -> Any:
        came = await worker.ainvoke({"messages": [("user", "pay bob")]})
        return {"told": [came["messages"][-1].text]}

    builder: Any = StateGraph(Told).add_node(work)
    builder.add_conditional_edges(START, lambda state: [Send("work", {}) for _ in range(3)])
    async with bank.ledger:
        graph, config = builder.compile(checkpointer=bank.ledger.saver), fresh()
        state = await graph.ainvoke({"told": []}, config)
        for _ in range(3 if approval == "always" else 0):
            assert asked(state) == {"bob"}
            state = await graph.ainvoke(APPROVED, config)
    assert (bank.paid, state["told"]) == (["bob"] * 3, ["paid bob"] * 3)


async def test_equal_calls_with_equal_ids_in_a_tool_node_of_ones_own_are_two(paying: Bank):
    def model(state: Any) -> Any:
        return {"messages": [calls("bob", "bob")]}

    builder: Any = StateGraph(MessagesState).add_node(model).add_node(ToolNode([paying.pay]))
    builder.add_edge(START, "model").add_edge("model", "tools")
    await builder.compile(checkpointer=paying.ledger.saver).ainvoke(SAID, fresh())
    assert paying.paid == ["bob", "bob"]


class Loud(AgentMiddleware[Any, Any, Any]):
    """Change what a tool is called with."""

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        args = {"to": request.tool_call["args"]["to"].upper()}
        return await handler(request.override(tool_call={**request.tool_call, "args": args}))


class Polite(AgentMiddleware[Any, Any, Any]):
    """Write the model's message anew, with nothing of what others hung on it."""

    def after_model(self, state: Any, runtime: Any) -> Any:
        said = state["messages"][-1]
        return {"messages": [AIMessage("*", id=said.id, tool_calls=said.tool_calls)]}


class CutOff(AgentMiddleware[Any, Any, Any]):
    """Stop behind the first call, as if its process had died there."""

    def __init__(self) -> None:
        self.is_paid = asyncio.Event()
        self._goes_on = asyncio.Event()

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        came = await handler(request)
        if not self.is_paid.is_set():
            self.is_paid.set()
            await self._goes_on.wait()
        return came


@pytest.mark.parametrize(("beside", "to"), [(Polite, "bob"), (Loud, "BOB")])
async def test_what_was_paid_before_a_run_was_cut_off_is_told_whatever_others_made_of_it(
    paying: Bank, beside: Any, to: str
):
    def decides(messages: list[BaseMessage]) -> AIMessage:
        paid = [one for one in messages if one.type == "tool" and "paid" in one.text]
        return AIMessage("done") if paid else call("pay", to="bob")

    cut = CutOff()
    agent, config = paying.agent(Model(decides), beside=[cut, beside()]), fresh()
    run = asyncio.create_task(agent.ainvoke(SAID, config, durability="sync"))
    await cut.is_paid.wait()
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    state = await agent.ainvoke({"messages": [("user", "and?")]}, config)
    assert (paying.paid, told(state)) == ([to], [f"paid {to}"])


class Summary(BaseModel):
    """What an agent answers with."""

    text: str


@pytest.mark.parametrize("args", [{"text": "paid"}, {"nothing": 1}], ids=["fits", "does not"])
async def test_an_answer_in_a_form_beside_an_effect_is_one_decision(paying: Bank, args: Any):
    count = 0

    def decides(messages: list[BaseMessage]) -> AIMessage:
        nonlocal count
        count += 1
        answer = {"name": "Summary", "id": f"answer-{count}"}
        if any(one.type == "tool" and one.name == "pay" for one in messages):
            return AIMessage("", tool_calls=[{**answer, "args": {"text": "ok"}}])
        pay = {"name": "pay", "args": {"to": f"bob-{count}"}, "id": f"pay-{count}"}
        return AIMessage("", tool_calls=[pay, {**answer, "args": args}])

    agent = paying.agent(Model(decides), response_format=ToolStrategy(Summary))
    config = fresh()
    await agent.ainvoke(SAID, config)
    for old in [one async for one in agent.aget_state_history(config)]:
        if old.next:
            await agent.ainvoke(None, old.config)
    assert paying.paid == ["bob-1"]


class Guardrail(AgentMiddleware[Any, Any, Any]):
    """Answer each payment in the place of its tool."""

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        if request.tool_call["name"] != "pay":
            return await handler(request)
        return ToolMessage("not today", tool_call_id=request.tool_call["id"], name="pay")


@pytest.mark.parametrize(
    "order", ["pay, then hand over", "hand over, then pay", "a plain tool pays", "a guardrail"]
)
async def test_a_hand_off_waits_for_the_effects_of_its_message(asking: Bank, order: str):
    @tool
    def transfer(runtime: ToolRuntime) -> Command[Any]:
        """Hand over to the second agent."""
        done = ToolMessage("handed over", tool_call_id=runtime.tool_call_id, name="transfer")
        update = {"messages": [*runtime.state["messages"], done]}
        return Command(goto="second", graph=Command.PARENT, update=update)

    @tool
    async def settle() -> str:
        """Pay by an effect."""
        return str(await asking.pay("bob"))

    seen: list[str] = []

    def first(messages: list[BaseMessage]) -> AIMessage:
        both = [*calls("bob").tool_calls, {"name": "transfer", "args": {}, "id": "call-over"}]
        if order == "a plain tool pays":
            both[0] = {"name": "settle", "args": {}, "id": "call-settle"}
        return AIMessage("", tool_calls=both[::-1] if order.startswith("hand") else both)

    def second(messages: list[BaseMessage]) -> AIMessage:
        seen.extend(one.text for one in messages if one.type == "tool" and one.name == "pay")
        return AIMessage("bye")

    def agent(name: str, decides: Any, *tools: Any) -> Any:
        before = [Guardrail()] if order == "a guardrail" else []
        middleware = [*before, asking.ledger.middleware()]
        return create_agent(Model(decides), [asking.pay, *tools], middleware=middleware, name=name)

    builder: Any = StateGraph(MessagesState)
    builder.add_node("first", agent("first", first, transfer, settle), destinations=("second",))
    builder.add_node("second", agent("second", second)).add_edge(START, "first")
    graph, config = builder.compile(checkpointer=asking.ledger.saver), fresh()
    state = await graph.ainvoke(SAID, config)
    if order == "a guardrail":
        assert (asked(state), asking.paid) == (set(), [])
    else:
        assert asked(state) == {"bob"}
        state = await graph.ainvoke(APPROVED, config)
        assert asking.paid == ["bob"]
        assert seen == ["paid bob"] or order == "a plain tool pays"
    assert state["messages"][-1].text == "bye"


class Short(AgentMiddleware[Any, Any, Any]):
    """Write the answers of tools anew."""

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        came = await handler(request)
        return ToolMessage(came.text[:100], tool_call_id=came.tool_call_id, name=came.name)


async def test_a_receipt_comes_though_the_answer_of_its_call_was_written_anew(paying: Bank):
    agent = paying.agent(deciding(lambda: calls("bob")), beside=[Short()])
    state = await agent.ainvoke(SAID, fresh())
    assert [one.text for one in state["messages"] if one.name == "receipt"] == ["- pay: done"]


class Lang(AgentMiddleware[Any, Any, Any]):
    """Have something in the state beside the messages."""

    class State(AgentState[Any]):
        """With a language."""

        lang: str

    state_schema = State


async def test_a_client_that_repeats_itself_with_other_state_beside_pays_once(paying: Bank):
    agent = paying.agent(deciding(lambda: call("pay", to="bob")), beside=[Lang()])
    config = fresh()
    for _ in range(2):
        said = {"messages": [HumanMessage("pay bob", id="m-1")], "lang": "de"}
        await agent.ainvoke(said, config)
    assert paying.paid == ["bob"]


USED: Any = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
FORGED = {"messages": [calls("mallory")]}


@pytest.mark.parametrize(
    "steps",
    [
        [[StateUpdate({"messages": []}, "model")], [StateUpdate(FORGED, "model")]],
        [[StateUpdate(FORGED, "__copy__")]],
        [[StateUpdate(FORGED, "__end__")]],
    ],
    ids=["two steps", "a copy", "its end"],
)
async def test_a_guarded_thread_takes_no_decision_from_a_client(paying: Bank, steps: Any):
    model = Model(lambda messages: AIMessage("hello"))
    agent, config = paying.ledger.guarded(paying.agent(model)), fresh()
    await agent.ainvoke({"messages": [{"role": "user", "content": "hi"}]}, config)
    before = await agent.aget_state(config)
    with pytest.raises(InputRefused):
        await agent.abulk_update_state(config, steps)
    assert (await agent.aget_state(config)).values == before.values


async def test_a_guarded_thread_is_edited_by_nobody_else(asking: Bank):
    agent, config = asking.ledger.guarded(asking.agent(deciding(lambda: calls("bob")))), fresh()
    assert asked(await agent.ainvoke(SAID, config)) == {"bob"}
    stranger = {"configurable": {**config["configurable"], "user_id": "eve"}}
    for node in ("__copy__", "__end__"):
        with pytest.raises(ForeignThread):
            await agent.abulk_update_state(stranger, [[StateUpdate(None, node)]])
    await agent.ainvoke(APPROVED, config)
    assert asking.paid == ["bob"]


async def test_a_replay_gives_the_next_agent_what_the_first_one_said(paying: Bank):
    """Name and all: by what it is given, a sub-agent is known."""

    def decides(messages: list[BaseMessage]) -> AIMessage:
        if messages[-1].type != "ai":
            return AIMessage("pay carol", usage_metadata=USED)
        return call("pay", to="carol")

    def worker_decides(messages: list[BaseMessage]) -> AIMessage:
        return AIMessage("done") if messages[-1].type == "tool" else call("pay", to="carol")

    middleware = [paying.ledger.middleware()]
    boss = create_agent(Model(decides), [paying.pay], middleware=middleware, name="boss")
    worker = create_agent(
        Model(worker_decides), [paying.pay], middleware=[paying.ledger.middleware()], name="worker"
    )
    builder: Any = StateGraph(MessagesState).add_node("boss", boss).add_node("worker", worker)
    builder.add_edge(START, "boss").add_edge("boss", "worker")
    graph, config = builder.compile(checkpointer=paying.ledger.saver), fresh()
    await graph.ainvoke(SAID, config)
    for old in [one async for one in graph.aget_state_history(config)]:
        if old.next:
            await graph.ainvoke(None, old.config)
    assert paying.paid == ["carol"]


class Again(AgentMiddleware[Any, Any, Any]):
    """Run a tool that failed once more."""

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        try:
            return await handler(request)
        except ConnectionError:
            return await handler(request)


async def test_a_tool_that_fails_behind_its_payment_and_is_run_again_pays_once(paying: Bank):
    fails = [True]

    @tool
    async def settle() -> str:
        """Pay, and then fail once."""
        said = await paying.pay("bob")
        if fails.pop() if fails else False:
            raise ConnectionError("the mail server was away")
        return str(said)

    decides = deciding(lambda: call("settle"))
    await paying.agent(decides, settle, beside=[Again()]).ainvoke(SAID, fresh())
    assert paying.paid == ["bob"]


async def test_an_approval_is_taken_by_no_interrupt_that_nobody_had_seen(asking: Bank):
    reached, goes_on, given = asyncio.Event(), asyncio.Event(), []

    @tool
    async def delete() -> str:
        """Delete an account, once a person agrees."""
        reached.set()
        await goes_on.wait()
        given.append(interrupt("Delete the account?"))
        return "deleted"

    both = [*calls("bob").tool_calls, {"name": "delete", "args": {}, "id": "call-delete"}]
    agent = asking.agent(deciding(lambda: AIMessage("", tool_calls=both[::-1])), delete)
    config = fresh()
    run = asyncio.create_task(agent.ainvoke(SAID, config, durability="sync"))
    await reached.wait()
    while not (await agent.aget_state(config)).interrupts:
        # There is no event: LangGraph stores it in the background.
        await SYSTEM.sleep(0.01)
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    goes_on.set()
    state = await agent.ainvoke(APPROVED, config)
    assert (asking.paid, given) == (["bob"], [])
    assert [one.value for one in state["__interrupt__"]] == ["Delete the account?"]


async def test_an_edit_of_one_of_two_equal_calls_says_nothing_of_the_other(asking: Bank):
    agent, config = asking.agent(deciding(lambda: calls("bob", "bob"))), fresh()
    assert asked(await agent.ainvoke(SAID, config)) == {"bob"}
    action = {"name": "pay", "args": {"to": "dan"}}
    edit: Any = Command(resume={"decisions": [{"type": "edit", "edited_action": action}]})
    assert asked(await agent.ainvoke(edit, config)) == {"bob"}
    await agent.ainvoke(APPROVED, config)
    assert asking.paid == ["dan", "bob"]
