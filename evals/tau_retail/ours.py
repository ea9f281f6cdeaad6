"""Daybook before the retailer: the nodes of every domain, a real provider, a real Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from langchain_core.runnables import RunnableConfig

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.graph.model.chosen import chosen_model
from daybook.graph.model.provider import Provider
from daybook.graph.settings.environment import settings_from
from daybook.graph.unfinished import TAKES_UP, Left, left_in
from daybook.nodes.planning.phases import call_name, place_name
from daybook.nodes.running.work import Caching, Resources
from daybook.state.clock import SYSTEM
from daybook.state.effects.guarantees import Patience
from daybook.state.errors import ThreadBusy
from daybook.state.ledger.entry import Entry
from daybook.state.ledger.recovery import Event
from daybook.state.people.called import as_said
from daybook.tools.domain import Domain
from daybook.tools.services.http import HttpService
from evals.tau_retail.data import TauRetail
from evals.tau_retail.domain import RETAILER, Retailer, retail_domain
from evals.tau_retail.endpoint import MODEL
from evals.tau_retail.playing import Standing

# The provider's point is told by the number of messages in the request, and every result is looked
# for in the last prompt: nothing may be dropped, so the budget is larger than any run and what the
# provider has kept costs nothing. That no epoch ended is seen to in `results`.
_BUDGET = 1_000_000
_FREE = Caching(lifetime=1e9, waiting=1e9, read=0)

_DECISIONS = 64
"""More than any recorded turn has: the longest has 30."""

_BETWEEN = 0.01
"""Seconds between two looks whether a thread is free."""

_NOTICED = 30.0
"""Seconds within which a dead runner is noticed, by its session or its lease."""

_PATIENCE = Patience(budget=timedelta(seconds=5), backoff=timedelta(milliseconds=20))


class EpochEnded(Exception):
    """Raised where a prompt was begun anew, so that not all of the run stands in the last one."""


@dataclass(frozen=True)
class House:
    """What all threads of a process share."""

    domain: Domain
    resources: Resources
    service: HttpService
    model: Provider

    def agent(self, name: str, world: Retailer | None = None) -> Daybook:
        """Make the agent of one thread, with its own world and its own place at the provider.

        Args:
            name: of the thread and its session.
            world: the one that it acts in; else one of the same name.
        """
        resources = replace(
            self.resources,
            model=self.model.model_copy(update={"model_name": f"{MODEL}{name}"}),
            services=world or Retailer(self.service, name),
        )
        graph = build(self.domain, lambda: resources, resources.postgres.saver)
        return Daybook(name, graph, resources, self.domain)


class Daybook:
    """Play one thread."""

    def __init__(
        self, name: str, graph: GuardedGraph, resources: Resources, domain: Domain
    ) -> None:
        self._name, self._graph, self._domain = name, graph, domain
        self.resources = resources
        self._config: RunnableConfig = {"configurable": {"thread_id": name, "user_id": name}}

    async def standing(self) -> Standing:
        """Tell where the thread stands."""
        state = await self._graph.aget_state(self._config)
        left = await left_in(state, self.resources.postgres)
        assert left is not Left.QUESTION, "nothing here needs a person"
        heard = frozenset(str(one.id) for one in state.values.get("messages", []))
        return Standing(heard, left is not None)

    async def go_on(self) -> None:
        """Take the thread up, as the worker does."""
        state = await self._graph.aget_state(self._config)
        left = await left_in(state, self.resources.postgres)
        if left is not None:
            await self._run(TAKES_UP[left])

    async def say(self, message_id: str, text: str) -> bool:
        """Say something, and return whether it was answered."""
        said = {"role": "user", "content": text, "id": message_id}
        values = await self._run({"messages": [said]})
        turn = values.get("turn") or {}
        return turn.get("turn_id") == message_id and turn.get("done", False)

    async def results(self) -> list[str]:
        """Return the results of the thread's calls as ledger and reads hold them, in order.

        Raises:
            EpochEnded: the prompt was begun anew on the way.
            ChainBroken, ProjectionWrong: the ledger is not as it was written.
        """
        postgres = self.resources.postgres
        await postgres.ledger.verify(self._name)
        entries = await postgres.ledger.entries(self._name)
        decided = [entry for entry in entries if entry.event is Event.DECIDED]
        if any(entry.detail["epoch"] for entry in decided):
            raise EpochEnded(f"{self._name} was to be played in one epoch")
        calls = [(entry.turn_id or "", call) for entry in decided for call in _calls(entry)]
        reads, _ = await postgres.reads.results(self._name, calls)
        texts = {
            (read.turn_id, read.call): self._domain.refused(read.tool, str(read.result["said"]))
            if read.cache == "failed"
            else self._domain.rendered(read.tool, read.handle, read.result, read.hidden)
            for read in reads
        }
        for plan in await postgres.ledger.ended_plans(self._name, after=0):
            for action in plan.actions:
                texts[plan.turn_id, action.call] = self._domain.outcome_line(action)
        return [texts.get(call, f"no result is stored of {call}") for call in calls]

    async def answer(self) -> str:
        """Return what was answered last."""
        said = (await self._graph.aget_state(self._config)).values["messages"]
        text: str = as_said(said)[-1].text
        return text

    async def called(self) -> set[str]:
        """Name the tools that the thread's model has called."""
        entries = await self.resources.postgres.ledger.entries(self._name)
        decided = (entry.payload or {} for entry in entries if entry.event is Event.DECIDED)
        return {call["name"] for body in decided for call in body.get("calls", ())}

    async def _run(self, given: object) -> dict[str, Any]:
        """Run the graph, and return the state that it ends in.

        Raises:
            ThreadBusy: the runner before is not noticed to be dead in time.
        """
        until = SYSTEM.monotonic() + _NOTICED
        while True:
            try:
                values: dict[str, Any] = await self._graph.ainvoke(given, self._config)
                return values
            except ThreadBusy:
                # The server has not noticed yet that the runner before is dead.
                if SYSTEM.monotonic() > until:
                    raise
                await SYSTEM.sleep(_BETWEEN)


def _calls(entry: Entry) -> list[str]:
    place = place_name(entry.detail["ordinal"], entry.detail.get("fork", 1))
    calls = (entry.payload or {}).get("calls", ())
    return [call_name(place, position) for position in range(len(calls))]


@asynccontextmanager
async def open_house(
    data: TauRetail, *, database: str, retailer: str, provider: str, size: int = 8
) -> AsyncIterator[House]:
    """Open what the threads of a process share.

    Args:
        database, retailer, provider: URLs; the database's as its owner.
        size: connections to the database at most.
    """
    domain = retail_domain(data.tools, data.policy)
    settings = settings_from({"OPENAI_BASE_URL": provider, "OPENAI_MODEL": "replay"})
    async with AsyncExitStack() as stack:
        postgres = await stack.enter_async_context(
            open_postgres(
                database, tenant_id="default", stored_types=domain.restored_types, size=size
            )
        )
        model = await stack.enter_async_context(chosen_model(settings, domain))
        assert isinstance(model, Provider)
        service = HttpService(retailer, RETAILER)
        stack.push_async_callback(service.close)
        resources = Resources(
            postgres=postgres,
            model=model,
            caching=_FREE,
            budget=_BUDGET,
            decisions=_DECISIONS,
            patience=_PATIENCE,
        )
        yield House(domain, resources, service, model)
