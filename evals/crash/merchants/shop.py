"""The demo shop as a merchant: a process of its own, asked by its own API for what it did."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from daybook.state.clock import SYSTEM
from evals.crash.merchants.cells import PERFORMED, Cell

ITEM = "BOOT-002"
"""What is bought."""

_ROOT = Path(__file__).parents[3]
_PATIENCE = 60.0
_LOOK = 0.05
_STOCK = 100_000
_SETTLES = 0.5
_HELD = 30.0


class Shop:
    """The demo shop."""

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

    async def until_told(self) -> None:
        """Wait until every event has been sent, or is given up.

        Raises:
            TimeoutError: one never is.
        """
        async with SYSTEM.timeout(_PATIENCE):
            while any(
                one["state"] == "waiting" for one in await self.ask("GET", "/admin/webhooks")
            ):
                await SYSTEM.sleep(_LOOK)

    async def unmet(self) -> list[dict[str, Any]]:
        """Return the faults that nothing has met."""
        found: list[dict[str, Any]] = (await self.ask("GET", "/admin/faults"))["faults"]
        return found

    async def prepare(self, cell: Cell) -> None:
        """Begin anew, and plan what a cell wants to go wrong."""
        await self.ask("POST", "/admin/reset")
        signatures = "required" if cell.transport == "signed" else "ignored"
        await self.ask("PUT", "/admin/settings", settle_seconds=_SETTLES, signatures=signatures)
        await self.ask("PUT", f"/admin/products/{ITEM}", stock=_STOCK)
        await self.ask("PUT", "/admin/keys", endpoint="*", honour=cell.keys == "honoured")
        if cell.kills == PERFORMED:
            await self._spoil("completions", "timeout", _HELD)
        if cell.fault:
            seconds = {"late": _SETTLES / 2, "timeout": _HELD, "drop": 0.0}[cell.fault]
            await self._spoil("completions", cell.fault, seconds)
        if cell.webhook == "early":
            await self._spoil("completions", "held", _HELD)
        elif cell.webhook:
            await self._spoil("webhooks", cell.webhook, _SETTLES)

    async def _spoil(self, place: str, mode: str, seconds: float) -> None:
        await self.ask("POST", "/admin/faults", endpoint=place, mode=mode, seconds=seconds)


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
        await ended(process)


async def ended(process: asyncio.subprocess.Process) -> None:
    """End a process that is none of ours to the end, and wait for it."""
    if process.returncode is None:
        process.terminate()
    await process.wait()
