"""Replay real models' decisions: `make tau`, `make tau-chaos`, `make tau-live`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from daybook import DaybookError
from daybook.domain import settings_from
from daybook.state.errors import (
    ConfigurationError,
)
from evals.report import Screen, console
from evals.tau_retail.chaos import Asked, play_all
from evals.tau_retail.data import EXACT, PARALLEL, TauRetail, find, replayable, scripts_of, smoke
from evals.tau_retail.judge import Outcome, stratified
from evals.tau_retail.live import Asked as Tasks
from evals.tau_retail.live import Solved, solve_all, tasks_of
from evals.tau_retail.table import show_chaos, show_live, show_replay

command = typer.Typer(pretty_exceptions_enable=False, no_args_is_help=True)


@command.command()
def replay(
    is_smoke: Annotated[bool, typer.Option("--smoke", help="The 85 runs of smoke.json.")] = False,
    run: Annotated[list[str] | None, typer.Option(help="These runs alone.")] = None,
) -> None:
    """Replay what real models decided, and check database, results and log of each run."""
    data = find()
    known = replayable(data)
    if missing := [one for one in run or () if one not in known]:
        raise ConfigurationError(
            f"No recording that can be replayed has the run {missing[0]}. Nothing was done."
        )
    every = [*scripts_of(data, EXACT), *scripts_of(data, PARALLEL)]
    scripts = [known[one] for one in run or ()] or (smoke(data) if is_smoke else every)
    _play(data, Asked(scripts), show_replay)


@command.command()
def chaos(
    is_all: Annotated[bool, typer.Option("--all", help="All exact runs, and no sample.")] = False,
    trials: Annotated[int, typer.Option(min=1, help="Of each run.")] = 8,
    runs: Annotated[int, typer.Option(min=1, help="In the stratified sample.")] = 150,
    seed: Annotated[int, typer.Option(help="Chooses runs and instants.")] = 7,
    in_window: Annotated[
        bool, typer.Option(help="Kill once, when a run's first write is done and not recorded.")
    ] = False,
) -> None:
    """Kill whoever plays a run, again and again, and check what came of it: pass^k."""
    data = find()
    exact = [one for one in scripts_of(data, EXACT) if one.writes or not in_window]
    scripts = exact if is_all else stratified(exact, runs, seed)
    _play(data, Asked(scripts, trials, seed, in_window), show_chaos)


def _play(
    data: TauRetail, asked: Asked, show: Callable[[Sequence[Outcome], Console], None]
) -> NoReturn:
    """Play runs and show what came of them; end with 1 where one failed.

    Raises:
        typer.Exit: always.
    """
    screen, outcomes = Screen("runs", asked.size), list[Outcome]()

    def tell(outcome: Outcome) -> None:
        outcomes.append(outcome)
        screen.advance(*outcome.failures[:1])

    is_whole = screen.follow(play_all(data, asked, tell), "What was played is below.")
    show(outcomes, console())
    failed = any(not one.is_passed for one in outcomes)
    raise typer.Exit(int(failed) if is_whole else 130)


@command.command()
def live(
    tasks: Annotated[int, typer.Option(min=1, help="The first of the split.")] = 10,
    trials: Annotated[int, typer.Option(min=1, help="Of each task.")] = 1,
    split: Annotated[str, typer.Option(help="`test`, `train` or `dev`.")] = "test",
    model: Annotated[str, typer.Option(help="Of the agent; OPENAI_MODEL where it is empty.")] = "",
    customer: Annotated[str, typer.Option(help="Of the customer; the agent's if empty.")] = "",
) -> None:
    """Let a real model solve tasks, with a model as customer: pass^k and the steps' verdicts."""
    data, settings = find(), settings_from()
    if not settings.has_provider:
        raise ConfigurationError(
            "There is no model that could decide. Nothing was started; set OPENAI_API_KEY or "
            "OPENAI_BASE_URL, and OPENAI_MODEL (or --model and --customer) to name it."
        )
    settings = replace(settings, model=model or settings.model)
    wanted = Tasks(tasks_of(data, split, tasks), trials, customer or settings.model)
    solved: list[Solved] = []
    screen = Screen("conversations", len(wanted.tasks) * trials)

    def tell(one: Solved) -> None:
        solved.append(one)
        screen.advance()

    is_whole = screen.follow(solve_all(data, wanted, settings, tell), "What was solved is below.")
    show_live(solved, settings.model, wanted, console())
    raise typer.Exit(int(any(one.error for one in solved)) if is_whole else 130)


if __name__ == "__main__":
    try:
        command()
    except DaybookError as error:
        sys.exit(str(error))
