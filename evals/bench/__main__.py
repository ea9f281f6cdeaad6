"""Run the bench: `make bench`, or `python -m evals.bench [--profile STEP]`."""

from __future__ import annotations

import asyncio
import cProfile
import pstats
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from daybook.state.errors import ConfigurationError
from evals.bench import agents, effects
from evals.bench.measure import EFFECT, Contender, Course, entrants, measure, show
from evals.report import console, run_command, table
from evals.servers import ROOT, open_server

STEPS: dict[str, Callable[..., AbstractAsyncContextManager[Contender]]] = {
    **{one.label.partition(" ")[0]: partial(agents.open_daybook, kind=one) for one in agents.Kind},
    EFFECT: effects.open_daybook,
}
"""What can be profiled, and how it is opened."""

_LINES = 10


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
        for shown in _most(asyncio.run(profiled(profile, course)), course.steps):
            to.print(shown)
        return
    if not rivals.exists():
        raise ConfigurationError(
            f"There is no {rivals}, by which DBOS and call4agents run beside Daybook. Nothing was "
            "measured; make that environment: make .venv-rivals/.made"
        )
    if not show(asyncio.run(measure(course, entrants(course, rivals))), to):
        raise typer.Exit(1)


async def profiled(step: str, course: Course) -> cProfile.Profile:
    """Profile the turns of Daybook alone, after those that warm it up.

    cProfile makes calls of Python dearer than they are: what waits and what is C is shown small.
    """
    profile = cProfile.Profile()
    with tempfile.TemporaryDirectory(prefix="daybook-bench-") as folder:
        async with (
            open_server(Path(folder), is_durable=True) as server,
            STEPS[step](await server.new_database("bench"), steps=course.per_turn) as contender,
        ):
            for _ in range(course.warm_up):
                await contender.turn()
            with profile:
                for _ in range(course.turns):
                    await contender.turn()
    return profile


def _most(profile: cProfile.Profile, steps: int) -> Iterator[Table]:
    """Yield what takes most by itself, and of Daybook what takes most with all that it calls."""
    stats = vars(pstats.Stats(profile))["stats"]
    every = [
        (*about, [number / steps for number in (calls, 1000 * own, 1000 * whole)])
        for about, (_, calls, own, whole, _) in stats.items()
    ]
    ours = [one for one in every if "/src/daybook/" in one[0]]
    for some, by in ((every, 1), (ours, 2)):
        most = sorted(some, key=lambda one: -one[3][by])[:_LINES]
        rows = [(_where(*place), *(f"{one:.2f}" for one in numbers)) for *place, numbers in most]
        yield table(("of a step", "entered", "ms by itself", "ms with its calls"), rows)


def _where(file: str, line: int, name: str) -> str:
    """Name a function by its place in this repository, in a package or in Python."""
    short = re.sub(r".*/(src/daybook|python3\.\d+|site-packages)/", "", file)
    return name if file == "~" else f"{short}:{line} {name}"


if __name__ == "__main__":
    run_command(main)
