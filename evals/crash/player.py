"""Play a cell in a process of its own: its agent, and the person in front of it.

What is killed runs this, and what takes its thread over runs it in another process.
"""

from __future__ import annotations

import functools
import logging
import os
import signal
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import psycopg
from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.graph.unfinished import TAKES_UP, Left, left_in
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DaybookError, ThreadBusy
from daybook.state.fault_points import arm
from daybook.state.people.called import as_said
from daybook.testing.moments import Moment, Passing
from daybook.testing.processes import Order, begin, suspend
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.spoken.warnings import perhaps_open
from daybook.tools.services.mail import message_id

# Read before the fork: half a second for each process else. No request here is made over TLS.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]

_COMES = 20
"""How often somebody comes for a thread before it is given up."""

_BETWEEN = 0.05
"""Seconds between two looks whether a thread is free or has become due."""


class Person:
    """Be the person of one cell, in front of an agent, and whoever takes its thread up.

    Attributes:
        did: what was said, answered and taken up, in order.
        said_at: how many moments had been passed when each thing was said.
    """

    def __init__(
        self, graph: GuardedGraph, resources: Resources, order: Order, passing: Passing
    ) -> None:
        self._graph, self._postgres = graph, resources.postgres
        self._order, self._cell, self._passing = order, order["thread"], passing
        about = {"thread_id": order["thread"], "user_id": order["user"]}
        self._config: RunnableConfig = {"configurable": about}
        self.did: list[dict[str, Any]] = []
        self.said_at: list[int] = []

    async def play(self) -> None:
        """Say and answer whatever is still to be said and answered, until all is over."""
        for _ in range(_COMES):
            state = await self._state()
            left = await left_in(state, self._postgres)
            if left is Left.QUESTION:
                await self._answer(state)
            elif left is not None:
                await self._come(left)
            elif (which := self._unsaid(state)) is not None:
                await self._say(which)
            else:
                return
        raise AssertionError(f"{self._cell} never ends: {self.did}")

    async def begin(self, file: Path) -> dict[str, Any] | None:
        """Do something before the person goes on; return where the thread stands if taken up.

        That is "take up", as the worker does about a thread whose runner has died; "say 1", as a
        person does who does not wait for that; or "ask", to stand still once a question waits.
        """
        match self._order["begins"]:
            case "take up":
                await self._come(await self._left())
                return await self.standing()
            case "say 1":
                await self._say(1)
            case "ask":
                await self._say(0)
                suspend(file)
        return None

    async def standing(self) -> dict[str, Any]:
        """Tell where the thread stands; what waits for a person is not left to anybody else."""
        state = await self._state()
        messages = as_said(state.values.get("messages", []))
        return {
            "answer": messages[-1].text if messages and messages[-1].type == "ai" else "",
            "flow": state.values.get("flow", ""),
            "asks": [
                "doubt" if "in_doubt" in one.value else "approval" for one in state.interrupts
            ],
            "left": await self._left() not in (None, Left.QUESTION),
        }

    async def known(self) -> dict[str, Any]:
        """Tell which orders and checkouts of merchants it knows, and what its person was told.

        `told` counts the sessions of which its person was told that they may be open, and still is.
        """
        values = (await self._state()).values
        said = "\n".join(one.text for one in values.get("messages", ()) if one.type == "ai")
        orders, carts = values.get("orders", ()), values.get("carts", ())
        perhaps = [(cart, one) for cart in carts for one in cart.perhaps_open]
        return {
            "orders": [one.order_id for one in orders],
            "open": [cart.checkout.checkout_id for cart in carts if cart.checkout is not None],
            "told": sum(o.count for cart, o in perhaps if perhaps_open(cart.merchant, o) in said),
            "shown": [line for one in orders for line in one.told],
        }

    def _unsaid(self, state: StateSnapshot) -> int | None:
        heard = {message.id for message in state.values.get("messages", [])}
        return next(
            (n for n in range(len(self._order["says"])) if f"{self._cell}-{n}" not in heard), None
        )

    async def _say(self, which: int) -> None:
        message = {
            "role": "user",
            "content": self._order["says"][which],
            "id": f"{self._cell}-{which}",
        }
        self.said_at.append(len(self._passing.passed))
        self.did.append({"what": "say", "which": which})
        await self._run({"messages": [message]})

    async def _come(self, left: Left | None) -> None:
        """Take the thread up; a question that waits is left to the person."""
        self.did.append({"what": "take up", "left": left})
        if left is not None and left in TAKES_UP:
            await self._run(TAKES_UP[left])
        if await self._left() in TAKES_UP:
            # It is not due yet.
            await SYSTEM.sleep(_BETWEEN)

    async def _answer(self, state: StateSnapshot) -> None:
        (question,) = state.interrupts
        asked: dict[str, Any] = question.value
        if "in_doubt" in asked:
            evidence = asked["action_requests"][0]["args"]
            verdict = await _truth(self._order, asked)
            shown = sorted(name for name in evidence if evidence[name])
            doubt = {"what": "doubt", "evidence": shown, "verdict": verdict}
            self.did.append({**doubt, "kept": await self._is_told(asked)})
            decisions = [{"type": "respond", "message": verdict}]
        else:
            self.did.append({"what": "approve", "kept": await self._is_told(asked)})
            decisions = [{"type": "approve"} for _ in asked["action_requests"]]
        given = {"decisions": decisions, "approval_id": asked["approval_id"]}
        await self._run(Command(resume=given))

    async def _is_told(self, asked: Mapping[str, Any]) -> bool:
        """Tell whether the ledger holds an answer to a question already."""
        state = await self._state()
        ledger = self._postgres.ledger
        plan, _ = await ledger.plan(self._cell, state.values["plan_id"])
        assert plan is not None
        if "in_doubt" in asked:
            return bool(plan.find(asked["in_doubt"])[1].question != asked["approval_id"])
        return bool(plan.plan_id != asked["approval_id"] or plan.decided)

    async def _run(self, given: Any) -> None:
        while True:
            try:
                await self._graph.ainvoke(given, self._config)
                return
            except ThreadBusy:
                # The server has not noticed yet that the runner before is dead.
                await SYSTEM.sleep(_BETWEEN)

    async def _state(self) -> StateSnapshot:
        return await self._graph.aget_state(self._config)

    async def _left(self) -> Left | None:
        return await left_in(await self._state(), self._postgres)


