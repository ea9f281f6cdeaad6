"""The same agent of `create_agent` with Daybook's middleware, and its sweep after a death.

The middleware is the nearest of Daybook's ways in to what the others are: model, loop and tools are
theirs too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from langchain.agents import create_agent
from langchain_core.tools import BaseTool, tool
from langgraph.types import Command

from daybook import Daybook, Guarantees, Patience, idempotency_key, open_database
from daybook.graph.middleware import write
from daybook.state.clock import SYSTEM
from evals.rivals.contenders.agent import START, ServedModel, reads
from evals.rivals.contenders.outside import Order, Outside, Result, serve

_BUDGET = timedelta(seconds=1)

_BETWEEN = 0.05
"""Seconds between two sweeps; a worker of one's own would take a few."""


def work(order: Order) -> str:
    """Buy, or sweep until what the dead process left is finished."""
    return asyncio.run(_work(order))


async def _work(order: Order) -> str:
    outside = Outside(order)
    tools = _effects(outside)
    async with open_database(order["database"]) as postgres:
        daybook = Daybook(
            postgres,
            effects=[_declared(one, outside) for one in tools],
            reads=["search", "add_to_cart"],
            patience=Patience(budget=_BUDGET, backoff=timedelta(milliseconds=50)),
            user="ada",
        )
        agent = create_agent(
            ServedModel(outside=outside),
            [*reads(outside), *tools],
            middleware=[daybook],
            checkpointer=postgres.saver,
        )
        if order["is_restart"]:
            thread = await _swept(daybook, agent)
        else:
            thread = outside.run
            await agent.ainvoke(START, _config(thread), durability="sync")
        while True:
            state = await agent.aget_state(_config(thread))
            if state.interrupts:
                answer = _answered(state.interrupts, outside)
                await agent.ainvoke(Command(resume=answer), _config(thread), durability="sync")
            elif await daybook.recover(agent, thread) == "finished":
                state = await agent.aget_state(_config(thread))
                return str(state.values["messages"][-1].text)
            else:
                await SYSTEM.sleep(_BETWEEN)


async def _swept(daybook: Daybook, agent: Any) -> str:
    """Sweep until a thread is found that stands still, and return its name."""
    # Postgres may not have seen yet that the process is dead, and there is no event of that.
    while not (found := await daybook.sweep(agent, idle=timedelta(0))):
        await SYSTEM.sleep(_BETWEEN)
    [thread] = found
    return thread


def _config(thread: str) -> Any:
    return {"configurable": {"thread_id": thread, "user_id": "ada"}}


def _answered(interrupts: Sequence[Any], outside: Outside) -> Result:
    """Approve; of what is in doubt, say whether it happened."""
    decisions = []
    for asked in interrupts:
        for request in asked.value["action_requests"]:
            if "in_doubt" in asked.value:
                row = outside.settle(request["args"]["tool"])
                told = "it did not happen" if row is None else f"it happened {row['id']}"
                decisions.append({"type": "respond", "message": told})
            else:
                outside.approve(request["name"])
                decisions.append({"type": "approve"})
    return {"decisions": decisions}


def _declared(effect: BaseTool, outside: Outside) -> Any:
    """Declare an effect with what the service promises, as it is given to every contender."""

    async def look(args: Result, *, ctx: Any) -> list[Mapping[str, Any]]:
        return [*await asyncio.to_thread(outside.look, effect.name, ctx.key)]

    keyed = {"honours_key": True, "stores_failures": True, "retention": timedelta(hours=24)}
    known: Any = keyed if outside.honours_keys else {}
    return write(
        effect,
        probe=look,
        reference="id",
        guarantees=Guarantees(settle=timedelta(seconds=outside.bound), **known),
        operation=lambda args: f"{outside.run}/{effect.name}",
    )


def _effects(outside: Outside) -> list[BaseTool]:
    async def done(effect: str, **args: Any) -> Result:
        key = idempotency_key()
        return await asyncio.to_thread(outside.perform, effect, args, key, key)

    @tool
    async def reserve(sku: str, quantity: int) -> dict[str, Any]:
        """Hold stock."""
        return await done("reserve", sku=sku, quantity=quantity)

    @tool
    async def charge(card: str, cents: int) -> dict[str, Any]:
        """Charge a card."""
        return await done("charge", card=card, cents=cents)

    @tool
    async def order(hold_id: str, charge_id: str) -> dict[str, Any]:
        """Place the order."""
        return await done("order", hold_id=hold_id, charge_id=charge_id)

    @tool
    async def mail(to: str, order_id: str) -> dict[str, Any]:
        """Mail the customer."""
        return await done("mail", to=to, order_id=order_id)

    return [reserve, charge, order, mail]


if __name__ == "__main__":
    serve(work)
