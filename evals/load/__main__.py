"""Measure a server of several processes: `make load`, and LOAD=--kill.

Figures by the environment: LOAD_PEOPLE="10 100 500", LOAD_PROCESSES="1 2 4", LOAD_SECONDS=30,
LOAD_THINK=5.
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

from daybook.state.clock import SYSTEM
from evals.load.course import Asked, killed, measured
from evals.load.table import goals_of, goals_of_kills, show, told_of
from evals.report import console, print_goals, run_command


def main(
    python: Annotated[str, typer.Argument(help="Of the environment with the extra production.")],
    kill: Annotated[bool, typer.Option("--kill", help="Kill processes under load.")] = False,
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
    )
    to = console()
    with tempfile.TemporaryDirectory(prefix="daybook-load-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        if kill:
            under_kills = asyncio.run(killed(asked, folder, tell))
            tell(told_of(under_kills))
            goals = goals_of_kills(under_kills)
        else:
            cells = asyncio.run(measured(asked, folder, tell))
            show(cells, to)
            goals = goals_of(cells)
    raise typer.Exit(0 if print_goals(goals, to) else 1)


def _said(name: str, default: str) -> str:
    return os.environ.get(name) or default


if __name__ == "__main__":
    run_command(main)
