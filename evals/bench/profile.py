"""Where Daybook's own steps take their time: lines of cProfile."""

from __future__ import annotations

import cProfile
import pstats
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from rich.table import Table

from evals.bench import agents, effects
from evals.bench.agents import Kind
from evals.bench.measure import EFFECT, Contender, Course
from evals.report import table
from evals.servers import open_server

STEPS: dict[str, Callable[..., AbstractAsyncContextManager[Contender]]] = {
    **{one.label.partition(" ")[0]: partial(agents.open_daybook, kind=one) for one in Kind},
    EFFECT: effects.open_daybook,
}
"""What can be profiled, and how it is opened."""

_LINES = 10


async def profile_step(step: str, course: Course) -> tuple[Table, Table]:
    """Profile the turns of Daybook alone, after those that warm it up.

    cProfile makes calls of Python dearer than they are: what waits and what is C is shown small.

    Returns:
        The functions that take most by themselves, and those of Daybook with what they call.
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
    every = {
        about: [number / course.steps for number in (calls, 1000 * own, 1000 * whole)]
        for about, (_, calls, own, whole, _) in vars(pstats.Stats(profile))["stats"].items()
    }
    ours = {about: numbers for about, numbers in every.items() if "/src/daybook/" in about[0]}
    return _shown(every, 1), _shown(ours, 2)


def _where(file: str, line: int, name: str) -> str:
    """Name a function by its place in this repository, in a package or in Python."""
    short = re.sub(r".*/(src/daybook|python3\.\d+|site-packages)/", "", file)
    return name if file == "~" else f"{short}:{line} {name}"


def _shown(of_steps: Mapping[tuple[str, int, str], Sequence[float]], by: int) -> Table:
    most = sorted(of_steps.items(), key=lambda one: -one[1][by])[:_LINES]
    rows = ((_where(*about), *(f"{one:.2f}" for one in numbers)) for about, numbers in most)
    return table(("of a step", "entered", "ms by itself", "ms with its calls"), rows)
