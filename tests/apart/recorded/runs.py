"""An agent of tau-bench retail before its retailer, and one recorded run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from daybook.tools.domain import Domain
from daybook.tools.services.http import HttpService
from evals.tau_retail.data import Run, TauRetail
from evals.tau_retail.domain import RETAILER, Retailer, retail_domain
from tests.agents import ScriptedAgent, open_agent

_BUDGET = 1_000_000
"""Tokens of a prompt: nothing is cut, and no epoch ends for its size."""


def run_of(data: TauRetail, run_id: str) -> Run:
    """Return a run, in whichever file it stands."""
    files = ("recorded", "recorded_inexact", "recorded_parallel")
    return next(run for file in files for run in data.runs(file) if run.run_id == run_id)


@dataclass
class RetailAgent(ScriptedAgent):
    """Hold the agent and the script of its model."""

    domain: Domain


@asynccontextmanager
async def retail_agent(
    data: TauRetail, database: str, retailer: str, world: str
) -> AsyncIterator[RetailAgent]:
    """Open the agent of one world on a database.

    Args:
        database, retailer: URLs; the database's as its owner.
    """
    domain = retail_domain(data.tools, data.policy)
    service = HttpService(retailer, RETAILER)
    try:
        async with open_agent(
            partial(RetailAgent, domain=domain),
            database,
            domain,
            Retailer(service, world),
            {"decisions": 64, "budget": _BUDGET},
            budget=15.0,
        ) as agent:
            yield agent
    finally:
        await service.close()
