"""Replay the chat: `python -m evals.context [--turns 200]`; exit code 1 when a goal is missed."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from evals.context.figures import figures
from evals.context.replaying import replayed
from evals.context.table import show

_WIDTH = 150
_MARKS = (10, 50, 100, 200)


def main(
    turns: Annotated[int, typer.Option(min=1, help="Turns of the script.")] = 200,
) -> None:
    """Count what prompts take over a long chat, beside langchain's create_agent."""
    played = asyncio.run(replayed(turns))
    taken = []
    for end in sorted({min(turns, 100), turns}):
        marks = [*(mark for mark in _MARKS if mark < end), end]
        facts = [turn.fact for turn in played.turns[:end] if turn.fact is not None]
        words = [turn.word for turn in played.turns[:end] if turn.word is not None]
        taken.append([figures(replay, facts, marks, words) for replay in played.replays])
    if not show(taken, played.handed, Console(width=_WIDTH, highlight=False)):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
