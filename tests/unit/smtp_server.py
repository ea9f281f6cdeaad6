"""A tiny real SMTP server that behaves as the test says at one point of the conversation."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.unit.tcp_server import tcp_server

DROP, SILENCE = "drop", "silence"


@dataclass
class Post:
    """Hold where the server listens and the mails that it took.

    Attributes:
        taken: mails up to their final dot, whatever was said then.
    """

    url: str = ""
    taken: list[str] = field(default_factory=list)
    greeted: int = 0


@asynccontextmanager
async def post_office(tls: ssl.SSLContext | None = None, **replies: str) -> AsyncIterator[Post]:
    """Serve SMTP.

    Args:
        tls: what is shown by STARTTLS, which is offered where there is one.
        replies: what is answered at `greeting`, `mail`, `rcpt`, `data` and `dot`: a reply line,
            DROP or SILENCE; the usual reply otherwise.
    """
    usual = {
        "greeting": "220 hello",
        "ehlo": "250 hello",
        "helo": "250 hello",
        "mail": "250 ok",
        "rcpt": "250 ok",
        "data": "354 go on",
        "dot": "250 taken",
        "quit": "221 bye",
        "starttls": "220 go on",
    }
    if tls is not None:
        usual["ehlo"] = "250-hello\r\n250 STARTTLS"
    post = Post()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A client that does not trust the certificate breaks off.
        with suppress(ssl.SSLError):
            await _talk(reader, writer, {**usual, **replies}, post, tls)

    async with tcp_server(talk) as port:
        post.url = f"smtp://127.0.0.1:{port}"
        yield post


async def _talk(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    replies: dict[str, str],
    post: Post,
    tls: ssl.SSLContext | None,
) -> None:
    post.greeted += 1
    step = "greeting"
    while await _replied(writer, replies[step]):
        if step == "data" and replies[step].startswith("354"):
            mail = await reader.readuntil(b"\r\n.\r\n")
            post.taken.append(mail.decode())
            step = "dot"
            continue
        if step == "starttls" and tls is not None:
            await writer.start_tls(tls)
        line = await reader.readline()
        if not line:
            return
        step = line.split(None, 1)[0].split(b":")[0].decode().strip().lower()


async def _replied(writer: asyncio.StreamWriter, reply: str) -> bool:
    if reply == DROP:
        return False
    if reply == SILENCE:
        await asyncio.Event().wait()
    writer.write(f"{reply}\r\n".encode())
    await writer.drain()
    return True
