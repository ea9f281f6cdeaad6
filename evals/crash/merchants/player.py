"""Play a purchase in a process of its own, from wherever its thread stands: it may be killed."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import psycopg

from daybook.graph.build import build
from daybook.graph.merchants.resources import open_resources
from daybook.graph.merchants.settings import merchants_from
from daybook.graph.model.provider import Provider
from daybook.graph.settings.environment import settings_from
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DaybookError
from daybook.state.fault_points import arm
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.merchants.spoken.warnings import perhaps_open
from evals.crash.moments import Moment, Passing
from evals.crash.person import Person
from evals.forked import Order, serve_forks

# Imported before the fork.
_ = Provider

_BUDGET = timedelta(seconds=1)


async def _truth(url: str, asked: Mapping[str, Any]) -> str:
    """Look into the merchant's own record, as a person does who asks it."""
    async with httpx.AsyncClient(base_url=url, trust_env=False) as shop:
        effects = (await shop.get("/effects")).raise_for_status().json()
    placed = [one["detail"]["order_id"] for one in effects if one["effect"] == "order"]
    return f"it happened {placed[0]}" if placed else "it did not happen"


async def _work(order: Order, begin: Any) -> dict[str, Any]:
    environment = order["environment"]
    settings, merchants = settings_from(environment), merchants_from(environment)
    passing = Passing(Moment.read(order["at"]) if order["at"] else None)
    async with open_resources(settings, merchants) as opened:
        resources = replace(opened, patience=replace(Patience(), budget=_BUDGET))
        graph = build(MERCHANTS, lambda: resources, resources.postgres.saver)
        player = Person(
            graph,
            resources.postgres,
            thread=order["thread"],
            user="ada",
            says=[order["says"]],
            truth=functools.partial(_truth, order["url"]),
            passing=passing,
        )
        begin()
        arm(passing)
        error = ""
        try:
            await player.play()
        except (DaybookError, psycopg.Error) as raised:
            error = f"{type(raised).__name__}: {raised}"
        arm(None)
        config: Any = {"configurable": {"thread_id": order["thread"], "user_id": "ada"}}
        values = (await graph.aget_state(config)).values
        return {
            "error": error,
            "did": player.did,
            "passed": [str(one) for one in passing.passed if one is not None],
            "orders": [one.order_id for one in values.get("orders", ())],
            "open": [
                cart.checkout.checkout_id
                for cart in values.get("carts", ())
                if cart.checkout is not None
            ],
            "told": _told(values),
            "shown": [line for one in values.get("orders", ()) for line in one.told],
            "answer": (await player.standing())["answer"],
        }


def _told(values: Mapping[str, Any]) -> int:
    """Count the sessions of which its person was told that they may be open, and still is."""
    said = "\n".join(one.text for one in values.get("messages", ()) if one.type == "ai")
    return sum(
        one.count
        for cart in values.get("carts", ())
        for one in cart.perhaps_open
        if perhaps_open(cart.merchant, one) in said
    )


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    serve_forks(_work)
