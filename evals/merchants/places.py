"""A process that stands for a merchant: as ucpify makes it of a JSON file."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from daybook.state.clock import SYSTEM
from evals.crash.merchants.shop import ended

_ABSENT = Path(__file__).parent / "absent"
_PATIENCE = 60.0
_LOOK = 0.05


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
        await ended(process)


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
