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
from langgraph.types import StateSnapshot

from daybook import DaybookError, Patience, build
from daybook.domain import GuardedGraph, Resources, settings_from
from daybook.graph.merchants.resources import merchants_from, open_resources
from daybook.graph.shop.resources import open_shop_agent
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import arm
from daybook.testing.moments import Moment, Passing
from daybook.testing.player import Agent, Player
from daybook.testing.processes import Order, begin, suspend
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.panels import perhaps_open
from daybook.tools.services.mail import message_id

# Read before the fork: half a second for each process else. No request here is made over TLS.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]


class Person(Player):
    """Be the person of one cell, in front of an agent, and whoever takes its thread up.

    Attributes:
        said_at: how many moments had been passed when each thing was said.
    """

    def __init__(
        self, graph: GuardedGraph, resources: Resources, order: Order, passing: Passing
    ) -> None:
        thread = order["thread"]
        said = [
            {"messages": [{"role": "user", "content": words, "id": f"{thread}-{which}"}]}
            for which, words in enumerate(order["says"])
        ]
        super().__init__(Agent(graph, resources.postgres, said, is_domain=True), order)
        self._order, self._passing, self._ledger = order, passing, resources.postgres.ledger
        self.said_at: list[int] = []

    async def begin(self, file: Path) -> dict[str, Any] | None:
        """Do something before the person goes on; return where the thread stands if taken up.

        That is "take up", as the worker does about a thread whose runner has died; "say 1", as a
        person does who does not wait for that; or "ask", to stand still once a question waits.
        """
        match self._order["begins"]:
            case "take up":
                await self.take_up()
                return await self.standing()
            case "say 1":
                await self.say(1)
            case "ask":
                await self.say(0)
                suspend(file)
        return None

    async def say(self, which: int) -> None:
        """Say one of the things that are said."""
        self.said_at.append(len(self._passing.passed))
        await super().say(which)

    async def standing(self) -> dict[str, Any]:
        """Tell where the thread stands; what waits for a person is not left to anybody else."""
        return {**await super().standing(), "flow": (await self._state()).values.get("flow", "")}

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

    async def _answer(self, state: StateSnapshot) -> None:
        kept = await self._is_told(state)
        answered = len(self.did)
        await super()._answer(state)
        self.did[answered]["kept"] = kept

    async def _is_told(self, state: StateSnapshot) -> bool:
        """Tell whether the ledger holds an answer to a question already."""
        asked = state.interrupts[0].value
        plan, _ = await self._ledger.plan(self._order["thread"], state.values["plan_id"])
        assert plan is not None
        if "in_doubt" in asked:
            return bool(plan.find(asked["in_doubt"])[1].question != asked["approval_id"])
        return bool(plan.plan_id != asked["approval_id"] or plan.decided)

    async def verdict(self, asked: Mapping[str, Any]) -> str:
        """Look into the shop's own record, as a person does who is asked about a doubt."""
        async with httpx.AsyncClient(base_url=self._order["url"], trust_env=False) as shop:
            effects = (await shop.get("/effects")).raise_for_status().json()
        if self._order["domain"] == "shop":
            references = {asked["in_doubt"], message_id(asked["in_doubt"])}
            found = [one["reference"] for one in effects if one["reference"] in references]
        else:
            found = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
        return f"it happened {found[0]}" if found else "it did not happen"


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
