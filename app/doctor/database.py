"""Checks of the database; they change nothing in it."""

from __future__ import annotations

import asyncio

from daybook.checkpoints.embedded.postgres import embedded_postgres, has_data
from daybook.checkpoints.inspect import Inspection, inspect
from daybook.checkpoints.migrate import READER, ROLE
from daybook.graph.check import Check, Verdict, within_limit
from daybook.graph.settings.environment import Settings
from daybook.state.errors import EmbeddedPostgresError

_SHOWN = 3


async def database(settings: Settings) -> list[Check]:
    """Check the database that the settings name, else the embedded one if it has data."""
    if settings.database_url is not None:
        return await within_limit("database", _checked(settings.database_url, settings))
    if not has_data(settings.home):
        found = f"no data below {settings.home}: the embedded Postgres was never started"
        return [Check("database", Verdict.NOT_YET, found, "The first `daybook chat` does it.")]
    try:
        server = await asyncio.to_thread(embedded_postgres, settings.home)
    except EmbeddedPostgresError as error:
        return [Check("database", Verdict.WRONG, str(error))]
    try:
        return await within_limit("database", _checked(server.url, settings))
    finally:
        await asyncio.to_thread(server.close)


async def _checked(url: str, settings: Settings) -> list[Check]:
    found = await inspect(url, settings.tenant, settings.schema)
    checks = [_server(found), _sessions(found), _schema(found)]
    if found.missing:
        return checks
    checks += [_role(found), _reader(found), _login(found)]
    return [*checks, _ledger(found), _tenants(found), _threads(found), _effects(found)]


def _server(found: Inspection) -> Check:
    what = f"Postgres {found.version}, database {found.database}, as {found.owner}"
    if found.is_standby:
        advice = "Name its primary in DATABASE_URL: nothing can be written here."
        return Check("database", Verdict.WRONG, f"{what}; a read-only standby", advice)
    return Check("database", Verdict.OK, what)


def _sessions(found: Inspection) -> Check:
    if found.is_pooled:
        return Check(
            "sessions",
            Verdict.WRONG,
            "shared by a transaction-pooling proxy, where a session keeps no settings",
            "Name the server itself in DATABASE_URL, or a port of the proxy that pools sessions; "
            "or set DAYBOOK_POOLER=transaction (docs/operations.md, Poolers).",
        )
    return Check("sessions", Verdict.OK, "a connection keeps its session, and its settings")


def _schema(found: Inspection) -> Check:
    if not found.missing:
        return Check("schema", Verdict.OK, "migrated to this release")
    missing = f"to be migrated: {', '.join(found.missing)}"
    if found.lacks:
        return Check(
            "schema",
            Verdict.WRONG,
            f"{missing}; {found.owner} may not {' nor '.join(found.lacks)}",
            f"Let {found.owner} do that: grant create on database {found.database} to "
            f"{found.owner}; or let somebody create the schema for it.",
        )
    return Check("schema", Verdict.NOT_YET, missing, "The next `daybook chat` does it.")


def _role(found: Inspection) -> Check:
    if found.role is None:
        advice = f"As a superuser: create role {ROLE} nologin; grant {ROLE} to {found.owner};"
        what = f"there is no role {ROLE}: all runs as {found.owner}, who may change the tables"
        return Check("role", Verdict.NOT_YET, what, advice)
    if found.role:
        return Check("role", Verdict.WRONG, f"{ROLE}: {found.role}")
    return Check("role", Verdict.OK, f"{ROLE} is there, and {found.owner} may act as it")


def _reader(found: Inspection) -> Check:
    if found.reader is None:
        advice = f"As a superuser: create role {READER} nologin; grant {READER} to {found.owner};"
        what = f"there is no role {READER}: a user's history cannot be queried in SQL"
        return Check("reader", Verdict.NOT_YET, what, advice)
    if found.reader:
        return Check("reader", Verdict.WRONG, f"{READER}: {found.reader}")
    return Check("reader", Verdict.OK, f"{READER} is there, for queries of a user's history")


def _login(found: Inspection) -> Check:
    if found.owns:
        return Check(
            "login",
            Verdict.NOT_YET,
            f"{found.owner} owns the tables: whoever has its password may do as it likes to them",
            f"Where others reach the server, let it sign in as a member of {ROLE} that owns "
            "nothing (docs/operations.md, Who signs in at Postgres).",
        )
    return Check("login", Verdict.OK, f"{found.owner} owns nothing that it serves from")


def _ledger(found: Inspection) -> Check:
    faults = []
    if found.rights:
        faults.append(f"{ROLE} may {', '.join(found.rights)} it")
    if not found.is_append_only:
        faults.append("the trigger that refuses changes is disabled or gone")
    if faults:
        return Check(
            "ledger",
            Verdict.WRONG,
            f"not append-only: {'; '.join(faults)}",
            f"revoke update, delete, truncate on ledger_event from {ROLE}; alter table "
            "ledger_event enable trigger ledger_event_is_append_only; then `daybook ledger verify`",
        )
    return Check("ledger", Verdict.OK, "append-only by right and by trigger")


def _tenants(found: Inspection) -> Check:
    if found.open_tables:
        tables = ", ".join(found.open_tables)
        return Check(
            "tenants",
            Verdict.WRONG,
            f"row-level security is not forced on {tables}",
            "For each: alter table ... enable row level security, force row level security",
        )
    return Check("tenants", Verdict.OK, "row-level security is forced on every table of theirs")


def _threads(found: Inspection) -> Check:
    if found.given_up:
        which = ", ".join(found.given_up[:_SHOWN])
        more = f" and {len(found.given_up) - _SHOWN} more" if len(found.given_up) > _SHOWN else ""
        return Check(
            "threads",
            Verdict.WRONG,
            f"given up by the workers, who failed at them: {which}{more}",
            "See the worker's log and `daybook ledger THREAD`; `daybook again THREAD` has one "
            "tried again.",
        )
    return Check("threads", Verdict.OK, "none is given up by the workers")


def _effects(found: Inspection) -> Check:
    """Check that nobody told of an effect that nobody here intended."""
    if found.of_nobody:
        which = ", ".join(found.of_nobody[:_SHOWN])
        left = len(found.of_nobody) - _SHOWN
        more = f" and {left} more" if left > 0 else ""
        return Check(
            "effects",
            Verdict.WRONG,
            f"told of, and intended by nobody here: {which}{more}",
            "Ask there who ordered it: it may be somebody else's under our name, or a ledger that "
            "was restored (`daybook reconcile`).",
        )
    return Check("effects", Verdict.OK, "none was told of that nobody here intended")
