"""Every HTTP route of ours under the real server: right for whoever asks, and never a fault.

`langgraph dev` answers 500 where something blocks its event loop, which no test in a process of its
own would see.
"""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from daybook.app.console.app import app
from daybook.graph.merchants import events
from tests.apart.callers import Caller
from tests.apart.forgery.test_lapsed import form_token, signed_in
from tests.apart.servers import PROJECT, places, tokens_of
from tests.databases import database as database_of
from tests.dev_server import DevServer, dev_server
from tests.merchants.conftest import WALLET
from tests.production_server import PYTHON, production_server
from tests.purchases import shop_database
from tests.shop_process import ShopProcess

pytestmark = pytest.mark.asyncio(loop_scope="session")


def routes_in(routes: Sequence[BaseRoute], above: str = "") -> Iterator[str]:
    """Name routes as the server is asked for them; of files that are served, one."""
    for route in routes:
        if isinstance(route, Mount) and isinstance(route.app, StaticFiles):
            assert route.app.directory is not None
            yield f"GET {above}{route.path}/{min(Path(route.app.directory).iterdir()).name}"
        elif isinstance(route, Mount):
            yield from routes_in(route.routes, above + route.path)
        else:
            assert isinstance(route, Route)
            for method in {*(route.methods or {"GET"})} - {"HEAD"}:
                yield f"{method} {above}{route.path}"


# A middleware answers for metrics, and the paths of domains have no method of their own.
HEARD = [f"{method} {path}" for path in events.ROUTES for method in ("GET", "POST")]
ROUTES = sorted({*routes_in(app.routes), *HEARD, "GET /metrics"})


EXPECTED = {
    "GET /console": (307, 307, 307),
    "GET /console/": (303, 303, 303),
    "GET /console/inbox": (303, 200, 200),
    "GET /console/inbox/live": (303, 200, 200),
    "GET /console/search": (303, 403, 200),
    "GET /console/sign-in": (200, 200, 200),
    "GET /console/static/console.css": (200, 200, 200),
    "GET /console/threads": (303, 200, 200),
    "GET /console/threads/{thread_id}": (303, 200, 200),
    "GET /console/threads/{thread_id}/grade": (303, 403, 200),
    "GET /console/threads/{thread_id}/ledger": (303, 403, 200),
    "GET /console/threads/{thread_id}/live": (303, 200, 200),
    "GET /console/threads/{thread_id}/outcome": (303, 200, 200),
    "GET /console/threads/{thread_id}/progress": (303, 200, 200),
    "GET /console/threads/{thread_id}/record": (303, 403, 404),
    "GET /console/threads/{thread_id}/runs/{run_id}": (303, 200, 200),
    "GET /console/verify": (303, 403, 200),
    "GET /metrics": (401, 403, 200),
    "GET /ucp/2026-04-08/profile.json": (200, 200, 200),
    "GET /ucp/2026-08-25/profile.json": (200, 200, 200),
    "GET /ucp/events": (405, 405, 405),
    "GET /ucp/profile.json": (200, 200, 200),
    "POST /console/inbox/here": (303, 204, 204),
    "POST /console/inbox/together": (303, 403, 400),
    "POST /console/sign-in": (403, 303, 303),
    "POST /console/sign-out": (303, 303, 303),
    "POST /console/threads": (303, 303, 303),
    "POST /console/threads/{thread_id}/answer": (303, 409, 409),
    "POST /console/threads/{thread_id}/go-on": (303, 303, 303),
    "POST /console/threads/{thread_id}/press": (303, 303, 409),
    "POST /console/threads/{thread_id}/say": (303, 303, 409),
    "POST /console/threads/{thread_id}/stop": (303, 409, 409),
    "POST /console/verify": (303, 403, 200),
    "POST /daybook/slack": (401, 401, 401),
    "POST /daybook/threads/{thread_id}/stop": (401, 409, 409),
    "POST /ucp/2026-04-08/profile.json": (405, 405, 405),
    "POST /ucp/2026-08-25/profile.json": (405, 405, 405),
    "POST /ucp/events": (401, 401, 401),
    "POST /ucp/profile.json": (405, 405, 405),
}
"""What nobody, a customer in their own thread, and an operator are answered."""

SENT = {"say": {"text": "show my cart"}, "press": {"event": '{"type": "none"}'}}
"""Fields of forms, by the end of their path."""


@dataclass
class Ours:
    """The server, and who asks it: nobody, a customer and an operator."""

    server: DevServer
    tokens: dict[str, str]
    about: dict[str, str] = field(default_factory=dict)

    async def thread(self) -> dict[str, str]:
        """Begin a thread of Ada's in which something was said; name it and the run."""
        headers = {"authorization": f"Bearer {self.tokens['ada']}"}
        async with httpx.AsyncClient(
            base_url=self.server.url, headers=headers, timeout=60, trust_env=False
        ) as http:
            ada = Caller(http)
            thread_id = await ada.thread()
            await ada.say(thread_id, "show my cart", assistant_id="merchants")
            (run,) = (await ada.get(f"/threads/{thread_id}/runs")).json()
        return {"thread_id": thread_id, "run_id": run["run_id"]}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def ours(
    server_url: str,
    template: str,
    shop_process: ShopProcess,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Ours]:
    folder = tmp_path_factory.mktemp("routes")
    (folder / "wallet.json").write_text(json.dumps(WALLET))
    (folder / "policy.toml").write_text(
        '[notifications.slack]\ntoken = "BOT"\nsigning_secret = "SIGNING"\n'
    )
    with database_of(server_url, template) as url:
        variables = places(
            url,
            shop_process,
            DAYBOOK_HOME=str(folder),
            DAYBOOK_MERCHANTS=shop_process.url,
            DAYBOOK_WALLET=str(folder / "wallet.json"),
            DAYBOOK_POLICY=str(folder / "policy.toml"),
            BOT="b",
            SIGNING="s",
        )
        serving = production_server(variables) if PYTHON else dev_server(PROJECT, variables)
        async with shop_database(url) as postgres, serving as server:
            tokens = await tokens_of(postgres, {"ada": "customer", "otto": "operator"})
            ours = Ours(server, tokens)
            ours.about = await ours.thread()
            yield ours


@pytest.mark.parametrize("route", ROUTES)
async def test_a_route_answers_whoever_asks_as_it_should(ours: Ours, route: str):
    method, _, named = route.partition(" ")
    answered = []
    for who in ("", "ada", "otto"):
        # A run that one of them starts is in the way of the next one.
        about = (
            await ours.thread()
            if who and "POST" in route and "{thread_id}" in named
            else ours.about
        )
        path = named.format(**about)
        token = ours.tokens.get(who, "")
        async with signed_in(ours.server, token) as http:
            headers = {"authorization": f"Bearer {token}"} if token else {}
            more: dict[str, Any] = {"headers": headers}
            if path.startswith("/console") and method == "POST":
                fields = SENT.get(path.rpartition("/")[2], {"token": token})
                more["data"] = {"form_token": await form_token(http), **fields}
            elif method == "POST":
                more["json"] = {"id": f"asked by {who}"}
            # A page that is told what happens never ends.
            async with http.stream(method, path, **more) as answer:
                answered.append(answer.status_code)
    assert tuple(answered) == EXPECTED[route]


async def test_every_route_is_asked():
    assert EXPECTED.keys() == {*ROUTES}
