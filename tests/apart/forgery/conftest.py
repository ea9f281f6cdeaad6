"""A server that asks for tokens, the people who have one, and the judge of what they did."""

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from daybook.checkpoints.people.tokens import open_token_office
from daybook.checkpoints.postgres import Postgres, open_postgres
from daybook.state.session import Person
from daybook.tools.shop.domain import SHOP
from tests.apart.forgery.judge import unapproved
from tests.apart.forgery.puppet import puppet
from tests.apart.served.conftest import PROJECT
from tests.conftest import Shop
from tests.databases import database as database_of
from tests.dev_server import DevServer, dev_server
from tests.integration.wire import environment
from tests.provider import Provider, providing
from tests.shop_process import ShopProcess

PEOPLE = {"ada": "customer", "ben": "customer", "cleo": "clerk", "otto": "operator"}

FEW = 200
"""Hostile requests in the ordinary tests."""

POLICY = """
[[rules]]
name = "refunds"
tools = ["refund_payment"]
above = {amount = 100, currency = "USD"}
approval = "clerk"
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make fuzz` ask for more."""
    parser.addoption("--requests", type=int, default=FEW, help="hostile requests to send")


@pytest.fixture(scope="package")
def forged_database(server_url: str, template: str) -> Iterator[str]:
    """Yield the database of the server."""
    with database_of(server_url, template) as url:
        yield url


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def judge(forged_database: str) -> AsyncIterator[Postgres]:
    """Open the server's database beside it."""
    async with open_postgres(
        forged_database, tenant_id="default", stored_types=SHOP.restored_types
    ) as postgres:
        yield postgres


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def tokens(judge: Postgres) -> dict[str, str]:
    """Make everybody a token, before the server is up."""
    async with open_token_office(judge) as office:
        return {
            name: (await office.make(Person(name, role), timedelta(days=1))).text
            for name, role in PEOPLE.items()
        }


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def model() -> AsyncIterator[Provider]:
    """Yield the provider of a model that does whatever it reads."""
    async with providing() as provider:
        provider.always = puppet
        yield provider


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def server(
    forged_database: str,
    tokens: dict[str, str],
    model: Provider,
    shop_process: ShopProcess,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[DevServer]:
    """Yield the server: the project's own langgraph.json, a puppet as its model, strict refunds."""
    policy = Path(tmp_path_factory.mktemp("policy")) / "policy.toml"
    policy.write_text(POLICY)
    await shop_process.settles_soon()
    variables = {
        "DATABASE_URL": forged_database,
        "SHOP_URL": shop_process.url,
        "SMTP_URL": shop_process.smtp_url,
        "DAYBOOK_POLICY": str(policy),
        **environment(model, "chat"),
    }
    async with dev_server(PROJECT, variables) as server:
        yield server


@dataclass
class Caller:
    """Send requests as one person, and say what came back."""

    http: httpx.AsyncClient
    name: str = ""
    seen: list[str] = field(default_factory=list)

    async def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx.Response:
        """Send a request; its answer is kept for whoever looks for leaks."""
        response = await self.http.request(method, path, json=body, **more)
        self.seen.append(response.text)
        return response

    async def post(self, path: str, body: Any = None, **more: Any) -> httpx.Response:
        return await self.ask("POST", path, body if body is not None else {}, **more)

    async def get(self, path: str, **more: Any) -> httpx.Response:
        return await self.ask("GET", path, **more)

    async def thread(self) -> str:
        """Begin a thread."""
        return str((await self.post("/threads")).raise_for_status().json()["thread_id"])

    async def run(self, thread_id: str, **run: Any) -> httpx.Response:
        """Run the graph on a thread and wait for what comes of it."""
        return await self.post(f"/threads/{thread_id}/runs/wait", {"assistant_id": "shop", **run})

    async def say(self, thread_id: str, text: str, **run: Any) -> dict[str, Any]:
        """Say something and return the values."""
        said = {"messages": [{"role": "user", "content": text}]}
        response = await self.run(thread_id, input=said, **run)
        return dict(response.raise_for_status().json())

    async def answer(self, thread_id: str, *decisions: Any, **more: Any) -> dict[str, Any]:
        """Answer the question that waits and return the values."""
        resume = {"decisions": list(decisions), **more}
        response = await self.run(thread_id, command={"resume": resume})
        return dict(response.raise_for_status().json())

    async def question(self, thread_id: str) -> dict[str, Any]:
        """Return the one question that waits."""
        state = (await self.get(f"/threads/{thread_id}/state")).raise_for_status().json()
        [interrupt] = state["interrupts"]
        return dict(interrupt["value"])

    async def asks_to_buy(self) -> str:
        """Bring a purchase to its question, and return its thread."""
        thread_id = await self.thread()
        await self.say(thread_id, 'CALL add_to_cart {"sku":"BOOT-013"}')
        asked = await self.say(thread_id, "CALL checkout {}")
        assert "__interrupt__" in asked, asked
        return thread_id

    async def buys(self) -> str:
        """Buy something, and return its thread."""
        thread_id = await self.asks_to_buy()
        bought = await self.answer(thread_id, APPROVE)
        assert bought["flow"] == "ordered", bought
        return thread_id


APPROVE = {"type": "approve"}


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def people(server: DevServer, tokens: dict[str, str]) -> AsyncIterator[dict[str, Caller]]:
    """Yield a caller for each person, and one without a name who has no token."""
    async with AsyncExitStack() as stack:
        yield {
            name: Caller(
                await stack.enter_async_context(
                    httpx.AsyncClient(
                        base_url=server.url,
                        headers={"authorization": f"Bearer {token}"} if token else {},
                        timeout=60,
                        trust_env=False,
                    )
                ),
                name,
            )
            for name, token in {**tokens, "": ""}.items()
        }


@pytest.fixture
def ada(people: dict[str, Caller]) -> Caller:
    return people["ada"]


@pytest.fixture
def ben(people: dict[str, Caller]) -> Caller:
    return people["ben"]


@pytest.fixture
def cleo(people: dict[str, Caller]) -> Caller:
    return people["cleo"]


@pytest.fixture
def otto(people: dict[str, Caller]) -> Caller:
    return people["otto"]


@pytest.fixture
def nobody(people: dict[str, Caller]) -> Caller:
    return people[""]


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def waiting(people: dict[str, Caller]) -> str:
    """Return a thread of Ada's whose question nobody may answer: what is refused changes nothing."""
    return await people["ada"].asks_to_buy()


@pytest.fixture(autouse=True)
async def nothing_unapproved(shop: Shop, judge: Postgres) -> AsyncIterator[None]:
    """Judge every test: whatever happened at the shop was approved, and is in the ledger."""
    yield
    effects = shop.http.get("/effects").raise_for_status().json()
    assert await unapproved(judge, effects) == []


def new_id() -> str:
    """Return an id for a thread."""
    return str(uuid.uuid4())
