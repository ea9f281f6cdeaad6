"""What does not get past the fence."""

import logging

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from daybook.app.server.layers import Fence


class Server:
    """What stands behind the fence; it notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})


def client(server: Server) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(Fence(server))
    return httpx.AsyncClient(transport=transport, base_url="http://server")


async def test_no_run_without_a_thread_gets_in_however_it_is_spelt():
    server = Server()
    async with client(server) as http:
        for way in ("", "/stream", "/wait", "/batch", "/crons", "/", "/stream/", "//wait"):
            refused = await http.post(f"/runs{way}", json={"assistant_id": "shop"})
            assert refused.status_code == 422, way
            assert "POST /threads/{thread_id}/runs" in refused.json()["detail"]
    assert server.asked == []


async def test_what_is_closed_is_closed_however_it_is_spelt_and_who_tries_is_logged(
    caplog: pytest.LogCaptureFixture,
):
    server = Server()
    with caplog.at_level(logging.WARNING):
        async with client(server) as http:
            paths = [
                "/internal/truncate",
                "http://server//internal",
                "/INTERNAL/x",
                "/%69nternal/x",
                "/deploy",
            ]
            for path in paths:
                assert (await http.post(path)).status_code == 404, path
    assert server.asked == []
    assert caplog.text.count("denied to a caller who is not signed in: a route that is closed") == 5


async def test_what_does_not_run_anything_gets_in():
    server = Server()
    paths = ["/runs/cancel", "/runs/crons/search", "/threads/1/runs", "/threads/1/runs/wait"]
    async with client(server) as http:
        for path in paths:
            assert (await http.post(path)).status_code == 200
        assert (await http.get("/runs")).status_code == 200
    assert server.asked == [*paths, "/runs"]
