"""An ordinary agent of `create_agent` with four tools of its own, in this process or in a forked one.

Its tools speak to the shop's API over HTTP, whose list of effects is the judge. With the middleware
or without it they are the same.
"""

import os
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot

from daybook import Ledger, Patience
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.graph.ledger.effect import Call, Effect, current_call
from daybook.state.fault_points import FaultPoint, arm, die_at, reached
from daybook.state.people.policy import Policy, Rule
from daybook.state.receipts import is_receipt
from daybook.testing.model import Prompt, ScriptedModel, Turn
from daybook.testing.processes import Order
from tests.conftest import Shop

KEYED: dict[str, Any] = {"idempotent_for": timedelta(hours=24), "declines_are_final": True}
PROVABLE: dict[str, Any] = {"visible_within": timedelta(seconds=0.3)}
PATIENCE = Patience(
    budget=timedelta(seconds=1),
    backoff=timedelta(milliseconds=20),
    unknown_settle=timedelta(seconds=0.2),
)
APPROVE = {"decisions": [{"type": "approve"}]}
YES, NO = {"type": "approve"}, {"type": "reject", "message": "too dear"}

CARD = "card_ada_1"
CHARGE = ("charge_card", {"order_id": "o-1", "card_id": CARD, "amount": 1200})
OTHER = ("charge_card", {"order_id": "o-2", "card_id": CARD, "amount": 500})
TIP = ("tip", {"card_id": CARD, "amount": 200})
LOOK = ("find_card", {"user": "ada"})
"""Calls that a model makes."""


def amounts(shop: Shop) -> list[int]:
    """Return the amounts of what really happened, in order."""
    return [effect["detail"]["amount"] for effect in shop.http.get("/effects").json()]


class CardDeclined(Exception):
    """Say that the bank refused."""


def own_tools(http: httpx.AsyncClient, key: Callable[[], str]) -> dict[str, BaseTool]:
    """Make the agent's tools, as they were before anybody thought of a ledger.

    Args:
        http: to the shop.
        key: makes the reference that is sent along.
    """

    async def post(path: str, reference: str, **body: Any) -> dict[str, Any]:
        headers = {"Idempotency-Key": reference}
        answer = await http.post(path, json={"reference": reference, **body}, headers=headers)
        # A kill here is between the reply and whatever was to remember it.
        reached(FaultPoint.AFTER_REPLY, "own")
        if answer.status_code == 402:
            raise CardDeclined(answer.json()["message"])
        result: dict[str, Any] = answer.raise_for_status().json()
        return result

    @tool
    async def find_card(user: str) -> str:
        """Find the card of a user."""
        found = (await http.get(f"/users/{user}")).raise_for_status().json()
        return str(found["cards"][0]["card_id"])

    @tool
    async def charge_card(order_id: str, card_id: str, amount: int) -> dict[str, Any]:
        """Charge a card for an order; the amount is in cents."""
        about = {"card_id": card_id, "amount": amount, "currency": "USD"}
        return await post("/charges", key(), user_id=card_id.split("_")[1], **about)

    @tool
    async def refund(charge_id: str, amount: int) -> dict[str, Any]:
        """Pay a charge back; the amount is in cents."""
        return await post("/refunds", key(), charge_id=charge_id, amount=amount, currency="USD")

    @tool
    async def tip(card_id: str, amount: int) -> str:
        """Tip the kitchen; nothing is known of the service behind it."""
        about = {"card_id": card_id, "amount": amount, "currency": "USD"}
        await post("/charges", str(uuid.uuid4()), user_id="ada", **about)
        return "thank you"

    return {one.name: one for one in (find_card, charge_card, refund, tip)}


async def find_charge(call: Call) -> list[dict[str, Any]]:
    """Look a charge up by its reference."""
    async with httpx.AsyncClient(base_url=os.environ["DESK_SHOP"]) as http:
        found = await http.get("/charges", params={"reference": call.key})
        matches: list[dict[str, Any]] = found.raise_for_status().json()["matches"]
        return matches


def effects_of(
    ledger: Ledger, tools: dict[str, BaseTool], promises: dict[str, Any]
) -> list[Effect]:
    """Declare the desk's tools."""
    refund = ledger.effect(tools["refund"], **KEYED)
    charge_card = ledger.effect(
        tools["charge_card"],
        key="order/{order_id}/charge",
        find=find_charge,
        id="charge_id",
        undo=lambda args, result: refund(charge_id=result["charge_id"], amount=args["amount"]),
        declines=(CardDeclined,),
        **promises,
    )
    return [charge_card, refund, ledger.effect(tools["tip"])]


