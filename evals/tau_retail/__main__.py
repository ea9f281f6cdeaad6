"""Replay real models' decisions: `make tau`, `make tau-chaos`, `make tau-live`."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from daybook.graph.settings.environment import settings_from
from daybook.state.errors import ConfigurationError, DaybookError
from evals.report import WIDTH, console
from evals.servers import interruptible
from evals.tau_retail.chaos import Asked, play_all
from evals.tau_retail.data import TauRetail, find
from evals.tau_retail.live import Asked as Tasks
from evals.tau_retail.live import Solved, solve_all, tasks_of
from evals.tau_retail.marks import Place
from evals.tau_retail.outcome import Kept, Outcome, origin_of
from evals.tau_retail.player import DAYBOOK, PLAYERS
from evals.tau_retail.recordings import EXACT, PARALLEL, Script, replayable, scripts_of, smoke
from evals.tau_retail.sample import stratified
from evals.tau_retail.table import show_chaos, show_live, show_replay

command = typer.Typer(pretty_exceptions_enable=False, no_args_is_help=True)


@command.callback()
def tau_retail() -> None:
    """Replay what real models decided on tau-bench retail; or let one decide now."""


Out = Annotated[
    Path | None, typer.Option(help="Folder for what came of each run; below DAYBOOK_HOME if not.")
]


@command.command()
def replay(
    is_smoke: Annotated[bool, typer.Option("--smoke", help="The 85 runs of smoke.json.")] = False,
    run: Annotated[list[str] | None, typer.Option(help="These runs alone.")] = None,
    only: Annotated[str, typer.Option(help="`recorded` or `recorded_parallel` alone.")] = "",
    out: Out = None,
) -> None:
    """Replay what real models decided, and check database, results and log of each run."""
    data = find()
    if only:
        _known(only, (EXACT, PARALLEL), "--only")
    scripts = _chosen(data, is_smoke, run or [], only)
    file = _folder(out) / f"replay{'-named' if run else '-smoke' if is_smoke else ''}.jsonl"
    if run or is_smoke:
        file.unlink(missing_ok=True)
    _play(data, Asked(scripts, 0, 0, (DAYBOOK,)), file, show_replay)


@command.command()
def chaos(
    is_all: Annotated[bool, typer.Option("--all", help="All exact runs, and no sample.")] = False,
    trials: Annotated[int, typer.Option(min=1, help="Of each run.")] = 8,
    runs: Annotated[int, typer.Option(min=1, help="In the stratified sample.")] = 150,
    seed: Annotated[int, typer.Option(help="Chooses runs and instants.")] = 7,
    in_window: Annotated[
        bool, typer.Option(help="Kill once, when a run's first write is done and not recorded.")
    ] = False,
    player: Annotated[list[str] | None, typer.Option(help="These players alone.")] = None,
    out: Out = None,
) -> None:
    """Kill whoever plays a run, again and again, and check what came of it: pass^k."""
    data = find()
    for one in player or ():
        _known(one, PLAYERS, "--player")
    exact = scripts_of(data, EXACT)
    if in_window:
        exact = [script for script in exact if script.writes]
    scripts = exact if is_all else stratified(exact, runs, seed)
    asked = Asked(scripts, trials, seed, player or PLAYERS, Place.REPLIED if in_window else None)
    file = _folder(out) / f"chaos-seed{seed}{'-window' if in_window else ''}.jsonl"
    _play(data, asked, file, lambda found, to: show_chaos(found, asked.players, to))


def _play(
    data: TauRetail, asked: Asked, file: Path, show: Callable[[Sequence[Outcome], Console], None]
) -> NoReturn:
    """Play what a file does not hold yet; show it all, and end with 1 where one of ours failed.

    Raises:
        typer.Exit: always.
    """
    kept, wanted, to = Kept(file, origin_of(data.folder)), asked.keys, console()
    known = len(wanted & kept.outcomes.keys())
    screen = Screen("runs", len(wanted), known)

    def tell(outcome: Outcome) -> None:
        kept.keep(outcome)
        screen.advance(outcome, tells=outcome.player == DAYBOOK)

    left = f"What was done is kept in {file}; the same command goes on from there."
    whole = _is_done(play_all(data, asked, kept.outcomes, tell), screen, left)
    outcomes = [one for key, one in kept.outcomes.items() if key in wanted]
    show(outcomes, to)
    if known:
        told = f"{known} of these were known before, from {file}; remove it to play them again."
        to.print(told, soft_wrap=True)
    failed = any(not one.is_passed for one in outcomes if one.player == DAYBOOK)
    raise typer.Exit(130 if not whole else int(failed))


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
    some = tasks_of(data, split, tasks)
    solved: list[Solved] = []
    screen = Screen("conversations", len(some) * trials, 0)

    def tell(one: Solved) -> None:
        solved.append(one)
        screen.progress.advance(screen.task)

    wanted = Tasks(some, trials, customer or settings.model)
    whole = _is_done(
        solve_all(data, wanted, settings, tell), screen, "What was solved by then stands below."
    )
    show_live(solved, settings.model, wanted, console())
    raise typer.Exit(130 if not whole else int(any(one.error for one in solved)))


def _chosen(data: TauRetail, is_smoke: bool, named: Sequence[str], only: str) -> list[Script]:
    if named:
        known = replayable(data)
        if missing := [one for one in named if one not in known]:
            raise ConfigurationError(
                f"No recording that can be replayed has the run {missing[0]}. Nothing was done."
            )
        return [known[one] for one in named]
    if is_smoke:
        return smoke(data)
    return [
        script
        for recording in (EXACT, PARALLEL)
        if only in ("", recording)
        for script in scripts_of(data, recording)
    ]


def _folder(out: Path | None) -> Path:
    """Make the folder in which outcomes are kept.

    Raises:
        ConfigurationError: there can be none of that name.
    """
    folder = out if out is not None else settings_from().home / "tau_retail"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"What comes of the runs cannot be kept in {folder} ({error.strerror}). Nothing was "
            "done; name another folder with --out."
        ) from error
    return folder


def _known(word: str, words: Sequence[str], option: str) -> None:
    """Refuse a word that names nothing: what is not there would pass.

    Raises:
        ConfigurationError: it is none of them.
    """
    if word not in words:
        raise ConfigurationError(
            f"{option} {word} names nothing; there are {', '.join(words)}. Nothing was done."
        )


class Screen:
    """Show how far it is, and each run that failed at once."""

    def __init__(self, what: str, total: int, done: int) -> None:
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True, width=WIDTH, highlight=False),
        )
        self.task = self.progress.add_task(what, total=total, completed=done)

    def advance(self, outcome: Outcome, *, tells: bool = True) -> None:
        """Take one more outcome."""
        self.progress.advance(self.task)
        if tells and not outcome.is_passed:
            self.progress.console.print(str(outcome.failures[0]), markup=False)


def _is_done(work: Coroutine[Any, Any, None], screen: Screen, left: str) -> bool:
    """Work to the end, or to the first signal, and tell which.

    Args:
        left: says what becomes of what was done by then.
    """
    # That connections break is what may be done here.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)
    with screen.progress:
        try:
            asyncio.run(interruptible(work))
        except asyncio.CancelledError:
            told = f"\nInterrupted. What was started is stopped and removed. {left}"
            print(told, file=sys.stderr)
            return False
    return True


def main() -> None:
    """Run a command; what is missing is said in a sentence."""
    try:
        command()
    except DaybookError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
