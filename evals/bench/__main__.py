"""Run the bench: `make bench`, or `python -m evals.bench`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from daybook.state.errors import ConfigurationError
from evals.bench.measure import Course, entrants, measure, show
from evals.bench.profile import STEPS, profile_step
from evals.report import console, run_command
from evals.servers import ROOT


def main(
    rivals: Annotated[Path, typer.Option(help="Python of the rivals' environment.")] = ROOT
    / ".venv-rivals/bin/python",
    profile: Annotated[str | None, typer.Option(help=f"{', '.join(STEPS)}: that alone.")] = None,
) -> None:
    """Measure what a step costs beside create_agent, the floor, DBOS and call4agents.

    Exits with 1 where a goal is missed. `--profile` prints where Daybook's own steps take their
    time instead.
    """
    course, to = Course(), console()
    if profile is not None:
        if profile not in STEPS:
            raise typer.BadParameter(f"{profile!r} is none of {', '.join(STEPS)}.")
        for shown in asyncio.run(profile_step(profile, course)):
            to.print(shown)
        return
    if not rivals.exists():
        raise ConfigurationError(
            f"There is no {rivals}, by which DBOS and call4agents run beside Daybook. Nothing was "
            "measured; make that environment: make .venv-rivals/.made"
        )
    if not show(asyncio.run(measure(course, entrants(course, rivals))), to):
        raise typer.Exit(1)


if __name__ == "__main__":
    run_command(main)