@dataclass
class Desk:
    """Hold the agent, and talk to it."""

    agent: CompiledStateGraph[Any, Any, Any, Any]
    model: ScriptedModel
    ledger: Ledger | None
    postgres: Postgres
    thread: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def config(self) -> RunnableConfig:
        return {"configurable": {"thread_id": self.thread, "user_id": "ada"}}

    async def say(self, text: str, id_: str | None = None, **options: Any) -> StateSnapshot:
        said = {"role": "user", "content": text, "id": id_ or str(uuid.uuid4())}
        await self.agent.ainvoke({"messages": [said]}, self.config, **options)
        return await self.state()

    async def answer(self, *decisions: dict[str, Any], **more: Any) -> StateSnapshot:
        """Answer one question after the other."""
        for one in decisions:
            await self.resume(one, **more)
        return await self.state()

    async def resume(self, *decisions: dict[str, Any], **more: Any) -> None:
        """Give one answer."""
        resume = {"decisions": list(decisions), **more}
        await self.agent.ainvoke(Command(resume=resume), self.config)

    async def go_on(self) -> StateSnapshot:
        await self.agent.ainvoke(None, self.config)
        return await self.state()

    async def state(self) -> StateSnapshot:
        return await self.agent.aget_state(self.config)

    async def said(self) -> str:
        return str((await self.state()).values["messages"][-1].text)

    async def told(self) -> list[str]:
        """Return what the model was told of its calls, in order."""
        messages = (await self.state()).values["messages"]
        return [message.text for message in messages if message.type == "tool"]

    async def receipts(self) -> list[tuple[str, str]]:
        """Return tool and status of each line of the thread's receipts, in order."""
        messages = (await self.state()).values["messages"]
        receipts = [message for message in messages if is_receipt(message.id)]
        lines = [line for one in receipts for line in one.additional_kwargs["receipt"]]
        return [(line["kind"], line["status"]) for line in lines]

    async def events(self) -> list[str]:
        """Return the events of the thread's ledger."""
        return [entry.event.value for entry in await self.postgres.ledger.entries(self.thread)]


@asynccontextmanager
async def open_desk(
    postgres: Postgres,
    shop_url: str,
    promises: dict[str, Any] = KEYED,
    *,
    with_ledger: bool = True,
    before: Sequence[AgentMiddleware] = (),
    behind: Sequence[AgentMiddleware] = (),
    saver: BaseCheckpointSaver[Any] | None = None,
    model: ScriptedModel | None = None,
    **more: Any,
) -> AsyncIterator[Desk]:
    """Open the agent, as its owner would, with the middleware or without it.

    Args:
        saver: where its checkpoints are, where that is not our own.
    """
    os.environ["DESK_SHOP"] = shop_url
    async with httpx.AsyncClient(base_url=shop_url, timeout=10) as http:
        key = (lambda: current_call().key) if with_ledger else (lambda: str(uuid.uuid4()))
        tools = own_tools(http, key)
        model = model or ScriptedModel()
        ledger, offered = None, list(tools.values())
        if with_ledger:
            ledger = Ledger(postgres, **{"user": "ada", "patience": PATIENCE, **more})
            offered = [tools["find_card"], *effects_of(ledger, tools, promises)]
        agent = create_agent(
            model,
            offered,
            checkpointer=saver or postgres.saver,
            middleware=[*before, *([ledger.middleware()] if ledger else []), *behind],
        )
        yield Desk(agent, model, ledger, postgres)


# -- a process of its own, to be killed ------------------------------------------------------------


def decides(prompt: Prompt) -> Turn:
    """Call what the person asked for, once; then say what the last call came to."""
    latest = max(index for index, message in enumerate(prompt) if message.type == "human")
    results = [message.text for message in prompt[latest:] if message.type == "tool"]
    if results:
        return results[-1]
    name, _, rest = prompt[latest].text.partition(" ")
    values = dict(pair.split("=") for pair in rest.split())
    args = {key: int(value) if value.isdigit() else value for key, value in values.items()}
    return [(name, args)]


FREE = Policy(rules=(Rule(name="charges are free", tools=("charge_card",), approval="nobody"),))


async def run(order: Order, file: Path) -> dict[str, Any]:
    """Say something or answer, and die where the order says so."""
    async with (
        open_postgres(order["postgres"], tenant_id="default", stored_types=()) as postgres,
        open_desk(
            postgres,
            order["shop"],
            KEYED if order["keyed"] else PROVABLE,
            with_ledger=order["daybook"],
            policy=FREE if order["free"] else None,
        ) as desk,
    ):
        desk.thread = order["thread"]
        desk.model.then(*[decides] * 9)
        arm(_dies_at(order["at"], order["number"]))
        if isinstance(order["given"], str):
            await desk.say(order["given"], durability=order["durability"])
        else:
            resume: Any = Command(resume=order["given"])
            await desk.agent.ainvoke(resume, desk.config, durability=order["durability"])
        return {}


def _dies_at(wanted: str, number: int) -> Callable[[FaultPoint, str], None]:
    """Make what kills this process when it reaches a moment for the so-manieth time."""
    die, passed = die_at(wanted), 0

    def reaches(point: FaultPoint, about: str) -> None:
        nonlocal passed
        passed += f"{point}:{about}" == wanted
        if passed >= number:
            die(point, about)

    return reaches
