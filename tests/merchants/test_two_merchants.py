"""A purchase at two merchants in one conversation: the chat as a person has it, and what it leaves.

Two shops with other goods, each a process of its own, and `daybook chat` on a terminal.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.integration.keyboard import Keyboard
from tests.merchants.conftest import WALLET
from tests.merchants.own import CARD
from tests.shop_process import ShopProcess


@dataclass
class Two:
    """Two shops, and a person's environment."""

    packs: ShopProcess
    boots: ShopProcess
    environment: dict[str, str]

    def keyboard(self, *words: str) -> Keyboard:
        merchants = ("--merchant", self.packs.url, "--merchant", self.boots.url)
        return Keyboard(self.environment, "chat", *merchants, *words)


def named(shop: ShopProcess) -> str:
    return shop.url.removeprefix("http://")


def effects(shop: ShopProcess) -> list[str]:
    return [one["effect"] for one in httpx.get(f"{shop.url}/effects").json()]


@pytest.fixture
def two(postgres_url: str, tmp_path: Path) -> Iterator[Two]:
    (tmp_path / "wallet.json").write_text(json.dumps({"*": {**WALLET["*"], "instruments": [CARD]}}))
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("OPENAI")},
        "DATABASE_URL": postgres_url,
        "DAYBOOK_HOME": str(tmp_path),
        "DAYBOOK_WALLET": str(tmp_path / "wallet.json"),
    }
    with ExitStack() as stack:
        shops = []
        for options in (["--sells", "backpacks"], ["--sells", "hiking-boots"]):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="shop-"))
            shops.append(ShopProcess(Path(folder), *options))
            stack.callback(shops[-1].end)
        yield Two(*shops, environment)


def test_a_purchase_at_two_merchants_in_one_transcript(two: Two) -> None:
    with two.keyboard("--thread", "both") as ada:
        ada.sees("> ")
        ada.type("find something waterproof")
        found = ada.sees("> ")
        # Both were searched, and each sells what it sells.
        assert re.search(rf"at {named(two.packs)} *[│\n]* *\(PACK-", found)
        assert re.search(rf"at {named(two.boots)} *[│\n]* *\(BOOT-", found)
        ada.type("find a backpack")
        assert "(PACK-015)" in ada.sees("> ")
        ada.type("add PACK-015")
        assert "Added: 1 x Long Scree Overnight Backpack" in ada.sees("> ")
        ada.type(f"add BOOT-013 at {named(two.boots)}")
        assert "Added: 1 x Swift River Waterproof Hiking Boot" in ada.sees("> ")
        ada.type("check out")
        assert "At which merchant" in ada.sees("> ")
        ada.type(f"check out at {named(two.packs)}")
        assert f"Order at {named(two.packs)} for 169.00 USD" in ada.sees("approve?")
        ada.type("y")
        first = ada.sees("> ")
        ada.type("check out")
        assert f"Order at {named(two.boots)} for 131.90 USD" in ada.sees("approve?")
        ada.type("y")
        second = ada.sees("> ")
        ada.type("what did I order?")
        listed = ada.sees("> ")
        _, code = ada.leaves()
    assert code == 0
    orders = [re.search(r"order (DB-\d+)", one) for one in (first, second)]
    assert all(one is not None and one[1] in listed for one in orders)
    for shop in (two.packs, two.boots):
        assert effects(shop) == ["reserve", "charge", "order"]
