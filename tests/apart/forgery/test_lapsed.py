"""What a token or a session has opened ends with it, and nothing more is heard of it."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from daybook.checkpoints.people.tokens import TokenOffice, open_token_office
from daybook.checkpoints.postgres import Postgres
from daybook.state.clock import SYSTEM
from daybook.state.session import Person
from tests.apart.callers import APPROVE, Caller
from tests.conftest import Shop
from tests.dev_server import DevServer
from tests.integration.test_tokens import YEAR

pytestmark = pytest.mark.asyncio(loop_scope="session")

BUY = {"assistant_id": "shop", "input": None, "command": {"resume": {"decisions": [APPROVE]}}}


@dataclass
class Dora:
    """A customer whose token is going to be revoked."""

    caller: Caller
    token: str
    office: TokenOffice

    async def is_revoked(self) -> None:
        assert await self.office.revoke(self.token.split("_")[1]) == "dora"


@pytest.fixture
async def dora(server: DevServer, judge: Postgres) -> AsyncIterator[Dora]:
    async with open_token_office(judge) as office:
        token = (await office.make(Person("dora"), YEAR)).text
        headers = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(
            base_url=server.url, headers=headers, timeout=60, trust_env=False
        ) as http:
            yield Dora(Caller(http, "dora"), token, office)


async def test_a_revoked_token_buys_nothing_through_what_it_opened(
    dora: Dora, server: DevServer, shop: Shop
):
    thread_id = await dora.caller.asks_to_buy()
    url = f"ws{server.url.removeprefix('http')}/threads/{thread_id}/stream/events"
    headers = {"authorization": f"Bearer {dora.token}"}
    async with connect(url, additional_headers=headers, proxy=None) as socket:
        watch = {"id": 1, "method": "subscription.subscribe", "params": {"channels": ["values"]}}
        await socket.send(json.dumps(watch))
        async with SYSTEM.timeout(20):
            assert "error" not in str(await socket.recv())
        await dora.is_revoked()
        # At once, and not only when it is looked at next.
        await socket.send(json.dumps({"id": 2, "method": "run.start", "params": BUY}))
        async with SYSTEM.timeout(20):
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    assert '"id":2' not in str(await socket.recv())
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert shop.effects() == []


async def test_streams_end_with_the_token_that_opened_them(dora: Dora):
    thread_id = await dora.caller.asks_to_buy()
    at = f"/threads/{thread_id}"
    for method, path, body in (
        ("GET", f"{at}/stream", None),
        ("POST", f"{at}/stream/events", {"channels": ["values", "messages"]}),
    ):
        token = (await dora.office.make(Person("dora"), YEAR)).text
        headers = {"authorization": f"Bearer {token}"}
        told = ""
        async with (
            SYSTEM.timeout(30),
            dora.caller.http.stream(method, path, json=body, headers=headers) as stream,
        ):
            assert stream.status_code == 200, path
            await dora.office.revoke(token.split("_")[1])
            async for chunk in stream.aiter_text():
                told += chunk
        assert "NotSignedIn" in told, path


# -- the console ----------------------------------------------------------------------------------


@asynccontextmanager
async def signed_in(server: DevServer, token: str) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a browser of somebody who has signed in."""
    async with httpx.AsyncClient(base_url=server.url, timeout=60, trust_env=False) as http:
        await sent(http, "sign-in", token=token)
        yield http


async def sent(http: httpx.AsyncClient, path: str, **fields: str) -> httpx.Response:
    """Send a form as the pages do."""
    token = await form_token(http)
    return await http.post(f"/console/{path}", data={"form_token": token, **fields})


async def form_token(http: httpx.AsyncClient) -> str:
    """Read what a form of these pages holds."""
    page = (await http.get("/console/sign-in")).text
    [token] = re.findall(r'name="form_token" value="(\w+)"', page)[:1]
    return str(token)


async def test_signing_out_ends_the_session_and_its_pages(
    server: DevServer, tokens: dict[str, str]
):
    async with signed_in(server, tokens["ada"]) as http:
        kept = dict(http.cookies)
        assert (await http.get("/console/threads")).status_code == 200
        async with SYSTEM.timeout(30), http.stream("GET", "/console/inbox/live") as live:
            assert live.status_code == 200
            assert (await sent(http, "sign-out")).status_code == 303
            async for _ in live.aiter_text():
                pass
        # The cookie that somebody has copied is worth nothing by now.
        stolen = await http.get("/console/threads", headers=_cookies(kept))
        assert stolen.headers["location"] == "/console/sign-in"


