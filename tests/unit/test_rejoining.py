"""A stream that breaks off before its run has said its end is gone on with."""

from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from daybook.app.server.production.rejoining import Rejoining

RUN = "/threads/t/runs/r"
EVENTS = [f"event: values\ndata: {{}}\nid: r_event_{number}\n\n" for number in (1, 3, 5)]
END = "event: end\ndata: {}\nid: r_event_7\n\n"


class Server:
    """A server that tells of a run in pieces.

    Args:
        pieces: what it tells whoever begins the run, and then whoever comes back each time.
    """

    def __init__(self, *pieces: list[str], status: int = 200) -> None:
        self.pieces, self.status = list(pieces), status
        self.came_back: list[str] = []
        app = Starlette(
            routes=[
                Route("/threads/{t}/runs/stream", self._begins, methods=["POST"]),
                Route("/threads/{t}/runs/{r}/stream", self._comes_back),
            ],
            middleware=[Middleware(Rejoining)],
        )
        transport = httpx.ASGITransport(app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://here")

    async def _begins(self, request: Request) -> Response:
        if await request.json() == {"refused": True}:
            return JSONResponse({"detail": "no"}, 409)
        return self._told()

    async def _comes_back(self, request: Request) -> Response:
        self.came_back.append(request.headers["last-event-id"])
        return self._told() if self.status == 200 else JSONResponse({"detail": "no"}, self.status)

    def _told(self) -> Response:
        async def events(piece: list[str]) -> AsyncIterator[str]:
            for one in piece:
                # In the middle of a line.
                yield one[:9]
                yield one[9:]

        headers = {"Content-Location": RUN}
        return StreamingResponse(
            events(self.pieces.pop(0)), media_type="text/event-stream", headers=headers
        )

    async def asked(self) -> str:
        return (await self.http.post("/threads/t/runs/stream", json={})).text


async def test_what_was_told_in_between_is_told_once():
    server = Server(EVENTS[:1], [*EVENTS[1:], END])
    assert await server.asked() == "".join([*EVENTS, END])
    assert server.came_back == ["r_event_1"]


async def test_a_stream_of_which_nothing_came_is_told_whole():
    server = Server([], EVENTS[:2], [EVENTS[2], END])
    assert await server.asked() == "".join([*EVENTS, END])
    assert server.came_back == ["r_event_0", "r_event_3"]


async def test_a_stream_that_ends_is_left_as_it_is():
    server = Server([*EVENTS, END])
    assert await server.asked() == "".join([*EVENTS, END])
    assert server.came_back == []


async def test_who_never_says_the_end_is_not_asked_for_ever():
    server = Server(EVENTS[:1], [], [], [], [])
    assert await server.asked() == EVENTS[0]
    assert len(server.came_back) == 3


@pytest.mark.parametrize("status", [404, 429, 503])
async def test_a_refusal_is_no_part_of_a_stream(status: int):
    server = Server(EVENTS[:1], status=status)
    assert await server.asked() == EVENTS[0]


async def test_what_is_no_stream_is_passed_on():
    server = Server()
    answer = await server.http.post("/threads/t/runs/stream", json={"refused": True})
    assert (answer.status_code, answer.json()) == (409, {"detail": "no"})
    assert server.came_back == []
