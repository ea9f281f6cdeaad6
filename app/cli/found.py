"""Add the commands that other packages bring to the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperGroup

from daybook.app.plugins import COMMANDS, loaded, named
from daybook.state.errors import DaybookError, NotInstalled, PluginUnusable


class Found(TyperGroup):
    """Know our own commands, and those that are found; these are imported when they are asked for.

    One of our own is never replaced.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Name our own commands, then those that are found."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in named(COMMANDS) if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, or None where there is none of that name."""
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        point = named(COMMANDS).get(cmd_name)
        if point is None:
            return None
        try:
            return _command(cmd_name, loaded(point))
        except (NotInstalled, PluginUnusable) as unusable:
            return _says(cmd_name, unusable)


def _command(name: str, function: Callable[..., Any], **settings: Any) -> Any:
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name, **settings)(function)
    return typer.main.get_command(alone)


def _says(name: str, unusable: DaybookError) -> Any:
    """Make a command that takes anything and says why it cannot be used."""

    def refuse() -> None:
        raise unusable

    takes_anything = {"allow_extra_args": True, "ignore_unknown_options": True}
    return _command(name, refuse, help="Cannot be loaded.", context_settings=takes_anything)
