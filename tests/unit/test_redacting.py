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

from daybook.app.server.layers import redacting
from daybook.app.server.layers.redacting import Redacting
from daybook.state.errors import NotSignedIn
from daybook.state.session import Person

CARD = "4111 1111 1111 1111"


async def echo(request: Request) -> Response:
    return Response(await request.body(), headers={"given": request.headers["content-length"]})


def client() -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/", echo, methods=["POST"])], middleware=[Middleware(Redacting)])
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


async def test_what_is_long_is_read_of_people_who_are_known_and_never_on_the_loop(
    monkeypatch: pytest.MonkeyPatch,
):
    """Whoever is not signed in could make everybody wait."""
    read_in: set[str] = set()

    def noting(value: Any) -> Any:
        read_in.add(threading.current_thread().name)
        return value

    async def nobody(scope: Any) -> None:
        raise NotSignedIn("You are not signed in.")

    async def ada(scope: Any) -> Person:
        return Person("ada", "customer")

    monkeypatch.setattr(redacting, "redacted", noting)
    headers = {"note": "4 " * 4_000}
    async with client() as http:
        for who, most in ((nobody, 200_000), (ada, 1_000_000)):
            monkeypatch.setattr(redacting, "signed_in", who)
            taken = await http.post(
                "/", content=b'"' + b"4 " * (most // 2 - 1) + b'"', headers=headers
            )
            assert taken.status_code == 200
            assert threading.main_thread().name not in read_in
            refused = await http.post("/", content=b"4 " * (most // 2 + 1))
            assert refused.status_code == 413
            read_in.clear()
        long_head = await http.post("/", content=b"{}", headers={"note": "4 " * 32_001})
        assert long_head.status_code == 431


async def asgi(scope: dict[str, Any], *given: dict[str, Any]) -> tuple[Any, list[Any]]:
    """Return the scope and the messages that reach the server."""
    waiting, reached, heard = list(given), [], []

    async def receive() -> Any:
        return waiting.pop(0)

    async def server(scope: Any, receive: Any, send: Any) -> None:
        reached.append(scope)
        heard.extend([await receive() for _ in given])

    await Redacting(server)(scope, receive, None)  # type: ignore[arg-type]
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


@pytest.mark.parametrize("value", [CARD, quote(f'langsmith-metadata={{"card":"{CARD}"}}')])
async def test_headers_are_kept_with_runs_and_so_redacted_but_stay(value: str):
    names = ("baggage", "langsmith_trace", "x_note", "user_agent", "origin", "x_forwarded_for")
    given = dict.fromkeys(names, value) | {"accept": "a%20b", "x_api_key": "daybook_" * 9}
    reached, _ = await asgi(scope(**given))
    *kept, accept, key = reached["headers"]
    assert len(kept) == len(names)
    assert all(b"[card ending 1111]" in text for _, text in kept)
    assert (accept, key) == ((b"accept", b"a%20b"), (b"x-api-key", b"daybook_" * 9))


async def test_an_address_is_logged_and_so_redacted():
    reached, _ = await asgi(scope(f"/threads/{CARD}/state", "user=4111+1111-1111+1111&to=1"))
    assert reached["path"] == "/threads/[card ending 1111]/state"
    assert b"4111" not in reached["raw_path"] + reached["query_string"]
    assert reached["query_string"].endswith(b"&to=1")
    usual = scope("/threads/54398636-4111-1111-1111-111111111111", "at=2026-11-21T21:30:00%2B00:00")
    assert (await asgi(dict(usual)))[0] == usual
