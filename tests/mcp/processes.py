"""The office as a process, and a line to it that breaks where a test says so."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from daybook.state.clock import SYSTEM
from daybook.testing.processes import PATIENCE, PRELOADED
from tests.mcp.office import done, main
from tests.unit.tcp_server import tcp_server

_FORKED = multiprocessing.get_context("forkserver")
PRELOADED.append("tests.mcp.office")
_FORKED.set_forkserver_preload(PRELOADED)


class OfficeProcess:
    """Run the office, forked as runners are, and look at what really happened there."""

    def __init__(self, folder: Path) -> None:
        self.book = folder / "book.jsonl"
        self.port = 0
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def start(self) -> None:
        """Start it, where it was before."""
        ours, theirs = _FORKED.Pipe(duplex=False)
        about = (self.book, self.port, theirs)
        self.process = _FORKED.Process(target=main, args=about, daemon=True)
        self.process.start()
        theirs.close()
        with ours:
            self.port = ours.recv()

    def kill(self) -> None:
        self.process.kill()
        self.process.join(PATIENCE)

    def done(self, what: str = "booked") -> list[dict[str, Any]]:
        """Return what really happened of a kind, in order."""
        return [one for one in done(self.book) if one["what"] == what]

    async def has_done(self, count: int = 1) -> None:
        """Wait until so many rooms are booked."""
        async with SYSTEM.timeout(PATIENCE):
            while len(self.done()) < count:
                await SYSTEM.sleep(0.01)

    async def describes(self, tool: str, description: str | None) -> None:
        """Describe a tool otherwise from now on; None takes it away."""
        about = {} if description is None else {"description": description}
        await self.otherwise(tool=tool, **about)

    async def otherwise(self, **said: Any) -> None:
        """Let it show a tool otherwise from now on."""
        async with httpx.AsyncClient() as http:
            url = self.url.removesuffix("/mcp") + "/otherwise"
            (await http.post(url, json=said)).raise_for_status()


@dataclass
class Between:
    """A line to a server: each request is seen, and may meet a fault by the tool that it calls.

    Faults: "mute" (it arrives, and the line breaks before any answer), "half" (it breaks in the
    middle of the answer), "deaf" (it breaks before it arrives), "elsewhere" (307 to where it was
    sent), "failed" (502).
    """

    port: int
    url: str = ""
    faults: dict[str, list[str]] = field(default_factory=dict)
    seen: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def calls(self, tool: str) -> list[dict[str, Any]]:
        """Return the calls of a tool that came by."""
        return [
            said["params"]
            for _, said in self.seen
            if said.get("method") == "tools/call" and said["params"]["name"] == tool
        ]

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        named = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        body = await reader.readexactly(int(named.get("content-length", 0)))
        said: dict[str, Any] = json.loads(body) if body else {}
        self.seen.append((lines[0].split()[0], said))
        fault = self._fault(said)
        if fault == "deaf":
            return
        if fault in ("elsewhere", "failed"):
            status = 307 if fault == "elsewhere" else 502
            told = f"HTTP/1.1 {status} X\r\nlocation: {self.url}\r\ncontent-length: 0\r\n\r\n"
            writer.write(told.encode())
            await writer.drain()
            return
        there, to = await asyncio.open_connection("127.0.0.1", self.port)
        kept = [one for one in lines if one and not one.lower().startswith("connection:")]
        to.write("\r\n".join([*kept, "connection: close", "", ""]).encode("latin-1") + body)
        try:
            with suppress(ConnectionError):
                await self._answer(there, writer, fault)
        finally:
            to.close()

    async def _answer(
        self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, fault: str
    ) -> None:
        if fault == "mute":
            await there.read(1)
            return
        if fault == "half":
            writer.write((await there.read())[:-20])
            await writer.drain()
            return
        while piece := await there.read(65_536):
            writer.write(piece)
            await writer.drain()

    def _fault(self, said: dict[str, Any]) -> str:
        if said.get("method") != "tools/call":
            return ""
        waiting = self.faults.get(said["params"]["name"], [])
        return waiting.pop(0) if waiting else ""


@asynccontextmanager
async def line_to(port: int) -> AsyncIterator[Between]:
    """Open a line to a server."""
    between = Between(port)
    async with tcp_server(between.talk) as own:
        between.url = f"http://127.0.0.1:{own}/mcp"
        yield between
