"""Grade steps: `python -m evals.steps`; exit code 1 when the checks miss what they are to find.

Without options it holds conversations of its own, grades them, compares them with their references,
and validates the checks by mutation: on the conversations that were looked at while the checks were
written, and on others that were not.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from daybook.app.grading.grading import grade
from daybook.app.grading.shown.printed import told
from daybook.app.grading.steps.kept import difference
from daybook.app.grading.steps.reading import read_trajectory
from daybook.app.grading.steps.trajectory import Trajectory
from daybook.app.grading.verdict import Grade
from daybook.checkpoints.people.lifecycle import standing
from daybook.graph.database import open_database_of
from daybook.graph.settings.environment import Settings, settings_from
from daybook.state.errors import DaybookError
from daybook.tools.shop.domain import SHOP
from evals.steps.conversations import conversation
from evals.steps.matching import Agreement, agreement
from evals.steps.real_runs import replayed
from evals.steps.table import show_agreement, show_validation, show_verdicts
from evals.steps.validation import validated
from evals.steps.world import open_world, played

_WIDTH = 130
_HELD_OUT = 5_000
"""The first seed of the conversations that nobody looked at."""


def main(
    conversations: Annotated[int, typer.Option(min=2, help="To be held, in each half.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the places into which faults are put.")] = 7,
    threads: Annotated[
        list[str] | None, typer.Option("--thread", help="Grade this one instead; repeat it.")
    ] = None,
    tau: Annotated[
        int,
        typer.Option(help="Replay so many recorded runs of tau-bench retail, and use these too."),
    ] = 0,
    every: Annotated[bool, typer.Option("--all", help="Grade all threads instead.")] = False,
) -> None:
    """Grade the steps of threads, and say how far the graders can be trusted."""
    console = Console(width=_WIDTH, highlight=False)
    if threads or every:
        try:
            found = asyncio.run(_stored(threads or []))
        except DaybookError as error:
            console.print(str(error), style="red")
            raise typer.Exit(1) from error
        grades = [grade(one) for one in found]
        show_verdicts(grades, console)
        _show_differences(grades, settings_from(), console)
        return
    looked_at, held_out, agreements = asyncio.run(_held(conversations))
    show_verdicts([grade(one) for one in (*looked_at, *held_out)], console)
    show_agreement(agreements, console)
    positions = SHOP.flow.offered
    is_kept = [
        show_validation(name, validated(half, positions, seed), console)
        for name, half in (("Looked at", looked_at), ("Held out", held_out))
    ]
    if tau:
        is_kept.append(_real(tau, seed, console))
    if not all(is_kept):
        raise typer.Exit(1)


def _real(count: int, seed: int, console: Console) -> bool:
    """Do the same with what real models decided, which nobody knows to be right."""
    runs = asyncio.run(replayed(count, seed))
    console.print("\nRecorded runs of real models, of those that reached what was wanted:")
    show_verdicts([grade(one) for one in runs], console)
    positions: dict[str, frozenset[str]] = {}
    for run in runs:
        positions |= {step.flow: step.offered for step in run.steps if step.offered is not None}
    rows = validated(runs, positions, seed)
    return show_validation("Real models", rows, console, is_clean=False)


async def _held(count: int) -> tuple[list[Trajectory], list[Trajectory], list[Agreement]]:
    """Hold conversations and read what was done in them, the held-out ones apart."""
    with tempfile.TemporaryDirectory(prefix="daybook-steps-") as folder:
        async with open_world(Path(folder)) as world:
            halves: list[list[Trajectory]] = []
            agreements = []
            for first in (0, _HELD_OUT):
                half = []
                for seed in range(first, first + count):
                    lines = conversation(seed)
                    thread_id = await played(world.graph, f"person-{seed}", lines)
                    trajectory = await read_trajectory(world.postgres, SHOP, thread_id)
                    wanted = [call for line in lines for call in line.calls]
                    agreements.append(agreement(trajectory, wanted))
                    half.append(trajectory)
                halves.append(half)
    return halves[0], halves[1], agreements


def _show_differences(grades: Sequence[Grade], settings: Settings, console: Console) -> None:
    """Say of each thread what is different from its last grade, and keep this one."""
    for one in grades:
        found = difference(settings.home, settings.tenant, one.thread_id, one)
        if found is not None:
            console.print(f"{one.thread_id}: {told(found)}", markup=False, soft_wrap=True)


async def _stored(threads: Sequence[str]) -> list[Trajectory]:
    """Read threads of the database that the settings name; all of them where none is named.

    Raises:
        DaybookError: there is no such thread, or it cannot be read.
    """
    async with open_database_of(SHOP, settings_from()) as postgres:
        ids = threads or [one.thread_id for one in await standing(postgres.pool, SHOP.name)]
        return [await read_trajectory(postgres, SHOP, one) for one in ids]


if __name__ == "__main__":
    typer.run(main)
