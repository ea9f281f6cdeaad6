"""How many runs with a client that waits a process takes in."""

import asyncio
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from daybook.app.server.inside import ADDRESS, SECRET_HEADER
from daybook.app.server.layers.room import Pace, Room

RUN = "/threads/{thread_id}/runs/{way}"


class Server:
    """A server with room for two runs, which last until they are let go."""

    def __init__(self) -> None:
        self.begun, self.go = asyncio.Semaphore(0), asyncio.Event()
        app = Starlette(
            routes=[Route(RUN, self._run, methods=["POST"]), Route("/threads", self._at_once)],
            middleware=[Middleware(Room, most=lambda: 2)],
        )
        transport = httpx.ASGITransport(app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://here")

    async def _run(self, request: Request) -> PlainTextResponse:
        self.begun.release()
        await self.go.wait()
        return PlainTextResponse("answered")

    async def _at_once(self, request: Request) -> PlainTextResponse:
        return PlainTextResponse("listed")

    async def asked(self, way: str = "stream", **headers: str) -> httpx.Response:
        return await self.http.post(f"/threads/t/runs/{way}", headers=headers)


@pytest.fixture
async def full() -> Any:
    server = Server()
    runs = [asyncio.create_task(server.asked(way)) for way in ("stream", "wait")]
    for _ in runs:
        await server.begun.acquire()
    yield server, runs
    server.go.set()
    await asyncio.gather(*runs)


async def test_one_more_is_refused_with_when_to_come_back_and_those_within_go_on(full: Any):
    server, runs = full
    refused = await server.asked()
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "2"
    assert "Nothing was done" in refused.json()["detail"]
    assert (await server.http.get("/threads")).text == "listed", "only runs are counted"
    server.go.set()
    assert [answer.text for answer in await asyncio.gather(*runs)] == ["answered"] * 2
    assert (await server.asked()).text == "answered", "there is room again"


async def test_the_pages_of_the_server_itself_are_let_in(
    full: Any, monkeypatch: pytest.MonkeyPatch
):
    server, runs = full
    monkeypatch.setenv(ADDRESS, "http://here s3cret")
    assert (await server.asked(**{SECRET_HEADER: "guessed"})).status_code == 429
    let_in = asyncio.create_task(server.asked(**{SECRET_HEADER: "s3cret"}))
    await server.begun.acquire()
    server.go.set()
    assert (await let_in).text == "answered"
    await asyncio.gather(*runs)


def test_who_is_refused_comes_back_when_those_before_had_their_turn():
    pace = Pace()
    assert {pace.wait(0.0) for _ in range(50)} == {2}, "nobody knows yet how fast it goes"
    pace = Pace()
    for number in range(40):
        pace.ended(number * 0.25)
    told = [pace.wait(10.0) for _ in range(200)]
    assert told == sorted(told)
    assert told[0] == 2
    assert told[40] == 11, "forty before, four a second"
    assert told[-1] == 30, "nobody waits for longer"
    assert pace.wait(41.0) < 30, "they have come"
    assert pace.wait(200.0) == 2, "what ended long ago tells nothing of now"
