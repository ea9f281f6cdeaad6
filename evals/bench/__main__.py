"""Run the bench: `python -m evals.bench [--steps 200] [--per-turn 10]`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from evals.bench.figures import Course
from evals.bench.measure import measure
from evals.bench.table import show

_WIDTH = 132


def main(
    steps: Annotated[int, typer.Option(min=1, help="Steps of each thread.")] = 200,
    per_turn: Annotated[int, typer.Option(min=1, help="Steps in one turn.")] = 10,
) -> None:
    """Measure what a tool step costs, beside the same step of langchain's create_agent."""
    course = Course(turns=-(-steps // per_turn), per_turn=per_turn)
    console = Console(width=_WIDTH, highlight=False)
    show(asyncio.run(measure(course)), console)


typer.run(main)
