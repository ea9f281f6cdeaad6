"""Play a cell in a process of its own: its agent, and the person in front of it.

What is killed runs this, and what takes its thread over runs it in another process.
"""

from __future__ import annotations

import functools
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import psycopg

from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.model.provider import Provider
from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DaybookError
from daybook.state.fault_points import arm
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.panels import perhaps_open
from daybook.tools.services.mail import message_id
from evals.crash.moments import Moment, Passing
from evals.crash.person import Person
from evals.forked import Order, serve_forks

# Imported, and read, before the fork: half a second for each process else. No request here is made
# over TLS.
_ = Provider
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]


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


async def _work(order: Order, begin: Callable[[], None]) -> dict[str, Any]:
    """Play one cell, from wherever its thread stands."""
    passing = Passing(Moment.read(order["at"]) if order["at"] else None)
    async with _opened(order) as (graph, resources):
        player = Person(
            graph,
            resources.postgres,
            thread=order["thread"],
            user=order["user"],
            says=order["says"],
            truth=functools.partial(_truth, order),
            passing=passing,
        )
        begin()
        began = SYSTEM.monotonic()
        arm(passing)
        told: dict[str, Any] = {"error": "", "by_itself": None, "end": None}
        try:
            await player.begin(order["begins"])
            if order["begins"] == "take up":
                told["by_itself"] = await player.standing()
            await player.play()
            told["end"] = await player.standing()
        except (DaybookError, psycopg.Error) as raised:
            told["error"] = f"{type(raised).__name__}: {raised}"
        arm(None)
        told["passed"] = [str(one) if one is not None else None for one in passing.passed]
        told["seconds"] = SYSTEM.monotonic() - began
        config: Any = {"configurable": {"thread_id": order["thread"], "user_id": order["user"]}}
        values = (await graph.aget_state(config)).values if order["domain"] != "shop" else {}
        return {**told, "did": player.did, **_known(values)}


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Tell which orders and checkouts of merchants a thread knows, and what its person was told.

    `told` counts the sessions of which its person was told that they may be open, and still is.
    """
    said = "\n".join(one.text for one in values.get("messages", ()) if one.type == "ai")
    orders, carts = values.get("orders", ()), values.get("carts", ())
    return {
        "orders": [one.order_id for one in orders],
        "open": [cart.checkout.checkout_id for cart in carts if cart.checkout is not None],
        "told": sum(
            one.count
            for cart in carts
            for one in cart.perhaps_open
            if perhaps_open(cart.merchant, one) in said
        ),
        "shown": [line for one in orders for line in one.told],
    }


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    serve_forks(_work)
