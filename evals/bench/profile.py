"""Where Daybook's own steps take their time: lines of cProfile."""

from __future__ import annotations

import cProfile
import pstats
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
from evals.servers import ROOT, open_server

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
    of_steps = {
        _where(*about): [n / course.steps for n in (calls, 1000 * own, 1000 * whole)]
        for about, (_, calls, own, whole, _) in vars(pstats.Stats(profile))["stats"].items()
    }
    ours = {name: of_it for name, of_it in of_steps.items() if name.startswith(_OURS)}
    return _shown(of_steps, 1), _shown(ours, 2)


_OURS = "src/daybook/"


def _where(file: str, line: int, name: str) -> str:
    short = file.rpartition("site-packages/")[2].removeprefix(f"{ROOT}/")
    return name if file == "~" else f"{short}:{line} {name}"


def _shown(of_steps: Mapping[str, Sequence[float]], by: int) -> Table:
    most = sorted(of_steps.items(), key=lambda one: -one[1][by])[:_LINES]
    rows = ((name, *(f"{number:.2f}" for number in of_it)) for name, of_it in most)
    return table(("of a step", "calls", "ms by itself", "ms with its calls"), rows)
