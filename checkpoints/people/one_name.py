"""What people are to be called whose ids were written down in another form than the one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from daybook.checkpoints.people.memory import prefix_of, user_in
from daybook.checkpoints.pool import Conn
from daybook.state.people.named import user_named

NAMES = "0024_one_name"
"""The migration that writes ids anew; how letters fold is not Postgres's to say."""

_TABLES = ("thread", "token")
"""Where everybody stands who was ever here; of some there is memory alone."""

_MADE = """
create temp table one_name (
    tenant_id text, was text, becomes text, prefix_was text, prefix_becomes text
) on commit drop
"""


def renamed(names: Iterable[str]) -> Mapping[str, str]:
    """Return what the people of a tenant are called from now on, where it is otherwise.

    Nobody becomes somebody else: who comes later by a name that is taken gets a number.

    Args:
        names: in the order in which they may choose.
    """
    known = list(dict.fromkeys(names))
    taken = {name for name in known if user_named(name) == name}
    becomes: dict[str, str] = {}
    for name in known:
        if name in taken:
            continue
        one = wanted = user_named(name)
        number = 1
        while one in taken or not one:
            number += 1
            one = f"{wanted}~{number}"
        taken.add(one)
        becomes[name] = one
    return becomes


async def tell_names(conn: Conn) -> None:
    """Fill the table that the migration reads, within its transaction."""
    people: dict[str, list[str]] = {}
    for table in _TABLES:
        await conn.execute(f"alter table {table} no force row level security")
        found = await conn.execute(f"select tenant_id, user_id from {table} order by 1, 2")
        for row in await found.fetchall():
            people.setdefault(row["tenant_id"], []).append(row["user_id"])
        await conn.execute(f"alter table {table} force row level security")
    await conn.execute("alter table store no force row level security")
    found = await conn.execute("select distinct tenant_id, prefix from store order by 1, 2")
    for row in await found.fetchall():
        if (user_id := user_in(row["prefix"])) is not None:
            people.setdefault(row["tenant_id"], []).append(user_id)
    await conn.execute("alter table store force row level security")
    await conn.execute(_MADE)
    for tenant_id, names in people.items():
        for was, becomes in renamed(names).items():
            prefixes = prefix_of(tenant_id, was), prefix_of(tenant_id, becomes)
            await conn.execute(
                "insert into one_name values (%s, %s, %s, %s, %s)",
                (tenant_id, was, becomes, *prefixes),
            )
