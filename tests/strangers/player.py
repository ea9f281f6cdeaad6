"""Play a cell in a process of its own: the agent of a domain, and the person in front of it.

What is killed runs this, and what takes its thread over runs it in another process.
"""

from __future__ import annotations

import functools
import importlib
import logging
import ssl
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import httpx
import psycopg

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.nodes.running.work import Resources
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import DaybookError
from daybook.state.fault_points import arm
from evals.crash.moments import Moment, Passing
from evals.crash.person import Person
from evals.forked import Order, serve_forks
from tests.strangers.script import SAYS, Buying

# Read before the fork: no request here is made over TLS.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]

_KINDS = {
    **dict.fromkeys(("charge", "post_message", "lease"), "charge"),
    **dict.fromkeys(("order", "pin_message"), "order"),
}
"""What the tools of the domains do at their services."""


SOON = timedelta(seconds=1)
"""After how much silence one that is suspended is taken over."""


class Truth:
    """Look into the service's own record, as a person does who is asked.

    Asked once more about what did not happen the last time, the person ends it: gives the money
    back by hand, or has all of it undone.
    """

    def __init__(self, service: str, customer: str) -> None:
        self._service, self._customer = service, customer
        self._denied: set[str] = set()

    async def __call__(self, asked: Mapping[str, Any]) -> str:
        """Answer a question about a doubt."""
        (request,) = asked["action_requests"]
        is_undo = "the undo of" in request["description"]
        kind = "refund" if is_undo else _KINDS[request["args"]["tool"]]
        async with httpx.AsyncClient(base_url=self._service, trust_env=False, timeout=30) as http:
            if kind in self._denied and is_undo:
                done = await http.post("/by-hand", json={"customer": self._customer})
                done.raise_for_status()
            effects = (await http.get("/effects")).raise_for_status().json()
        mine = [one for one in effects if one["customer"] == self._customer]
        found = [one["named"] for one in mine if one["effect"] == kind]
        if found:
            return f"it happened {found[0]}"
        word = "undo" if kind in self._denied else "it did not happen"
        self._denied.add(kind)
        return word


async def _work(order: Order, begin: Callable[[], None]) -> dict[str, Any]:
    """Play one cell, from wherever its thread stands."""
    module, _, name = order["domain"].partition(":")
    adopted = importlib.import_module(module)
    domain, services = getattr(adopted, name), adopted.reach(order["service"])
    patience = Patience(
        budget=timedelta(seconds=order["budget"]),
        backoff=timedelta(seconds=0.02),
        unknown_settle=timedelta(seconds=0.3),
        unproved=timedelta(seconds=5),
    )
    at = Moment.read(order["at"]) if order["at"] else None
    passing = Passing(at, stops=bool(order["stops"]))
    lease = {"lease": SOON} if order["stops"] else {}
    async with open_postgres(
        order["database"], tenant_id="default", stored_types=domain.restored_types, **lease
    ) as postgres:
        resources = Resources(
            postgres=postgres, model=Buying(), services=services, patience=patience
        )
        thread = order["thread"]
        person = Person(
            build(domain, lambda: resources, postgres.saver),
            postgres,
            thread=thread,
            user=thread,
            says=SAYS,
            truth=Truth(order["service"], thread),
            passing=passing,
        )
        begin()
        began = SYSTEM.monotonic()
        arm(passing)
        told: dict[str, Any] = {"error": "", "end": None}
        try:
            await person.begin(order["begins"])
            await person.play()
            told["end"] = await person.standing()
        except (DaybookError, psycopg.Error, AssertionError) as raised:
            told["error"] = f"{type(raised).__name__}: {raised}"
        arm(None)
        await services.close()
        passed = [str(one) for one in passing.passed if one is not None]
        told["seconds"] = SYSTEM.monotonic() - began
        return {**told, "did": person.did, "passed": passed}


if __name__ == "__main__":
    logging.basicConfig(level=logging.CRITICAL)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    serve_forks(_work)
