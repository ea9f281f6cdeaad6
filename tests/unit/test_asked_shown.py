"""What the server tells of threads whose question was asked or answered elsewhere meanwhile."""

from collections.abc import Collection, Mapping
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from daybook.app.server.layers.asked import AsAsked
from daybook.state.errors import DatabaseUnavailable

PLAN = {"approval_id": "p-1"}
DOUBT = {"approval_id": "op/1?2", "in_doubt": "op/1"}
OLDER = {"action_requests": []}
NEW = {"task-2": [{"id": "9", "value": {"approval_id": "p-2"}}]}


def thread(name: str, status: str, *asked: Any) -> dict[str, Any]:
    """Return a thread as the registry keeps it."""
    questions = [{"id": str(number), "value": value} for number, value in enumerate(asked)]
    interrupts = {"task": questions} if questions else {}
    return {"thread_id": name, "status": status, "interrupts": interrupts}


THREADS = {
    one["thread_id"]: one
    for one in (
        thread("plan", "interrupted", PLAN),
        thread("doubt", "interrupted", DOUBT),
        thread("older", "interrupted", OLDER),
        thread("answered", "interrupted", PLAN),
        thread("settled", "interrupted", DOUBT),
        thread("both", "interrupted", PLAN, DOUBT),
        thread("another", "interrupted", PLAN),
        thread("elsewhere", "idle"),
        thread("idle", "idle"),
        thread("busy", "busy"),
        {"thread_id": "brief", "status": "interrupted"},
        {"thread_id": "brief over", "status": "interrupted"},
    )
}
WAITING = {
    "plan": {"p-1"},
    "doubt": {"op/1"},
    "both": {"op/1"},
    "another": {"p-2"},
    "elsewhere": {"p-2"},
    "busy": {"p-2"},
    "brief": {"p-2"},
}


async def _read(request: Request) -> JSONResponse:
    found = THREADS.get(request.path_params["name"])
    return JSONResponse(found, 200 if found else 404)


async def _search(request: Request) -> JSONResponse:
    wanted = (await request.json()).get("status")
    return JSONResponse([one for one in THREADS.values() if wanted in (None, one["status"])])


async def _names(threads: Collection[str]) -> Mapping[str, Collection[str]]:
    return {name: WAITING[name] for name in threads if name in WAITING}


async def _asked(thread_id: str) -> Mapping[str, Any]:
    return {} if thread_id == "brief over" else NEW


def served(**by: Any) -> httpx.AsyncClient:
    app = Starlette(
        routes=[
            Route("/threads/search", _search, methods=["POST"]),
            Route("/threads/{name}", _read),
        ],
        middleware=[Middleware(AsAsked, **{"names": _names, "asked": _asked, **by})],
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")


@pytest.fixture
def http() -> httpx.AsyncClient:
    return served()


@pytest.mark.parametrize("name", ["plan", "doubt", "older", "idle", "busy", "brief"])
async def test_a_thread_that_waits_or_does_not_is_told_as_it_is(http: httpx.AsyncClient, name: str):
    assert (await http.get(f"/threads/{name}")).json() == THREADS[name]


@pytest.mark.parametrize("name", ["answered", "settled"])
async def test_a_question_that_is_over_is_not_told(http: httpx.AsyncClient, name: str):
    assert (await http.get(f"/threads/{name}")).json() == thread(name, "idle")


async def test_where_only_the_status_is_asked_for_that_alone_is_told(http: httpx.AsyncClient):
    told = (await http.get("/threads/brief over")).json()
    assert told == {"thread_id": "brief over", "status": "idle"}


async def test_of_two_questions_the_one_that_waits_is_told(http: httpx.AsyncClient):
    both = (await http.get("/threads/both")).json()
    assert both["status"] == "interrupted"
    assert [one["value"] for one in both["interrupts"]["task"]] == [DOUBT]


@pytest.mark.parametrize("name", ["another", "elsewhere"])
async def test_a_question_that_another_process_asked_is_told(http: httpx.AsyncClient, name: str):
    told = (await http.get(f"/threads/{name}")).json()
    assert told == {"thread_id": name, "status": "interrupted", "interrupts": NEW}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"status": "interrupted"}, ["plan", "doubt", "older", "both", "another", "brief"]),
        ({"status": "idle"}, ["idle"]),
        ({}, [*THREADS]),
    ],
)
async def test_who_searches_for_what_waits_finds_nothing_that_is_over(
    http: httpx.AsyncClient, asked: dict[str, str], found: list[str]
):
    told = (await http.post("/threads/search", json=asked)).json()
    assert [one["thread_id"] for one in told] == found


async def test_what_is_no_thread_is_passed_on(http: httpx.AsyncClient):
    lost = await http.get("/threads/nobody")
    assert (lost.status_code, lost.json()) == (404, None)


async def test_without_a_database_nothing_is_said_to_wait():
    async def away(threads: Collection[str]) -> Mapping[str, Collection[str]]:
        raise DatabaseUnavailable("it is away")

    answer = await served(names=away).get("/threads/plan")
    assert (answer.status_code, answer.json()) == (503, {"detail": "it is away"})
