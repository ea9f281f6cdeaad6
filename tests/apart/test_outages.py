"""What goes away under a command and comes back costs nothing, twice."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from daybook.app.ledger.listing import verify
from daybook.graph.settings.environment import settings_from
from tests.apart.terminal import Terminal
from tests.conftest import Shop
from tests.integration.keyboard import Keyboard
from tests.integration.processes import wait_for_end, wait_until_nothing_runs
from tests.purchases import PURCHASE, hurry, met
from tests.shop_process import ShopProcess


class Home:
    """Hold a home with an embedded Postgres of the chat's own, on the tests' shop."""

    def __init__(self, folder: Path, shop: Shop) -> None:
        self._postgres = folder / "postgres"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("OPENAI")},
            "DAYBOOK_HOME": str(folder),
            "SHOP_URL": shop.url,
            "SMTP_URL": shop.smtp_url,
        }
        self.environment.pop("DATABASE_URL", None)

    def kill_postgres(self) -> None:
        """Kill the server as a machine that runs out of memory does."""
        server = int((self._postgres / "data" / "postmaster.pid").read_text().splitlines()[0])
        os.kill(server, signal.SIGKILL)
        wait_for_end(server)
        wait_until_nothing_runs(self._postgres)

    def wait_for_the_end(self) -> None:
        wait_until_nothing_runs(self._postgres)


@pytest.fixture
def home(tmp_path: Path, shop: Shop) -> Iterator[Home]:
    home = Home(tmp_path / "home", shop)
    yield home
    home.wait_for_the_end()


async def holds(home: Home) -> bool:
    return await verify(settings_from(home.environment), None)


async def test_a_purchase_whose_database_dies_under_it_is_made_once_by_the_same_command(
    home: Home, shop: Shop
):
    shop.fault("orders", "slow", seconds=30)
    chat = ("chat", "--yes", "--thread", "t-1")
    with Keyboard(home.environment, *chat) as ada:
        ada.sees("> ")
        ada.type("add BOOT-001")
        ada.sees("Total")
        ada.type("check out")
        await met(shop)
        home.kill_postgres()
        hurry(shop)
        ada.sees("Continue this conversation with")
        said, code = ada.leaves()
    assert (code, "The database cannot be reached" in said) == (1, True)
    with Keyboard(home.environment, *chat) as ada:
        ada.sees("Your order is placed")
        ada.sees("> ")
        _, code = ada.leaves()
    assert code == 0
    assert shop.happened() == PURCHASE
    assert await holds(home)


@pytest.mark.long
async def test_a_script_stops_where_its_database_dies(home: Home, shop: Shop, postgres_url: str):
    terminal = Terminal(postgres_url, shop)
    terminal.environment = home.environment
    process = terminal.start("chat", "--thread", "t-script")
    try:
        terminal.type(process, "add BOOT-001\n", "Total")
        home.kill_postgres()
        out, err = process.communicate("check out\ny\n", timeout=60)
    finally:
        terminal.end()
    assert process.returncode == 1
    assert "> check out" in out
    assert "the rest of the input was not read" in out
    assert "> y" not in out
    assert err.count("\n") == 1
    assert "The database cannot be reached" in err
    out, err, code = terminal.run("chat", "--thread", "t-script", lines=["check out", "y"])
    assert (err, code) == ("", 0)
    assert shop.happened() == PURCHASE


@pytest.fixture
def own_shop(tmp_path: Path) -> Iterator[ShopProcess]:
    shop = ShopProcess(tmp_path)
    try:
        yield shop
    finally:
        shop.end()


@pytest.mark.long
def test_a_chat_goes_on_when_its_shop_is_back(postgres_url, own_shop, tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI")}
    environment |= {
        "DATABASE_URL": postgres_url,
        "SHOP_URL": own_shop.url,
        "SMTP_URL": own_shop.smtp_url,
    }
    with Keyboard(environment, "chat") as ada:
        ada.sees("> ")
        ada.type("add BOOT-001")
        ada.sees("Total")
        ada.type("check out")
        ada.sees("approve?")
        own_shop.kill()
        ada.type("y")
        ada.sees("The outcome is not known yet")
        ada.sees("> ")
        port = own_shop.url.rpartition(":")[2]
        again = ShopProcess(tmp_path, "--port", port, "--smtp-port", str(own_shop.smtp_port))
        try:
            ada.type("show me wool socks")
            ada.sees("5 products")
            ada.sees("> ")
            _, code = ada.leaves()
            with httpx.Client(base_url=again.url) as http:
                happened = [one["effect"] for one in http.get("/effects").json()]
        finally:
            again.end()
    assert code == 0
    assert happened == PURCHASE
