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

from checkpoints.lifecycle import standing
from evals.steps.conversations import conversation
from evals.steps.grading import grade
from evals.steps.matching import Agreement, agreement
from evals.steps.reading import read_trajectory
from evals.steps.table import show_agreement, show_validation, show_verdicts
from evals.steps.trajectory import Trajectory
from evals.steps.validation import validated
from evals.steps.world import open_world, played
from graph.database import open_database_of
from graph.settings import settings_from
from state.errors import DaybookError
from tools.shop.domain import SHOP

_WIDTH = 130
_HELD_OUT = 1_000
"""The first seed of the conversations that nobody looked at."""


def main(
    conversations: Annotated[int, typer.Option(min=2, help="To be held, in each half.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the places into which faults are put.")] = 7,
    threads: Annotated[
        list[str] | None, typer.Option("--thread", help="Grade this one instead; repeat it.")
    ] = None,
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
        show_verdicts([grade(one) for one in found], console)
        return
    looked_at, held_out, agreements = asyncio.run(_held(conversations))
    show_verdicts([grade(one) for one in (*looked_at, *held_out)], console)
    show_agreement(agreements, console)
    positions = SHOP.flow.offered
    is_reached = [
        show_validation(name, validated(half, positions, seed), console)
        for name, half in (("Looked at", looked_at), ("Held out", held_out))
    ]
    if not all(is_reached):
        raise typer.Exit(1)


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
