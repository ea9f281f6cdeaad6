"""Replay the chat with Daybook and all others: `python -m evals.context [--turns 200]`."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from rich.console import Console

from daybook.tools.shop.services import reach_shop
from evals.context.contenders import Contender, contenders
from evals.context.figures import Figures, Replay
from evals.context.ours import open_daybook
from evals.context.script import Turn, script, shelves
from evals.report import Goal, print_goals, table
from evals.servers import open_server, open_shop

BUDGETS = (8_000, 5_000)
"""Tokens that Daybook's prompts may take: as by default, and less."""


async def replayed(count: int) -> tuple[Sequence[Turn], Sequence[Replay]]:
    """Play the script with Daybook and with all others; everything is gone afterwards.

    Args:
        count: turns of the script.

    Raises:
        EmbeddedPostgresError: the server did not start.
        ServiceUnavailable: the shop did not start.
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
        replays = [await played(one, turns) for one in contenders(services.shop)]
        for budget in BUDGETS:
            # What the one before bought is in stock again.
            await shop.ask("POST", "/admin/reset")
            url = await server.new_database(f"context_{budget}")
            async with open_daybook(url, services, budget) as daybook:
                replays.append(await played(daybook, turns))
    check_same_course(replays)
    return turns, replays


async def played(contender: Contender, turns: Sequence[Turn]) -> Replay:
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


_NOTES = """\
fixed: system text and tool schemas. tokens: of the last prompt of a turn, by o200k_base, tools
included. hit: share of a prompt that is an unchanged prefix of the call before, 0 when the cache
is cold (30 minutes); mean. cost: 0.1 x read from the cache + 1.25 x written to it + the rest; with
create_agent all that is not read is written, Daybook sends breakpoints and its tail is not. Calls
for summaries are counted in, read once and plain; those in which Daybook remembers a fact, too.
stale: messages that show the cart as it is no more, mean per call. facts: those the person told
whose words stand in the last prompt. The summariser is no model: it keeps its last summary and
the first sentence of what the person said, the newest first, in 400 tokens."""


def show(taken: Sequence[Sequence[Figures]], to: Console) -> bool:
    """Print the tables and the goals; returns whether all goals are reached.

    Args:
        taken: for each length of the script the figures of all contenders.
    """
    for figures in taken:
        marks = list(figures[0].tokens)
        titles = (
            f"{marks[-1]} turns",
            "calls",
            "fixed",
            f"tokens at {' / '.join(map(str, marks))}",
        )
        more = ("largest", "hit", "cost", "total", "stale", "facts")
        to.print(table((*titles, *more), map(_row, figures)))
    to.print(_NOTES)
    return print_goals([goal for figures in taken for goal in goals_of(figures)], to)


def _row(one: Figures) -> tuple[object, ...]:
    return (
        one.name,
        one.calls,
        one.fixed,
        " / ".join(f"{tokens / 1000:.1f}k" for tokens in one.tokens.values()),
        one.largest,
        f"{one.hit:.3f}".removeprefix("0"),
        f"{one.cost:,.0f}",
        f"{one.total / 1000:,.0f}k",
        f"{one.stale:.1f}",
        f"{one.facts} of {one.said}",
    )


def goals_of(figures: Sequence[Figures]) -> list[Goal]:
    """Say of each goal whether it is reached at one length of the script."""
    turns = list(figures[0].tokens)[-1]
    others = [one for one in figures if one.budget is None]
    cheapest, least = min(one.cost for one in others), min(one.total for one in others)
    goals = []
    for one in figures:
        if one.budget is None:
            continue
        name, called = f"{turns} turns, {one.name}", f"the others from {cheapest:,.0f}"
        goals += [
            Goal(f"{name}, stale snapshots of the cart", f"{one.stale:.0f}", one.stale == 0),
            Goal(
                f"{name}, facts in the last prompt",
                f"{one.facts} of {one.said}",
                one.facts == one.said,
            ),
            Goal(f"{name}, cost a call", f"{one.cost:,.0f}, {called}", one.cost < cheapest),
            Goal(
                f"{name}, cost in all",
                f"{one.total:,.0f}, the others from {least:,.0f}",
                one.total < least,
            ),
            Goal(
                f"{name}, largest prompt",
                f"{one.largest:,} tokens of {one.budget:,}",
                one.largest <= one.budget,
            ),
        ]
    return goals
