"""langchain's create_agent with a checkpointer on Postgres and its middleware for approvals.

Its parts are used by those who are added to such an agent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.tools import ToolRuntime
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.types import Command

from evals.rivals.cells import EFFECTS
from evals.rivals.contenders.outside import Order, Outside, Result, serve

START: Any = {"messages": [{"role": "user", "content": "Buy me waterproof hiking boots."}]}

Perform = Callable[[str, Result, str], Result]
"""Does an effect: its name, its arguments, the id that the model gave the call."""


class ServedModel(BaseChatModel):
    """Ask the model outside what to do next."""

    outside: Any

    @property
    def _llm_type(self) -> str:
        return "served"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        """Take any tools: the model knows which one it calls."""
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        results = [json.loads(one.text) for one in messages if one.type == "tool"]
        decided = self.outside.decide(results)
        calls = [decided["call"]] if "call" in decided else []
        message = AIMessage(decided.get("answer", ""), tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])


def reads(outside: Outside) -> list[BaseTool]:
    """Make the tools that change nothing."""

    @tool
    def search(query: str) -> str:
        """Search for products."""
        return json.dumps(outside.read("search", {"query": query}))

    @tool
    def add_to_cart(sku: str) -> str:
        """Add a product to the cart."""
        return json.dumps(outside.read("add_to_cart", {"sku": sku}))

    return [search, add_to_cart]


def effects(perform: Perform) -> list[BaseTool]:
    """Make the tools that change the world."""

    def done(effect: str, runtime: Any, **args: Any) -> str:
        return json.dumps(perform(effect, args, runtime.tool_call_id))

    @tool
    def reserve(sku: str, quantity: int, runtime: ToolRuntime) -> str:
        """Hold stock."""
        return done("reserve", runtime, sku=sku, quantity=quantity)

    @tool
    def charge(card: str, cents: int, runtime: ToolRuntime) -> str:
        """Charge a card."""
        return done("charge", runtime, card=card, cents=cents)

    @tool
    def order(hold_id: str, charge_id: str, runtime: ToolRuntime) -> str:
        """Place the order."""
        return done("order", runtime, hold_id=hold_id, charge_id=charge_id)

    @tool
    def mail(to: str, order_id: str, runtime: ToolRuntime) -> str:
        """Mail the customer."""
        return done("mail", runtime, to=to, order_id=order_id)

    return [reserve, charge, order, mail]


@contextmanager
def opened(order: Order, outside: Outside, perform: Perform) -> Iterator[tuple[Any, Any]]:
    """Open the agent, and yield it with the configuration of its thread."""
    with PostgresSaver.from_conn_string(order["database"]) as saver:
        saver.setup()
        asking = HumanInTheLoopMiddleware(dict.fromkeys(EFFECTS, True))
        agent = create_agent(
            ServedModel(outside=outside),
            [*reads(outside), *effects(perform)],
            middleware=[asking],
            checkpointer=saver,
        )
        yield agent, {"configurable": {"thread_id": order["run"]}}


def drive(
    agent: Any,
    config: Any,
    outside: Outside,
    *,
    durability: Any = "sync",
    note: Callable[[Result], None] = lambda request: None,
) -> str:
    """Begin, or go on with `None` as LangGraph's documentation says, and answer what is asked.

    Args:
        note: is given each request that was approved.
    """
    given = None if agent.get_state(config).values else START
    while True:
        state = agent.invoke(given, config, durability=durability)
        if "__interrupt__" not in state:
            return str(state["messages"][-1].text)
        requests = [o for asked in state["__interrupt__"] for o in asked.value["action_requests"]]
        for request in requests:
            outside.approve(request["name"])
            note(request)
        given = Command(resume={"decisions": [{"type": "approve"} for _ in requests]})


def work(order: Order) -> str:
    """Buy; the key, where one is sent, is the id of the model's call."""
    outside = Outside(order)

    def perform(effect: str, args: Result, call: str) -> Result:
        return outside.perform(effect, args, call, call if "keys" in order else None)

    with opened(order, outside, perform) as (agent, config):
        return drive(agent, config, outside, durability=order["durability"])


if __name__ == "__main__":
    serve(work)
