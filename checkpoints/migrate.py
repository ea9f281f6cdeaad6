"""Create the tables in a schema of their own, and migrate them. Safe beside other tables.

Nothing outside of that schema is made or changed, but for two roles of the server, where the user
may create roles. The schema of 0.1.0 is one file, sql/schema.sql. A later release adds files to
sql/migrations: `NNNN_expand_WHAT.sql` where the release before it can work on, else
`NNNN_contract_WHAT.sql`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import sql
from psycopg.errors import DeadlockDetected, LockNotAvailable

from daybook.checkpoints.pool import AnyPool, Conn, connected, search_path
from daybook.checkpoints.statements import statements
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import ConfigurationError, UnknownSchema
from daybook.state.fault_points import FaultPoint, reached

SCHEMA = "daybook"
"""The schema that is used where none is named."""

ROLE = "daybook_app"
"""The role that the application runs as: it may add to the ledger and read it, not change it."""

READER = "daybook_reader"
"""The role that a user's own history is read as: it may select from a few views only."""

MIGRATIONS: Traversable = files("daybook.checkpoints") / "sql" / "migrations"
"""Where the migrations since 0.1.0 are; the folder is missing while there are none."""

_SQL = statements("migrate.sql")

_OURS = re.compile(r"\d{4}_")

_EXPANDS = re.compile(r"\d{4}_expand_")

_NAME = re.compile(r"(?!pg_)[a-z_][a-z0-9_]{0,62}")

_LOCK = 0x6461_7962  # "dayb"
_RETRY_SECONDS = 0.05

_LOCK_TIMEOUT = "50ms"
"""Well below the server's deadlock_timeout (1 s), by which a process that serves would be ended."""

_SILENCE = timedelta(seconds=30)
"""A migration only sends statements: a session that is idle for longer is suspended."""

_LIBRARY = f"langgraph-checkpoint-postgres {version('langgraph-checkpoint-postgres')}"

_QUEUE = "procrastinate "
"""Behind it stands the newest of its migrations that the database has."""

_RIGHTS = {ROLE: "rights_app.sql", READER: "rights_reader.sql"}

KNOWS_SET = 160_000
"""From this version of the server on a member of a role may be one that cannot act as it."""

_BASE = "schema"
"""The step that makes the schema itself; it is not written down."""

_GIVES_WAY = LockNotAvailable, DeadlockDetected
"""A process that serves would else wait behind a migration, or be ended by the server in its place
where each waits for a table that the other has."""

_TAKE_ROLE = """do $$ begin
    if to_regrole('{role}') is null then
        create role {role} nologin;
    end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
    if not pg_has_role('{role}', '{right}') then
        grant {role} to current_user;
    end if;
end $$;
"""


@dataclass(frozen=True)
class Step:
    """One migration.

    Attributes:
        name: as it is written down in the table `migration`.
        script: what it executes, in the schema.
    """

    name: str
    script: str


async def migrate(
    where: str | AnyPool,
    silence: timedelta = _SILENCE,
    clock: Clock = SYSTEM,
    schema: str = SCHEMA,
) -> list[str]:
    """Apply what is missing and return the names of what was applied.

    What makes the schema is one transaction: it is there whole, or not at all. Later migrations are
    a transaction each. Several processes may migrate at once; one that is suspended is ended by the
    server, and what it had not committed is done again.

    Args:
        silence: how long this process may be suspended.

    Raises:
        UnknownSchema: another release has migrated it to what this one cannot work with.
        ConfigurationError: it is not encoded in UTF-8, or the schema holds what is not ours.
    """
    _refuse_name(schema)
    done: list[str] = []
    async with connected(where) as conn:
        while steps := await _missing(conn, schema):
            # A new schema is one transaction.
            part = steps if steps[0].name == _BASE else steps[:1]
            if await _done(conn, schema, part, silence):
                done += [step.name for step in part]
            else:
                await clock.sleep(_RETRY_SECONDS)
    return [name for name in done if name != _BASE]


