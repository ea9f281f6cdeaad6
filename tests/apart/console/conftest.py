"""The console in a real browser: one server, one Chromium, people with tokens."""

import json
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from daybook.checkpoints.people.tokens import Sessions
from daybook.checkpoints.postgres import Postgres
from tests.apart.console.histories import Histories
from tests.apart.servers import PROJECT, places, tokens_of
from tests.conftest import Shop
from tests.databases import database as database_of
from tests.dev_server import DevServer, dev_server
from tests.integration.runners import Runners, open_runners
from tests.merchants.conftest import WALLET
from tests.merchants.stranger import Stranger, listening
from tests.purchases import shop_database
from tests.shop_process import ShopProcess

SHOTS = Path(__file__).parents[3] / ".screenshots"
"""Kept after the tests, and not in git."""

PEOPLE = {
    **dict.fromkeys(("ada", "ben", "eve", "hal"), "customer"),
    "cleo": "clerk",
    "olga": "operator",
}

POLICY = """
[[rules]]
name = "purchases of hal over 100.00"
users = ["hal"]
above = { amount = 10000, currency = "USD" }
approval = "clerk"
"""

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or ""

NO_BROWSER = "There is no Chromium here: `make browser` installs Debian's."


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say where the pictures are."""
    if kept := sorted(SHOTS.glob("*.png")):
        terminalreporter.write_line(f"{len(kept)} pictures of the console: {SHOTS.name}/")


@pytest.fixture(scope="package")
def database(server_url: str, template: str) -> Iterator[str]:
    """Yield the database of the server."""
    with database_of(server_url, template) as url:
        yield url


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def beside(database: str) -> AsyncIterator[Postgres]:
    """Open the server's database from this process, as another one would."""
    async with shop_database(database) as postgres:
        yield postgres


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def merchant() -> AsyncIterator[Stranger]:
    """Let a merchant listen, from which the server buys."""
    async with listening(Stranger()) as stranger:
        yield stranger


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def served(
    database: str,
    shop_process: ShopProcess,
    merchant: Stranger,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[DevServer]:
    """Yield the server, with the stand-in."""
    await shop_process.settles_soon()
    wallet = tmp_path_factory.mktemp("wallet") / "wallet.json"
    wallet.write_text(json.dumps(WALLET))
    policy = wallet.with_name("policy.toml")
    policy.write_text(POLICY)
    more = {"DAYBOOK_MERCHANTS": merchant.url, "DAYBOOK_WALLET": str(wallet)}
    more["DAYBOOK_POLICY"] = str(policy)
    home = str(tmp_path_factory.mktemp("home"))
    variables = places(database, shop_process, **more, DAYBOOK_HOME=home)
    async with dev_server(PROJECT, variables) as server:
        yield server


@pytest.fixture(scope="package")
def open_for_all() -> Iterator[Runners]:
    """Yield what starts runners."""
    with open_runners() as runners:
        yield runners


@pytest.fixture
def histories(open_for_all: Runners, database: str, shop: Shop) -> Histories:
    """Yield what lets threads happen beside the server."""
    open_for_all.use(database, shop)
    return Histories(open_for_all, shop)


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Any]:
    """Yield a headless Chromium."""
    assert CHROMIUM, NO_BROWSER
    async with async_playwright() as tools:
        chromium = await tools.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield chromium
        await chromium.close()


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def tokens(beside: Postgres, served: DevServer) -> Mapping[str, str]:
    """Make a token for each person; from now on the server asks for them."""
    return await tokens_of(beside, PEOPLE)


@dataclass
class Desk:
    """Let people sit down at the console, each with a browser window of their own."""

    browser: Any
    url: str
    tokens: Mapping[str, str]
    sessions: Sessions

    @asynccontextmanager
    async def of(self, name: str, place: str, **window: Any) -> AsyncIterator[Any]:
        """Yield a page of the console, on which somebody is signed in."""
        async with self.window(**window) as page:
            session = await self.sessions.begin(self.tokens[name], timedelta(hours=1)) or ""
            kept = {"daybook_session": session, "daybook_form": "as-it-was-drawn"}
            await page.context.add_cookies(
                [
                    {"name": cookie, "value": value, "url": f"{self.url}/console"}
                    for cookie, value in kept.items()
                ]
            )
            await page.goto(f"{self.url}/console/{place}")
            yield page

    @asynccontextmanager
    async def window(self, **options: Any) -> AsyncIterator[Any]:
        """Yield a page that nobody is signed in on; whatever goes wrong in it is raised."""
        context = await self.browser.new_context(
            **{"viewport": {"width": 1280, "height": 900}, **options}
        )
        context.set_default_timeout(20_000)
        page = await context.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: wrong.append(said.text) if "Content Security" in said.text else None,
        )
        yield page
        await context.close()
        assert wrong == []


@pytest.fixture
def desk(browser: Any, served: DevServer, tokens: Mapping[str, str], beside: Postgres) -> Desk:
    """Yield what lets people sit down."""
    return Desk(browser, served.url, tokens, Sessions(beside.pool))
