"""Play a cell in a process of its own: its agent, and the person in front of it.

What is killed runs this, and what takes its thread over runs it in another process.
"""

from __future__ import annotations

import functools
import logging
import ssl
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import httpx
import psycopg

from daybook.graph.model.provider import Provider
from daybook.graph.settings.environment import settings_from
from daybook.graph.shop.resources import open_shop_agent
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DaybookError
from daybook.state.fault_points import arm
from daybook.tools.services.mail import message_id
from evals.crash.moments import Moment, Passing
from evals.crash.person import Person
from evals.crash.script import SCRIPTS, said
from evals.forked import Order, serve_forks

# Imported, and read, before the fork: half a second for each process else. No request here is made
# over TLS.
_ = Provider
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]


async def _truth(shop_url: str, asked: Mapping[str, Any]) -> str:
    """Look into the shop's own record, as a person does."""
    references = {asked["in_doubt"], message_id(asked["in_doubt"])}
    async with httpx.AsyncClient(base_url=shop_url, trust_env=False) as shop:
        effects = (await shop.get("/effects")).raise_for_status().json()
    found = [one["reference"] for one in effects if one["reference"] in references]
    return f"it happened {found[0]}" if found else "it did not happen"


async def _work(order: Order, begin: Callable[[], None]) -> dict[str, Any]:
    """Play one cell, from wherever its thread stands."""
    settings = settings_from(
        {
            "DATABASE_URL": order["database"],
            "SHOP_URL": order["shop"],
            "SMTP_URL": order["smtp"],
            "OPENAI_BASE_URL": order["model"],
            "OPENAI_MODEL": "scripted",
        }
    )
    patience = Patience(
        budget=timedelta(seconds=order["budget"]), backoff=timedelta(seconds=order["backoff"])
    )
    passing = Passing(Moment.read(order["at"]) if order["at"] else None)
    async with open_shop_agent(settings, patience=patience) as agent:
        script, thread = SCRIPTS[order["script"]], order["thread"]
        player = Person(
            agent.graph,
            agent.resources.postgres,
            thread=thread,
            user=order["user"],
            says=[said(script, thread, which) for which in range(len(script.says))],
            truth=functools.partial(_truth, order["shop"]),
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
        passed = [str(one) if one is not None else None for one in passing.passed]
        told["seconds"] = SYSTEM.monotonic() - began
        return {**told, "did": player.did, "passed": passed}


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    serve_forks(_work)
