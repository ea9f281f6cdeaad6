"""A tiny real HTTP server that answers a request as the test says."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from daybook.state.clock import SYSTEM
from tests.unit.tcp_server import tcp_server

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Served:
    """Hold where the server listens and what it was sent."""

    url: str
    requests: list[str]


def says(status: int, body: object) -> Answer:
    """Answer with a status and a body; text is sent as it is, anything else as JSON."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        head = f"HTTP/1.1 {status} X\r\ncontent-length: {len(content)}\r\n\r\n"
        writer.write(head.encode() + content)
        await writer.drain()

    return answer


async def says_no_http(writer: asyncio.StreamWriter) -> None:
    """Answer in no words of HTTP."""
    writer.write(b"220 mail.example.com ESMTP\r\n")
    await writer.drain()


async def says_it_packed(writer: asyncio.StreamWriter) -> None:
    """Answer with `{"id": 1}`, packed, and in pieces whose end alone says how long it is."""
    packed = gzip.compress(b'{"id": 1}')
    head = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n"
    pieces = (
        f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in (packed[:9], packed[9:])
    )
    writer.write(head.encode() + b"".join(pieces) + b"0\r\n\r\n")
    await writer.drain()


async def resets(writer: asyncio.StreamWriter) -> None:
    """Break the connection off without an answer."""
    writer.transport.abort()


async def drops(writer: asyncio.StreamWriter) -> None:
    """Close the connection without an answer."""


async def drops_in_the_middle(writer: asyncio.StreamWriter) -> None:
    """Close the connection in the middle of the answer."""
    writer.write(b'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id"')
    await writer.drain()


async def is_silent(writer: asyncio.StreamWriter) -> None:
    """Never answer; the test's end closes the connection."""
    await asyncio.Event().wait()


async def drips(writer: asyncio.StreamWriter) -> None:
    """Answer so slowly that no single read takes long, and never end."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await SYSTEM.sleep(0.01)


@asynccontextmanager
async def serving(*answers: Answer, tls: ssl.SSLContext | None = None) -> AsyncIterator[Served]:
    """Answer the requests in order, each with the next answer, on a connection of its own."""
    left = list(answers)
    requests: list[str] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = await reader.readexactly(int(length[1]) if length else 0)
        requests.append(head + body.decode())
        await left.pop(0)(writer)

    async with tcp_server(talk, tls=tls) as port:
        yield Served(f"{'https' if tls else 'http'}://127.0.0.1:{port}", requests)
