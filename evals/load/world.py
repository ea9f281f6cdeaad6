"""What stands around the server: Postgres, shop, Redis, people's tokens; nothing outlives it."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError
from daybook.state.session import Person
from daybook.tools.shop.domain import SHOP
from evals.servers import Shop, open_server, open_shop

_PATIENCE_S = 20.0


@dataclass(frozen=True)
class World:
    """What a server runs on.

    Attributes:
        url: of the database.
        postgres: the same, opened as another process would.
    """

    folder: Path
    url: str
    shop: Shop
    redis_url: str
    postgres: Postgres

    @property
    def environment(self) -> dict[str, str]:
        """Return what its processes are told; nothing of whoever measures."""
        strange = ("OPENAI", "DAYBOOK", "LANGSMITH", "LANGCHAIN", "LANGGRAPH", "AEGRA", "REDIS")
        kept = {name: one for name, one in os.environ.items() if not name.startswith(strange)}
        ours = {
            "DATABASE_URL": self.url,
            "DAYBOOK_HOME": str(self.folder / "home"),
            "SHOP_URL": self.shop.url,
            "SMTP_URL": self.shop.smtp_url,
            "OPENAI_API_KEY": "",
            "OPENAI_BASE_URL": "",
            "LANGSMITH_TRACING": "false",
        }
        return {**kept, **ours, "REDIS_URL": self.redis_url}


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything but the server."""
    async with (
        open_server(folder) as server,
        open_redis(folder) as redis_url,
        open_shop(folder / "shop") as shop,
    ):
        url = await server.new_database("load")
        async with open_postgres(
            url, tenant_id="default", stored_types=SHOP.restored_types, size=2
        ) as postgres:
            yield World(folder, url, shop, redis_url, postgres)


@asynccontextmanager
async def open_redis(folder: Path) -> AsyncIterator[str]:
    """Run a Redis of its own, which keeps nothing on disk; yield its URL.

    Raises:
        ConfigurationError: there is none on this machine.
    """
    if (program := shutil.which("redis-server")) is None:
        raise ConfigurationError(
            "Several processes wake each other by Redis, and there is no redis-server here. "
            "Nothing was measured; on Debian: apt-get install redis-server"
        )
    port = free_port()
    told = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
    with (folder / "redis.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            program, *told, cwd=folder, stdout=log, stderr=log, start_new_session=True
        )
    try:
        await until_open(port)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


async def tokens_for(postgres: Postgres, users: Sequence[str]) -> list[str]:
    """Make a token for each of these people."""
    async with open_token_office(postgres) as office:
        return [(await office.make(Person(user), timedelta(days=1))).text for user in users]


def free_port() -> int:
    """Return a port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


async def until_open(port: int) -> None:
    """Wait until somebody listens at a port of this machine.

    Raises:
        TimeoutError: nobody does.
    """
    async with SYSTEM.timeout(_PATIENCE_S):
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await SYSTEM.sleep(0.05)
