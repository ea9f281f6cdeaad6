"""Measure the step checks: `python -m evals.steps`; exit code 1 where a threshold is missed.

The thirty written conversations of `evals.live` are played on the real graph with the decisions
that are written beside them; faults are put into their trajectories, and each must be found by its
check.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from daybook.app.grading.grade import grade
from daybook.domain import settings_from
from daybook.tools.shop.domain import SHOP
from evals.live.judging import Scripted, conversations
from evals.live.playing import Played, play_all
from evals.model_server import serving
from evals.report import console, run_command
from evals.steps.validation import alarms_on, replay, show_validation, show_verdicts, validate

_SEED = 7
"""Of the places into which faults are put."""


def main(
    tau: Annotated[int, typer.Option(help="Recorded runs of tau-bench that are replayed too.")] = 0,
) -> None:
    """Print recall and precision of the step checks."""
    to = console()
    with tempfile.TemporaryDirectory(prefix="daybook-steps-") as folder:
        written = [one.trajectory for one in play_written(Path(folder))]
    grades = [grade(one) for one in written]
    show_verdicts(grades, to)
    rows = validate(written, SHOP.flow.offered, _SEED)
    is_kept = show_validation(rows, alarms_on(grades), to)
    if tau:
        _real(tau, to)
    if not is_kept:
        raise typer.Exit(1)


def _real(count: int, to: Console) -> None:
    """Do the same with decisions of real models, which are not known to be right."""
    runs = asyncio.run(replay(count, _SEED))
    grades = [grade(one) for one in runs]
    to.print("\nRecorded runs of real models, of those that reached their task's goal:")
    show_verdicts(grades, to)
    positions: dict[str, frozenset[str]] = {}
    for run in runs:
        positions |= {step.flow: step.offered for step in run.steps if step.offered is not None}
    show_validation(validate(runs, positions, _SEED), alarms_on(grades), to)


def play_written(folder: Path) -> list[Played]:
    """Play the written conversations with their own decisions, once each."""
    written = conversations()
    found: list[Played] = []
    with serving({"live": Scripted(written).reply}) as served:
        settings = settings_from({"OPENAI_BASE_URL": served["live"].url})
        asyncio.run(play_all(written, 1, settings, folder, found.append))
    # In their order: the same seed draws the same faults.
    names = [one.name for one in written]
    found.sort(key=lambda one: names.index(one.name))
    return found


if __name__ == "__main__":
    run_command(main)
