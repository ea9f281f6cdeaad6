"""Inspect a database without changing it: can Daybook use it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from psycopg import OperationalError
from psycopg.types.json import Jsonb

from daybook.checkpoints.cluster import CLUSTER_NOW, prefix_of, read_marks
from daybook.checkpoints.migrate import READER, ROLE, SCHEMA, missing
from daybook.checkpoints.pool import Conn, Place, connected_at
from daybook.checkpoints.reach import bounded, unavailable
from daybook.checkpoints.runs.runners import MOST_TRIES
from daybook.checkpoints.statements import statements

_SQL = statements("inspect.sql")


@dataclass(frozen=True)
class Inspection:
    """What was found.

    Attributes:
        owner: the user of the connection, as whom migrations run where there are any to run.
        is_pooled: a proxy gives the session to someone else between two transactions.
        is_standby: a read-only copy of another server.
        missing: migrations that this release needs and the database does not have.
        lacks: rights that the owner needs for them and does not have, in words.
        role: what is wrong with the application's role, in words; None if it is missing, and all
            runs as the owner.
        reader: the same of the role that a user's own history is read as.
        rights: what the application's role may do to `ledger_event` and must not.
        owns: the user of the connection may do as the owner of the tables does.
        is_append_only: the trigger that refuses changes of the ledger is there and enabled.
        is_elsewhere: it is not the database that the ledger was last accepted on, for programs
            that were not accepted by themselves. elsewhere: those programs of which it is so.
        programs: of the tenant that have declared tools, each with how many.
        open_tables: tables without forced row-level security.
        given_up: threads of the tenant that workers do not try any more.
        undelivered: notifications that were given up.
        of_nobody: effects that providers told of and that no step of the tenant is of.
    """

    version: str
    database: str
    owner: str
    is_pooled: bool
    is_standby: bool
    missing: list[str]
    lacks: list[str]
    role: str | None
    reader: str | None
    rights: Sequence[str] = ()
    owns: bool = False
    is_append_only: bool = False
    is_elsewhere: bool = False
    elsewhere: Sequence[str] = ()
    programs: Sequence[str] = ()
    open_tables: Sequence[str] = ()
    given_up: Sequence[str] = ()
    undelivered: int = 0
    of_nobody: Sequence[str] = ()


async def inspect(
    url: str,
    tenant_id: str,
    schema: str = SCHEMA,
    *,
    ignores_timeline: bool = False,
    marks: Path | None = None,
) -> Inspection:
    """Inspect a database as its owner, and the threads of a tenant.

    Args:
        ignores_timeline: a promoted replica lacks nothing.
        marks: the folder on this host that reveals a restored disk snapshot.

    Raises:
        DatabaseUnavailable: it cannot be reached.
    """
    about = {
        "schema": schema,
        "role": ROLE,
        "tenant_id": tenant_id,
        "most_tries": MOST_TRIES,
        "ignores_timeline": ignores_timeline,
        "marks": None,
    }
    try:
        url, place = bounded(url), Place(schema, tenant_id)
        async with connected_at(url, place) as conn, connected_at(url, place) as second:
            server = await _row(conn, "server", about)
            may_create = server.pop("may_create")
            not_there = await missing(conn, schema)
            if marks is not None and not not_there:
                now = await (await conn.execute(CLUSTER_NOW)).fetchone() or {}
                kept = read_marks(marks, prefix_of(now, tenant_id))
                about["marks"] = Jsonb({program: [one] for program, one in kept.items()})
            return Inspection(
                **server,
                is_pooled=await _is_pooled(conn, second),
                missing=not_there,
                lacks=[] if may_create else [f'create the schema "{schema}"'],
                role=_fault_of_role(ROLE, await _row(conn, "role", about)),
                reader=_fault_of_role(READER, await _row(conn, "role", {"role": READER})),
                **({} if not_there else await _row(conn, "tables", about)),
            )
    except OperationalError as error:
        raise unavailable(error) from error


async def _is_pooled(conn: Conn, second: Conn) -> bool:
    """Tell whether two sessions share one of the server's, or one changes it.

    A pooling proxy lends a session of the server for a transaction. It lends the second one the
    session that the first has just given back, and the first one another while that is in use.
    """
    mine = await _row(conn, "session")
    async with second.transaction():
        theirs = await _row(second, "session")
        still_mine = await _row(conn, "session")
    return theirs == mine or still_mine != mine


def _fault_of_role(name: str, role: Mapping[str, Any]) -> str | None:
    if not role:
        return None
    if name == ROLE and not role["is_ours"]:
        return f"the user is not a member of it: grant {name} to that user"
    if role["sees_all_tenants"]:
        return f"it sees the rows of all tenants: alter role {name} nosuperuser nobypassrls"
    return ""


async def _row(
    conn: Conn, statement: str, about: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return await (await conn.execute(_SQL[statement], about)).fetchone() or {}
