"""What a domain hears from strangers stands within the server's limits."""

import logging
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from daybook.app.server.layers import domain_routes
from daybook.app.server.layers.domain_routes import DomainRoutes
from daybook.app.server.layers.headers import ALWAYS
from daybook.app.server.layers.stack import LAYERS
from daybook.graph.routes import MOST_BYTES, Answered, Arrived, as_json
from tests.unit.test_quotas import Server


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[Arrived]:
    """Serve a domain that hears at /told what is signed, and note what it hears."""
    heard: list[Arrived] = []

    async def hear(resources: Any, arrived: Arrived) -> Answered:
        heard.append(arrived)
        is_signed = "signature" in arrived.headers
        return Answered(202) if is_signed else as_json(401, {"detail": "by nobody"})

    routes = {"/told": (hear, None)}
    quotas = Server().quotas
    monkeypatch.setattr(domain_routes, "route_to", routes.get)
    monkeypatch.setattr(domain_routes, "quotas", lambda: quotas)
    return heard


def client(address: str = "192.0.2.1") -> httpx.AsyncClient:
    within = LAYERS[: [layer.cls for layer in LAYERS].index(DomainRoutes) + 1]
    transport = httpx.ASGITransport(Starlette(middleware=within), client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url="http://server")


async def test_what_is_told_comes_byte_for_byte_and_its_answer_says_what_all_answers_say(
    heard: list[Arrived],
):
    async with client() as http:
        answer = await http.post("/told", content=b'{"a": "4111111111111111"}')
        assert (await http.post("/told", content=b"x" * (MOST_BYTES + 1))).status_code == 413
        assert (await http.post("/told/", content=b"x")).status_code == 404
    assert [one.body for one in heard] == [b'{"a": "4111111111111111"}']
    assert {name: answer.headers[name] for name in ALWAYS} == dict(ALWAYS)


async def test_who_tells_what_nobody_signed_is_not_heard_for_a_while(
    heard: list[Arrived], caplog: pytest.LogCaptureFixture
):
    signed = {"signature": "sig1=:x:"}
    with caplog.at_level(logging.WARNING):
        async with client() as http:
            answers = [await http.post("/told", content=b"x") for _ in range(4)]
            again = await http.post("/told", content=b"x", headers=signed)
        async with client("192.0.2.2") as http:
            assert (await http.post("/told", headers=signed)).status_code == 202
    assert [one.status_code for one in answers] == [401, 401, 401, 429]
    assert "Nothing was done" in answers[3].json()["detail"]
    assert (again.status_code, "retry-after" in again.headers) == (429, True)
    assert len(heard) == 4
    assert caplog.text.count("denied to nobody who is signed in") == 3
