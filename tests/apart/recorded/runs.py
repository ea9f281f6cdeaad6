"""The recorded runs of tau-bench retail, and an agent before the retailer, for the tests of both."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from daybook.checkpoints.postgres import open_postgres
from daybook.graph.build import build
from daybook.graph.guarded import GuardedGraph
from daybook.nodes.running.work import Resources
from daybook.state.effects.guarantees import Patience
from daybook.testing.model import ScriptedModel
from daybook.tools.domain import Domain
from daybook.tools.services.http import HttpService
from evals.tau_retail.data import Run, TauRetail, find
from evals.tau_retail.domain import RETAILER, Retailer, retail_domain
from tests.beside import TIME

_BUDGET = 1_000_000
"""Tokens of a prompt: nothing is cut, and no epoch ends for its size."""


def recorded() -> TauRetail:
    """Return the folder of the recorded runs.

    Raises:
        ConfigurationError: they are not on this machine; it says what names their folder.
    """
    return find()


def run_of(data: TauRetail, run_id: str) -> Run:
    """Return a run, in whichever file it stands."""
    files = ("recorded", "recorded_inexact", "recorded_parallel")
    return next(run for file in files for run in data.runs(file) if run.run_id == run_id)


@dataclass
class RetailAgent:
    """Hold the agent and the script of its model."""

    domain: Domain
    graph: GuardedGraph
    resources: Resources
    model: ScriptedModel


@asynccontextmanager
async def retail_agent(
    data: TauRetail, database: str, retailer: str, world: str
) -> AsyncIterator[RetailAgent]:
    """Open the agent of one world on a database.

    Args:
        database, retailer: URLs; the database's as its owner.
    """
    domain = retail_domain(data.tools, data.policy)
    async with open_postgres(
        database, tenant_id="default", stored_types=domain.restored_types, clock=TIME.clock
    ) as postgres:
        service, model = HttpService(retailer, RETAILER), ScriptedModel()
        resources = Resources(
            postgres=postgres,
            model=model,
            services=Retailer(service, world),
            patience=Patience(budget=timedelta(seconds=15), backoff=timedelta(milliseconds=20)),
            decisions=64,
            budget=_BUDGET,
        )
        try:
            graph = build(domain, lambda: resources, postgres.saver)
            yield RetailAgent(domain, graph, resources, model)
        finally:
            await service.close()
