"""Which domain a command serves: the one that is named, else langgraph.json's, else the demo shop.

Where merchants are named (DAYBOOK_MERCHANTS), it is buying from them. A domain is named as
`module:NAME`, by `daybook --domain` or DAYBOOK_DOMAIN. NAME is the graph that
`daybook.graph.serve.served` returned.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from types import UnionType
from typing import Any

from langgraph.pregel import Pregel

from daybook.checkpoints.postgres import Postgres
from daybook.graph.database import open_database
from daybook.graph.guarded import GuardedGraph
from daybook.graph.ledger.ledger import Ledger
from daybook.graph.ledger.served import ServedLedger
from daybook.graph.serve import Served, failed_in, served_as
from daybook.graph.settings.environment import Settings
from daybook.nodes.running.work import Resources
from daybook.state.errors import ConfigurationError, DaybookError

DEMO = "daybook.graph.shop.app:graph"
MERCHANTS = "daybook.graph.merchants.app:graph"
CONFIG = "langgraph.json"


class NotServed(ConfigurationError):
    """What is named is a graph that a command cannot serve."""


_NAMED = re.compile(r"[\w.]+:\w+")


def served_by(settings: Settings, *, takes_ledgers: bool = False) -> Served:
    """Return the domain that a command serves, with the way to open what it runs on.

    Args:
        takes_ledgers: the command can serve a graph that `Ledger.guarded` returned as well.

    Raises:
        NotServed: what is named has a ledger of its own, and the command cannot serve that.
        ConfigurationError: what is named, here or in langgraph.json, cannot be used.
    """
    name = chosen(settings) or named_here() or DEMO
    served = named(name)
    if not served.has_flow and not takes_ledgers:
        raise NotServed(
            f"{name} has a ledger of its own, and is no domain: this command needs one "
            "(docs/own_tools.md). Nothing was started; `serve`, `worker`, `policy` and `reconcile` "
            "take it."
        )
    return served


def compared_by(settings: Settings) -> Served:
    """Return what is compared with the world: a domain, or a `Ledger` that is named like one.

    Raises:
        ConfigurationError: what is named, here or in langgraph.json, cannot be used.
    """
    name = chosen(settings) or named_here() or DEMO
    ledger = imported(name, "a Ledger, or the graph that `served` returned", Pregel | Ledger)
    if not isinstance(ledger, Ledger):
        return named(name)

    @asynccontextmanager
    async def open_resources() -> AsyncIterator[Resources]:
        async with ledger.calls.database.opened() as postgres:
            ledger.use(postgres)
            yield ledger.calls.ready().resources()

    return Served(ledger.calls.ready().domain, open_resources)


@asynccontextmanager
async def database_compared_by(settings: Settings) -> AsyncIterator[Postgres]:
    """Open the database that is compared: of a `Ledger` that is named, its own."""
    name = chosen(settings)
    named = imported(name, "a Ledger or a graph", Pregel | Ledger) if name is not None else None
    if isinstance(named, Ledger):
        async with named.calls.database.opened() as postgres:
            yield postgres
        return
    served = served_as(named) if isinstance(named, GuardedGraph) else None
    if isinstance(served, ServedLedger):
        async with served.open(sends=False) as opened:
            yield opened.resources.postgres
        return
    async with open_database(settings) as postgres:
        yield postgres


def chosen(settings: Settings) -> str | None:
    """Return the domain that the settings choose, as `module:NAME`; None where they do not."""
    return settings.domain or (MERCHANTS if settings.has_merchants else None)


def named_here() -> str | None:
    """Return the domain that the langgraph.json of this folder names; None where there is none.

    Raises:
        ConfigurationError: it cannot be read, or names several graphs.
    """
    file = Path.cwd() / CONFIG
    if not file.exists():
        return None
    graphs = graphs_of(file)
    if DEMO in graphs.values():
        # Daybook's own: the merchants beside the shop are chosen by naming them.
        return DEMO
    if len(graphs) != 1:
        raise ConfigurationError(
            f"{file} names {len(graphs)} graphs: {', '.join(sorted(graphs)) or 'none'}. Nothing "
            "was started; say which domain is meant: daybook --domain module:NAME"
        )
    return next(iter(graphs.values()))


def graphs_of(file: Path) -> dict[str, str]:
    """Read which graphs a langgraph.json names, as `module:NAME`, by their names there.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        graphs = json.loads(file.read_text())["graphs"]
        places = {
            str(name): str(graph["path"] if isinstance(graph, dict) else graph)
            for name, graph in graphs.items()
        }
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"{file} cannot be read for its graphs ({type(error).__name__}). Nothing was started; "
            "name the domain instead: daybook --domain module:NAME"
        ) from error
    return {name: place_of(place) for name, place in places.items()}


@lru_cache
def named(name: str) -> Served:
    """Import the domain that is named as `module:NAME`, from the packages or from this folder.

    Raises:
        NotServed: it is a ledger, or a graph that nothing guards.
        ConfigurationError: there is no such module or name, it is no graph, or the module fails
            when it is imported.
    """
    graph = imported(name, "the graph that `served` returned", Pregel | Ledger)
    found = served_as(graph) if isinstance(graph, GuardedGraph) else None
    if found is None:
        raise NotServed(
            f"{name} was not made by `served` or `Ledger.guarded` (docs/own_tools.md). Nothing was "
            "started: your own program runs a graph of your own, and `daybook --domain "
            "module:LEDGER reconcile` compares its ledger with the world."
        )
    return found


def imported(name: str, what: str, kind: type | UnionType) -> Any:
    """Import something that is named as `module:NAME`, from the packages or from this folder.

    Args:
        what: it is, for people, with its article.
        kind: of what it must be.

    Raises:
        ConfigurationError: there is no such module or name, it is something else, or the module
            fails when it is imported.
    """
    place = place_of(name)
    if not _NAMED.fullmatch(place):
        raise ConfigurationError(
            f"{name} names nothing. Nothing was started; write module:NAME, such as office:OFFICE, "
            f"where NAME is {what}."
        )
    module_name, _, attribute = place.partition(":")
    module = _imported(module_name)
    if not hasattr(module, attribute):
        raise ConfigurationError(
            f"The module {module_name} holds no {attribute}. Nothing was started; it is {what}."
        )
    value = getattr(module, attribute)
    if not isinstance(value, kind):
        raise ConfigurationError(
            f"{name} is not {what}, but of the type {type(value).__name__}. Nothing was started; "
            f"name {what}, as module:NAME."
        )
    return value


def place_of(place: str) -> str:
    """Name a file of this folder by its module; what is a module already stays."""
    path, _, name = place.rpartition(":")
    if not path.endswith(".py"):
        return place
    file = Path(path)
    inside = Path(os.path.relpath(file)) if file.is_absolute() else Path(os.path.normpath(file))
    return f"{'.'.join(inside.with_suffix('').parts)}:{name}"


def _imported(module_name: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        # Last, as `langgraph dev` does it: nothing here takes the place of a package.
        sys.path.append(here)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise _fails(module_name, f"{error}") from error
        raise ConfigurationError(
            f"There is no module {module_name} in {here} or among the packages. Nothing was "
            "started; run this in the folder that it is in, or install it."
        ) from error
    except DaybookError as error:
        raise _fails(module_name, f"{type(error).__name__}: {error}") from error
    except (Exception, SystemExit) as error:
        raise _fails(module_name, failed_in(error)) from error


def _fails(module_name: str, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"The module {module_name} fails when it is imported ({why}). Nothing was started; "
        f"python -c 'import {module_name}' shows all of it."
    )
