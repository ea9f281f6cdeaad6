"""The server under load, and what stands around it: Postgres, shop, Redis; all ends."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx

from daybook import Postgres, open_postgres
from daybook.checkpoints.people.tokens import open_token_office
from daybook.state.clock import SYSTEM
from daybook.state.errors import ConfigurationError
from daybook.state.session import Person
from daybook.tools.shop.domain import SHOP
from evals.servers import (
    ROOT,
    Shop,
    children_of,
    clean_environment,
    free_port,
    open_program,
    open_server,
    open_shop,
    until,
    with_children,
)

_UP_S = 300.0
_GONE_S = 45.0
_PATHS = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
"""What makes Python import this checkout, and not what is installed."""


# -- what stands around it ------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """What a server runs on.

    Attributes:
        url: of the database.
        postgres: the same, opened as another process would.
        environment: what its processes are told; nothing of whoever measures.
    """

    folder: Path
    url: str
    shop: Shop
    postgres: Postgres
    environment: dict[str, str]

    async def tokens(self, people: int) -> dict[str, str]:
        """Make people, each with a token."""
        users = [f"shopper-{number}" for number in range(people)]
        async with open_token_office(self.postgres) as office:
            day = timedelta(days=1)
            return {user: (await office.make(Person(user), day)).text for user in users}


@asynccontextmanager
async def open_world(folder: Path) -> AsyncIterator[World]:
    """Start everything but the server."""
    async with (
        open_server(folder) as server,
        open_redis(folder) as redis_url,
        open_shop(folder / "shop") as shop,
    ):
        url = await server.new_database("load")
        environment = clean_environment(
            DATABASE_URL=url,
            DAYBOOK_HOME=str(folder / "home"),
            SHOP_URL=shop.url,
            SMTP_URL=shop.smtp_url,
            OPENAI_API_KEY="",
            OPENAI_BASE_URL="",
            LANGSMITH_TRACING="false",
            REDIS_URL=redis_url,
        )
        async with open_postgres(
            url, tenant_id="default", stored_types=SHOP.restored_types, size=2
        ) as postgres:
            yield World(folder, url, shop, postgres, environment)


@asynccontextmanager
async def open_redis(folder: Path) -> AsyncIterator[str]:
    """Run a Redis of its own, which keeps nothing on disk; yield its URL.

    Raises:
        ConfigurationError: there is none on this machine.
    """
    if (program := shutil.which("redis-server")) is None:
        raise ConfigurationError(
            "There is no redis-server here. Nothing was measured; Debian has it: "
            "apt-get install redis-server"
        )
    port = free_port()
    told = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")

    async def listens() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return False
        writer.close()
        return True

    async with open_program(program, *told, log=folder / "redis.log", cwd=folder):
        await until(listens)
        yield f"redis://127.0.0.1:{port}/0"


# -- the server -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Server:
    """A server of several processes."""

    url: str
    pid: int
    log: Path

    def processes(self) -> list[int]:
        """Return those that answer requests, in no order."""
        return [pid for pid in children_of(self.pid) if "spawn_main" in _command(pid)]

    def worker(self) -> int:
        """Return the worker beside them; 0 where there is none at this moment."""
        return next((pid for pid in children_of(self.pid) if " worker" in _command(pid)), 0)

    async def until_up(self, process: asyncio.subprocess.Process, processes: int) -> None:
        """Wait until each process answers: one at random does, so many are asked."""
        in_a_row = 0
        async with SYSTEM.timeout(_UP_S):
            while in_a_row < 8 * processes or len(self.processes()) < (processes > 1) * processes:
                if process.returncode is not None:
                    raise RuntimeError(f"it did not start:\n{self.log.read_text()[-4000:]}")
                in_a_row = in_a_row + 1 if await self._is_up() else 0
                if not in_a_row:
                    await SYSTEM.sleep(0.2)

    async def _is_up(self) -> bool:
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=10) as http:
                return (await http.get(f"{self.url}/ready")).is_success
        except httpx.TransportError:
            return False


@asynccontextmanager
async def open_production(
    python: str, environment: Mapping[str, str], folder: Path, processes: int
) -> AsyncIterator[Server]:
    """Run `daybook serve --production`.

    Args:
        python: of the environment that has the extra `production`.
    """
    port = free_port()
    log = folder / f"server-{port}.log"
    command = ["-m", "daybook.app", "serve", "--production", "--worker"]
    command += ["--port", str(port), "--processes", str(processes)]
    env = {**environment, "PYTHONPATH": _PATHS}
    async with open_program(python, *command, log=log, env=env, cwd=folder) as process:
        server = Server(f"http://127.0.0.1:{port}", process.pid, log)
        try:
            await server.until_up(process, processes)
            yield server
        finally:
            left = with_children(process.pid)
            with suppress(ProcessLookupError):
                process.terminate()
            with suppress(TimeoutError):
                async with SYSTEM.timeout(_GONE_S):
                    await process.wait()
            kill(*left)


def kill(*pids: int) -> None:
    """Kill processes; nothing happens where they are no more."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return ""
