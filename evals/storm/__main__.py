"""Run the storm: `make storm`, or `python -m evals.storm --seconds 120 --seed 1 --ignore-keys`."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError
from evals.storm.course import Asked, run
from evals.storm.table import show

_WIDTH = 130


def main(
    seconds: Annotated[float, typer.Option(min=1, help="How long the storm lasts.")] = 120,
    threads: Annotated[int, typer.Option(min=1, help="Threads at work.")] = 30,
    workers: Annotated[int, typer.Option(min=2, help="Workers.")] = 3,
    alone: Annotated[int, typer.Option(min=0, help="Kills one at a time before it.")] = 5,
    seed: Annotated[int, typer.Option(help="Chooses who is struck, and when.")] = 1,
    ignore_keys: Annotated[bool, typer.Option(help="The shop ignores idempotency keys.")] = False,
) -> None:
    """Kill, suspend and start workers at random; then account for every effect."""
    # That a pool lost its connections is what is wanted here.
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    began = SYSTEM.monotonic()

    def tell(line: str) -> None:
        print(f"{SYSTEM.monotonic() - began:6.1f} s  {line}", file=sys.stderr)

    asked = Asked(seconds, threads, workers, alone, seed, ignore_keys)
    with tempfile.TemporaryDirectory(prefix="daybook-storm-") as folder:
        found = asyncio.run(run(asked, Path(folder), tell))
    show(asked, found, Console(width=_WIDTH, highlight=False))
    raise typer.Exit(0 if found.is_exact else 1)


if __name__ == "__main__":
    try:
        typer.run(main)
    except DaybookError as error:
        sys.exit(str(error))
