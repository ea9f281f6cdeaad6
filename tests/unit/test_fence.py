"""What does not get past the fence, and what it does when a request has been answered."""

import logging

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from daybook.app.server.layers.fence import Fence
from daybook.app.server.quotas import LEAVING


class Server:
    """What stands behind the fence; it notes what it is asked, and who has left."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.left: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(scope["path"])
        scope[LEAVING].append(lambda: self.left.append(scope["path"]))
        assert "fails" not in scope["path"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body"})
        assert scope["path"] not in self.left, "it is open as long as it is answered"


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
    assert caplog.text.count("denied to nobody who is signed in: a route that is closed") == 5


async def test_what_does_not_run_anything_gets_in():
    server = Server()
    paths = ["/runs/cancel", "/runs/crons/search", "/threads/1/runs", "/threads/1/runs/wait"]
    async with client(server) as http:
        for path in paths:
            assert (await http.post(path)).status_code == 200
        assert (await http.get("/runs")).status_code == 200
    assert server.asked == [*paths, "/runs"]


async def test_who_has_been_answered_has_left_and_who_could_not_be_too():
    server = Server()
    async with client(server) as http:
        await http.get("/threads")
        assert server.left == ["/threads"]
        with pytest.raises(AssertionError):
            await http.get("/fails")
    assert server.left == ["/threads", "/fails"]