@asynccontextmanager
async def _opened(order: Order) -> AsyncIterator[tuple[GuardedGraph, Resources]]:
    environment = order["environment"]
    settings = settings_from(environment)
    patience = Patience(budget=timedelta(seconds=order["budget"]))
    if "backoff" in order:
        patience = replace(patience, backoff=timedelta(seconds=order["backoff"]))
    if order["domain"] == "shop":
        async with open_shop_agent(settings, patience=patience) as agent:
            yield agent.graph, agent.resources
        return
    async with open_resources(settings, merchants_from(environment)) as opened:
        resources = replace(opened, patience=patience)
        yield build(MERCHANTS, lambda: resources, resources.postgres.saver), resources


async def _truth(order: Order, asked: Mapping[str, Any]) -> str:
    """Look into the shop's own record, as a person does who is asked about a doubt."""
    async with httpx.AsyncClient(base_url=order["url"], trust_env=False) as shop:
        effects = (await shop.get("/effects")).raise_for_status().json()
    if order["domain"] == "shop":
        references = {asked["in_doubt"], message_id(asked["in_doubt"])}
        found = [one["reference"] for one in effects if one["reference"] in references]
    else:
        found = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
    return f"it happened {found[0]}" if found else "it did not happen"


async def play(order: Order, file: Path) -> dict[str, Any]:
    """Play one cell, from wherever its thread stands."""
    logging.basicConfig(level=logging.ERROR)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    kills = functools.partial(os.kill, os.getpid(), signal.SIGKILL)
    passing = Passing(Moment.parse(order["at"]) if order["at"] else None, kills)
    async with _opened(order) as (graph, resources):
        person = Person(graph, resources, order, passing)
        begin(order, file)
        began = SYSTEM.monotonic()
        arm(passing)
        told: dict[str, Any] = {"error": "", "by_itself": None, "end": None}
        try:
            told["by_itself"] = await person.begin(file)
            await person.play()
            told["end"] = await person.standing()
        except (DaybookError, psycopg.Error) as raised:
            told["error"] = f"{type(raised).__name__}: {raised}"
        arm(None)
        told["seconds"] = SYSTEM.monotonic() - began
        told["passed"] = [str(one) for one in passing.passed]
        if order["domain"] != "shop":
            told |= await person.known()
        return {**told, "did": person.did, "said_at": person.said_at}
