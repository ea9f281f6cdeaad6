"""The domain that a command serves or compares, and how its resources are opened."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache

from langgraph.pregel import Pregel

from daybook.app.domain_names import chosen, imported, meant
from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database
from daybook.graph.ledger.ledger import Ledger
from daybook.graph.serve import Served, served_as
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.work import Resources
from daybook.state.errors import ConfigurationError


class NotServed(ConfigurationError):
    """What is named is a graph that a command cannot serve."""


def served_by(settings: Settings, *, takes_ledgers: bool = False) -> Served:
    """Return the domain that a command serves, with the way to open what it runs on.

    Args:
        takes_ledgers: the command can serve a graph that `Ledger.guarded` returned as well.

    Raises:
        NotServed: what is named has a ledger of its own, and the command cannot serve that.
        ConfigurationError: what is named, here or in langgraph.json, cannot be used.
    """
    name = meant(settings)
    served = import_domain(name)
    if not served.has_flow and not takes_ledgers:
        raise NotServed(
            f"{name} is a graph with its own ledger, but this command needs a domain. Nothing was "
            "started; `serve`, `worker`, `policy` and `reconcile` accept it."
        )
    return served


def compared_by(settings: Settings) -> Served:
    """Return what is compared with the services: a domain, or a `Ledger` that is named like one.

    Raises:
        ConfigurationError: what is named, here or in langgraph.json, cannot be used.
    """
    name = meant(settings)
    ledger = imported(name, "a Ledger, or the graph that `served` returned", Pregel | Ledger)
    if not isinstance(ledger, Ledger):
        return import_domain(name)

    @asynccontextmanager
    async def open_resources() -> AsyncIterator[Resources]:
        async with ledger.calls.database.open_database() as postgres:
            ledger.use(postgres)
            yield ledger.calls.ready().resources()

    return Served(ledger.calls.ready().domain, open_resources)


@asynccontextmanager
async def database_compared_by(settings: Settings) -> AsyncIterator[Postgres]:
    """Open the database that is compared: of a `Ledger` that is named, its own."""
    from daybook.graph.ledger.deployment import ServedLedger

    name = chosen(settings)
    named = imported(name, "a Ledger or a graph", Pregel | Ledger) if name is not None else None
    if isinstance(named, Ledger):
        async with named.calls.database.open_database() as postgres:
            yield postgres
        return
    served = served_as(named)
    if isinstance(served, ServedLedger):
        async with served.open(sends=False) as opened:
            yield opened.resources.postgres
        return
    async with open_database(settings) as postgres:
        yield postgres


@lru_cache
def import_domain(name: str) -> Served:
    """Import the domain that is named as `module:NAME`, from the packages or from this folder.

    Raises:
        NotServed: it is a ledger, or a graph that nothing guards.
        ConfigurationError: there is no such module or name, it is no graph, or the module fails
            when it is imported.
    """
    found = served_as(imported(name, "the graph that `served` returned", Pregel | Ledger))
    if found is None:
        raise NotServed(
            f"{name} was not made by `served` or `Ledger.guarded`. Nothing was started; your own "
            "program runs such a graph, and `daybook --domain module:LEDGER reconcile` compares "
            "its ledger with its services."
        )
    return found
