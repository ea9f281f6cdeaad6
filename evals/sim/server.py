"""The real Postgres of a simulator, and the eyes of the harness in it."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from daybook.checkpoints.embedded.postgres import EmbeddedPostgres, embedded_postgres
from daybook.checkpoints.migrate import migrate
from daybook.state.clock import SYSTEM
from evals.sim.judge import TRIGGERS

DAWN = datetime(2031, 5, 6, 8, tzinfo=UTC)
"""When every simulated day begins."""

_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "shared_buffers": "64MB",
    "checkpoint_timeout": "1h",
    "max_wal_size": "2GB",
}
"""Nothing here outlives its simulator. A commit still is in the kernel's hands, and outlives the
server's immediate end."""

_CLOCK = """
create or replace function daybook_now() returns timestamptz
    language sql volatile parallel safe security definer
    as $$ select pg_read_file('{file}')::timestamptz $$
"""
"""A file is written in a microsecond, where a statement takes a hundred."""

_TEMPLATE = "sim_template"


class Server:
    """One Postgres with a template; each life gets a copy of it.

    Attributes:
        restarts: how often it was ended and started again.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._clock = home / "clock"
        self._clock.write_text("")
        os.chmod(home, 0o755)
        self._fd = os.open(self._clock, os.O_WRONLY)
        self.tell(0.0)
        self._running: EmbeddedPostgres = embedded_postgres(home)
        self._prepare()
        self._conn = self._connected()
        self._count = 0
        self.restarts = 0

    def _connected(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._url("postgres"), autocommit=True, prepare_threshold=None)

    def _url(self, name: str) -> str:
        # What the judge asks finds Daybook's tables by their names; Daybook sets its own path.
        options = "-csearch_path=daybook,public"
        return make_conninfo(self._running.url, dbname=name, options=options)

    def _prepare(self) -> None:
        with self._connected() as conn:
            for name, value in _SETTINGS.items():
                conn.execute(f"alter system set {name} = '{value}'")
            conn.execute(f"create database {_TEMPLATE}")
        self._end_now()
        self._running = embedded_postgres(self._home)
        asyncio.run(migrate(self._url(_TEMPLATE)))
        with psycopg.connect(self._url(_TEMPLATE), autocommit=True) as conn:
            conn.execute(_CLOCK.format(file=self._clock))
            conn.execute(TRIGGERS)

    # -- time -------------------------------------------------------------------------------------

    def tell(self, seconds: float) -> None:
        """Let the server's clock show a virtual time."""
        at = DAWN + timedelta(seconds=seconds)
        os.pwrite(self._fd, at.isoformat(" ", "microseconds").encode(), 0)

    # -- databases --------------------------------------------------------------------------------

    @contextmanager
    def database(self) -> Iterator[str]:
        """Yield the URL of a database for one life."""
        self._count += 1
        name = f"life_{self._count}"
        self._conn.execute(f"create database {name} template {_TEMPLATE} strategy file_copy")
        try:
            yield self._url(name)
        finally:
            self._conn.execute(f"drop database {name} with (force)")

    # -- sessions ---------------------------------------------------------------------------------

    def is_blocked(self, pid: int) -> bool:
        """Tell whether a session waits for a lock that another one holds."""
        found = self._conn.execute("select cardinality(pg_blocking_pids(%s)) > 0", (pid,))
        row = found.fetchone()
        return bool(row and row[0])

    def end(self, pid: int) -> None:
        """End a session."""
        self._conn.execute("select pg_terminate_backend(%s, 5000)", (pid,))

    def wait_until_ended(self, pids: list[int]) -> None:
        """Wait until sessions have ended, but for those that wait for a lock."""
        until = SYSTEM.monotonic() + 20
        while True:
            rows = self._conn.execute(
                "select 1 from pg_stat_activity where pid = any(%s)"
                " and cardinality(pg_blocking_pids(pid)) = 0 limit 1",
                (pids,),
            ).fetchall()
            if not rows:
                return
            assert SYSTEM.monotonic() < until, "the sessions of a dead process go on"
            SYSTEM.block(0.0005)

    def cut_all(self, database: str) -> None:
        """End all sessions of processes in a database, and wait until they have."""
        self._conn.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where datname = %s and application_name like 'daybook-%%'",
            (database,),
        )

    def restart(self) -> None:
        """End the server at once, as a crash would, and start it again."""
        self.restarts += 1
        self._conn.close()
        self._end_now()
        self._running = embedded_postgres(self._home)
        self._conn = self._connected()

    def _end_now(self) -> None:
        pid = int((self._home / "postgres/data/postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGQUIT)
        self._running.close()
        with suppress(ProcessLookupError):
            while True:
                os.kill(pid, 0)
                SYSTEM.block(0.002)

    def close(self) -> None:
        """End the server."""
        self._conn.close()
        self._end_now()
        os.close(self._fd)


@contextmanager
def open_server() -> Iterator[Server]:
    """Start a server in memory where there is room, and leave nothing of it."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    home = Path(tempfile.mkdtemp(prefix="daybook-sim-", dir=folder))
    try:
        server = Server(home)
        try:
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(home, ignore_errors=True)
