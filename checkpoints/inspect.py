"""Look at a database without changing it: is it what Daybook can stand on?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from psycopg import AsyncConnection, OperationalError
from psycopg.rows import dict_row

from daybook.checkpoints.migrate import READER, ROLE, missing
from daybook.checkpoints.pool import Conn
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
        role: what is wrong with the application's role, in words; None where it is missing.
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


async def inspect(url: str, tenant_id: str) -> Inspection:
    """Inspect a database as its owner, and the threads of a tenant.

    Raises:
        DatabaseUnavailable: it cannot be reached.
    """
    try:
        async with await _connect(url) as conn, await _connect(url) as second:
            server = await _row(conn, "server")
            not_there = await missing(conn)
            role, reader = await _row(conn, "role"), await _row(conn, "role", READER)
            migrated = not not_there and bool(role)
            return Inspection(
                version=server["version"],
                database=server["database"],
                owner=server["owner"],
                is_pooled=await _is_pooled(conn, second),
                is_standby=server["is_standby"],
                missing=tuple(not_there),
                lacks=_lacks(server, {ROLE: role, READER: reader}),
                role=_fault_of_role(ROLE, role) if role else None,
                reader=_fault_of_role(READER, reader) if reader else None,
                rights=await _column(conn, "rights_to_change_the_ledger") if migrated else (),
                owns=migrated and bool(await _value(conn, "owns")),
                is_append_only=migrated and bool(await _value(conn, "append_only")),
                open_tables=await _column(conn, "tables_open_to_other_tenants"),
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


def _lacks(server: Mapping[str, Any], roles: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    may_create, role, reader = server["may_create_role"], roles[ROLE], roles[READER]
    needs = {
        **{f"create the role {name}": bool(one) or may_create for name, one in roles.items()},
        f"act as the role {ROLE}": not role or role["is_ours"] or may_create,
        "create tables in the schema public": server["may_create_tables"],
        f"act as the role {READER}": not reader or reader["is_ours"] or may_create,
    }
    return tuple(need for need, has in needs.items() if not has)


def _fault_of_role(name: str, role: Mapping[str, Any]) -> str:
    if name == ROLE and not role["is_ours"]:
        return f"the user is no member of it: grant {name} to that user"
    if role["sees_all_tenants"]:
        return f"it sees the rows of all tenants: alter role {name} nosuperuser nobypassrls"
    return ""


async def _of_tenant(conn: Conn, statement: str, tenant_id: str) -> tuple[str, ...]:
    await conn.execute("select set_config('daybook.tenant', %s, false)", (tenant_id,))
    about = {"tenant_id": tenant_id, "most_tries": MOST_TRIES}
    rows = await (await conn.execute(_SQL[statement], about)).fetchall()
    return tuple(next(iter(row.values())) for row in rows)


async def _connect(url: str) -> Conn:
    return await AsyncConnection.connect(
        bounded(url), autocommit=True, row_factory=dict_row, prepare_threshold=None
    )


async def _row(conn: Conn, statement: str, role: str = ROLE) -> Mapping[str, Any]:
    return await (await conn.execute(_SQL[statement], {"role": role})).fetchone() or {}


async def _value(conn: Conn, statement: str) -> Any:
    return next(iter((await _row(conn, statement)).values()), None)


async def _column(conn: Conn, statement: str) -> tuple[str, ...]:
    rows = await (await conn.execute(_SQL[statement], {"role": ROLE})).fetchall()
    return tuple(next(iter(row.values())) for row in rows)
