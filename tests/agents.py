"""An agent of any domain in tests: on a database, with a model that follows a script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Self, TypeVar

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.state.ledger.recovery import Event
from daybook.testing import ScriptedModel
from daybook.tools.domain import Domain
from daybook.tools.services.http import HttpService
from tests.beside import TIME
from tests.conversation import Conversation


@dataclass
class ScriptedAgent:
    """Hold the agent and the script of its model."""

    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel

    def of(self, domain: Domain) -> Self:
        """Build the agent of another domain on the same resources."""
        graph = build(domain, lambda: self.resources, self.resources.postgres.saver)
        return replace(self, graph=graph)

    async def events(self, talk: Conversation) -> list[Event]:
        """Return what the ledger holds of a thread, whose chain must verify."""
        ledger = self.resources.postgres.ledger
        found = await ledger.entries(talk.thread_id)
        assert await ledger.verify(talk.thread_id) >= len(found)
        return [entry.event for entry in found]


A = TypeVar("A", bound=ScriptedAgent)


@asynccontextmanager
async def open_agent(
    kind: Callable[..., A],
    url: str,
    domain: Domain,
    services: Any = None,
    works_with: Mapping[str, Any] | None = None,
    **patience: float,
) -> AsyncIterator[A]:
    """Open the agent of a domain on a database.

    Args:
        url: of the database, as its owner.
        services: what the domain's tools reach; a client is closed with the agent.
        works_with: further fields of its `Resources`.
        patience: fields of `Patience`, in seconds.
    """
    usual = {"budget": 5.0, "backoff": 0.02}
    waits = {name: timedelta(seconds=s) for name, s in (usual | patience).items()}
    try:
        async with open_postgres(
            url,
            tenant_id="default",
            stored_types=domain.restored_types,
            clock=TIME.clock,
        ) as postgres:
            model = ScriptedModel()
            resources = Resources(
                postgres=postgres,
                model=model,
                services=services,
                patience=Patience(**waits),
                **(works_with or {}),
            )
            yield kind(build(domain, lambda: resources, postgres.saver), resources, model)
    finally:
        if isinstance(services, HttpService):
            await services.close()
