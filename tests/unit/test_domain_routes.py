"""What a domain hears from strangers stands within the server's limits."""

import logging
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from daybook.app.server import layers
from daybook.app.server.layers import LAYERS, DomainRoutes
from daybook.graph.serve import MOST_BYTES, Answered, Arrived, as_json


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Arrived]:
    """Serve a domain that hears at /told what is signed, and note what it hears."""
    heard: list[Arrived] = []

    async def hear(resources: Any, arrived: Arrived) -> Answered:
        heard.append(arrived)
        is_signed = "signature" in arrived.headers
        return Answered(202) if is_signed else as_json(401, {"detail": "by nobody"})

    routes = {"/told": (hear, None)}
    monkeypatch.setattr(layers, "route_to", routes.get)
    return heard


def client(address: str = "192.0.2.1") -> httpx.AsyncClient:
    within = LAYERS[: [layer.cls for layer in LAYERS].index(DomainRoutes) + 1]
    transport = httpx.ASGITransport(Starlette(middleware=within), client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://server")


async def test_what_is_told_comes_byte_for_byte(heard: list[Arrived]):
    async with client() as http:
        await http.post("/told", content=b'{"a": "4111111111111111"}')
        assert (await http.post("/told", content=b"x" * (MOST_BYTES + 1))).status_code == 413
        assert (await http.post("/told/", content=b"x")).status_code == 404
    assert [one.body for one in heard] == [b'{"a": "4111111111111111"}']


async def test_what_nobody_signed_is_refused_and_logged(
    heard: list[Arrived], caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING):
        async with client() as http:
            assert (await http.post("/told", content=b"x")).status_code == 401
            assert (await http.post("/told", headers={"signature": "x"})).status_code == 202
    assert len(heard) == 2
    assert caplog.text.count("denied to a caller who is not signed in") == 1
