"""A graph of somebody's own whose node pays by plain functions, in this process or a forked one.

The functions speak to the shop's API over HTTP, whose list of effects is the judge.
"""

import operator
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import httpx
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from daybook import Declined, Ledger, Postgres, open_postgres
from daybook.graph.ledger.effect import Call
from daybook.state.fault_points import FaultPoint, arm, die_at, reached
from daybook.testing.processes import Order
from tests.integration.desk import KEYED, NO, PATIENCE, PROVABLE, YES

__all__ = ["NO", "PROVABLE", "YES", "Till", "open_till"]

Charging = Callable[..., Any]
Graph = CompiledStateGraph[Any, Any, Any, Any]


class Paying(TypedDict, total=False):
    calls: list[list[Any]]
    receipts: Annotated[list[Any], operator.add]


@dataclass
class Till:
    """Hold the functions, and a graph whose one node makes the calls that its state names."""

    postgres: Postgres
    ledger: Ledger
    functions: dict[str, Charging]
    graph: Graph
    saver: BaseCheckpointSaver[Any]
    thread: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def config(self) -> Any:
        return {"configurable": {"thread_id": self.thread, "user_id": "ada"}}

    async def pay(self, *calls: list[Any], **options: Any) -> Any:
        return await self.graph.ainvoke({"calls": list(calls)}, self.config, **options)

    async def answer(self, *decisions: dict[str, Any], **more: Any) -> Any:
        resume = {"decisions": list(decisions), **more}
        return await self.graph.ainvoke(Command(resume=resume), self.config)

    async def go_on(self) -> Any:
        return await self.graph.ainvoke(None, self.config)

    def graph_of(self, node: Callable[..., Any], **options: Any) -> Graph:
        """Make the graph anew, of another node."""
        graph: Any = StateGraph(Paying)
        graph.add_node("pay", node, **options)
        graph.add_edge(START, "pay")
        graph.add_edge("pay", END)
        self.graph = graph.compile(checkpointer=self.saver)
        return self.graph


@asynccontextmanager
async def open_till(
    postgres: Postgres,
    shop_url: str,
    promises: dict[str, Any] = KEYED,
    *,
    saver: BaseCheckpointSaver[Any] | None = None,
    **more: Any,
) -> AsyncIterator[Till]:
    """Open the ledger and the graph, as their owner would."""
    async with httpx.AsyncClient(base_url=shop_url, timeout=10) as http:
        ledger = Ledger(postgres, **{"user": "ada", "patience": PATIENCE, **more})
        functions = functions_of(ledger, http, promises)

        async def pay(state: Paying) -> dict[str, Any]:
            receipts = [await functions[name](**args) for name, args in state["calls"]]
            reached(FaultPoint.AFTER_REPLY, "node")
            return {"receipts": receipts}

        till = Till(postgres, ledger, functions, None, saver or postgres.saver)  # type: ignore[arg-type]
        till.graph_of(pay)
        yield till


def functions_of(
    ledger: Ledger, http: httpx.AsyncClient, promises: dict[str, Any]
) -> dict[str, Charging]:
    """Declare the functions of one service, each otherwise."""

    async def post(key: str, card: str, cents: int) -> dict[str, Any]:
        body = {"card_id": card, "amount": cents, "currency": "USD", "user_id": card.split("_")[1]}
        answer = await http.post(
            "/charges", json={"reference": key, **body}, headers={"Idempotency-Key": key}
        )
        # A kill here is between the reply and whatever was to remember it.
        reached(FaultPoint.AFTER_REPLY, "own")
        if answer.status_code == 402:
            raise Declined("card_declined", answer.json()["message"])
        result: dict[str, Any] = answer.raise_for_status().json()
        return result

    async def find(call: Call) -> list[dict[str, Any]]:
        found = await http.get("/charges", params={"reference": call.key})
        matches: list[dict[str, Any]] = found.raise_for_status().json()["matches"]
        return matches

    known: Any = {"find": find, "id": "charge_id", **promises}

    @ledger.effect(approval="never", **known)
    async def charge(cents: int, card: str = "card_ada_1", *, call: Call) -> dict[str, Any]:
        return await post(call.key, card, cents)

    @ledger.effect(approval="never", key="order/{order}/charge", **known)
    async def settle(
        order: str, cents: int, card: str = "card_ada_1", *, call: Call
    ) -> dict[str, Any]:
        return await post(call.key, card, cents)

    @ledger.effect(**known)
    async def sell(cents: int, *, call: Call) -> dict[str, Any]:
        """Charge a card, when somebody has said yes."""
        return await post(call.key, "card_ada_1", cents)

    @ledger.effect(approval="never")
    async def tip(cents: int) -> str:
        await post(str(uuid.uuid4()), "card_ada_1", cents)
        return "thank you"

    return {one.name: one for one in (charge, settle, sell, tip)}


async def run(order: Order, file: Path) -> dict[str, Any]:
    """Pay, go on or answer, and die where the order says so."""
    async with (
        open_postgres(order["postgres"], tenant_id="default", stored_types=()) as postgres,
        open_till(postgres, order["shop"], KEYED if order["keyed"] else PROVABLE) as till,
    ):
        till.thread = order["thread"]
        arm(die_at(order["at"]))
        if "answer" in order:
            await till.answer(order["answer"])
        else:
            await till.pay(*order["calls"], durability=order["durability"])
        return {}
