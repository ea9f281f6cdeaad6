"""Replay the chat: `python -m evals.context [--turns 200]`; exit code 1 when a goal is missed."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from evals.context.figures import figures
from evals.context.replaying import replayed, show
from evals.report import console

_MARKS = (10, 50, 100, 200)


def main(
    turns: Annotated[int, typer.Option(min=1, help="Turns of the script.")] = 200,
) -> None:
    """Count what prompts take over a long chat, beside langchain's create_agent."""
    played, replays = asyncio.run(replayed(turns))
    taken = []
    for end in sorted({min(turns, 100), turns}):
        marks = [*(mark for mark in _MARKS if mark < end), end]
        facts = [turn.fact for turn in played[:end] if turn.fact is not None]
        taken.append([figures(replay, facts, marks) for replay in replays])
    if not show(taken, console()):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
