"""Two releases at once on one database: the former one serves on while this one comes up beside."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from evals.load.account import account
from evals.load.course import Asked, Tell, people_of, shop_for, shoppers, warmed
from evals.load.people import Seen
from evals.load.server import open_server
from evals.load.table import Goal, ended
from evals.load.world import open_world
from evals.storm.audit import Account

_FORMER_ONLY_S = 5.0


@dataclass(frozen=True)
class Upgraded:
    """What people saw of each release, and what came of all that they bought."""

    former: Seen
    this: Seen
    found: Account


async def upgraded(asked: Asked, folder: Path, former: Path, tell: Tell) -> Upgraded:
    """Let people shop at the former release, migrate under their feet, and serve by both.

    Args:
        former: a checkout of it, which has `daybook serve --production`.
    """
    people = max(asked.people)
    seen = Seen(), Seen()
    async with open_world(folder) as world, AsyncExitStack() as stack:
        tokens = await people_of(world, 2 * people)
        halves = dict(list(tokens.items())[:people]), dict(list(tokens.items())[people:])
        old = await stack.enter_async_context(
            open_server(asked.python, world.environment, folder, 1, code=former)
        )
        before = await warmed(old, halves[0])
        first = await stack.enter_async_context(
            shoppers(old, halves[0], people, seen[0], asked.think_s)
        )
        tell("people shop at the former release")
        shopping = asyncio.create_task(shop_for(first, _FORMER_ONLY_S + 2 * asked.seconds))
        new = await stack.enter_async_context(
            open_server(asked.python, world.environment, folder, 1)
        )
        tell("this release has migrated the database and serves beside it")
        second = await stack.enter_async_context(
            shoppers(new, halves[1], people, seen[1], asked.think_s)
        )
        await asyncio.gather(shop_for(second, asked.seconds), shopping)
        found = await account(world, [*before, *first, *second])
    return Upgraded(*seen, found)


def goals_of(upgraded: Upgraded) -> list[Goal]:
    """Say what had to hold, and whether it did."""
    found, both = upgraded.found, (upgraded.former, upgraded.this)
    failed = [sum(one.failed.values()) + sum(one.broken.values()) for one in both]
    twice, lost = len(found.duplicates), len(found.lost)
    return [
        Goal("effects done twice, and lost: none", f"{twice}, {lost}", not (twice or lost)),
        ended(both),
        Goal(
            "turns that failed, at the former and at this one: none", f"{failed}", not any(failed)
        ),
        Goal(
            "both served at once",
            f"{upgraded.former.purchases} and {upgraded.this.purchases} purchases",
            bool(upgraded.former.purchases and upgraded.this.purchases),
        ),
        Goal("nothing else left in ledger or shop", f"{len(found.open_steps)}", found.is_exact),
    ]


def told_of(upgraded: Upgraded) -> str:
    """Say in a line what happened."""
    return (
        f"{len(upgraded.former.turns)} turns at the former release and {len(upgraded.this.turns)} "
        f"at this one, {upgraded.found.found} effects"
    )
