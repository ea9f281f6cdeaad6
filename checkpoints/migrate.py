"""Bring a database to this release's schema. Runs as the owner; safe beside other processes.

The schema of 0.1.0 is one file, sql/schema.sql. A later release adds files to sql/migrations:
`NNNN_expand_WHAT.sql` where the release before it can work on, else `NNNN_contract_WHAT.sql`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import timedelta
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import AsyncConnection
from psycopg.errors import DeadlockDetected, LockNotAvailable
from psycopg.rows import dict_row

from daybook.checkpoints.pool import Conn
from daybook.state.clock import SYSTEM, Clock
from daybook.state.errors import UnknownSchema
from daybook.state.fault_points import FaultPoint, reached

ROLE = "daybook_app"
"""The role that the application runs as: it may add to the ledger and read it, not change it."""

READER = "daybook_reader"
"""The role that a user's own history is read as: it may select from the views of `history` only."""

MIGRATIONS: Traversable = files("daybook.checkpoints") / "sql" / "migrations"
"""Where the migrations since 0.1.0 are; the folder is missing while there are none."""

_SCHEMA = "0001_schema"

_OURS = re.compile(r"\d{4}_")

_EXPANDS = re.compile(r"\d{4}_expand_")

_LOCK = 0x6461_7962  # "dayb"
_RETRY_SECONDS = 0.05

_LOCK_TIMEOUT = "set local lock_timeout = '50ms'"
"""Well below the server's deadlock_timeout (1 s), by which a process that serves would be ended."""

_SILENCE = timedelta(seconds=30)
"""A migration only sends statements: a session that is idle for longer is suspended."""

_LIBRARY = f"langgraph-checkpoint-postgres {version('langgraph-checkpoint-postgres')}"

_QUEUE = "procrastinate "
"""Behind it stands the newest of its migrations that the database has."""

_BASE = f"""
create table if not exists migration (
    name text primary key,
    applied_at timestamptz not null default now()
);
do $$
declare wanted text;
begin
    foreach wanted in array array['{ROLE}', '{READER}'] loop
        begin
            -- Asked first: `create role` is refused to an owner who may not create roles, also
            -- where the role exists and is granted to it.
            if to_regrole(wanted) is null then
                execute format('create role %I nologin', wanted);
            end if;
        exception when duplicate_object or unique_violation then null;
        end;
    end loop;
end $$;
do $$ begin
    if not pg_has_role('{ROLE}', 'member') then
        grant {ROLE} to current_user;
    end if;
end $$;
do $$ begin
    -- Else history.ask could not be given to it.
    if not pg_has_role('{READER}', 'usage') then
        grant {READER} to current_user;
    end if;
end $$;
grant usage on schema public to {ROLE};
grant select on migration to {ROLE};
"""

_LIBRARY_GRANTS = f"""
grant select, insert, update, delete
on checkpoints, checkpoint_blobs, checkpoint_writes, checkpoint_migrations, store, store_migrations
to {ROLE};
"""

# Its rows have no tenant: they name threads and hold nothing of what is in them.
_QUEUE_GRANTS = f"""
grant select, insert, update, delete
on procrastinate_jobs, procrastinate_workers, procrastinate_events, procrastinate_periodic_defers
to {ROLE};
grant usage on sequence
    procrastinate_jobs_id_seq, procrastinate_workers_id_seq, procrastinate_events_id_seq to {ROLE};
"""

_END_SILENT = """
select pg_terminate_backend(a.pid)
from pg_locks l join pg_stat_activity a using (pid)
where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
  and l.database = (select oid from pg_database where datname = current_database())
  and (l.classid::bigint << 32) + l.objid::bigint = %(lock)s
  and a.state <> 'active' and a.state_change < statement_timestamp() - %(silence)s
"""


