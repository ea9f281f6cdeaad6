"""Hold true and false answers against what is known: `python -m evals.said`, or `make said`.

Exit code 1 where fewer than 95 % of the false ones are caught, or more than 1 % of the true ones
would be altered, in either half: the one that was looked at while the check was written, and the
one that was not. Each half is held in a process of its own.
"""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from evals.said.halves import Counted, counted

CAUGHT, ALTERED = 0.95, 0.01
_WIDTH = 110


def main(
    conversations: Annotated[int, typer.Option(min=1, help="To be held, in each half.")] = 30,
    seed: Annotated[int, typer.Option(help="Of what is made false, and how.")] = 7,
    show: Annotated[
        bool, typer.Option(help="Print what fails of the half that is looked at.")
    ] = False,
) -> None:
    """Say how many false answers are caught, and how many true ones altered."""
    console = Console(width=_WIDTH, highlight=False)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        looked_at = processes.submit(counted, "looked_at", conversations, seed)
        held_out = processes.submit(counted, "held_out", conversations, seed)
        told, apart = looked_at.result(), held_out.result()
    if told.without:
        console.print(told.without)
    is_kept = [_told("Looked at", told, console), _told("Held out", apart, console)]
    if show:
        for one in told.failed:
            console.print(one, markup=False)
    if not all(is_kept):
        raise typer.Exit(1)


def _told(name: str, half: Counted, console: Console) -> bool:
    """Print the counts of a half; tell whether it keeps what is promised."""
    table = Table("", "answers", "found", "share", box=box.SIMPLE, title=name, title_justify="left")
    for kind, ways, found in (
        ("true", half.true, half.altered),
        ("false", half.false, half.caught),
    ):
        for way, count in sorted(ways.items()):
            table.add_row(
                f"{kind}, {way}", f"{count:,}", f"{found[way]:,}", _share(found[way], count)
            )
    true, altered = half.true.total(), half.altered.total()
    false, caught = half.false.total(), half.caught.total()
    table.add_section()
    table.add_row("true ones altered", f"{true:,}", f"{altered:,}", _share(altered, true))
    table.add_row("false ones caught", f"{false:,}", f"{caught:,}", _share(caught, false))
    console.print(table)
    is_kept = altered <= ALTERED * true and caught >= CAUGHT * false
    console.print(
        f"{'reached' if is_kept else 'MISSED'}: at least 95 % caught, at most 1 % altered"
    )
    return is_kept


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else ""


if __name__ == "__main__":
    typer.run(main)
