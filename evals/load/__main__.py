"""Measure a server of several processes: `make load`, and LOAD=--kill, --memory.

With --pooled, alone or with --kill, the server connects through a PgBouncer.

Figures by the environment: LOAD_PEOPLE="10 100 500", LOAD_PROCESSES="1 2 4", LOAD_SECONDS=30,
LOAD_THINK=5, LOAD_TURNS=10000.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError
from evals.load import killing
from evals.load import memory as growing
from evals.load.course import Asked, Tell, measured
from evals.load.table import Goal, goals_of, show, show_goals

_WIDTH = 150


def main(
    python: Annotated[str, typer.Argument(help="Of the environment with the extra production.")],
    kill: Annotated[bool, typer.Option("--kill", help="Kill processes under load.")] = False,
    memory: Annotated[bool, typer.Option("--memory", help="See whether memory stays.")] = False,
    pooled: Annotated[bool, typer.Option("--pooled", help="Through a PgBouncer.")] = False,
) -> None:
    """Let people shop over HTTP, and say what it cost and how long they waited."""
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    began = SYSTEM.monotonic()

    def tell(line: str) -> None:
        print(f"{SYSTEM.monotonic() - began:6.1f} s  {line}", file=sys.stderr)

    asked = Asked(
        python,
        people=[int(one) for one in _said("LOAD_PEOPLE", "10 100 500").split()],
        processes=[int(one) for one in _said("LOAD_PROCESSES", "1 2 4").split()],
        seconds=float(_said("LOAD_SECONDS", "30")),
        think_s=float(_said("LOAD_THINK", "5")),
        is_pooled=pooled,
    )
    console = Console(width=_WIDTH, highlight=False)
    with tempfile.TemporaryDirectory(prefix="daybook-load-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if kill:
            goals = _killed(asked, folder, tell)
        elif memory:
            turns = int(_said("LOAD_TURNS", "10000"))
            goals = growing.goals_of(asyncio.run(growing.grown(asked, folder, turns, tell)))
        else:
            cells = asyncio.run(measured(asked, folder, tell))
            show(cells, console)
            goals = goals_of(cells)
    raise typer.Exit(0 if show_goals(goals, console) else 1)


def _killed(asked: Asked, folder: Path, tell: Tell) -> list[Goal]:
    found = asyncio.run(killing.killed(asked, folder, tell))
    tell(killing.told_of(found))
    return killing.goals_of(found)


def _said(name: str, default: str) -> str:
    return os.environ.get(name) or default


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
    app.command()(main)
    try:
        app()
    except DaybookError as error:
        sys.exit(str(error))
