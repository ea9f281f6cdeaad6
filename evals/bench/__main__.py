"""Run the bench: `python -m evals.bench [--steps 200] [--per-turn 10]`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from evals.bench.figures import Course
from evals.bench.measure import measure
from evals.bench.table import goals_of, show

_WIDTH = 150


def main(
    steps: Annotated[int, typer.Option(min=2, help="Steps of each thread.")] = 200,
    per_turn: Annotated[int, typer.Option(min=1, help="Steps in one turn.")] = 10,
) -> None:
    """Measure what a tool step costs beside create_agent's; exits with 1 where one is missed."""
    turns = max(2, -(-steps // per_turn))
    report = asyncio.run(measure(Course(turns=turns, per_turn=per_turn)))
    show(report, Console(width=_WIDTH, highlight=False))
    if not all(goal.is_reached for goal in goals_of(report)):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
