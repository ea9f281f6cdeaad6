"""Print what the replay came to, and say of each goal whether it is reached."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from evals.context.figures import Figures
from evals.context.handing import Handed

PROTOTYPE = {8_000: 932}
"""Cost per call that a prototype of the design reached, on a script of its own kind."""

_NOTES = """\
fixed: system text and tool schemas. tokens: of the last prompt of a turn, by o200k_base, tools
included. hit: share of a prompt that is an unchanged prefix of the call before, 0 when the cache
is cold (30 minutes); mean. cost: 0.1 x read from the cache + 1.25 x written to it + the rest; with
create_agent all that is not read is written, Daybook sends breakpoints and its tail is not. Calls
for summaries are counted in, read once and plain; those in which Daybook remembers a fact, too.
stale: messages that show the cart as it is no more, mean per call. facts: those the person told
whose words stand in the last prompt. words: the same of what they said by the way, which no call
remembered. The summariser is no model: it keeps its last summary and the first sentence of what the
person said, the newest first, in 400 tokens."""

_HANDING_NOTES = """\
entered: tokens that the model which goes on reads in its place, at that call and at those after it:
the digest and the brief, or the verdict. with the full history: what was said and called in the
interview, or all the reviews. read aside: all prompts of the interviewer, or of the reviewer's one;
they are asked once and enter no other prompt."""


def show(taken: Sequence[Sequence[Figures]], handed: Sequence[Handed], console: Console) -> bool:
    """Print the tables and the goals; returns whether all goals are reached.

    Args:
        taken: for each length of the script the figures of all contenders.
        handed: what hand-overs came to.
    """
    for figures in taken:
        console.print(table(figures))
    console.print(_NOTES)
    console.print(handing_table(handed))
    console.print(_HANDING_NOTES)
    console.print()
    goals = [goal for figures in taken for goal in goals_of(figures)]
    for is_reached, line in goals:
        console.print(f"{'reached' if is_reached else 'MISSED '}  {line}")
    for line in (line for figures in taken for line in beside_the_prototype(figures)):
        console.print(f"         {line}")
    return all(is_reached for is_reached, _ in goals)


def table(figures: Sequence[Figures]) -> Table:
    """Make the table of one length of the script, one row a contender."""
    marks = list(figures[0].tokens)
    made = Table(box=box.MARKDOWN)
    made.add_column(f"{marks[-1]} turns", no_wrap=True)
    for title in (
        "calls",
        "fixed",
        "tokens at " + " / ".join(map(str, marks)),
        "largest",
        "hit",
        "cost",
        "total",
        "stale",
        "facts",
        "words",
    ):
        made.add_column(title, justify="right", no_wrap=True)
    for one in figures:
        made.add_row(
            one.name,
            str(one.calls),
            f"{one.fixed:,}",
            " / ".join(f"{one.tokens[mark] / 1000:.1f}k" for mark in marks),
            f"{one.largest:,}",
            f"{one.hit:.3f}".removeprefix("0"),
            f"{one.cost:,.0f}",
            f"{one.total / 1000:,.0f}k",
            f"{one.stale:.1f}",
            f"{one.facts} of {one.said}",
            f"{one.words} of {one.spoken}",
        )
    return made


def handing_table(handed: Sequence[Handed]) -> Table:
    """Make the table of hand-overs."""
    made = Table(box=box.MARKDOWN)
    made.add_column("handed over", no_wrap=True)
    for title in ("entered", "with the full history", "read aside"):
        made.add_column(title, justify="right", no_wrap=True)
    for one in handed:
        made.add_row(one.name, f"{one.entered:,}", f"{one.whole:,}", f"{one.aside:,}")
    return made


def goals_of(figures: Sequence[Figures]) -> list[tuple[bool, str]]:
    """Say of each goal whether it is reached at one length of the script."""
    turns = list(figures[0].tokens)[-1]
    others = [one for one in figures if one.budget is None]
    cheapest, least = min(one.cost for one in others), min(one.total for one in others)
    goals = []
    for one in figures:
        if one.budget is None:
            continue
        name = f"{turns} turns, {one.name}:"
        goals += [
            (one.stale == 0, f"{name} {one.stale:.0f} stale snapshots of the cart"),
            (one.facts == one.said, f"{name} {one.facts} of {one.said} facts in the last prompt"),
            (
                one.cost < cheapest,
                f"{name} {one.cost:,.0f} a call, the others from {cheapest:,.0f}",
            ),
            (one.total < least, f"{name} {one.total:,.0f} in all, the others from {least:,.0f}"),
            (one.largest <= one.budget, f"{name} {one.largest:,} tokens at most of {one.budget:,}"),
        ]
    return goals


def beside_the_prototype(figures: Sequence[Figures]) -> list[str]:
    """Set the cost at 100 turns beside that of the prototype."""
    if list(figures[0].tokens)[-1] != 100:
        return []
    return [
        f"100 turns, {one.name}: {one.cost:,.0f} a call, a prototype of the design "
        f"{PROTOTYPE[one.budget]:,}"
        for one in figures
        if one.budget in PROTOTYPE
    ]
