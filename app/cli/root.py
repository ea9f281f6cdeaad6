"""Import a command on demand, and run the command line."""

from __future__ import annotations

import errno
import gc
import logging
import os
import sys
import tomllib
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from daybook.app.output import FULL, flush, open_streams, tell, tell_aside
from daybook.state.errors import DaybookError
from daybook.state.extras import not_installed

_LISTED = tomllib.loads(Path(__file__).with_name("commands.toml").read_text())

COMMANDS = {
    name: (module, panel, line)
    for panel, modules in _LISTED.items()
    for module, lines in modules.items()
    for name, line in lines.items()
}
"""Command to its module, and to panel and line in the help; a test holds it against the modules."""


def command(name: str) -> Any:
    """Import a command, or a group of them, by its name."""
    found = import_module(f"daybook.app.cli.{COMMANDS[name][0]}").commands
    return typer.main.get_group(found).commands[name]


class _Listed(TyperGroup):
    """Tell of all commands as they are listed, and import the one that is asked for."""

    def __init__(self, **given: Any) -> None:
        given["commands"] = {
            name: TyperCommand(name, help=line, rich_help_panel=panel)
            for name, (_, panel, line) in COMMANDS.items()
        }
        super().__init__(**given)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, listed, left = super().resolve_command(ctx, args)
        found = listed and command(args[0])
        gc.freeze()
        gc.enable()
        return name, found, left


cli = typer.Typer(
    cls=_Listed,
    help="Daybook: exactly-once side effects, approvals and recovery for LangGraph agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        tell(f"daybook {version('daybook-agent')}")
        raise typer.Exit


@cli.callback()
def choose_domain(
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            metavar="MODULE:NAME",
            help="The domain; default DAYBOOK_DOMAIN, else langgraph.json's or the demo.",
        ),
    ] = None,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Daybook: an agent whose effects happen exactly once."""
    if domain is not None:
        from daybook.app.domains import NotServed, import_domain

        # Read from there by every command, and by the server that `serve` becomes.
        os.environ["DAYBOOK_DOMAIN"] = domain
        # Some commands take a ledger in its place.
        with suppress(NotServed):
            import_domain(domain)


def main() -> None:
    """Run the command line; what goes wrong is said in a sentence, not in a traceback."""
    # What a command imports stays. Not to look through it for garbage, while it is imported and
    # ever again, saves a third of a start.
    gc.disable()
    was_closed = open_streams()
    level = os.environ.get("LOGLEVEL", "ERROR").upper()
    try:
        logging.basicConfig(level=level)
    except ValueError:
        what = "LOGLEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL. Nothing was done."
        sys.exit(_told(what))
    # Else it gives itself one when imported: a pool that reconnects would write into the chat.
    logging.getLogger("psycopg").setLevel(level)
    try:
        cli()
    except SystemExit as end:
        status = end.code
    except DaybookError as error:
        status = _told(str(error))
    except ModuleNotFoundError as error:
        if (missing := not_installed(error)) is None:
            raise
        status = _told(str(missing))
    except _of_the_database() as error:
        from daybook.checkpoints.reach import unavailable

        status = _told(str(unavailable(error)))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        status = _told(FULL)
    else:
        status = 0
    lost = flush()
    if lost and not status:
        status = _told(lost)
    sys.exit(status or int(lost is not None or was_closed))


def _told(message: str) -> int:
    tell_aside(message)
    return 1


def _of_the_database() -> tuple[Any, ...]:
    """Import what psycopg raises; asked for where something was raised, and not before."""
    from psycopg import InternalError, OperationalError

    return OperationalError, InternalError
