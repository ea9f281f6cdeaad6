"""Run the bench: `python -m evals.bench [--steps 200] [--per-turn 10]`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from evals.bench.measure import Course, measure, show
from evals.report import console


def main(
    steps: Annotated[int, typer.Option(min=2, help="Steps of each thread.")] = 200,
    per_turn: Annotated[int, typer.Option(min=1, help="Steps in one turn.")] = 10,
) -> None:
    """Measure what a tool step costs beside create_agent's; exits with 1 where one is missed."""
    turns = max(2, -(-steps // per_turn))
    report = asyncio.run(measure(Course(turns=turns, per_turn=per_turn)))
    if not show(report, console()):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
