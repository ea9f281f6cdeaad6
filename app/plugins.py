"""Find what stands above the application and adds commands and pages to it.

The application imports nothing of it: whichever package is installed names it as an entry point.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from daybook.state.errors import PluginUnusable
from daybook.state.extras import not_installed

COMMANDS = "daybook.commands"
"""Group of commands: functions as typer takes them."""

PAGES = "daybook.console"
"""Group of the console's pages: each an `daybook.app.console.added.Page`."""


def named(group: str) -> dict[str, EntryPoint]:
    """Return what is installed of a group, by name; nothing of it is imported."""
    return {point.name: point for point in sorted(entry_points(group=group))}


def loaded(point: EntryPoint, kind: type | None = None) -> Any:
    """Import what an entry point names.

    Args:
        kind: what it must be; None where anything that can be called will do.

    Raises:
        NotInstalled: it needs what an extra of Daybook brings.
        PluginUnusable: it cannot be imported, or is something else.
    """
    try:
        found = point.load()
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (missing := not_installed(error)):
            raise missing from error
        # Whatever a package of somebody else does wrong, the rest of Daybook works.
        raise PluginUnusable(point.name, f"{type(error).__name__}: {error}") from error
    if not (callable(found) if kind is None else isinstance(found, kind)):
        raise PluginUnusable(point.name, f"it is a {type(found).__name__}")
    return found
