"""What replays and trials stand on: a Postgres and a retailer, both gone with the block."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.crash.shop import Server, open_server
from evals.tau_retail.data import TauRetail
from evals.tau_retail.outside import retailer

_MEMORY = Path("/dev/shm")
_ROOM = 8_000_000_000
"""Bytes that must be free in memory, for the databases to be held there."""


@dataclass(frozen=True)
class Ground:
    """What everything stands on.

    Attributes:
        folder: below which everything is that it writes.
        retailer: its URL.
    """

    folder: Path
    server: Server
    retailer: str


@asynccontextmanager
async def open_ground(data: TauRetail) -> AsyncIterator[Ground]:
    """Start a Postgres and a retailer; nothing of them outlives the block."""
    async with AsyncExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="daybook-tau-", dir=_memory())
        folder = Path(stack.enter_context(temporary))
        url = stack.enter_context(retailer(data.folder, folder))
        server = await stack.enter_async_context(open_server(folder))
        yield Ground(folder, server, url)


def _memory() -> str | None:
    """Name a folder in memory, if there is one with room: what is written here is thrown away."""
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM
    return str(_MEMORY) if has_room and os.access(_MEMORY, os.W_OK) else None
