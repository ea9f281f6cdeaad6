"""What measurements run on: a shop, a Postgres, workers; each ends with its block."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

import httpx
import psycopg
from psycopg import sql

from daybook.checkpoints.embedded.postgres import EmbeddedPostgres
from daybook.domain import embedded_postgres
from daybook.state.clock import SYSTEM

ROOT = Path(__file__).parents[1]
PATIENCE = 60.0
"""Seconds after which what should have happened is given up."""

SKU, STOCK = "BOOT-001", 1_000_000

LAG = 0.6
"""The shop's settling time in these runs, in seconds; D is that and half a second of network."""

_LOOK_S = 0.02
_TICKS = os.sysconf("SC_CLK_TCK")
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_AMBIENT = ("OPENAI", "DAYBOOK", "LANGSMITH", "LANGCHAIN", "LANGGRAPH", "AEGRA", "REDIS")
_PLACES = ("DATABASE_URL", "SHOP_URL", "SMTP_URL")


async def until(is_so: Callable[[], Awaitable[object]], patience: float = PATIENCE) -> None:
    """Wait for the deed of another process, of which there is no event.

    Raises:
        TimeoutError: it never is.
    """
    async with SYSTEM.timeout(patience):
        while not await is_so():
            await SYSTEM.sleep(_LOOK_S)


async def interruptible(done: Coroutine[Any, Any, None]) -> None:
    """Let the first signal end it in order, and later ones be nothing.

    Raises:
        asyncio.CancelledError: there was a signal.
    """
    loop, task = asyncio.get_running_loop(), asyncio.create_task(done)

    def stop() -> None:
        task.cancel()
        for one in _SIGNALS:
            loop.add_signal_handler(one, lambda: None)

    for one in _SIGNALS:
        loop.add_signal_handler(one, stop)
    await task


def clean_environment(**more: str) -> dict[str, str]:
    """Copy the environment without what is set for Daybook or a proxy."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_AMBIENT + _PLACES) and not name.lower().endswith("_proxy")
    }
    return {**kept, "PYTHONUNBUFFERED": "1", **more}


def free_port() -> int:
    """Return a port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@asynccontextmanager