async def migrate(url: str, silence: timedelta = _SILENCE, clock: Clock = SYSTEM) -> list[str]:
    """Apply what is missing and return the names of what was applied.

    A session lock makes several processes wait for the first one: the library's own `setup` takes
    none. The lock belongs to this connection and ends with it. The session of a migration that has
    fallen silent is ended, and what it had not committed is done again.

    Args:
        url: the database, as its owner.
        silence: how long the session of another migration may send nothing.

    Raises:
        UnknownSchema: another release has migrated it to what this one cannot work with.
    """
    async with await AsyncConnection.connect(
        url, autocommit=True, row_factory=dict_row, prepare_threshold=None
    ) as conn:
        if not await missing(conn):
            return []
        # Polled: a session that waits within `pg_advisory_lock` holds a snapshot, for which the
        # library's CREATE INDEX CONCURRENTLY waits: a deadlock.
        while not await _took(conn):
            await conn.execute(_END_SILENT, {"lock": _LOCK, "silence": silence})
            await clock.sleep(_RETRY_SECONDS)
        try:
            return await _apply(conn, clock)
        finally:
            await conn.execute("select pg_advisory_unlock(%s)", (_LOCK,))


async def _took(conn: Conn) -> bool:
    cursor = await conn.execute("select pg_try_advisory_lock(%s) as taken", (_LOCK,))
    row = await cursor.fetchone()
    return bool(row and row["taken"])


async def missing(conn: Conn) -> list[str]:
    """Return the names of what this release needs and the database does not have.

    Raises:
        UnknownSchema: another release has migrated it to what this one cannot work with.
    """
    applied = await _applied(conn)
    known = {name for name, _ in _own()}
    unknown = {name for name in applied if _OURS.match(name)} - known
    if refused := sorted(name for name in unknown if not _EXPANDS.match(name)):
        raise UnknownSchema(refused)
    library = [] if _LIBRARY in applied else [_LIBRARY]
    return [*library, *(name for name, _ in (*_queue(applied), *_own()) if name not in applied)]


async def _applied(conn: Conn) -> set[str]:
    cursor = await conn.execute("select to_regclass('migration') as there")
    row = await cursor.fetchone()
    if row is None or row["there"] is None:
        return set()
    return {r["name"] for r in await (await conn.execute("select name from migration")).fetchall()}


async def _apply(conn: Conn, clock: Clock) -> list[str]:
    await conn.execute(_BASE)
    # Asked again, under the lock: another process may have migrated it meanwhile.
    left = await missing(conn)
    if _LIBRARY in left:
        # Its own migrations need autocommit (CREATE INDEX CONCURRENTLY): no transaction here.
        await AsyncPostgresSaver(conn).setup()
        await AsyncPostgresStore(conn).setup()
        await conn.execute(_LIBRARY_GRANTS)
        await conn.execute("insert into migration (name) values (%s)", (_LIBRARY,))
    for name, script in (*_queue(await _applied(conn)), *_own()):
        while name in left and not await _done(conn, name, script):
            await clock.sleep(_RETRY_SECONDS)
    return left


async def _done(conn: Conn, name: str, script: str) -> bool:
    """Apply one migration; False where a table that it changes was in use, and nothing was done.

    It gives way: a process that serves would else wait behind it, or be ended by the server in its
    place where each waits for a table that the other has.
    """
    try:
        async with conn.transaction():
            await conn.execute(_LOCK_TIMEOUT)
            await conn.execute(script.encode())
            if name.startswith(_QUEUE):
                await conn.execute(_QUEUE_GRANTS)
            await conn.execute("insert into migration (name) values (%s)", (name,))
            reached(FaultPoint.BEFORE_COMMIT, name)
    except (LockNotAvailable, DeadlockDetected):
        return False
    return True


def _queue(applied: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield procrastinate's schema for a new database, else its migrations since the newest one.

    None without the extra `worker`: the first process that has it brings its tables.
    """
    if find_spec("procrastinate") is None:
        return
    from procrastinate.schema import SchemaManager

    scripts = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    newest = max((name for name in applied if name.startswith(_QUEUE)), default=None)
    if newest is None:
        yield _QUEUE + scripts[-1].stem, SchemaManager.get_schema()
        return
    for script in scripts:
        if (name := _QUEUE + script.stem) > newest:
            yield name, script.read_text()


def _own() -> Iterator[tuple[str, str]]:
    """Yield our own migrations in their order."""
    yield _SCHEMA, (files("daybook.checkpoints") / "sql" / "schema.sql").read_text()
    if MIGRATIONS.is_dir():
        for item in sorted(MIGRATIONS.iterdir(), key=lambda one: one.name):
            yield item.name.removesuffix(".sql"), item.read_text()
