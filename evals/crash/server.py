"""An embedded Postgres: it can be killed, and is started again by what keeps it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from daybook.checkpoints.embedded.postgres import EmbeddedPostgres, embedded_postgres


class Server:
    """One server over a folder of its own.

    Attributes:
        url: the same after it was killed and started again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._uses: list[EmbeddedPostgres] = []
        self.url = ""

    async def start(self) -> None:
        """Start it, or start it again once nothing of the killed one is left."""
        use = await asyncio.to_thread(embedded_postgres, self._folder)
        self._uses.append(use)
        self.url = use.url

    async def settle(self) -> None:
        """Let it write without fsync: processes are killed here, and not machines."""
        async with await psycopg.AsyncConnection.connect(self.url, autocommit=True) as conn:
            await conn.execute("alter system set fsync = off")
            await conn.execute("select pg_reload_conf()")

    async def new_database(self, name: str) -> str:
        """Make an empty database and return its URL."""
        async with await psycopg.AsyncConnection.connect(self.url, autocommit=True) as conn:
            await conn.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        return make_conninfo(self.url, dbname=name)

    def kill(self) -> None:
        """Kill it as a machine that runs out of memory does."""
        file = self._folder / "postgres" / "data" / "postmaster.pid"
        os.kill(int(file.read_text().splitlines()[0]), signal.SIGKILL)

    def close(self) -> None:
        """Give up all uses of it: it ends."""
        for use in self._uses:
            use.close()


@asynccontextmanager
async def open_server(folder: Path) -> AsyncIterator[Server]:
    """Run a server; it has ended with the block."""
    server = Server(folder)
    try:
        await server.start()
        await server.settle()
        yield server
    finally:
        await asyncio.to_thread(server.close)
