"""Other sides that go wrong on real sockets: nobody who listens, a proxy that pools."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.unit.tcp_server import tcp_server

Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter

_SSL, _GSS = 80877103, 80877104


def closed_port() -> int:
    """Name a port where nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@asynccontextmanager
async def pooling_proxy(server_socket: str, user: str, database: str) -> AsyncIterator[int]:
    """Lend one session of the server to one client after the other, for a transaction each.

    As a proxy in transaction mode does. One that finds it lent waits: so a client that is in the
    middle of a transaction gets the session, and the others one of their own.
    """
    idle: list[tuple[Reader, Writer]] = []
    opened: list[Writer] = []

    async def lent() -> tuple[Reader, Writer]:
        if idle:
            return idle.pop()
        server = await asyncio.open_unix_connection(server_socket)
        opened.append(server[1])
        hello = f"user\0{user}\0database\0{database}\0\0".encode()
        server[1].write(struct.pack("!ii", len(hello) + 8, 196608) + hello)
        while (await _read(server[0]))[0] != b"Z":
            pass
        return server

    async def talk(reader: Reader, writer: Writer) -> None:
        await _startup(reader, writer)
        writer.write(_message(b"R", struct.pack("!i", 0)))
        writer.write(_message(b"S", b"client_encoding\0UTF8\0"))
        writer.write(_message(b"Z", b"I"))
        mine = None
        while True:
            kind, body = await _read(reader)
            if kind == b"X":
                return
            mine = mine or await lent()
            mine[1].write(_message(kind, body))
            if kind not in (b"Q", b"S"):
                continue
            while True:
                answer, said = await _read(mine[0])
                writer.write(_message(answer, said))
                if answer == b"Z":
                    break
            await writer.drain()
            if said == b"I":
                idle.append(mine)
                mine = None

    async with tcp_server(talk) as port:
        yield port
    for server in opened:
        server.close()


async def _startup(reader: Reader, writer: Writer) -> None:
    while True:
        (length,) = struct.unpack("!i", await reader.readexactly(4))
        (code,) = struct.unpack("!i", (await reader.readexactly(length - 4))[:4])
        if code not in (_SSL, _GSS):
            return
        writer.write(b"N")


async def _read(reader: Reader) -> tuple[bytes, bytes]:
    kind = await reader.readexactly(1)
    (length,) = struct.unpack("!i", await reader.readexactly(4))
    return kind, await reader.readexactly(length - 4)


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body
