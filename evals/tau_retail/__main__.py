"""Replay real models' decisions: `make tau`, `make tau-chaos`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from daybook import DaybookError
from daybook.state.errors import ConfigurationError
from evals.report import Screen, console
from evals.tau_retail.chaos import Asked, play_all
from evals.tau_retail.data import EXACT, PARALLEL, TauRetail, find, replayable, scripts_of, smoke
from evals.tau_retail.judge import Outcome, stratified
from evals.tau_retail.table import show_chaos, show_replay

_SEED = 7
"""Chooses runs and instants."""

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
    in_window: Annotated[
        bool, typer.Option(help="Kill once, when a run's first write is done and not recorded.")
    ] = False,
) -> None:
    """Kill whoever plays a run, again and again, and check what came of it: pass^k."""
    data = find()
    exact = [one for one in scripts_of(data, EXACT) if one.writes or not in_window]
    scripts = exact if is_all else stratified(exact, runs, _SEED)
    _play(data, Asked(scripts, trials, _SEED, in_window), show_chaos)


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


if __name__ == "__main__":
    try:
        command()
    except DaybookError as error:
        sys.exit(str(error))
