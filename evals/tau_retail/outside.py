"""The retailer as a process of its own, and its control plane: worlds, faults, log and hash."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from evals.servers import ROOT, Server, open_server
from evals.tau_retail.data import TauRetail

_SECONDS = 30.0


class ControlPlane:
    """Make worlds, and see what happened in them; nothing of this is open to an agent."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def begin(self, world: str) -> None:
        """Make a world, fresh; one that is there already is made anew."""
        await self._ask("DELETE", world)
        await self._ask("PUT", world)

    async def end(self, world: str) -> None:
        """Delete a world."""
        await self._ask("DELETE", world)

    async def log(self, world: str) -> dict[str, Any]:
        """Return what happened.

        That is `executions` (tool, arguments, key, text, changed; in order) and `repeats`: how many
        requests it answered by their key, without doing anything.
        """
        found: dict[str, Any] = await self._ask("GET", world, "/log")
        return found

    async def sha256(self, world: str) -> str:
        """Return the hash of the world's database, as `final_db_sha256` is made."""
        found: str = (await self._ask("GET", world, "/hash"))["sha256"]
        return found

    async def _ask(self, method: str, world: str, path: str = "") -> Any:
        answer = await self._http.request(method, _path(world) + path)
        answer.raise_for_status()
        return answer.json() if answer.content else None


class Faults:
    """Arm the faults of worlds, from the thread of a provider's request."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def arm(self, world: str, armed: bool) -> None:
        """Let the reads of a world fail, or no longer."""
        path = f"{_path(world)}/fault"
        self._http.put(path, json={"armed": armed}).raise_for_status()


def _path(world: str) -> str:
    return f"/worlds/{quote(world, safe='')}"


@contextmanager
def retailer(data: Path, folder: Path) -> Iterator[str]:
    """Run a retailer, and yield its URL; it ends with the block.

    Args:
        data: the folder with db.json.
        folder: for what it writes to standard error.

    Raises:
        RuntimeError: it did not start.
    """
    with (folder / "retailer.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "evals.tau_retail.retailer.server", str(data)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log,
            # Ctrl-C is for whoever started it, who ends it when it is asked nothing more.
            start_new_session=True,
        )
    with process:
        assert process.stdout is not None
        try:
            if not (line := process.stdout.readline()):
                said = (folder / "retailer.log").read_text()[-2_000:]
                raise RuntimeError(f"The retailer did not start: {said}")
            yield json.loads(line)["url"]
        finally:
            process.terminate()


@asynccontextmanager
async def control_plane(url: str) -> AsyncIterator[ControlPlane]:
    """Open the control plane of a retailer."""
    async with httpx.AsyncClient(base_url=url, timeout=_SECONDS, trust_env=False) as http:
        yield ControlPlane(http)


@contextmanager
def fault_switch(url: str) -> Iterator[Faults]:
    """Open the switch of a retailer's faults."""
    with httpx.Client(base_url=url, timeout=_SECONDS, trust_env=False) as http:
        yield Faults(http)


_MEMORY = Path("/dev/shm")
_ROOM = 8_000_000_000
"""Bytes that must be free in memory, for the databases to be held there."""


@dataclass(frozen=True)
class Ground:
    """What everything stands on.

    Attributes:
        retailer: its URL.
    """

    server: Server
    retailer: str


@asynccontextmanager
async def open_ground(data: TauRetail) -> AsyncIterator[Ground]:
    """Start a Postgres and a retailer; nothing of them outlives the block."""
    async with AsyncExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="daybook-tau-", dir=_memory())
        folder = Path(stack.enter_context(temporary))
        url = stack.enter_context(retailer(data.folder, folder))
        yield Ground(await stack.enter_async_context(open_server(folder)), url)


def _memory() -> str | None:
    """Name a folder in memory, if there is one with room: what is written here is thrown away."""
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM
    return str(_MEMORY) if has_room and os.access(_MEMORY, os.W_OK) else None