async def script(where: str | AnyPool, schema: str = SCHEMA) -> str:
    """Return the SQL that `migrate` would run; nothing is changed. Empty where nothing is missing.

    Raises:
        UnknownSchema: another release has migrated it to what this one cannot work with.
        ConfigurationError: it is not encoded in UTF-8, or the schema holds what is not ours.
    """
    _refuse_name(schema)
    async with connected(where) as conn:
        steps = await _missing(conn, schema)
    if not steps:
        return ""
    parts = [steps] if steps[0].name == _BASE else [[step] for step in steps]
    scripts = (("begin;", *_statements(schema, part, _SILENCE), "commit;") for part in parts)
    return "\n".join("\n".join(script) for script in scripts)


async def missing(conn: Conn, schema: str = SCHEMA) -> list[str]:
    """Return the names of what this release needs and the database does not have.

    Raises:
        UnknownSchema: another release has migrated it to what this one cannot work with.
        ConfigurationError: it is not encoded in UTF-8, or the schema holds what is not ours.
    """
    return [step.name for step in await _missing(conn, schema) if step.name != _BASE]


async def _missing(conn: Conn, schema: str) -> list[Step]:
    found = await _row(conn, _SQL["found"], {"schema": schema})
    encoding = found["encoding"]
    if encoding != "UTF8":
        # Without an encoding there is no text.
        encoding = encoding.decode() if isinstance(encoding, bytes) else encoding
        raise ConfigurationError(
            f"The database encoding is {encoding}, but Daybook needs UTF8. Nothing was changed; "
            "create a database for it: create database ... encoding 'UTF8' template template0."
        )
    if found["is_foreign"]:
        raise ConfigurationError(
            f'The schema "{schema}" holds tables that are not Daybook\'s. Nothing was changed; '
            "set DAYBOOK_SCHEMA to another name."
        )
    if found["leads_others_astray"] and not found["is_ours"]:
        raise ConfigurationError(
            f'The database has other tables, and a database user is called "{schema}": that '
            "user's search path would find Daybook's tables instead of its own. Nothing was "
            "changed; set DAYBOOK_SCHEMA to another name."
        )
    rights = await _rights(conn) if found["owns"] else {}
    if not found["is_ours"]:
        base = "" if found["is_there"] else f"create schema {_quoted(schema)};\n"
        steps = [Step(_BASE, base + _SQL["base"]), _library(-1), *_queue(""), *_own()]
        return [*steps, *rights.values()]
    applied = await _applied(conn, schema)
    unknown = {name for name in applied if _OURS.match(name)} - {step.name for step in _own()}
    if refused := sorted(name for name in unknown if not _EXPANDS.match(name)):
        raise UnknownSchema(refused)
    queue = _queue(max((name for name in applied if name.startswith(_QUEUE)), default=""))
    steps = [step for step in (*queue, *_own()) if step.name not in applied]
    if _LIBRARY not in applied:
        query = sql.SQL("select max(v) as last from {}.checkpoint_migrations")
        row = await _row(conn, query.format(sql.Identifier(schema)))
        steps.insert(0, _library(row["last"]))
    # What a migration makes is the application's to use, too.
    again = rights[ROLE].script if ROLE in rights else ""
    steps = [Step(step.name, f"{step.script};\n{again}") for step in steps]
    return [*steps, *(step for step in rights.values() if step.name not in applied)]


async def _done(conn: Conn, schema: str, steps: Sequence[Step], silence: timedelta) -> bool:
    """Apply migrations in one transaction; tell whether it was done.

    It is not where another process was faster, or uses a table that they change.
    """
    first, *rest = _statements(schema, steps, silence)
    try:
        async with conn.transaction():
            await conn.execute(first.encode())
            # Asked again, under the lock: another process may have migrated it meanwhile.
            if [step.name for step in await _missing(conn, schema)][: len(steps)] != [
                step.name for step in steps
            ]:
                return False
            for statement in rest:
                await conn.execute(statement.encode())
            reached(FaultPoint.BEFORE_COMMIT, steps[-1].name)
    except _GIVES_WAY:
        return False
    return True


