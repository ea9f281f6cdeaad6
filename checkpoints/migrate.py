"""Bring a database to this release's schema. Runs as the owner; safe beside other processes."""

from __future__ import annotations

from datetime import timedelta
from importlib.metadata import version
from importlib.resources import files

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.postgres.aio import AsyncPostgresStore
from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection
from psycopg.rows import dict_row

from daybook.checkpoints.people.one_name import NAMES, tell_names
from daybook.checkpoints.pool import Conn
from daybook.state.clock import SYSTEM, Clock
from daybook.state.fault_points import FaultPoint, reached

ROLE = "daybook_app"
"""What the application runs as: it may insert into the ledger and read it, not change it."""

READER = "daybook_reader"
"""What a person's own past is read as: the views of the schema `history`, and nothing else."""

_LOCK = 0x6461_7962  # "dayb"
_RETRY_SECONDS = 0.05

_SILENCE = timedelta(seconds=30)
"""Whoever migrates does nothing but send statements: who is idle for longer is suspended."""

_LIBRARY = f"langgraph-checkpoint-postgres {version('langgraph-checkpoint-postgres')}"

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
            -- An owner that may not create roles is told no even where the role is there and
            -- granted to it.
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
    if not pg_has_role('{READER}', 'usage') then
        grant {READER} to current_user;
    end if;
exception when insufficient_privilege then
    -- Somebody else created it. Without it all runs but for questions to the past, which say so.
    null;
end $$;
grant usage on schema public to {ROLE};
grant select on migration to {ROLE};
"""

_LIBRARY_GRANTS = f"""
grant select, insert, update, delete
on checkpoints, checkpoint_blobs, checkpoint_writes, checkpoint_migrations to {ROLE};
"""

_STORE = f"langgraph-store-postgres {version('langgraph-checkpoint-postgres')}"
"""Of the same package, and apart: a database of the releases before has the checkpointer alone."""

_STORE_GRANTS = f"""
grant select, insert, update, delete on store, store_migrations to {ROLE};
"""

_QUEUE = f"procrastinate {version('procrastinate')}"

# No tenant stands on its rows: they name threads and nothing of what is in them.
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
    none. The lock is on this connection and dies with it. A migration that has fallen silent is
    ended, and what it had not committed is done anew.

    Args:
        url: the database, as its owner.
        silence: how long the session of another migration may send nothing.
    """
    async with await AsyncConnection.connect(
        url, autocommit=True, row_factory=dict_row, prepare_threshold=None
    ) as conn:
        if not await missing(conn):
            return []
        # Asked again and again, not waited for: a session that waits within `pg_advisory_lock`
        # holds a snapshot, for which the library's CREATE INDEX CONCURRENTLY waits: a deadlock.
        while not await _took(conn):
            await conn.execute(_END_SILENT, {"lock": _LOCK, "silence": silence})
            await clock.sleep(_RETRY_SECONDS)
        try:
            return await _apply(conn)
        finally:
            await conn.execute("select pg_advisory_unlock(%s)", (_LOCK,))


async def _took(conn: Conn) -> bool:
    cursor = await conn.execute("select pg_try_advisory_lock(%s) as taken", (_LOCK,))
    row = await cursor.fetchone()
    return bool(row and row["taken"])


async def missing(conn: Conn) -> list[str]:
    """Return the names of what this release needs and the database does not have."""
    applied = await _applied(conn)
    names = (_LIBRARY, _STORE, _QUEUE, *(name for name, _ in _scripts()))
    return [name for name in names if name not in applied]


async def _applied(conn: Conn) -> set[str]:
    cursor = await conn.execute("select to_regclass('migration') as there")
    row = await cursor.fetchone()
    if row is None or row["there"] is None:
        return set()
    return {r["name"] for r in await (await conn.execute("select name from migration")).fetchall()}


async def _apply(conn: Conn) -> list[str]:
    await conn.execute(_BASE)
    applied = await _applied(conn)
    done = []
    if _LIBRARY not in applied:
        # Its own migrations need autocommit (CREATE INDEX CONCURRENTLY): no transaction here.
        await AsyncPostgresSaver(conn).setup()
        await conn.execute(_LIBRARY_GRANTS)
        await conn.execute("insert into migration (name) values (%s)", (_LIBRARY,))
        done.append(_LIBRARY)
    if _STORE not in applied:
        await AsyncPostgresStore(conn).setup()
        await conn.execute(_STORE_GRANTS)
        await conn.execute("insert into migration (name) values (%s)", (_STORE,))
        done.append(_STORE)
    if _QUEUE not in applied:
        # A newer release of it brings migrations of its own, which then belong here.
        async with conn.transaction():
            await conn.execute(SchemaManager.get_schema())
            await conn.execute(_QUEUE_GRANTS)
            await conn.execute("insert into migration (name) values (%s)", (_QUEUE,))
        done.append(_QUEUE)
    for name, script in _scripts():
        if name not in applied:
            async with conn.transaction():
                if name == NAMES:
                    await tell_names(conn)
                await conn.execute(script.encode())
                await conn.execute("insert into migration (name) values (%s)", (name,))
                reached(FaultPoint.BEFORE_COMMIT, name)
            done.append(name)
    return done


def _scripts() -> list[tuple[str, str]]:
    folder = files("daybook.checkpoints") / "sql" / "migrations"
    return sorted((item.name.removesuffix(".sql"), item.read_text()) for item in folder.iterdir())
