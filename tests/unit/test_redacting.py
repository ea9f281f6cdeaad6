"""What a server is given behind the door that takes card numbers out."""

import httpx
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.redacting import Redacting


async def echo(request: Request) -> Response:
    return Response(await request.body(), headers={"given": request.headers["content-length"]})


def client() -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/", echo, methods=["POST"])], middleware=[Middleware(Redacting)])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://server")


async def test_a_card_number_in_a_body_is_taken_out_however_it_is_written():
    async with client() as http:
        for body in (
            '{"input": {"text": "4111 1111 1111 1111"}}',
            '{"a": "4111\\u00201111 1111 1111"}',
        ):
            answer = await http.post("/", content=body)
            assert "[card ending 1111]" in answer.text
            assert answer.headers["given"] == str(len(answer.content))


async def test_other_bodies_are_passed_on_byte_for_byte():
    async with client() as http:
        for body in (b'{ "a":1,  "b": [true, null] }', b"no json", b"", b"\xff\x00"):
            assert (await http.post("/", content=body)).content == body


async def test_a_body_without_end_is_refused():
    async with client() as http:
        assert (await http.post("/", content=b" " * 4_000_001)).status_code == 413
