"""LangChain's React hook `useStream`, in a browser: a purchase with its approval."""

from typing import Any
from urllib.parse import urlencode

import pytest

from daybook.checkpoints.postgres import Postgres
from tests.apart.clients.conftest import PATIENCE
from tests.apart.servers import tokens_of
from tests.conftest import Shop
from tests.purchases import PURCHASE

pytestmark = pytest.mark.long


@pytest.mark.parametrize("signed_in", [False, True], ids=["without-tokens", "with-a-token"])
async def test_a_purchase_and_its_approval(
    page_url: str,
    server_url_of_api: str,
    postgres: Postgres,
    window: Any,
    shop: Shop,
    signed_in: bool,
) -> None:
    given = {"server": server_url_of_api, "user": "ada"}
    if signed_in:
        given["token"] = (await tokens_of(postgres, {"ada": "customer"}))["ada"]
    window.set_default_timeout(PATIENCE * 1000)
    await window.goto(f"{page_url}#{urlencode(given)}")

    async def say(text: str) -> None:
        await window.get_by_label("Message").fill(text)
        await window.get_by_role("button", name="Send").click()

    await say("add BOOT-013")
    await window.get_by_text("Added: 1 x Swift River Waterproof Hiking Boot").wait_for()
    await say("check out")
    approval = window.get_by_role("region", name="Approval")
    await approval.get_by_text("charge 131.90 USD to visa ending in 4242").wait_for()
    assert shop.happened() == []

    await approval.get_by_role("button", name="Approve").click()
    await window.get_by_text("Your order is placed").wait_for()
    await approval.wait_for(state="detached")
    assert await window.get_by_role("alert").count() == 0
    assert shop.happened() == PURCHASE
