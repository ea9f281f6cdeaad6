"""A conversation with merchants, in a real Chromium: found, carted, handed over, ordered."""

from typing import Any

import pytest

from tests.apart.console.conftest import Desk, keep
from tests.apart.console.test_browser import PHONE, says
from tests.merchants.stranger import Asked, Said, Stranger, said

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def begins_with_merchants(page: Any) -> None:
    """Open a new conversation with merchants, and bring it to the question."""
    await page.get_by_role("button", name="New with merchants").click()
    await says(page, "find a boot")
    await says(page, "add the first one")
    await says(page, "check out")


async def test_what_is_bought_of_a_merchant_is_approved_and_shown_at_the_console(
    desk: Desk, merchant: Stranger
):
    before = len(merchant.of("complete"))
    async with desk.of("ada", "threads") as page:
        await begins_with_merchants(page)
        await page.get_by_role("heading", name=f"Checkout at {merchant.name}").wait_for()
        await page.get_by_role("button", name="Approve").click()
        order = page.locator(".panel.orders")
        await order.get_by_role("link").wait_for()
        assert merchant.name in await order.inner_text()
        await keep(page, "merchants")
        await page.goto(f"{desk.url}/console/threads")
        listed = page.locator(".threads li").first
        assert f"Trail Boot at {merchant.name}" in await listed.inner_text()
        assert await listed.locator(".status").inner_text() == "done"
    assert len(merchant.of("complete")) == before + 1


async def test_a_merchant_hands_over_to_its_own_page_which_the_console_leads_to(
    desk: Desk, merchant: Stranger
):
    async def escalated(asked: Asked) -> Said:
        session = merchant.sessions[asked.path.strip("/").split("/")[-2]]
        page = f"{merchant.url}/go/{session['id']}"
        session |= {"status": "requires_escalation", "continue_url": page}
        return said(session)

    async with desk.of("ada", "threads", viewport=PHONE, color_scheme="dark") as page:
        await begins_with_merchants(page)
        merchant.does("complete", escalated)
        await page.get_by_role("button", name="Approve").click()
        link = page.get_by_role("link", name="Go on at its page")
        await link.wait_for()
        assert str(await link.get_attribute("href")).startswith(f"{merchant.url}/go/")
        assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        await keep(page, "merchants-phone")
