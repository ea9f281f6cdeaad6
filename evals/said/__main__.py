"""Hold true and false answers against what is known: `python -m evals.said`, or `make said`.

Exit code 1 where fewer than 95 % of the false ones are caught, or more than 1 % of the true ones
would be altered, in either half: the one that was looked at while the check was written, and the
one that was not.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from daybook.state.errors import ConfigurationError
from evals.said.answers import Answer, is_held_out
from evals.said.held import held
from evals.said.mutations import mutated
from evals.said.recorded import recorded
from evals.said.written import written
from evals.tau_retail.data import find

CAUGHT, ALTERED = 0.95, 0.01
_WIDTH = 110
_HELD_OUT = 5_000
"""The first seed of the conversations that nobody looked at."""


def main(
    conversations: Annotated[int, typer.Option(min=1, help="To be held, in each half.")] = 30,
    seed: Annotated[int, typer.Option(help="Of what is made false, and how.")] = 7,
    show: Annotated[
        bool, typer.Option(help="Print what fails of the half that is looked at.")
    ] = False,
) -> None:
    """Say how many false answers are caught, and how many true ones altered."""
    console = Console(width=_WIDTH, highlight=False)
    told = [*asyncio.run(held(0, conversations))]
    apart = [*asyncio.run(held(_HELD_OUT, conversations))]
    try:
        runs = list(recorded(find()))
    except ConfigurationError as error:
        console.print(f"Without recorded runs: {error}")
        runs = []
    halves = (
        ("Looked at", told, [one for one in runs if not is_held_out(one.about)], "looked_at"),
        ("Held out", apart, [one for one in runs if is_held_out(one.about)], "held_out"),
    )
    is_kept = []
    for name, ours, theirs, half in halves:
        by_hand = list(written(half))
        true = [*ours, *theirs, *(one for one in by_hand if one.is_true)]
        chance = random.Random(seed)
        false = [
            *(made for one in (*ours, *theirs) if not one.untrue for made in mutated(one, chance)),
            *(one for one in by_hand if not one.is_true),
        ]
        is_kept.append(_told(name, true, false, console))
        if show and half == "looked_at":
            _show([one for one in true if one.untrue], console)
            _show([one for one in false if not one.untrue], console)
    if not all(is_kept):
        raise typer.Exit(1)


def _told(name: str, true: Sequence[Answer], false: Sequence[Answer], console: Console) -> bool:
    """Print the counts of a half; tell whether it keeps what is promised."""
    table = Table("", "answers", "found", "share", box=box.SIMPLE, title=name, title_justify="left")
    altered = sum(bool(one.untrue) for one in true)
    caught = sum(bool(one.untrue) for one in false)
    for kind, answers in (("true", true), ("false", false)):
        ways = Counter(one.way for one in answers)
        found = Counter(one.way for one in answers if one.untrue)
        for way, count in sorted(ways.items()):
            table.add_row(
                f"{kind}, {way}", f"{count:,}", f"{found[way]:,}", _share(found[way], count)
            )
    table.add_section()
    table.add_row("true ones altered", f"{len(true):,}", f"{altered:,}", _share(altered, len(true)))
    table.add_row("false ones caught", f"{len(false):,}", f"{caught:,}", _share(caught, len(false)))
    console.print(table)
    is_kept = altered <= ALTERED * len(true) and caught >= CAUGHT * len(false)
    console.print(
        f"{'reached' if is_kept else 'MISSED'}: at least 95 % caught, at most 1 % altered"
    )
    return is_kept


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


def _show(answers: Sequence[Answer], console: Console) -> None:
    for one in answers:
        console.print(f"--- {one.is_true} {one.way} {one.about}\n{one.text}", markup=False)
        for wrong in one.untrue:
            console.print(f"  => {wrong.text.strip()}: {wrong.so}", markup=False)


if __name__ == "__main__":
    typer.run(main)