def _statements(schema: str, steps: Sequence[Step], silence: timedelta) -> Iterator[str]:
    """Yield what a transaction executes: what it is held to, and then each migration."""
    silent_ms = round(silence.total_seconds() * 1000)
    yield (
        f"set local lock_timeout = '{_LOCK_TIMEOUT}';\n"
        f"set local idle_in_transaction_session_timeout = {silent_ms};\n"
        f"set local search_path = {search_path(schema)};\n"
        f"select pg_advisory_xact_lock({_LOCK});"
    )
    for step in steps:
        yield f"-- {step.name}\n{step.script}"
        if step.name != _BASE:
            yield f"insert into migration (name) values ('{step.name}');"


async def _applied(conn: Conn, schema: str) -> set[str]:
    query = sql.SQL("select name from {}.migration").format(sql.Identifier(schema))
    return {row["name"] for row in await (await conn.execute(query)).fetchall()}


async def _rights(conn: Conn) -> dict[str, Step]:
    """Return what gives the roles that can be had their rights: both, the first, or none."""
    found = await conn.execute(_SQL["roles"], {"roles": [ROLE, READER]})
    steps: dict[str, Step] = {}
    for row in await found.fetchall():
        if not row["is_taken"] and not row["can_take"]:
            break
        name: str = row["name"]
        right = "set" if conn.info.server_version >= KNOWS_SET else "member"
        takes = _TAKE_ROLE.format(role=name, right=right)
        steps[name] = Step(f"rights of {name}", takes + _read(_RIGHTS[name]))
    return steps


def _library(last: int) -> Step:
    """Make or bring up the tables of LangGraph's checkpointer.

    Not by its own set-up, which makes indexes beside other work, and so outside a transaction.

    Args:
        last: the number of the last script that was run, -1 for none.
    """
    parts: list[str] = []
    for number, one in enumerate(AsyncPostgresSaver.MIGRATIONS[last + 1 :], last + 1):
        parts.append(one.replace("CONCURRENTLY", "").strip().rstrip(";") + ";")
        parts.append(f"insert into checkpoint_migrations (v) values ({number});")
    return Step(_LIBRARY, "\n".join(parts))


def _queue(newest: str) -> Iterator[Step]:
    """Yield procrastinate's schema for a new database, else its migrations since the newest one.

    None without the extra `worker`: the first process that has it brings its tables.
    """
    if (library := find_spec("procrastinate")) is None:
        return
    # By their place: each start would else import the library for nothing but their names.
    place = Path(library.origin or "").with_name("sql")
    scripts = sorted((place / "migrations").glob("*.sql"))
    if not newest:
        yield Step(_QUEUE + scripts[-1].stem, (place / "schema.sql").read_text())
        return
    for script in scripts:
        if (name := _QUEUE + script.stem) > newest:
            yield Step(name, script.read_text())


def _own() -> Iterator[Step]:
    """Yield our own migrations in their order."""
    yield Step("0001_schema", _read("schema.sql"))
    if MIGRATIONS.is_dir():
        for item in sorted(MIGRATIONS.iterdir(), key=lambda one: one.name):
            yield Step(item.name.removesuffix(".sql"), item.read_text())


def _read(file: str) -> str:
    return (files("daybook.checkpoints") / "sql" / file).read_text()


def _refuse_name(schema: str) -> None:
    """Refuse a schema that is not for us alone.

    Raises:
        ConfigurationError: it is Postgres's or everybody's, or no plain name.
    """
    if schema in ("public", "information_schema") or not _NAME.fullmatch(schema):
        raise ConfigurationError(
            f'DAYBOOK_SCHEMA is "{schema}", which is not valid: use a name of lower-case letters, '
            "digits and underscores other than public. Nothing was changed."
        )


def _quoted(schema: str) -> str:
    return sql.Identifier(schema).as_string(None)


async def _row(
    conn: Conn, query: str | sql.Composed, about: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    row = await (await conn.execute(query, about)).fetchone()
    assert row is not None
    return row
