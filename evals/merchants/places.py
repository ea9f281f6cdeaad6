"""Processes that stand for merchants: the demo shop, and one that ucpify makes of a JSON file."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from daybook.state.clock import SYSTEM

_ROOT = Path(__file__).parents[2]
_ABSENT = Path(__file__).parent / "absent"
_PATIENCE = 60.0
_LOOK = 0.05


class Shop:
    """The demo shop, asked by its own API for what it did."""

    def __init__(self, url: str, http: httpx.AsyncClient) -> None:
        self.url, self._http = url, http

    @property
    def name(self) -> str:
        """Name it as a merchant."""
        return self.url.removeprefix("http://")

    async def ask(self, method: str, path: str, **body: Any) -> Any:
        """Ask the shop."""
        answer = await self._http.request(method, path, json=body or None)
        return answer.raise_for_status().json()

    async def effects(self) -> list[dict[str, Any]]:
        """Return every effect that really happened."""
        found: list[dict[str, Any]] = await self.ask("GET", "/effects")
        return found

    async def until(self, effect: str) -> None:
        """Wait until an effect happened; another process's deed sends no event.

        Raises:
            TimeoutError: it never does.
        """
        async with SYSTEM.timeout(_PATIENCE):
            while not any(one["effect"] == effect for one in await self.effects()):
                await SYSTEM.sleep(_LOOK)


@asynccontextmanager
async def open_shop(folder: Path) -> AsyncIterator[Shop]:
    """Run the demo shop on a file below a folder."""
    command = [sys.executable, "-m", "daybook.demo.shop", "--port", "0", "--smtp-port", "0"]
    process = await asyncio.create_subprocess_exec(
        *(*command, "--db", str(folder / "shop.db")),
        cwd=_ROOT,
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        url = json.loads(await process.stdout.readline())["shop_url"]
        async with httpx.AsyncClient(base_url=url, timeout=_PATIENCE, trust_env=False) as http:
            yield Shop(url, http)
    finally:
        await _ended(process)


@asynccontextmanager
async def open_ucpify(folder: Path, python: Path, merchant: dict[str, Any]) -> AsyncIterator[str]:
    """Run a merchant as ucpify makes it, unchanged; yield its URL.

    Args:
        python: of an environment that has ucpify.
        merchant: what its JSON file says, but for where it is.
    """
    url = f"http://127.0.0.1:{_free_port()}"
    file = folder / "merchant.json"
    file.write_text(json.dumps({**merchant, "domain": url}))
    with (folder / "ucpify.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(str(python.parent / "ucpify"), "serve", str(file), "-p", url.rpartition(":")[2]),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(_ABSENT)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        await _listens(url)
        yield url
    finally:
        await _ended(process)


async def _listens(url: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as http, SYSTEM.timeout(_PATIENCE):
        while True:
            with suppress(httpx.TransportError):
                await http.get(f"{url}/.well-known/ucp")
                return
            await SYSTEM.sleep(_LOOK)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    await process.wait()
