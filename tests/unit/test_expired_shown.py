"""What the server tells of threads whose question has expired meanwhile."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from daybook.app.server.layers.expired import Expired

NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def waiting(name: str, *until: timedelta | None) -> dict[str, Any]:
    """Return a thread as the registry keeps it, with a question for each deadline."""
    asked = [
        {"id": str(number), "value": {"waits_until": (NOW + one).isoformat() if one else None}}
        for number, one in enumerate(until)
    ]
    return {"thread_id": name, "status": "interrupted", "interrupts": {"task": asked}}


SECOND = timedelta(seconds=1)
THREADS = {
    "live": waiting("live", SECOND),
    "over": waiting("over", -SECOND),
    "doubt": waiting("doubt", None),
    "both": waiting("both", -SECOND, SECOND),
    "idle": {"thread_id": "idle", "status": "idle", "interrupts": {}},
    "brief": {"thread_id": "brief", "status": "interrupted"},
}


async def _read(request: Request) -> JSONResponse:
    found = THREADS.get(request.path_params["name"])
    return JSONResponse(found, 200 if found else 404)


async def _search(request: Request) -> JSONResponse:
    wanted = (await request.json()).get("status")
    return JSONResponse([one for one in THREADS.values() if wanted in (None, one["status"])])


@pytest.fixture
def http() -> httpx.AsyncClient:
    app = Starlette(
        routes=[
            Route("/threads/search", _search, methods=["POST"]),
            Route("/threads/{name}", _read),
        ],
        middleware=[Middleware(Expired, now=lambda: NOW)],
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")


@pytest.mark.parametrize("name", ["live", "doubt", "idle", "brief"])
async def test_a_thread_that_waits_or_does_not_is_told_as_it_is(http: httpx.AsyncClient, name: str):
    assert (await http.get(f"/threads/{name}")).json() == THREADS[name]


async def test_a_question_that_has_expired_is_not_told(http: httpx.AsyncClient):
    over = (await http.get("/threads/over")).json()
    assert over == {"thread_id": "over", "status": "idle", "interrupts": {}}
    both = (await http.get("/threads/both")).json()
    assert both["status"] == "interrupted"
    assert [one["id"] for one in both["interrupts"]["task"]] == ["1"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"status": "interrupted"}, ["live", "doubt", "both", "brief"]),
        ({}, ["live", "over", "doubt", "both", "idle", "brief"]),
    ],
)
async def test_who_searches_for_what_waits_finds_nothing_that_has_expired(
    http: httpx.AsyncClient, asked: dict[str, str], found: list[str]
):
    told = (await http.post("/threads/search", json=asked)).json()
    assert [one["thread_id"] for one in told] == found
    assert {one["thread_id"] for one in told if one["status"] == "idle"} <= {"over", "idle"}


async def test_what_is_no_thread_is_passed_on(http: httpx.AsyncClient):
    lost = await http.get("/threads/nobody")
    assert (lost.status_code, lost.json()) == (404, None)
