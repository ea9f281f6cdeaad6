"""What a process of the server says while it starts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from daybook.app.server.production import asgi
from daybook.state.clock import SYSTEM


class Application:
    """An application that has started when it is told that it has."""

    def __init__(self) -> None:
        self.may_start, self.has_ended = asyncio.Event(), False
        self.app = Starlette(routes=[Route("/", self._hello)], lifespan=self._life)
        self.app.state.opened = nullcontext

    async def _hello(self, request: Request) -> PlainTextResponse:
        return PlainTextResponse("hello")

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        await self.may_start.wait()
        yield
        self.has_ended = True


async def test_it_answers_from_its_first_moment_on_and_ends_what_it_started(
    monkeypatch: pytest.MonkeyPatch,
):
    inner = Application()
    monkeypatch.setattr(asgi, "import_module", lambda name: SimpleNamespace(app=inner.app))
    starting, told = asgi.Starting(), asyncio.Queue[Any]()
    events: asyncio.Queue[Any] = asyncio.Queue()
    life = asyncio.create_task(starting({"type": "lifespan"}, events.get, told.put))
    await events.put({"type": "lifespan.startup"})
    assert (await told.get())["type"] == "lifespan.startup.complete"
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(starting), base_url="http://here"
    ) as http:
        early = await http.get("/")
        assert (early.status_code, early.headers["Retry-After"]) == (503, "2")
        assert "Nothing was done" in early.json()["detail"]
        inner.may_start.set()
        while (answer := await http.get("/")).status_code == 503:
            await SYSTEM.sleep(0)
        assert answer.text == "hello"
    await events.put({"type": "lifespan.shutdown"})
    assert (await told.get())["type"] == "lifespan.shutdown.complete"
    await life
    assert inner.has_ended
