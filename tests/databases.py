"""Databases of the tests' server."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from daybook.state.clock import SYSTEM

_KEPT = ("migration", "checkpoint_migrations")
"""What a migrated database holds before anybody has used it."""

_EMPTY = """
select string_agg(format('delete from %%I.%%I', schemaname, tablename), ';') from pg_tables
where schemaname = 'daybook' and tablename <> all(%s)
"""

_SHAPE = """
select sum(hashtextextended(it, 0)) from (
    select 'c' || oid || xmin || coalesce(relacl::text, '') from pg_class where oid >= 16384
    union all select 'p' || oid || xmin from pg_proc where oid >= 16384
    union all select 'y' || oid || xmin from pg_policy
    union all select 'd' || oid || xmin from pg_attrdef
    union all select 't' || oid || xmin from pg_trigger
) as shape (it)
"""

_END_OTHERS = """
select count(pg_terminate_backend(pid)) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
"""

_BEGIN = "select begin_cluster() from set_config('daybook.tenant', %s, false)"


def database_url(server_url: str, name: str) -> str:
    """Name another database of the same server.

    What a test asks there by itself finds Daybook's tables, without their schema's name; Daybook
    sets a search path of its own (tests/integration/test_other_databases.py).
    """
    return psycopg.conninfo.make_conninfo(
        server_url, dbname=name, options="-csearch_path=daybook,public"
    )


@contextmanager
def database(server_url: str, template: str | None = None) -> Iterator[str]:
    """Yield the URL of a new database, as its owner: a copy of `template`, or an empty one."""
    name = _new(server_url, template)
    try:
        yield database_url(server_url, name)
    finally:
        with psycopg.connect(server_url, autocommit=True) as conn:
            conn.execute(f"drop database {name} with (force)")


def _new(server_url: str, template: str | None) -> str:
    name = f"t_{uuid.uuid4().hex[:12]}"
    # By its files: through the log of the server it would be written twice.
    copied = f" template {template} strategy file_copy" if template else ""
    with psycopg.connect(server_url, autocommit=True) as conn:
        conn.execute(f"create database {name}{copied}")
    return name


class Databases:
    """Databases that tests borrow and give back clean.

    To copy and drop one takes 80 ms; to delete what a test has written, 5. One whose shape a test
    has changed is left to lie.
    """

    def __init__(self, server_url: str) -> None:
        self._server_url = server_url
        self._clean: dict[str, _Database] = {}

    @contextmanager
    def lent(self, template: str) -> Iterator["_Database"]:
        """Yield a copy of a migrated template with nothing in it."""
        one = self._clean.pop(template, None) or _Database(
            database_url(self._server_url, _new(self._server_url, template))
        )
        yield one
        if one.is_clean():
            self._clean[template] = one

    def close(self) -> None:
        """Let go of them; they go with their server."""
        for one in self._clean.values():
            one.conn.close()


class _Database:
    """One that is borrowed.

    Attributes:
        url: as its owner.
        conn: the harness's own session, which no trigger holds back.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.conn: psycopg.Connection[Any] = psycopg.connect(url, autocommit=True)
        self.conn.execute("set session_replication_role = replica")
        self._empty = self._one(_EMPTY, (list(_KEPT),))
        self._shape = self._one(_SHAPE)

    def is_clean(self) -> bool:
        """End whoever is still in it and delete what was written; False where that is not all."""
        # Postgres itself would wait for each of them in steps of 100 ms.
        while self._one(_END_OTHERS):
            SYSTEM.block(0.001)
        if self._one(_SHAPE) != self._shape:
            self.conn.close()
            return False
        tenants = self.conn.execute("select distinct tenant_id from cluster").fetchall()
        self.conn.execute(self._empty)
        # Accepted anew: what processes have kept of it would show that its files were put back.
        for [tenant] in tenants:
            self.conn.execute(_BEGIN, (tenant,))
        return True

    def waiting(self) -> int:
        """Count the sessions that wait for a lock."""
        query = (
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and wait_event_type = 'Lock'"
        )
        return int(self._one(query))

    def _one(self, query: str, about: tuple[Any, ...] = ()) -> Any:
        row = self.conn.execute(query, about or None).fetchone()
        return row[0] if row else None
