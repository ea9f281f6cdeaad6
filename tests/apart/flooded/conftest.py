"""A server that asks for tokens, as `daybook serve` starts it, and people who have one.

The model does what it reads, and keeps whoever says HOLD waiting until it is let go on.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from daybook.app.server.dev_server import JOBS
from tests.apart.callers import Caller, callers
from tests.apart.forgery.puppet import puppet
from tests.apart.servers import PROJECT, places, tokens_of
from tests.databases import database as database_of
from tests.dev_server import DevServer, dev_server
from tests.integration.wire import environment
from tests.provider import Provider, Request, providing, text_in
from tests.purchases import shop_database
from tests.shop_process import ShopProcess


class Model:
    """The puppet, behind a gate.

    Attributes:
        held: how many calls wait at the gate.
    """

    def __init__(self) -> None:
        self.held = 0
        self._goes_on = asyncio.Event()

    async def __call__(self, writer: asyncio.StreamWriter, request: Request) -> None:
        """Answer; wait first where the last that was said is HOLD."""
        said = [one for one in request.body["messages"] if one["role"] == "user"]
        if said and "HOLD" in text_in(said[-1]["content"]):
            goes_on = self._goes_on
            self.held += 1
            try:
                await goes_on.wait()
            finally:
                self.held -= 1
        await puppet(writer, request)

    def go_on(self) -> None:
        """Let go on what waits; what comes later waits again."""
        self._goes_on.set()
        self._goes_on = asyncio.Event()


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def provider() -> AsyncIterator[Provider]:
    """Yield the model's provider."""
    async with providing() as provider:
        provider.always = Model()
        yield provider


@pytest.fixture
def model(provider: Provider) -> Model:
    assert isinstance(provider.always, Model)
    return provider.always


@pytest.fixture(scope="package")
def flooded_database(server_url: str, template: str) -> Iterator[str]:
    """Yield the database of the server."""
    with database_of(server_url, template) as url:
        yield url


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def tokens(flooded_database: str) -> dict[str, str]:
    """Make everybody a token, before the server is up."""
    async with shop_database(flooded_database) as postgres:
        return await tokens_of(postgres, dict.fromkeys(("ada", "ben", "dora"), "customer"))


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def server(
    flooded_database: str,
    tokens: dict[str, str],
    provider: Provider,
    shop_process: ShopProcess,
) -> AsyncIterator[DevServer]:
    """Yield the server."""
    await shop_process.settles_soon()
    asked = environment(provider, "chat", seconds=300)
    variables = places(flooded_database, shop_process, **asked)
    async with dev_server(PROJECT, variables, JOBS) as server:
        yield server


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def people(server: DevServer, tokens: dict[str, str]) -> AsyncIterator[dict[str, Caller]]:
    """Yield a caller for each person, and one without a name who has no token."""
    async with callers(server.url, tokens) as people:
        yield people
