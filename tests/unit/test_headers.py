"""What every answer says to a browser, whatever answered it."""

import logging
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from daybook.app.server.layers import ALWAYS, SafeHeaders


async def answers(request: Request) -> Response:
    return JSONResponse({"of": "ada"}, headers={"Cache-Control": "max-age=9"})


async def is_public(request: Request) -> Response:
    return JSONResponse({"keys": []}, headers={"Cache-Control": "public, max-age=9"})


async def fails(request: Request, *_: Any) -> Response:
    raise KeyError("a word of Ada's")


async def breaks_off(request: Request) -> Response:
    async def told() -> Any:
        yield b"one"
        raise KeyError("a word of Ada's")

    return StreamingResponse(told())


def client() -> httpx.AsyncClient:
    routes = [Route(f"/{one.__name__}", one) for one in (answers, is_public, fails, breaks_off)]
    app = Starlette(routes=routes, middleware=[Middleware(SafeHeaders)])
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://server")


@pytest.mark.parametrize(
    ("path", "status", "cached"),
    [
        ("/answers", 200, "no-store"),
        ("/is_public", 200, "public, max-age=9"),
        ("/fails", 500, "no-store"),
        ("/none", 404, None),
    ],
)
async def test_every_answer_has_them(path: str, status: int, cached: str | None):
    async with client() as http:
        answer = await http.get(path)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in ALWAYS} == dict(ALWAYS)
    assert answer.headers.get("cache-control") == cached
    assert "Ada" not in answer.text


async def test_what_fails_is_logged_and_what_has_begun_is_not_begun_anew(
    caplog: pytest.LogCaptureFixture,
):
    async with client() as http:
        with caplog.at_level(logging.ERROR):
            await http.get("/fails")
        assert "KeyError" in caplog.text
        assert (await http.get("/breaks_off")).text == "one"


async def test_a_websocket_that_fails_is_the_servers_to_end():
    with pytest.raises(KeyError):
        await SafeHeaders(fails)({"type": "websocket"}, None, None)  # type: ignore[arg-type]
