"""Replay the chat: `python -m evals.context [--turns 200]`; exit code 1 when a goal is missed."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from daybook.tools.shop.services import reach_shop
from evals.context.agents import Daybook, Plain, contenders, open_daybook
from evals.context.figures import Figures, Replay, figures
from evals.context.script import Turn, script, shelves
from evals.report import Goal, console, print_goals, table
from evals.servers import open_server, open_shop

BUDGET = 8_000
"""Tokens that Daybook's prompts may take: as by default."""

_MARKS = (10, 50, 100, 200)


def main(turns: Annotated[int, typer.Option(min=1, help="Turns of the script.")] = 200) -> None:
    """Count what prompts take over a long chat, beside langchain's create_agent."""
    played, replays = asyncio.run(replayed(turns))
    to, goals = console(), list[Goal]()
    for end in sorted({min(turns, 100), turns}):
        marks = [*(mark for mark in _MARKS if mark < end), end]
        facts = [turn.fact for turn in played[:end] if turn.fact is not None]
        taken = [figures(replay, facts, marks) for replay in replays]
        show(taken, to)
        goals += goals_of(taken)
    to.print(Path(__file__).with_name("notes.txt").read_text("utf-8"), end="")
    if not print_goals(goals, to):
        raise typer.Exit(1)


async def replayed(count: int) -> tuple[Sequence[Turn], Sequence[Replay]]:
    """Play the script with Daybook and with all others; everything is gone afterwards.

    Args:
        count: turns of the script.

    Raises:
        RuntimeError: they did not all do the same.
    """
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-context-")))
        shop = await stack.enter_async_context(open_shop(folder / "shop"))
        server = await stack.enter_async_context(open_server(folder / "postgres"))
        services = await reach_shop(shop.url, shop.smtp_url)
        stack.push_async_callback(services.close)
        await shop.ask("POST", "/admin/reset")
        turns = script(await shelves(services.shop), count)
        opened = open_daybook(await server.new_database("context"), services, BUDGET)
        ours = await stack.enter_async_context(opened)
        all_: list[Plain | Daybook] = [*contenders(services.shop), ours]
        replays = [await played(one, turns) for one in all_]
    check_same_course(replays)
    return turns, replays


async def played(contender: Plain | Daybook, turns: Sequence[Turn]) -> Replay:
    """Play the whole script with one contender."""
    for turn in turns:
        await contender.play(turn)
    return contender.replay()


def check_same_course(replays: Sequence[Replay]) -> None:
    """Check that all carts went through the same changes: else nothing here can be compared.

    Raises:
        RuntimeError: they did not.
    """
    ended = {replay.name: replay.asked[-1].revision for replay in replays}
    if len(set(ended.values())) > 1:
        raise RuntimeError(f"the carts ended at different revisions: {ended}")


def show(taken: Sequence[Figures], to: Console) -> None:
    """Print the figures of all contenders at one length of the script."""
    marks = list(taken[0].tokens)
    titles = (f"{marks[-1]} turns", "calls", "fixed", f"tokens at {' / '.join(map(str, marks))}")
    more = ("largest", "hit", "cost", "total", "stale", "facts")
    to.print(table((*titles, *more), map(_row, taken)))


def _row(one: Figures) -> tuple[object, ...]:
    return (
        *(one.name, one.calls, one.fixed),
        " / ".join(f"{tokens / 1000:.1f}k" for tokens in one.tokens.values()),
        *(one.largest, f"{one.hit:.3f}".removeprefix("0"), f"{one.cost:,.0f}"),
        *(f"{one.total / 1000:,.0f}k", f"{one.stale:.1f}", f"{one.facts} of {one.said}"),
    )


def goals_of(taken: Sequence[Figures]) -> Iterator[Goal]:
    """Say of each goal whether Daybook reaches it at one length of the script."""
    *others, ours = taken
    cheapest, least = min(one.cost for one in others), min(one.total for one in others)
    name = f"{list(ours.tokens)[-1]} turns"
    yield Goal(f"{name}, stale snapshots of the cart", f"{ours.stale:.0f}", ours.stale == 0)
    facts = f"{ours.facts} of {ours.said}"
    yield Goal(f"{name}, facts in the last prompt", facts, ours.facts == ours.said)
    cost = f"{ours.cost:,.0f}, the others from {cheapest:,.0f}"
    yield Goal(f"{name}, cost a call", cost, ours.cost < cheapest)
    total = f"{ours.total:,.0f}, the others from {least:,.0f}"
    yield Goal(f"{name}, cost in all", total, ours.total < least)
    largest = f"{ours.largest:,} tokens of {BUDGET:,}"
    yield Goal(f"{name}, largest prompt", largest, ours.largest <= BUDGET)


if __name__ == "__main__":
    typer.run(main)
