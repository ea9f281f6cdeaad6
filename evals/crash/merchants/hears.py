"""Where merchants reach us: our profile and our events, answered as the server answers them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from daybook.graph.merchants.events import hear_event, hear_profile
from daybook.graph.merchants.settings import EVENTS_PATH, PROFILE_PATH
from daybook.graph.routes import Answered, Arrived
from daybook.nodes.running.work import Resources

_ROUTES = {PROFILE_PATH: hear_profile, EVENTS_PATH: hear_event}


@dataclass
class Ear:
    """What was heard.

    Attributes:
        url: DAYBOOK_PUBLIC_URL, for who is to be heard here.
        resources: what hears; nothing is heard before it is there.
        answered: how many events were answered by which status.
        taken_up: an event counts since the last cell began.
    """

    url: str = ""
    resources: Resources | None = None
    answered: Counter[int] = field(default_factory=Counter)
    taken_up: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self) -> None:
        """Begin with another cell."""
        self.taken_up.clear()

    async def hear(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answered:
        """Answer one request."""
        if self.resources is None or path not in _ROUTES:
            return Answered(404)
        arrived = Arrived(method, f"{self.url}{path}", headers, body)
        answered = await _ROUTES[path](self.resources, arrived)
        if path == EVENTS_PATH:
            self.answered[answered.status] += 1
        return answered


@asynccontextmanager
async def listening() -> AsyncIterator[Ear]:
    """Listen on a port of the loopback address."""
    ear = Ear()
    later: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ", 2)
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            answered = await ear.hear(method, path, headers, body)
            lines = [f"HTTP/1.1 {answered.status} x", "connection: close"]
            lines += [f"{name}: {value}" for name, value in answered.headers.items()]
            lines.append(f"content-length: {len(answered.body)}")
            writer.write("\r\n".join([*lines, "", ""]).encode() + answered.body)
            await writer.drain()
            if answered.later is not None:
                task = asyncio.ensure_future(_settled(ear, answered))
                later.add(task)
                task.add_done_callback(later.discard)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    ear.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield ear
    finally:
        server.close()
        await asyncio.gather(*later)


async def _settled(ear: Ear, answered: Answered) -> None:
    assert answered.later is not None
    await answered.later()
    ear.taken_up.set()
