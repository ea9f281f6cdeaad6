"""Look at a database without changing it: is it what Daybook can stand on?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import OperationalError

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
        is_pooled: a proxy gives the session to somebody else between two transactions.
        is_standby: a read-only copy of another server.
        missing: migrations that this release needs and the database does not have.
        lacks: rights that the owner needs for them and does not have, in words.
        role: what is wrong with the application's role, in words; None where it is missing, and all
            runs as the owner.
        reader: the same of the role that a user's own history is read as.
        rights: what the application's role may do to `ledger_event` and must not.
        owns: the user of the connection may do as the owner of the tables does.
        is_append_only: the trigger that refuses changes of the ledger is there and enabled.
        open_tables: tables without forced row-level security.
        given_up: threads of the tenant that workers do not try any more.
        of_nobody: effects that other sides told of and that no step of the tenant is of.
    """

    version: str
    database: str
    owner: str
    is_pooled: bool
    is_standby: bool
    missing: tuple[str, ...]
    lacks: tuple[str, ...]
    role: str | None
    reader: str | None
    rights: tuple[str, ...]
    owns: bool
    is_append_only: bool
    open_tables: tuple[str, ...]
    given_up: tuple[str, ...]
    of_nobody: tuple[str, ...]


async def inspect(url: str, tenant_id: str, schema: str = SCHEMA) -> Inspection:
    """Inspect a database as its owner, and the threads of a tenant.

    Raises:
        DatabaseUnavailable: it cannot be reached.
    """
    try:
        url, place = bounded(url), Place(schema, tenant_id)
        async with connected_at(url, place) as conn, connected_at(url, place) as second:
            server = await _row(conn, "server", schema=schema)
            not_there = await missing(conn, schema)
            role, reader = await _row(conn, "role"), await _row(conn, "role", READER)
            migrated = not not_there
            return Inspection(
                version=server["version"],
                database=server["database"],
                owner=server["owner"],
                is_pooled=await _is_pooled(conn, second),
                is_standby=server["is_standby"],
                missing=tuple(not_there),
                lacks=() if server["may_create"] else (f'create the schema "{schema}"',),
                role=_fault_of_role(ROLE, role) if role else None,
                reader=_fault_of_role(READER, reader) if reader else None,
                rights=await _column(conn, "rights_to_change_the_ledger")
                if migrated and role
                else (),
                owns=migrated and bool(await _value(conn, "owns")),
                is_append_only=migrated and bool(await _value(conn, "append_only")),
                open_tables=await _column(conn, "tables_open_to_other_tenants", schema=schema),
                given_up=await _of_tenant(conn, "given_up", tenant_id) if migrated else (),
                of_nobody=await _of_tenant(conn, "of_nobody", tenant_id) if migrated else (),
            )
    except OperationalError as error:
        raise unavailable(error) from error


async def _is_pooled(conn: Conn, second: Conn) -> bool:
    """Tell whether two sessions share one of the server's, or one changes it.

    A pooling proxy lends a session of the server for a transaction. It lends the second one the
    session that the first has just given back, and the first one another while that is in use.
    """
    mine = await _value(conn, "session")
    async with second.transaction():
        theirs = await _value(second, "session")
        still_mine = await _value(conn, "session")
    return bool(theirs == mine or still_mine != mine)


def _fault_of_role(name: str, role: Mapping[str, Any]) -> str:
    if name == ROLE and not role["is_ours"]:
        return f"the user is no member of it: grant {name} to that user"
    if role["sees_all_tenants"]:
        return f"it sees the rows of all tenants: alter role {name} nosuperuser nobypassrls"
    return ""


async def _of_tenant(conn: Conn, statement: str, tenant_id: str) -> tuple[str, ...]:
    about = {"tenant_id": tenant_id, "most_tries": MOST_TRIES}
    rows = await (await conn.execute(_SQL[statement], about)).fetchall()
    return tuple(next(iter(row.values())) for row in rows)


async def _row(
    conn: Conn, statement: str, role: str = ROLE, schema: str = SCHEMA
) -> Mapping[str, Any]:
    about = {"role": role, "schema": schema}
    return await (await conn.execute(_SQL[statement], about)).fetchone() or {}


async def _value(conn: Conn, statement: str) -> Any:
    return next(iter((await _row(conn, statement)).values()), None)


async def _column(conn: Conn, statement: str, schema: str = SCHEMA) -> tuple[str, ...]:
    about = {"role": ROLE, "schema": schema}
    rows = await (await conn.execute(_SQL[statement], about)).fetchall()
    return tuple(next(iter(row.values())) for row in rows)
