"""A server that asks for tokens, the people who have one, and the judge of what they did."""

import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from daybook.checkpoints.postgres import Postgres
from tests.apart.callers import Caller, callers
from tests.apart.forgery.judge import unapproved
from tests.apart.forgery.puppet import puppet
from tests.apart.servers import PROJECT, places, tokens_of
from tests.conftest import Shop
from tests.databases import database as database_of
from tests.dev_server import DevServer, dev_server
from tests.integration.receivers import BOT, SIGNING
from tests.integration.wire import environment
from tests.provider import Provider, providing
from tests.purchases import shop_database
from tests.shop_process import ShopProcess

PEOPLE = {"ada": "customer", "ben": "customer", "cleo": "clerk", "otto": "operator"}

FEW = 200
"""Hostile requests in the ordinary tests."""

POLICY = """
[notifications.slack]
token = "BOT"
signing_secret = "SIGNING"
api = "http://127.0.0.1:9"
inside = true
team = "T1"
users = {UCLEO = {user = "cleo", role = "clerk"}}

[[notify]]
name = "approvals"
channel = "slack"
to = "#approvals"

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
    async with shop_database(forged_database) as postgres:
        yield postgres


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def tokens(judge: Postgres) -> dict[str, str]:
    """Make everybody a token, before the server is up."""
    return await tokens_of(judge, PEOPLE)


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
    more = {"DAYBOOK_POLICY": str(policy), "DAYBOOK_RUNS_UNFINISHED": "1000"}
    more |= {"BOT": BOT, "SIGNING": SIGNING}
    variables = places(forged_database, shop_process, **more, **environment(model, "chat"))
    async with dev_server(PROJECT, variables) as server:
        yield server


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def people(server: DevServer, tokens: dict[str, str]) -> AsyncIterator[dict[str, Caller]]:
    """Yield a caller for each person, and one without a name who has no token."""
    async with callers(server.url, tokens) as people:
        yield people


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
