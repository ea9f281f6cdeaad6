"""Say how much of what people write is understood: `python -m evals.talk`; 1 if too little.

The scenes were written apart from the grammar, in people's spelling. Half of them were looked at
while it was written, and half were not: of these, no sentence is printed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evals.talk.scenes import scenes_of
from evals.talk.side_by_side import each_judged
from evals.talk.table import show, show_failing

_WIDTH = 130
_HERE = Path(__file__).parent
_LOOKED_AT, _HELD_OUT = "looked_at", "held_out"


def main(
    scenes: Annotated[Path, typer.Option(help="The folder of the two halves.")] = _HERE,
    half: Annotated[list[str] | None, typer.Option(help="One half alone.")] = None,
    failing: Annotated[
        bool, typer.Option(help="Print the turns that fail, of the half that was looked at.")
    ] = True,
    only: Annotated[str, typer.Option(help="Scenes whose name has this alone.")] = "",
) -> None:
    """Play the scenes, judge each turn, and print the shares."""
    console = Console(width=_WIDTH, highlight=False)
    names = half or [_LOOKED_AT, _HELD_OUT]
    halves = [
        [one for one in scenes_of(scenes / f"{name}.json") if only in one.scene] for name in names
    ]
    numbered = [
        (f"person-{at}-{number}", scene)
        for at, half in enumerate(halves)
        for number, scene in enumerate(half)
    ]
    each = each_judged(numbered)
    found = [[turn for _ in half for turn in next(each)] for half in halves]
    is_enough = []
    for name, turns in zip(names, found, strict=True):
        if failing and name != _HELD_OUT:
            show_failing(turns, console)
        is_enough.append(show(name.replace("_", " ").capitalize(), turns, console))
    if not all(is_enough):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
