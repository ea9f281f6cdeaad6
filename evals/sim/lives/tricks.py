"""What other services do than the demo's shop, put before its application."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from daybook.demo.shop.door.connection import Line
from daybook.state.clock import SYSTEM
from evals.sim.lives.recipe import Trick

IN_USE = "in_use"
"""Code of the answer to a request whose key is in use; the contract of a life's shop holds it."""


class Tricky:
    """An application that meets the tricks of a life, each once.

    Attributes:
        met: how often each was.
        under_way: how many requests are still to be done.
    """

    def __init__(self, inner: ASGIApp, tricks: Sequence[Trick]) -> None:
        self._inner = inner
        self._tricks = list(tricks)
        self._later: set[asyncio.Task[None]] = set()
        self.met: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        trick = self._met(scope)
        if trick is None:
            await self._inner(scope, receive, send)
        elif trick.kind == "mistold":
            await self._inner(scope, receive, _Misteller(send).send)
        else:
            await self._busy(trick, scope, receive, send)

    def _met(self, scope: Scope) -> Trick | None:
        if scope["type"] != "http" or scope["method"] != "POST":
            return None
        place = scope["path"].strip("/")
        trick = next((one for one in self._tricks if one.place == place), None)
        if trick is not None:
            self._tricks.remove(trick)
            self.met[f"shop {trick.kind} at {place}"] += 1
        return trick

    async def _busy(self, trick: Trick, scope: Scope, receive: Receive, send: Send) -> None:
        body = await receive()
        # Nobody waits on the line of this request any more.
        apart = {**scope, "state": {**scope["state"], "line": Line()}}
        task = asyncio.ensure_future(self._do(trick.seconds, apart, body))
        self._later.add(task)
        task.add_done_callback(self._later.discard)
        said = {"error": IN_USE, "message": "A request under this key is under way."}
        await JSONResponse(said, 409)(scope, receive, send)

    async def _do(self, seconds: float, scope: Scope, body: Message) -> None:
        await SYSTEM.sleep(seconds)

        async def receive() -> Message:
            return body

        async def unheard(_: Message) -> None:
            pass

        await self._inner(scope, receive, unheard)

    @property
    def mistold(self) -> int:
        """Count the answers that named another effect than was done."""
        return sum(count for name, count in self.met.items() if name.startswith("shop mistold"))

    def clear(self) -> None:
        """Forget what no request has met yet."""
        self._tricks.clear()


class _Misteller:
    """Name another effect in an answer than the one that was done."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None

    async def send(self, message: Message) -> None:
        """Pass an answer on, whose body is one piece."""
        if message["type"] == "http.response.start":
            self._start = message
            return
        assert self._start is not None
        content = _mistold(message["body"])
        headers = [(n, v) for n, v in self._start["headers"] if n != b"content-length"]
        length = (b"content-length", str(len(content)).encode())
        await self._send({**self._start, "headers": [*headers, length]})
        await self._send({**message, "body": content})


def _mistold(body: bytes) -> bytes:
    answer: dict[str, Any] = json.loads(body)
    for name in ("hold_id", "charge_id", "order_id"):
        # The first of them names the effect; an order tells its holds and charge too.
        if name in answer:
            answer[name] = f"{answer[name]}9"
    return json.dumps(answer).encode()
