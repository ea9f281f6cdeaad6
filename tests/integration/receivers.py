"""Receivers of notifications over HTTP: what they are sent, and what they answer."""

import asyncio
import base64
import hashlib
import hmac
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.unit.tcp_server import tcp_server

SIGNING = "8f742231b10e8888abcd99yyyzzz85a5"
BOT = "xoxb-1234-of-the-bot"


SILENT = (0, dict[str, str](), "")

Answer = tuple[int, dict[str, str], Any] | None


@dataclass(frozen=True)
class Got:
    """A request."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Read the body."""
        return json.loads(self.body)


@dataclass
class Receiver:
    """Answer each request with the next answer of the script, and with 200 where there is none.

    Attributes:
        script: status, headers and body of the next answers; None hangs up after the request, and
            SILENT is none at all.
    """

    url: str = ""
    got: list[Got] = field(default_factory=list)
    script: list[Answer] = field(default_factory=list)

    def of(self, path: str) -> list[Got]:
        """Return what was posted to a path."""
        return [one for one in self.got if one.path == path]

    def answer(self) -> Answer:
        """Return the next answer; what Slack says of a message is what anybody may say."""
        said = {"ok": True, "channel": "C0AP", "ts": f"1.{len(self.got):06d}"}
        return self.script.pop(0) if self.script else (200, {}, said)


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    """Let one listen."""
    one = Receiver()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        parts = (line.split(": ", 1) for line in head[1:] if ": " in line)
        headers = {name.lower(): value for name, value in parts}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        one.got.append(Got(head[0].split()[1], headers, body))
        if (answer := one.answer()) is None:
            return
        if answer is SILENT:
            await asyncio.Event().wait()
        status, more, said = answer
        content = json.dumps(said).encode()
        lines = {**more, "content-length": str(len(content)), "connection": "close"}
        written = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"HTTP/1.1 {status} X\r\n{written}\r\n".encode() + content)
        await writer.drain()

    async with tcp_server(talk) as port:
        one.url = f"http://127.0.0.1:{port}"
        yield one


def is_good(got: Got, *secrets: str) -> bool:
    """Check the signature of a webhook as its specification has it, by code of its own."""
    content = b".".join(
        [got.headers["webhook-id"].encode(), got.headers["webhook-timestamp"].encode(), got.body]
    )
    given = {part.split(",", 1)[1] for part in got.headers["webhook-signature"].split(" ")}
    keys = [base64.b64decode(re.sub("^whsec_", "", one)) for one in secrets]
    right = {base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode() for key in keys}
    return bool(right & given)


def pressed(message: Any, word: str, user: str, team: str = "T1") -> str:
    """Write what Slack says when somebody presses a button of a message."""
    [row] = [block for block in message["blocks"] if block["type"] == "actions"]
    [button] = [one for one in row["elements"] if one["action_id"] == word]
    action = {"action_id": word, "value": button["value"], "type": "button"}
    return json.dumps(
        {
            "type": "block_actions",
            "team": {"id": team},
            "user": {"id": user},
            "actions": [action],
            "response_url": "http://169.254.169.254/latest",
        }
    )


def signed(body: bytes, at: float, secret: str = SIGNING) -> dict[str, str]:
    """Sign a request as Slack does."""
    base = f"v0:{at:.0f}:".encode() + body
    made = hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()
    return {
        "content-type": "application/x-www-form-urlencoded",
        "x-slack-request-timestamp": f"{at:.0f}",
        "x-slack-signature": f"v0={made}",
    }
