"""Find the domain: the configured one, else langgraph.json's, else the demo shop.

Where merchants are named (DAYBOOK_MERCHANTS), it is buying from them. A domain is named as
`module:NAME`, by `daybook --domain` or DAYBOOK_DOMAIN. NAME is the graph that
`daybook.graph.serve.served` returned. What that graph runs on is imported by `domains` alone.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Any

from daybook.graph.settings.environment import Settings
from daybook.state.errors import ConfigurationError, DaybookError
from daybook.tools.boundary import failed_in

if TYPE_CHECKING:
    from daybook.tools.domain import Domain

DEMO = "daybook.graph.shop.app:graph"
MERCHANTS = "daybook.graph.merchants.app:graph"
CONFIG = "langgraph.json"

_NAMED = re.compile(r"[\w.]+:\w+")

_OURS = {
    DEMO: "daybook.tools.shop.domain:SHOP",
    MERCHANTS: "daybook.tools.merchants.domain:MERCHANTS",
}


def domain_of(settings: Settings) -> Domain:
    """Return the domain that is meant, for a command that reads what it declares.

    One of ours is imported without its graph, which takes longer than all the rest.

    Raises:
        ConfigurationError: what is named, here or in langgraph.json, cannot be used.
    """
    if ours := _OURS.get(meant(settings)):
        domain: Domain = imported(ours, "a domain", object)
        return domain
    from daybook.app.domains import served_by

    return served_by(settings, takes_ledgers=True).domain


def meant(settings: Settings) -> str:
    """Name the domain that is meant, as `module:NAME`; raise as `named_here`."""
    return chosen(settings) or named_here() or DEMO


def chosen(settings: Settings) -> str | None:
    """Return the domain that the settings choose, as `module:NAME`; None if they do not."""
    return settings.domain or (MERCHANTS if settings.has_merchants else None)


def named_here() -> str | None:
    """Return the domain that the langgraph.json of this folder names; None if there is none.

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
            "was started; choose the domain: daybook --domain module:NAME"
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
            f"{file} cannot be read ({type(error).__name__}). Nothing was started; name the "
            "domain instead: daybook --domain module:NAME"
        ) from error
    return {name: place_of(place) for name, place in places.items()}


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
            f"{name} is not a domain. Nothing was started; write module:NAME, such as "
            f"office:OFFICE, where NAME is {what}."
        )
    module_name, _, attribute = place.partition(":")
    module = _imported(module_name)
    if not hasattr(module, attribute):
        raise ConfigurationError(
            f"The module {module_name} has no {attribute}. Nothing was started; name {what}."
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
            f"No module {module_name} in {here} or among the installed packages. Nothing was "
            "started; run this in its folder, or install it."
        ) from error
    except DaybookError as error:
        raise _fails(module_name, f"{type(error).__name__}: {error}") from error
    except (Exception, SystemExit) as error:
        raise _fails(module_name, failed_in(error)) from error


def _fails(module_name: str, why: str) -> ConfigurationError:
    return ConfigurationError(
        f"The module {module_name} fails when it is imported ({why}). Nothing was started; python "
        f"-c 'import {module_name}' shows the whole error."
    )
