"""What a server is given behind the door that takes card numbers out."""

import json
import threading
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from daybook.app.server import redaction
from daybook.app.server.redaction import SUPERSTEPS, Redaction

CARD = "4111 1111 1111 1111"


async def echo(request: Request) -> Response:
    return Response(await request.body(), headers={"given": request.headers["content-length"]})


def client() -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/", echo, methods=["POST"])], middleware=[Middleware(Redaction)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://server")


async def test_a_card_number_is_taken_out_of_a_body_and_others_are_passed_on_or_refused():
    bodies = ('{"input": {"text": "4111 1111 1111 1111"}}', '{"a": "4111\\u00201111 1111 1111"}')
    async with client() as http:
        for body in bodies:
            answer = await http.post("/", content=body)
            assert "[card ending 1111]" in answer.text
            assert answer.headers["given"] == str(len(answer.content))
        for body in (b'{ "a":1,  "b": [true, null] }', b"no json", b"", b"\xff\x00"):
            assert (await http.post("/", content=body)).content == body
        answer = await http.post("/", content=b"[" * 5_000 + f'"{CARD}"'.encode() + b"]" * 5_000)
        assert answer.status_code == 400, "it is nested too deep to be read"
        assert "Nothing was done" in answer.text


async def test_what_is_long_is_never_read_on_the_loop_and_not_without_end(
    monkeypatch: pytest.MonkeyPatch,
):
    """Whoever sends it could make everybody wait."""
    read_in: set[str] = set()

    def noting(value: Any) -> Any:
        read_in.add(threading.current_thread().name)
        return value

    monkeypatch.setattr(redaction, "redacted", noting)
    async with client() as http:
        taken = await http.post("/", content=b'"' + b"4 " * 99_999 + b'"')
        assert taken.status_code == 200
        assert read_in
        assert threading.main_thread().name not in read_in
        assert (await http.post("/", content=b"4 " * 100_001)).status_code == 413


async def test_a_form_of_the_console_goes_on_to_its_guard():
    app = Starlette(
        routes=[Route("/console/threads", echo, methods=["POST"])],
        middleware=[Middleware(Redaction)],
    )
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://server"
    ) as http:
        form = {"text": "boots " * 1_000}
        assert "boots+boots" in (await http.post("/console/threads", data=form)).text


async def asgi(scope: dict[str, Any], *given: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return the scope and the messages that reach the server."""
    waiting, reached, heard = list(given), [], []

    async def receive() -> Any:
        return waiting.pop(0)

    async def server(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)
        heard.extend([await receive() for _ in given])

    await Redaction(server)(scope, receive, None)  # type: ignore[arg-type]
    return reached[0], heard


def scope(path: str = "/", query: str = "", **headers: str) -> dict[str, Any]:
    """Return the scope of a request or websocket."""
    return {
        "type": "websocket",
        "path": path,
        "raw_path": quote(path).encode(),
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), v.encode()) for name, v in headers.items()],
    }


async def test_what_a_websocket_says_is_redacted_and_the_rest_of_it_stays():
    command = {"id": 1, "method": "run.start", "params": {"input": f"pay with {CARD}"}}
    deep = "[" * 5_000 + f'"{CARD}"' + "]" * 5_000
    said = [{"type": "websocket.connect"}] + [
        {"type": "websocket.receive", "text": text}
        for text in (json.dumps(command), deep, "no json")
    ]
    _, heard = await asgi(scope(), *said)
    assert heard[0] == said[0]
    assert json.loads(heard[1]["text"])["params"]["input"] == "pay with [card ending 1111]"
    assert [one["text"] for one in heard[2:]] == ["null", "no json"]


@pytest.mark.parametrize(
    ("path", "body", "noted"),
    [
        ("/threads", {"supersteps": [{"updates": []}]}, True),
        ("/threads/", {"supersteps": [{"updates": []}]}, True),
        ("/threads", {"supersteps": []}, False),
        ("/threads", {"metadata": {"supersteps": [1]}}, False),
        ("/threads/search", {"supersteps": [1]}, None),
    ],
)
async def test_state_that_a_new_thread_would_begin_with_is_noted(
    path: str, body: Any, noted: bool | None
):
    text = json.dumps(body).encode()
    asked = {"type": "http", "method": "POST", "path": path, "headers": []}
    reached, [heard] = await asgi(asked, {"type": "http.request", "body": text})
    assert (reached.get(SUPERSTEPS), json.loads(heard["body"])) == (noted, body)
