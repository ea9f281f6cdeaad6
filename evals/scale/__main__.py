"""Run it: `make scale`, or `python -m evals.scale --size 0 --size 1000 --expire 100 --left 20`."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from daybook.state.clock import SYSTEM
from daybook.state.errors import DaybookError
from evals.report import console
from evals.scale.course import Asked, run
from evals.scale.table import show

_SIZES = [0, 1_000, 10_000, 100_000]


def main(
    size: Annotated[list[int], typer.Option(min=0, help="Open threads; may be repeated.")] = _SIZES,
    expire: Annotated[int, typer.Option(min=0, help="Questions that expire at once.")] = 10_000,
    left: Annotated[int, typer.Option(min=0, help="Runs that a kill leaves behind.")] = 1_000,
    erase: Annotated[int, typer.Option(min=0, help="Threads that outlasted their time.")] = 1_000,
    patience: Annotated[float, typer.Option(help="Seconds for each of the storms.")] = 1_800,
) -> None:
    """Measure what many open threads cost whoever works beside them; then let storms come."""
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)
    began = SYSTEM.monotonic()

    def tell(line: str) -> None:
        print(f"{SYSTEM.monotonic() - began:6.0f} s  {line}", file=sys.stderr)

    with tempfile.TemporaryDirectory(prefix="daybook-scale-") as folder:
        report = asyncio.run(run(Asked(size, expire, left, erase, patience), Path(folder), tell))
    raise typer.Exit(0 if show(report, console()) else 1)


if __name__ == "__main__":
    try:
        typer.run(main)
    except DaybookError as error:
        sys.exit(str(error))
