"""Run the bench: `make bench`, or `python -m evals.bench`."""

from __future__ import annotations

import asyncio

import typer

from evals.bench.measure import Course, measure, show
from evals.report import console, run_command


def main() -> None:
    """Measure what a tool step costs beside create_agent's; exits with 1 where one is missed."""
    if not show(asyncio.run(measure(Course())), console()):
        raise typer.Exit(1)


if __name__ == "__main__":
    run_command(main)
