"""A purchase at two merchants in one conversation: the chat as a person has it, and what it leaves.

Two shops with other goods, each a process of its own, `daybook chat` on a terminal, and the command
that exports what was approved.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import jwt
import pytest

from daybook.tools.merchants.ucp.keys import signing_key
from daybook.tools.merchants.ucp.profile import agent_profile
from tests.integration.keyboard import ROOT, Keyboard
from tests.merchants.conftest import WALLET
from tests.merchants.own import CARD
from tests.merchants.signing import read
from tests.merchants.stranger import Asked, Said, Stranger, listening, said
from tests.shop_process import ShopProcess


@dataclass
class Two:
    """Two shops, and a person's environment."""

    packs: ShopProcess
    boots: ShopProcess
    environment: dict[str, str]
    home: Path

    def keyboard(self, *words: str) -> Keyboard:
        merchants = ("--merchant", self.packs.url, "--merchant", self.boots.url)
        return Keyboard(self.environment, "chat", *merchants, *words)

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "daybook.app", *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )


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
        for options in (["--sells", "backpacks", "--mandates"], ["--sells", "hiking-boots"]):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="shop-"))
            shops.append(ShopProcess(Path(folder), *options))
            stack.callback(shops[-1].end)
        yield Two(*shops, environment, tmp_path)


class Ours(Stranger):
    """Our profile, as `daybook serve` shows it."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        key = signing_key(home / "merchants" / "signing_key.pem")
        self.shown = agent_profile([key.jwk], "http://127.0.0.1:9/ucp/events")

    async def answer(self, asked: Asked) -> Said:
        return said(self.shown)


async def test_a_purchase_at_two_merchants_in_one_transcript(two: Two):

    async with listening(Ours(two.home)) as ours:
        two.environment["DAYBOOK_PUBLIC_URL"] = ours.url
        await asyncio.to_thread(_buys_at_both, two)


def _buys_at_both(two: Two) -> None:
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
    _exports(two)


def _exports(two: Two) -> None:
    """What was approved is exported: a mandate where one was sent, our own word where none was."""
    entries = json.loads(two.run("ledger", "both", "--json").stdout)
    plans = list(
        dict.fromkeys(
            one["plan_id"]
            for one in entries
            if one["event"] == "intended" and (one["step_id"] or "").find("/complete/") > 0
        )
    )
    assert len(plans) == 2
    mandate = two.run("mandate", "both", plans[0])
    assert (mandate.returncode, mandate.stderr) == (0, "")
    key = signing_key(two.home / "merchants" / "signing_key.pem")
    claims = read(mandate.stdout.strip(), agent_profile([key.jwk], "x")).claims
    assert claims["checkout"]["totals"][-1]["amount"] == 16_900
    plain = two.run("mandate", "both", plans[1])
    assert "this is no mandate of AP2" in plain.stderr
    word = jwt.decode(plain.stdout.strip().rstrip("~"), options={"verify_signature": False})
    assert (word["vct"], word["order"]["total"]) == ("daybook.approval.1", 13_190)
    none = two.run("mandate", "both", plans[1], "--kind", "payment")
    assert (none.returncode, none.stdout) == (1, "")
    for words, why in (
        (["both", "nowhere"], "has no plan nowhere"),
        (["nobody", plans[0]], "There is no thread nobody"),
        (["both", plans[0], "--user", "bob"], "belongs to another user"),
    ):
        refused = two.run("mandate", *words)
        assert refused.returncode == 1
        assert why in " ".join(refused.stderr.split())
        assert "Traceback" not in refused.stderr
