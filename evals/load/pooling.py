"""A PgBouncer before Postgres, which lends its sessions for a transaction each."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict

from daybook.checkpoints.embedded import unroot
from daybook.state.errors import ConfigurationError
from evals.load.server import open_worker
from evals.load.world import World, free_port, until_open

SESSIONS = 6
"""That it has of Postgres at most, for all processes of the server together."""

_LOGIN = "daybook_server"

# docs/operations.md has them, under "Poolers".
_ROLE = (
    "create role daybook_server login in role daybook_app",
    "alter role daybook_server in database {} set role = 'daybook_app'",
    "alter role daybook_server in database {} set daybook.tenant = 'default'",
    "alter role daybook_server in database {} set search_path = daybook, pg_temp",
    "alter role daybook_server in database {} set jit = off",
    "alter role daybook_server in database {} set idle_in_transaction_session_timeout = '30s'",
)

_SETTINGS = """
[databases]
{database} = host={host} port={port} dbname={database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listens}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users.txt
pool_mode = transaction
default_pool_size = {sessions}
max_client_conn = 500
"""


@asynccontextmanager
async def open_pooler(python: str, world: World) -> AsyncIterator[Mapping[str, str]]:
    """Run a pooler, and beside it a worker, which connects to Postgres directly.

    Yields:
        The environment of a server that connects through it; its own runs, in Aegra's database,
        are kept directly.

    Raises:
        ConfigurationError: no pgbouncer is on this machine.
    """
    if (program := shutil.which("pgbouncer")) is None:
        raise ConfigurationError(
            "There is no pgbouncer here. Nothing was measured; on Debian: apt-get install pgbouncer"
        )
    place = conninfo_to_dict(world.url)
    database, aegra = str(place["dbname"]), f"{place['dbname']}_aegra"
    async with await AsyncConnection.connect(world.url, autocommit=True) as conn:
        for statement in _ROLE:
            await conn.execute(sql.SQL(statement).format(sql.Identifier(database)))
        await conn.execute(sql.SQL("create database {}").format(sql.Identifier(aegra)))
    folder, port = world.folder / "pgbouncer", free_port()
    folder.mkdir()
    (folder / "users.txt").write_text(f'"{_LOGIN}" ""\n')
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        _SETTINGS.format(
            **{"database": database, "host": place["host"], "port": place["port"]},
            **{"listens": port, "folder": folder, "sessions": SESSIONS},
        )
    )
    directly = f"?host={quote(str(place['host']), safe='/')}&port={place['port']}"
    pooled = {
        **world.environment,
        "DAYBOOK_POOLER": "transaction",
        "AEGRA_DATABASE_URL": f"postgresql://{place['user']}@/{aegra}{directly}",
    }
    async with (
        _running(program, settings, port),
        open_worker(python, world.environment, world.folder),
    ):
        yield {**pooled, "DATABASE_URL": f"postgresql://{_LOGIN}@127.0.0.1:{port}/{database}"}


@asynccontextmanager
async def _running(program: str, settings: Path, port: int) -> AsyncIterator[None]:
    command, folder = [program, "--quiet", str(settings)], settings.parent
    if os.geteuid() == 0:
        # As Postgres does, it refuses to run as root.
        alone = [sys.executable, "-I", "-S"]
        command = [*alone, unroot.__file__, str(folder), str(folder), "--", *command]
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, stdout=log, stderr=log, start_new_session=True
        )
    try:
        await until_open(port)
        yield
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()
