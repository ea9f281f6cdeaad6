"""Hold thirty conversations with a model of yours: `make live`, or `python -m evals.live`.

Exit code 1 where pass^k is below `--least`, 130 where it was interrupted.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from daybook.domain import settings_from
from daybook.state.errors import ConfigurationError
from evals.live.judging import Conversation, conversations
from evals.live.playing import Played, passes, play_all, show
from evals.report import Screen, console, run_command

NO_MODEL = "No model is set: set OPENAI_API_KEY or OPENAI_BASE_URL, and OPENAI_MODEL."


def main(
    trials: Annotated[int, typer.Option(min=1, help="Of each conversation; k of pass^k.")] = 3,
    only: Annotated[list[str] | None, typer.Option(help="This one alone; repeat it.")] = None,
    least: Annotated[float, typer.Option(min=0, max=1, help="pass^k that is to be reached.")] = 0.0,
) -> None:
    """Hold written conversations with a model, and judge the effects, steps and answers of each."""
    settings = settings_from()
    to = console()
    if not settings.has_provider:
        to.print(NO_MODEL, soft_wrap=True)
        return
    wanted = _wanted(only or ())
    played: list[Played] = []

    def tell(one: Played) -> None:
        played.append(one)
        screen.advance()

    screen = Screen("conversations", len(wanted) * trials)
    with tempfile.TemporaryDirectory(prefix="daybook-live-") as folder:
        is_whole = screen.follow(play_all(wanted, trials, settings, Path(folder), tell))
    to.print(f"{settings.model}, {len(wanted)} conversations, {trials} trials", markup=False)
    played.sort(key=lambda one: ([c.name for c in wanted].index(one.name), one.trial))
    show(played, trials, to)
    if not is_whole:
        raise typer.Exit(130)
    if passes(played, trials) < least:
        raise typer.Exit(1)


def _wanted(names: list[str] | tuple[str, ...]) -> list[Conversation]:
    """Return the conversations of these names; all where there is none.

    Raises:
        ConfigurationError: there is none of such a name.
    """
    written = {one.name: one for one in conversations()}
    if missing := [name for name in names if name not in written]:
        raise ConfigurationError(
            f"--only {missing[0]} names nothing; there are: {', '.join(written)}. Nothing was done."
        )
    return [written[name] for name in names] or list(written.values())


if __name__ == "__main__":
    run_command(main)
