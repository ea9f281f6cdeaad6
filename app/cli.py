"""The command line."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import psycopg
import typer

from app import chat as chats
from app import ledger_view
from app.terminal import Terminal
from graph.settings import settings_from
from state.errors import DaybookError

cli = typer.Typer(
    help="Daybook: a shopping agent whose effects happen exactly once.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Thread = Annotated[str | None, typer.Option("--thread", help="Continue this thread, or name it.")]
User = Annotated[str, typer.Option("--user", help="Who is shopping.")]
Yes = Annotated[bool, typer.Option("--yes", help="Approve every plan without asking.")]


@cli.command()
def chat(thread: Thread = None, user: User = "ada", yes: Yes = False) -> None:
    """Shop in the terminal. Continues what was cut off; reads lines where there is no terminal."""
    _run(chats.chat(settings_from(), Terminal(), thread=thread, user=user, approves_all=yes))


@cli.command()
def shop(
    port: Annotated[int, typer.Option(help="HTTP port; 0 picks a free one.")],
    smtp_port: Annotated[int, typer.Option(help="SMTP port; 0 picks a free one.")],
    db: Annotated[Path, typer.Option(help="Its SQLite file, created if new.")],
    ignore_keys: Annotated[bool, typer.Option(help="Ignore Idempotency-Key.")] = False,
) -> None:
    """Run the demo shop: HTTP API and mail server, a process of its own."""
    # The shop is the outside world: it is started, never imported.
    command = [sys.executable, "-m", "shop", "--port", str(port), "--smtp-port", str(smtp_port)]
    flags = ["--ignore-keys"] if ignore_keys else []
    os.execv(sys.executable, [*command, "--db", str(db), *flags])


@cli.command()
def ledger(
    thread: Annotated[str, typer.Argument(help="The thread's id.")],
    as_json: Annotated[bool, typer.Option("--json", help="As a JSON array.")] = False,
) -> None:
    """Print the ledger of a thread: its entries, and its reads with hit or miss."""
    show = ledger_view.print_json if as_json else ledger_view.print_lines
    _run(ledger_view.ledger(settings_from(), thread, show))


def main() -> None:
    """Run the command line; what goes wrong is said in a sentence, not in a traceback."""
    logging.basicConfig(level=os.environ.get("LOGLEVEL", "ERROR"))
    try:
        cli()
    except DaybookError as error:
        _fail(str(error))
    except psycopg.OperationalError as error:
        _fail(
            f"The database cannot be reached: {str(error).strip()}. Nothing is lost: what was "
            "committed stands. See DATABASE_URL, then run the same command again."
        )


def _run(work: Coroutine[Any, Any, None]) -> None:
    try:
        asyncio.run(work)
    except KeyboardInterrupt:
        sys.stderr.write("\nInterrupted. Nothing is lost: the same command continues.\n")
        sys.exit(130)


def _fail(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.exit(1)
