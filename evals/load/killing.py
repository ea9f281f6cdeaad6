"""Processes are killed under load: what is under way goes on in another one."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from daybook.state.clock import SYSTEM
from evals.load.account import account, doubts_settled
from evals.load.course import Asked, Tell, people_of, shop_for, shoppers, warmed, way_to
from evals.load.people import Seen
from evals.load.server import Server, complaints
from evals.load.table import Goal, ended
from evals.load.world import open_world
from evals.storm.audit import Account

_EVERY_S = 8.0


@dataclass(frozen=True)
class Killed:
    """What came of it.

    Attributes:
        kills: processes that answered, and were killed.
        workers: workers that were killed.
        doubts: mails that were cut off, of which nobody but a person could tell.
    """

    kills: int
    workers: int
    doubts: int
    seen: Seen
    found: Account


async def killed(asked: Asked, folder: Path, tell: Tell) -> Killed:
    """Let people shop while one process after the other is killed, the worker among them."""
    people, processes = max(asked.people), max(asked.processes)
    async with open_world(folder) as world, way_to(world, asked) as serving:
        tokens = await people_of(world, people)
        async with serving(processes) as server:
            first = await warmed(server, tokens)
            seen = Seen()
            async with shoppers(server, tokens, people, seen, asked.think_s) as everybody:
                async with _killing(server, asked.seconds, tell) as counted:
                    await shop_for(everybody, asked.seconds)
                tell("all that was begun has come to its end")
                doubts = await doubts_settled(world, everybody)
                found = await account(world, [*first, *everybody])
                for line in complaints(server)[:9]:
                    tell(f"  the server logged: {line}")
    return Killed(counted[0], counted[1], doubts, seen, found)


@asynccontextmanager
async def _killing(server: Server, seconds: float, tell: Tell) -> AsyncIterator[list[int]]:
    counted = [0, 0]
    killing = asyncio.create_task(_kill(server, seconds, counted, tell))
    try:
        yield counted
    finally:
        killing.cancel()
        await asyncio.gather(killing, return_exceptions=True)


async def _kill(server: Server, seconds: float, counted: list[int], tell: Tell) -> None:
    chosen, over = random.Random(1), SYSTEM.monotonic() + seconds
    while SYSTEM.monotonic() < over:
        await SYSTEM.sleep(_EVERY_S * chosen.uniform(0.5, 1.5))
        worker, answering = server.worker(), server.processes()
        if worker and chosen.random() < 0.25:
            counted[1] += 1
            server.kill(worker)
        elif answering:
            counted[0] += 1
            server.kill(chosen.choice(answering))
        tell(f"  killed so far: {counted[0]} that answered, {counted[1]} workers")


def goals_of(killed: Killed) -> list[Goal]:
    """Say what had to hold, and whether it did."""
    found, seen = killed.found, killed.seen
    twice, lost = len(found.duplicates), len(found.lost)
    left = [*found.unknown, *found.open_steps, *found.broken]
    others = {why: n for why, n in seen.broken.items() if why == "timed out"}
    done = found.placed + found.undone
    return [
        Goal("effects done twice, and lost: none", f"{twice}, {lost}", not (twice or lost)),
        ended([seen]),
        Goal("holds left: none", f"{found.holds_left}", not found.holds_left),
        Goal("nothing else left in ledger or shop", ", ".join(left[:3]) or "nothing", not left),
        Goal("what was approved was done", f"{done} of {found.approved}", done == found.approved),
        Goal("answers that timed out: none", f"{sum(others.values())}", not others),
    ]


def told_of(killed: Killed) -> str:
    """Say in a line what happened."""
    seen = killed.seen
    return (
        f"{killed.kills} processes that answered and {killed.workers} workers were killed under "
        f"load; {seen.purchases} purchases, {killed.found.found} effects, {len(seen.turns)} turns; "
        f"mails in doubt, which people settled: {killed.doubts}; "
        f"answers that broke off and were asked for again: {dict(seen.broken)}; "
        f"turns that ended with an error and were said again: {dict(seen.failed)}"
    )
