"""A conversation with merchants at the console: beside the shop's, with cart, checkout and orders."""

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from daybook.graph.build import build
from daybook.nodes.running.identity import session_of
from daybook.tools.merchants.domain import MERCHANTS
from daybook.tools.shop.domain import SHOP
from tests.at_the_console import Served, answered, at_the_console, serves, shown
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Asked, Said, Stranger, said
from tests.merchants.test_events import SHIPPED, bought, keys, told  # noqa: F401


@dataclass(frozen=True)
class Both:
    """The shop, which comes first, and merchants, on one database."""

    shop: Served
    merchants: Served


@dataclass(frozen=True)
class OfTheShop:
    """A shop in which nothing is done."""

    graph: Any
    resources: Any


@pytest.fixture
def both(buyer: Buyer, monkeypatch: pytest.MonkeyPatch) -> Both:
    """Serve both, as langgraph.json does."""
    resources = replace(buyer.resources, services=None, promises={})
    shop = OfTheShop(build(SHOP, lambda: resources, buyer.postgres.saver), resources)
    both = Both(Served(shop, SHOP), Served(buyer, MERCHANTS))
    serves(monkeypatch, both.shop, both.merchants)
    return both


def panel(page: str, title: str) -> str:
    """Return what stands in a panel, without its markup."""
    (found,) = re.findall(rf"<h2>{re.escape(title)}</h2>(.*?)</section>", page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found).split())


async def test_a_question_of_merchants_waits_beside_the_shops_and_is_answered_there(
    buyer: Buyer, merchant: Stranger, both: Both
):
    talk = await buyer.asked(merchant)
    about = {"configurable": {"thread_id": "in-the-shop", "user_id": "ada"}}
    begun = session_of(about, buyer.postgres.tenant_id)
    await buyer.postgres.threads.begin(begun, SHOP.name, None)
    async with at_the_console("ada") as http:
        listed = await shown(http, "/threads")
        assert talk.thread_id in listed
        assert "in-the-shop" in listed
        assert "waits for an answer" in listed
        waits = await shown(http, "/inbox")
        assert f"Order at {merchant.name} for 134.00 USD" in waits
        id_ = (await talk.state()).interrupts[0].value["approval_id"]
        buyer.model.then("Done.")
        form = {"approval_id": id_, "decision-0": "approve"}
        await answered(http, f"/threads/{talk.thread_id}/answer", **form)
        page = await shown(http, f"/threads/{talk.thread_id}")
    assert len(merchant.of("complete")) == 1
    assert "order_1" in panel(page, "Orders")
    assert f"{merchant.url}/o/order_1" in page


async def test_cart_checkout_and_page_of_a_merchant_are_shown(
    buyer: Buyer, merchant: Stranger, both: Both
):
    async def escalated(asked: Asked) -> Said:
        merchant.sessions["chk_1"] |= {
            "status": "requires_escalation",
            "continue_url": f"{merchant.url}/go/chk_1",
        }
        return said(merchant.sessions["chk_1"])

    talk = await buyer.asked(merchant, quantity=2)
    async with at_the_console("ada") as http:
        page = await shown(http, f"/threads/{talk.thread_id}")
        cart = panel(page, f"Cart at {merchant.name}")
        assert "Trail Boot BOOT quantity 2 each 129.00 258.00" in cart
        assert "Total 258.00 USD" in cart
        checkout = panel(page, f"Checkout at {merchant.name}")
        assert "chk_1 can be ordered 263.00 USD" in checkout
        assert "open until 06 May 2031, 12:00 UTC" in checkout
        merchant.does("complete", escalated)
        await talk.approve()
        page = await shown(http, f"/threads/{talk.thread_id}")
    checkout = panel(page, f"Checkout at {merchant.name}")
    assert "waits for you at its page" in checkout
    assert f"Go on at its page leads to {merchant.name}" in checkout
    (link,) = re.findall(r'<a href="([^"]+)" target="_blank" rel="noopener [^"]+">Go on', page)
    assert link == f"{merchant.url}/go/chk_1"


async def test_what_a_merchant_tells_of_an_order_stands_with_it(
    buyer: Buyer, merchant: Stranger, both: Both
):
    talk = await bought(buyer, merchant)
    await told(buyer, merchant, merchant.event("order_1", fulfillment={"events": [SHIPPED]}))
    async with at_the_console("cleo", "clerk") as http:
        page = await shown(http, f"/threads/{talk.thread_id}")
        assert (await http.get(f"/threads/{talk.thread_id}/progress")).status_code == 200
        assert "complete_session" in await shown(http, "/search"), "its tools are looked for too"
    orders = panel(page, "Orders")
    assert orders.index("shipped 2031-05-07 by post") < orders.index("134.00 USD")


async def test_a_new_conversation_is_of_the_shop_or_of_merchants(
    buyer: Buyer, merchant: Stranger, both: Both
):
    async with at_the_console("ada") as http:
        page = await shown(http, "/threads")
        assert re.findall(r'name="domain" value="(\w+)"', page) == ["shop", "merchants"]
        places = [
            (await answered(http, "/threads", domain=name)).headers["location"]
            for name in ("shop", "merchants", "nobodys")
        ]
        pages = [await shown(http, one.removeprefix("/console")) for one in places]
    greeted = [SHOP.greeting, MERCHANTS.greeting, SHOP.greeting]
    for page, greeting in zip(pages, greeted, strict=True):
        assert f'<p class="greeting soft">{greeting}</p>' in page


async def test_a_thread_of_a_domain_that_is_not_served_here_is_not_there(
    buyer: Buyer, merchant: Stranger, both: Both, monkeypatch: pytest.MonkeyPatch
):
    talk = await buyer.asked(merchant)
    serves(monkeypatch, both.shop)
    async with at_the_console("ada") as http:
        assert talk.thread_id not in await shown(http, "/threads")
        assert (await http.get(f"/threads/{talk.thread_id}")).status_code == 404
        assert merchant.name not in await shown(http, "/inbox")
