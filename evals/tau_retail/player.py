"""Daybook before the retailer, and the customer of a recorded run in front of it.

One thread is played in a process of its own, to be killed at any instant and taken up by the next.
"""

from __future__ import annotations

import functools
import logging
import os
import signal
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from daybook import Domain, HttpService, Patience, build, open_postgres
from daybook.domain import GuardedGraph, Resources, chosen_model, settings_from
from daybook.graph.model.provider import Provider
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.running.work import Caching
from daybook.state.clock import SYSTEM
from daybook.state.fault_points import arm
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.testing.moments import Moment, Passing
from daybook.testing.player import Agent, Player
from daybook.testing.processes import Order, begin
from evals.tau_retail.data import MODEL, find
from evals.tau_retail.domain import RETAILER, Retailer, retail_domain

# The provider's point is told by the number of messages in the request, and every result is looked
# for in the last prompt: nothing may be dropped, so the budget is larger than any run and what the
# provider has kept costs nothing. That no epoch ended is seen to in `results`.
_BUDGET = 1_000_000
_FREE = Caching(lifetime=1e9, waiting=1e9, read=0)

_DECISIONS = 64
"""More than any recorded turn has: the longest has 30."""

_PATIENCE = Patience(budget=timedelta(seconds=5), backoff=timedelta(milliseconds=20))

# Read before the fork: half a second for each process else. No request here is made over TLS.
ssl.create_default_context = functools.cache(ssl.create_default_context)  # type: ignore[assignment]


class EpochEnded(Exception):
    """Raised where a prompt was begun anew, so that not all of the run stands in the last one."""


class Replayed(Player):
    """One thread, and the customer in front of it.

    Args:
        says: what the customer says, one thing after the other.
    """

    def __init__(
        self,
        graph: GuardedGraph,
        resources: Resources,
        domain: Domain,
        name: str,
        says: Sequence[str] = (),
    ) -> None:
        said = [_said(f"{name}-{number}", text) for number, text in enumerate(says)]
        agent = Agent(graph, resources.postgres, said, is_domain=True)
        super().__init__(agent, {"thread": name, "url": ""})
        self.name, self.graph, self.resources, self.domain = name, graph, resources, domain

    async def results(self) -> list[str]:
        """Return the results of the thread's calls as ledger and reads hold them, in order.

        Raises:
            EpochEnded: the prompt was begun anew on the way.
            ChainBroken, ProjectionWrong: the ledger is not as it was written.
        """
        postgres = self.resources.postgres
        await postgres.ledger.verify(self.name)
        entries = await postgres.ledger.entries(self.name)
        decided = [entry for entry in entries if entry.event is Event.DECIDED]
        if any(entry.detail["epoch"] for entry in decided):
            raise EpochEnded(f"{self.name} was to be played in one epoch")
        calls = [(entry.turn_id or "", call) for entry in decided for call in _calls(entry)]
        reads = await postgres.reads.of_turns(self.name, sorted({turn for turn, _ in calls}))
        texts = {
            (read.turn_id, read.call): self.domain.refused(read.tool, str(read.result["said"]))
            if read.cache == "failed"
            else self.domain.rendered(read.tool, read.handle, read.result, read.hidden)
            for read in reads
        }
        for plan in await postgres.ledger.ended_plans(self.name, after=0):
            for action in plan.actions:
                texts[plan.turn_id, action.call] = self.domain.outcome_line(action)
        return [texts.get(call, f"no result is stored of {call}") for call in calls]


def _said(message_id: str, text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text, "id": message_id}]}


def _calls(entry: Entry) -> list[str]:
    place = place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))
    calls = (entry.payload or {}).get("calls", ())
    return [call_name(place, position) for position in range(len(calls))]


async def play(order: Order, file: Path) -> dict[str, Any]:
    """Play a thread from wherever it stands."""
    logging.basicConfig(level=logging.ERROR)
    # As `daybook` does: it gives itself a level when it is imported.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
    kills = functools.partial(os.kill, os.getpid(), signal.SIGKILL)
    async with _opened(order) as agent:
        begin(order, file)
        began = SYSTEM.monotonic()
        arm(Passing(Moment.parse(order["dies_at"]) if order["dies_at"] else None, kills))
        told: dict[str, Any] = {"results": [], "error": ""}
        try:
            await agent.play()
            told["seconds"] = SYSTEM.monotonic() - began
            told["results"] = await agent.results()
        except Exception as error:
            # Told to whoever judges the trial: it is failed by it.
            told["error"] = f"{type(error).__name__}: {error}"
        arm(None)
        return told


@asynccontextmanager
async def _opened(order: Order) -> AsyncIterator[Replayed]:
    """Open the agent of one thread, with its own world and its own place at the provider."""
    data, name = find(), order["thread"]
    domain = retail_domain(data.tools, data.policy)
    about = {"OPENAI_BASE_URL": order["provider"], "OPENAI_MODEL": "replay"}
    async with AsyncExitStack() as stack:
        opened = open_postgres(
            order["database"], tenant_id="default", stored_types=domain.restored_types, size=2
        )
        postgres = await stack.enter_async_context(opened)
        model = await stack.enter_async_context(chosen_model(settings_from(about), domain))
        assert isinstance(model, Provider)
        service = HttpService(order["url"], RETAILER)
        stack.push_async_callback(service.close)
        resources = Resources(
            postgres=postgres,
            model=model.model_copy(update={"model_name": f"{MODEL}{name}"}),
            services=Retailer(service, name),
            caching=_FREE,
            budget=_BUDGET,
            decisions=_DECISIONS,
            patience=_PATIENCE,
        )
        graph = build(domain, lambda: resources, postgres.saver)
        yield Replayed(graph, resources, domain, name, order["says"])
