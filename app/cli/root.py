"""Add the commands below the root, and run the command line."""

from __future__ import annotations

import errno
import gc
import logging
import os
import sys
from contextlib import suppress
from typing import Annotated

import psycopg
import typer

from daybook.app.cli import access, audit, build, conversation, ledger, operations, people
from daybook.app.domains import NotServed, named
from daybook.app.output import FULL, flush, open_streams, tell_aside
from daybook.checkpoints.reach import unavailable
from daybook.state.errors import DaybookError
from daybook.state.extras import not_installed

cli = typer.Typer(
    help="Daybook: an agent whose effects happen exactly once.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@cli.callback()
def choose_domain(
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            metavar="MODULE:NAME",
            help="The domain to serve, else DAYBOOK_DOMAIN, langgraph.json's or the demo shop.",
        ),
    ] = None,
) -> None:
    """Daybook: an agent whose effects happen exactly once."""
    if domain is not None:
        # Read from there by every command, and by the server that `serve` becomes.
        os.environ["DAYBOOK_DOMAIN"] = domain
        # Some commands take a ledger in its place.
        with suppress(NotServed):
            named(domain)


for module in (conversation, build, ledger, audit, access, people, operations):
    cli.add_typer(module.commands)


def main() -> None:
    """Run the command line; what goes wrong is said in a sentence, not in a traceback."""
    # What was imported stays: the collector need not look at it again, which takes half a second.
    gc.freeze()
    was_closed = open_streams()
    try:
        logging.basicConfig(level=os.environ.get("LOGLEVEL", "ERROR").upper())
    except ValueError:
        what = "LOGLEVEL is no level: DEBUG, INFO, WARNING, ERROR or CRITICAL. Nothing was done."
        sys.exit(_told(what))
    # It gives itself a level when it is imported; a pool that reconnects would write into the chat.
    logging.getLogger("psycopg").setLevel(logging.NOTSET)
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
    except (psycopg.OperationalError, psycopg.InternalError) as error:
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
