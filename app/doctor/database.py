"""Checks of the database; they change nothing in it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

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
        return await within_limit("database", _inspected(settings.database_url, settings))
    if not has_data(settings.home):
        found = f"no data below {settings.home}: the embedded Postgres was never started"
        return [Check("database", Verdict.NOT_YET, found, "The first `daybook chat` does it.")]
    try:
        server = await asyncio.to_thread(embedded_postgres, settings.home)
    except EmbeddedPostgresError as error:
        return [Check("database", Verdict.WRONG, str(error))]
    try:
        return await within_limit("database", _inspected(server.url, settings))
    finally:
        await asyncio.to_thread(server.close)


async def _inspected(url: str, settings: Settings) -> list[Check]:
    about = settings.tenant, settings.schema
    found = await inspect(url, *about, ignores_timeline=settings.ignores_timeline)
    return [*_checks(found)]


def _checks(found: Inspection) -> Iterator[Check]:
    what = f"Postgres {found.version}, database {found.database}, as {found.owner}"
    yield _check(
        "database",
        f"{what}; a read-only standby" if found.is_standby else "",
        "Name its primary in DATABASE_URL: nothing can be written here.",
        what,
    )
    pooled = "shared by a transaction-pooling proxy, where a session keeps no settings"
    yield _check(
        "sessions",
        pooled if found.is_pooled else "",
        "Name the server itself in DATABASE_URL, or a port of the proxy that pools sessions; or "
        "set DAYBOOK_POOLER=transaction (docs/operations.md, Poolers).",
        "a connection keeps its session, and its settings",
    )
    if found.missing:
        yield _missing(found)
        return
    yield Check("schema", Verdict.OK, "migrated to this release")
    yield _role(found, "role", ROLE, found.role, f"all runs as {found.owner}, who may change it")
    yield _role(found, "reader", READER, found.reader, "a user's history cannot be queried in SQL")
    if found.owns:
        yield Check(
            "login",
            Verdict.NOT_YET,
            f"{found.owner} owns the tables: anyone with its password can change them",
            f"Where others reach the server, let it sign in as a member of {ROLE} that owns "
            "nothing (docs/operations.md, Who signs in at Postgres).",
        )
    else:
        yield Check("login", Verdict.OK, f"{found.owner} owns nothing that it serves from")
    rights = [f"{ROLE} may {', '.join(found.rights)} it"] if found.rights else []
    if not found.is_append_only:
        rights.append("the trigger that refuses changes is disabled or gone")
    yield _check(
        "ledger",
        f"not append-only: {'; '.join(rights)}" if rights else "",
        f"revoke update, delete, truncate on ledger_event from {ROLE}; alter table "
        "ledger_event enable trigger ledger_event_is_append_only; then `daybook ledger verify`",
        "append-only by right and by trigger",
    )
    yield _check(
        "cluster",
        "not the database that the ledger was last known to agree with the world on: it may lack "
        "what was sent since, and nothing is sent by it"
        if found.is_elsewhere
        else "",
        "With every agent and worker stopped: `daybook reconcile --apply`; or, where nothing is "
        "missing, `daybook reconcile --accept` (docs/operations.md, Backup and restore).",
        "the database that the ledger was last known to agree with the world on",
    )
    programs = ", ".join(found.programs)
    yield Check("programs", Verdict.OK, f"that ran here, with tools: {programs or 'none yet'}")
    tables = ", ".join(found.open_tables)
    yield _check(
        "tenants",
        f"row-level security is not forced on {tables}" if tables else "",
        "For each: alter table ... enable row level security, force row level security",
        "row-level security is forced on every table of theirs",
    )
    threads = _some(found.given_up)
    yield _check(
        "threads",
        f"given up by the workers, who failed at them: {threads}" if threads else "",
        "See the worker's log and `daybook ledger THREAD`; `daybook again THREAD` has one tried "
        "again.",
        "none is given up by the workers",
    )
    effects = _some(found.of_nobody)
    yield _check(
        "effects",
        f"told of, and intended by nobody here: {effects}" if effects else "",
        "Ask there who ordered it: it may be somebody else's under our name, or a ledger that was "
        "restored (`daybook reconcile`).",
        "none was told of that nobody here intended",
    )


def _check(name: str, fault: str, advice: str, fine: str) -> Check:
    return Check(name, Verdict.WRONG, fault, advice) if fault else Check(name, Verdict.OK, fine)


def _role(found: Inspection, name: str, role: str, state: str | None, without: str) -> Check:
    """Check a role of the database.

    Args:
        state: what is wrong with it; None where it is not there.
        without: what it is like then.
    """
    if state is None:
        advice = f"As a superuser: create role {role} nologin; grant {role} to {found.owner};"
        return Check(name, Verdict.NOT_YET, f"there is no role {role}: {without}", advice)
    return _check(name, f"{role}: {state}" if state else "", "", f"{role} is there")


def _missing(found: Inspection) -> Check:
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


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"