async def test_a_session_ends_with_its_token(dora: Dora, server: DevServer):
    async with signed_in(server, dora.token) as http:
        assert (await http.get("/console/threads")).status_code == 200
        async with SYSTEM.timeout(30), http.stream("GET", "/console/inbox/live") as live:
            assert live.status_code == 200
            await dora.is_revoked()
            async for _ in live.aiter_text():
                pass
        assert (await http.get("/console/threads")).status_code == 303


async def test_a_session_is_no_token_and_a_token_no_session(
    server: DevServer, tokens: dict[str, str], nobody: Caller
):
    async with signed_in(server, tokens["otto"]) as http:
        session = http.cookies["daybook_session"]
    assert tokens["otto"] not in session
    for headers in ({"authorization": f"Bearer {session}"}, {"x-api-key": session}):
        assert (await nobody.post("/threads/search", headers=headers)).status_code == 401
    cookies = _cookies({"daybook_session": tokens["otto"], "daybook_form": "x"})
    refused = await nobody.get("/console/threads", headers=cookies)
    assert refused.headers["location"] == "/console/sign-in"


def _cookies(kept: dict[str, str]) -> dict[str, str]:
    return {"cookie": "; ".join(f"{name}={value}" for name, value in kept.items())}


# -- how a thread is spelled ----------------------------------------------------------------------


def spellings(thread_id: str) -> list[str]:
    named = UUID(thread_id)
    return [thread_id.upper(), named.hex, f"{{{thread_id}}}", f"urn:uuid:{thread_id}"]


async def test_another_spelling_of_a_thread_is_that_thread(
    ada: Caller, ben: Caller, server: DevServer, tokens: dict[str, str], waiting: str, shop: Shop
):
    run = {"assistant_id": "shop", "input": {"messages": [{"role": "user", "content": "hello"}]}}
    async with signed_in(server, tokens["ben"]) as http:
        for name in spellings(waiting):
            for part in ("", "/live", "/progress", "/record"):
                page = await http.get(f"/console/threads/{name}{part}")
                # What is for staff alone is refused before it is looked for.
                assert page.status_code == (403 if part == "/record" else 404), part
            for what in ("say", "go-on", "press", "stop", "answer"):
                form = {"text": "hello", "event": '{"type": "clear"}', "decision": "approve"}
                refused = await sent(http, f"threads/{name}/{what}", **form)
                assert refused.status_code == 404, (name, what)
            verified = await sent(http, "verify", thread=name)
            assert verified.status_code == 403, name
            for method, path, body in (
                ("GET", f"/threads/{name}/state", None),
                ("POST", f"/threads/{name}/runs/wait", run),
                ("POST", f"/daybook/threads/{name}/stop", {"id": "s-1"}),
                ("POST", "/threads", {"thread_id": name, "if_exists": "do_nothing"}),
            ):
                refused = await ben.ask(method, path, body)
                assert refused.status_code in (403, 404, 422), (path, refused.text)
            assert (await ada.get(f"/threads/{name}/state")).json()["interrupts"], name
    async with signed_in(server, tokens["ada"]) as http:
        for name in spellings(waiting):
            assert "Check out" in (await http.get(f"/console/threads/{name}")).text, name
    assert shop.effects() == []


# -- what answers say to browsers, and the log to operators ---------------------------------------


async def test_pages_of_named_places_alone_read_what_the_server_answers(nobody: Caller):
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "x-api-key"}
    for origin, may in (
        ("https://smith.langchain.com", True),
        ("http://localhost:3000", True),
        ("https://evil.example", False),
        ("http://localhost.evil.example", False),
        ("http://evil.example@localhost", False),
        ("null", False),
    ):
        headers = {"origin": origin, **asks}
        answer = await nobody.ask("OPTIONS", "/threads", headers=headers)
        assert (answer.headers.get("access-control-allow-origin") == origin) is may, origin
        assert answer.headers.get("access-control-allow-origin") != "*"


async def test_a_denial_is_logged_with_its_person_and_without_words(
    ben: Caller, nobody: Caller, server: DevServer, waiting: str
):
    words = "marmots are nice"
    said = {"messages": [{"role": "user", "content": words}]}
    refused = await ben.run(waiting, input=said, context={"user_id": words})
    assert refused.status_code == 403
    await nobody.get("/threads/x/state", headers={"x-api-key": words})
    assert (await ben.get("/metrics")).status_code == 403
    log = (server.folder.parent / "log").read_text()
    denials = [line for line in log.splitlines() if "denied to" in line]
    assert any("'ben' (customer)" in line and waiting in line for line in denials)
    assert any("a caller who is not signed in" in line for line in denials)
    assert any("'ben' (customer): metrics" in line for line in denials)
    assert words not in log
