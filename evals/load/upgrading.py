"""Two releases at once on one database: the former one serves on while this one comes up beside."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import AsyncConnection

from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError
from evals.load.account import account, doubts_settled
from evals.load.course import Asked, Tell, people_of, shop_for, shop_until, shoppers, warmed
from evals.load.people import Seen
from evals.load.server import complaints, open_server, paths_of
from evals.load.table import Goal, ended
from evals.load.world import open_ground, opened
from evals.storm.audit import Account

_FORMER_ONLY_S = 5.0
_AT_MOST_S = 900.0

# Who ran which thread: of `runner` only the last one is left.
_WITNESS = """
create table witnessed (thread_id text, process text);
create function witness() returns trigger language plpgsql security definer as $$
begin
    insert into witnessed values (new.thread_id, new.process);
    return null;
end $$;
create trigger witness after insert or update of epoch on runner
for each row execute function witness()
"""
_PROCESSES = "select distinct process from witnessed"
_APPLIED = "select name from migration order by applied_at, name"
_OF_BOTH = """
select count(*) from (
    select from witnessed group by thread_id
    having bool_or(process = any(%s)) and not bool_and(process = any(%s))) it
"""


@dataclass(frozen=True)
class Upgraded:
    """What people saw of each release, and what came of all that they bought.

    Attributes:
        after: of people of the former release once it was killed.
        of_both: threads in which both have carried out turns.
        doubts: mails that were cut off then.
    """

    former: Seen
    this: Seen
    after: Seen
    found: Account
    of_both: int
    doubts: int


async def upgraded(asked: Asked, folder: Path, former: Path, tell: Tell) -> Upgraded:
    """Let people shop at the former release, migrate under their feet, serve by both, and kill it.

    Args:
        former: a checkout of it, which has `daybook serve --production`.
    """
    seen, people = (Seen(), Seen(), Seen()), max(asked.people)
    async with open_ground(folder) as ground, AsyncExitStack() as stack:
        # As on two machines: what each keeps in its home is its own.
        before = {**ground.environment, "DAYBOOK_HOME": str(folder / "former")}
        users = [f"of-the-former-{number}" for number in range(people)]
        tokens = await _tokens_by(former, asked.python, before, folder, users)
        old = await stack.enter_async_context(
            open_server(asked.python, before, folder, 1, code=former)
        )
        few = await warmed(old, tokens)
        first = await stack.enter_async_context(
            shoppers(old, tokens, people, seen[0], asked.think_s)
        )
        is_over = asyncio.Event()
        shopping = asyncio.create_task(shop_until(first, is_over.is_set, _AT_MOST_S))
        tell("people shop at the former release")
        owner = await stack.enter_async_context(
            await AsyncConnection.connect(ground.url, autocommit=True)
        )
        await owner.execute(_WITNESS)
        await SYSTEM.sleep(_FORMER_ONLY_S)
        of_former, stood = await _column(owner, _PROCESSES), await _column(owner, _APPLIED)
        world = await stack.enter_async_context(opened(ground))
        migrated = [one for one in await _column(owner, _APPLIED) if one not in stood]
        tell(f"this release has migrated the database: {', '.join(migrated) or 'nothing to do'}")
        new = await stack.enter_async_context(
            open_server(asked.python, ground.environment, folder, 1)
        )
        tell("and serves beside it")
        second = await stack.enter_async_context(
            shoppers(new, await people_of(world, people), people, seen[1], asked.think_s)
        )
        await shop_for(second, asked.seconds)
        for one in first:
            one.goes_to(second[0], seen[2])
        old.kill(*old.everything())
        is_over.set()
        tell("the former release is killed, and its people go on at this one")
        await shopping
        doubts = await doubts_settled(world, first)
        found = await account(world, [*few, *first, *second])
        (both,) = await _column(owner, _OF_BOTH, of_former, of_former)
        for which, server in (("former", old), ("this", new)):
            for line in complaints(server)[:9]:
                tell(f"  {which} release logged: {line}")
    return Upgraded(*seen, found, both, doubts)


async def _tokens_by(
    code: Path, python: str, environment: Mapping[str, str], folder: Path, users: Sequence[str]
) -> dict[str, str]:
    """Make people's tokens by the command of a checkout, whose first one makes its database."""
    tokens = {}
    for user in users:
        made = await asyncio.create_subprocess_exec(
            *(python, "-m", "daybook.app", "token", user),
            cwd=folder,
            env={**environment, "PYTHONPATH": paths_of(code)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        told, why = await made.communicate()
        if made.returncode:
            raise ConfigurationError(
                f"`daybook token` of {code} cannot be run: {why.decode().strip()[-2000:]}\n"
                "Nothing was measured."
            )
        tokens[user] = told.decode().strip()
    return tokens


async def _column(conn: AsyncConnection[Any], query: str, *about: Any) -> list[Any]:
    return [one for (one,) in await (await conn.execute(query, about)).fetchall()]


def goals_of(upgraded: Upgraded) -> list[Goal]:
    """Say what had to hold, and whether it did."""
    found, both = upgraded.found, (upgraded.former, upgraded.this)
    failed = [sum(one.failed.values()) + sum(one.broken.values()) for one in both]
    twice, lost = len(found.duplicates), len(found.lost)
    left = [*found.unknown, *found.open_steps, *found.broken]
    done = found.placed + found.undone
    return [
        Goal("effects done twice, and lost: none", f"{twice}, {lost}", not (twice or lost)),
        ended((*both, upgraded.after)),
        Goal(
            "turns that failed, at the former and at this one: none", f"{failed}", not any(failed)
        ),
        Goal(
            "both served at once",
            f"{upgraded.former.purchases} and {upgraded.this.purchases} purchases",
            bool(upgraded.former.purchases and upgraded.this.purchases),
        ),
        Goal("threads that both have carried on", f"{upgraded.of_both}", bool(upgraded.of_both)),
        Goal("holds left: none", f"{found.holds_left}", not found.holds_left),
        Goal("nothing else left in ledger or shop", ", ".join(left[:3]) or "nothing", not left),
        Goal("what was approved was done", f"{done} of {found.approved}", done == found.approved),
    ]


def told_of(upgraded: Upgraded) -> str:
    """Say in a line what happened."""
    former, this, after = upgraded.former, upgraded.this, upgraded.after
    return (
        f"{len(former.turns)} turns at the former release and {len(this.turns)} at this one, "
        f"{upgraded.found.found} effects; failed: {dict(former.failed)} and {dict(this.failed)}; "
        f"broke off: {dict(former.broken)} and {dict(this.broken)}; once it was killed its people "
        f"made {len(after.turns)} turns, failed: {dict(after.failed)}, broke off: "
        f"{dict(after.broken)}; mails in doubt, which people settled: {upgraded.doubts}"
    )