async def open_program(
    *command: str, log: Path, env: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program for the length of the block; what it writes goes to a file."""
    with log.open("ab") as told:
        process = await asyncio.create_subprocess_exec(
            *command, cwd=cwd, env=env, stdout=told, stderr=told, start_new_session=True
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        await process.wait()


class JsonProgram:
    """A program that is told lines of JSON, and tells lines of JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def tell(self, what: Any) -> None:
        """Tell it something."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what).encode() + b"\n")
        await self._process.stdin.drain()

    async def hear(self) -> Any:
        """Return what it tells next.

        Raises:
            RuntimeError: it ended.
        """
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the program ended: see what it wrote")
        return json.loads(line)


@asynccontextmanager
async def open_json_program(
    *command: str, log: IO[bytes] | None = None, **environment: str
) -> AsyncIterator[JsonProgram]:
    """Run a program that talks; its input ends with the block, and so does it."""
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=log,
        limit=1 << 24,
        # A Ctrl-C is for whoever started it, who then closes its input.
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        yield JsonProgram(process)
    finally:
        process.stdin.close()
        await process.wait()


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found


def with_children(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    return [pid, *(one for child in children_of(pid) for one in with_children(child))]


def cpu_seconds(pid: int) -> float:
    """Return what a process and its children have used, and those that they waited for."""
    ticks = 0
    for one in with_children(pid):
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def open_worker(log: Path, *options: str, **environment: str) -> Any:
    """Run `daybook worker` for the length of the block."""
    command = (sys.executable, "-m", "daybook.app", "worker", *options)
    return open_program(*command, log=log, env=clean_environment(**environment))


class Shop:
    """Run a shop process, and ask it what really happened.

    Attributes:
        url, smtp_url: the same after it was killed and started again.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._options = folder, options
        self._ports = ("0", "0")
        self._process: asyncio.subprocess.Process | None = None
        self.url = self.smtp_url = ""
        self._http = httpx.AsyncClient(timeout=60, trust_env=False)

    async def start(self) -> None:
        """Start it over its data."""
        port, smtp_port = self._ports
        with (self._folder / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "daybook.demo.shop", *self._options),
                *("--port", port, "--smtp-port", smtp_port),
                *("--db", str(self._folder / "shop.sqlite")),
                cwd=ROOT,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        assert self._process.stdout is not None
        places = json.loads(await self._process.stdout.readline())
        self.url, self.smtp_url = places["shop_url"], places["smtp_url"]
        self._ports = (str(urlsplit(self.url).port), str(urlsplit(self.smtp_url).port))
        await self.ask("PUT", "/admin/settings", settle_seconds=LAG)
        await self.ask("PUT", f"/admin/products/{SKU}", stock=STOCK)

    async def kill(self) -> None:
        """Kill it."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def close(self) -> None:
        """End it."""
        await self.kill()
        await self._http.aclose()

    async def ask(self, method: str, path: str, **body: Any) -> Any:
        """Ask the shop."""
        answer = await self._http.request(method, f"{self.url}{path}", json=body or None)
        return answer.raise_for_status().json()

    async def effects(self) -> list[dict[str, Any]]:
        """Return every effect that really happened."""
        found: list[dict[str, Any]] = await self.ask("GET", "/effects")
        return found

    async def holds_left(self, effects: list[dict[str, Any]]) -> int:
        """Count the holds among effects that still keep stock from others."""
        holds = [one["detail"]["hold_id"] for one in effects if one["effect"] == "reserve"]
        states = [(await self.ask("GET", f"/holds/{hold}"))["state"] for hold in holds]
        return states.count("held")

    async def has_performed(self, endpoint: str, reference: str) -> bool:
        """Tell whether an effect happened."""
        if endpoint == "mail":
            return any(one["reference"] == reference for one in await self.effects())
        return bool((await self.ask("GET", f"/{endpoint}?reference={reference}"))["matches"])

    async def spoil(self, endpoint: str, mode: str, match: str = "", **more: float) -> None:
        """Let the next request at an endpoint whose reference contains `match` meet a fault."""
        body = {"endpoint": endpoint, "mode": mode, "match": match, **more}
        await self.ask("POST", "/admin/faults", **body)


@asynccontextmanager
async def open_shop(folder: Path, *options: str) -> AsyncIterator[Shop]:
    """Run a shop; it has ended with the block."""
    shop = Shop(folder, *options)
    try:
        await shop.start()
        yield shop
    finally:
        await shop.close()


class Server:
    """One embedded Postgres over a folder of its own.

    Attributes:
        url: the same after it was killed and started again.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._uses: list[EmbeddedPostgres] = []
        self.url = ""

    @property
    def pid(self) -> int:
        """Return the process that all others of it are children of."""
        file = self._folder / "postgres" / "data" / "postmaster.pid"
        return int(file.read_text().splitlines()[0])

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
        return await new_database(self.url, name)

    def kill(self) -> None:
        """Kill it as a machine that runs out of memory does."""
        os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Give up all uses of it: it ends."""
        for use in self._uses:
            use.close()


async def new_database(server: str, name: str) -> str:
    """Make an empty database on the server of a URL, and return its own."""
    async with await psycopg.AsyncConnection.connect(server, autocommit=True) as conn:
        await conn.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
    # What a judge asks finds Daybook's tables by their names; Daybook sets its own path. As a URL:
    # not all who are measured take libpq's other form.
    database = urlsplit(server)._replace(path=f"/{name}").geturl()
    return f"{database}&options=-csearch_path%3Ddaybook,public"


@asynccontextmanager
async def open_server(folder: Path, *, is_durable: bool = False) -> AsyncIterator[Server]:
    """Run a server; it has ended with the block.

    Args:
        is_durable: commits wait for the disk, as where their cost is measured.
    """
    server = Server(folder)
    try:
        await server.start()
        if not is_durable:
            await server.settle()
        yield server
    finally:
        await asyncio.to_thread(server.close)
