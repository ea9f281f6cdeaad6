"""How the console looks, in computed styles: zoom, colours, the field's words, several at once."""

import pytest

from tests.apart.console.conftest import Desk, keep
from tests.apart.console.test_browser import begins, says
from tests.conftest import Shop
from tests.purchases import PURCHASE

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_page_says_that_the_server_is_gone_and_keeps_what_was_typed(desk: Desk, shop: Shop):
    async with desk.of("ada", "threads") as page:
        await begins(page)
        await says(page, "find wool socks")
        lost = page.locator("#lost")
        assert not await lost.is_visible()
        await page.route("**/say", lambda route: route.abort())
        await page.get_by_label("Say something").fill("add the first one")
        await page.keyboard.press("Enter")
        await lost.wait_for()
        assert await page.get_by_label("Say something").input_value() == "add the first one"
        await keep(page, "lost")
        await page.unroute("**/say")
        await says(page, "add the first one")
        assert not await lost.is_visible()


async def test_a_conversation_goes_on_without_scripts(desk: Desk, shop: Shop):
    async with desk.of("ada", "threads", java_script_enabled=False) as page:
        await begins(page)
        await page.get_by_label("Say something").fill("add BOOT-013")
        await page.get_by_role("button", name="Send").click()
        # The page looks again by itself while a run is under way.
        await page.locator(".turn.agent:not(.running)").wait_for()
        await page.get_by_label("Say something").fill("check out")
        await page.get_by_role("button", name="Send").click()
        await page.get_by_role("button", name="Approve").click()
        await page.locator(".orders", has_text="placed").wait_for()
    assert shop.happened() == PURCHASE
