"""The same agent of `create_agent` with Daybook's ledger, and its sweep after a death.

Model, loop and tools are the others' too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from langchain.agents import create_agent
from langgraph.types import Command

from daybook import Call, Effect, Ledger, Patience
from daybook.state.clock import SYSTEM
from evals.rivals.contenders.create_agent import START, ServedModel, reads
from evals.rivals.contenders.outside import Order, Outside, Result, serve

_BUDGET = timedelta(seconds=1)

_BETWEEN = 0.05
"""Seconds between two sweeps; a worker of one's own would take a few."""


def work(order: Order) -> str:
    """Buy, or sweep until what the dead process left is finished."""
    return asyncio.run(_work(order))


async def _work(order: Order) -> str:
    outside = Outside(order)
    ledger = Ledger(
        order["database"],
        patience=Patience(budget=_BUDGET, backoff=timedelta(milliseconds=50)),
        user="ada",
    )
    async with ledger:
        agent = create_agent(
            ServedModel(outside=outside),
            [*reads(outside), *_effects(ledger, outside)],
            middleware=[ledger.middleware()],
            checkpointer=ledger.saver,
        )
        if order["is_restart"]:
            thread = await _swept(ledger, agent)
        else:
            thread = outside.run
            await agent.ainvoke(START, _config(thread), durability="sync")
        while True:
            state = await agent.aget_state(_config(thread))
            if state.interrupts:
                answer = _answered(state.interrupts, outside)
                await agent.ainvoke(Command(resume=answer), _config(thread), durability="sync")
            elif await ledger.recover(agent, thread) == "finished":
                state = await agent.aget_state(_config(thread))
                return str(state.values["messages"][-1].text)
            else:
                await SYSTEM.sleep(_BETWEEN)


async def _swept(ledger: Ledger, agent: Any) -> str:
    """Sweep until a thread is found that stands still, and return its name."""
    # Postgres may not have seen yet that the process is dead, and there is no event of that.
    while not (found := await ledger.sweep(agent, idle=timedelta(0))):
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


def _effects(ledger: Ledger, outside: Outside) -> list[Effect]:
    """Declare each effect with what the service promises, as it is given to every contender."""

    def declared(name: str) -> Any:
        def find(call: Call) -> list[Mapping[str, Any]]:
            return [*outside.look(name, call.key)]

        keyed = {"idempotent_for": timedelta(hours=24), "declines_are_final": True}
        return {
            "find": find,
            "id": "id",
            "visible_within": timedelta(seconds=outside.bound),
            "key": lambda args: f"{outside.run}/{name}",
            **(keyed if outside.honours_keys else {}),
        }

    def done(effect: str, call: Call, **args: Any) -> Result:
        return outside.perform(effect, args, call.key, call.key)

    @ledger.effect(**declared("reserve"))
    def reserve(sku: str, quantity: int, *, call: Call) -> dict[str, Any]:
        """Hold stock."""
        return {**done("reserve", call, sku=sku, quantity=quantity)}

    @ledger.effect(**declared("charge"))
    def charge(card: str, cents: int, *, call: Call) -> dict[str, Any]:
        """Charge a card."""
        return {**done("charge", call, card=card, cents=cents)}

    @ledger.effect(**declared("order"))
    def order(hold_id: str, charge_id: str, *, call: Call) -> dict[str, Any]:
        """Place the order."""
        return {**done("order", call, hold_id=hold_id, charge_id=charge_id)}

    @ledger.effect(**declared("mail"))
    def mail(to: str, order_id: str, *, call: Call) -> dict[str, Any]:
        """Mail the customer."""
        return {**done("mail", call, to=to, order_id=order_id)}

    return [reserve, charge, order, mail]


if __name__ == "__main__":
    serve(work)
