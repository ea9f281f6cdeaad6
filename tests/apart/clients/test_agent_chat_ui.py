"""agent-chat-ui as npm writes it, in a browser: every question is put, and answered by its buttons."""

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from daybook.state.people.questions.asked import ANSWER_ABOVE
from tests.apart.clients.conftest import PATIENCE, token_of
from tests.conftest import Shop
from tests.purchases import PURCHASE, orders

pytestmark = pytest.mark.long

Say = Callable[[str], Awaitable[None]]


@pytest.fixture
async def user() -> str:
    """Return who is signed in."""
    return "ada"


@pytest.fixture
async def say(
    chat_ui_url: str, server_url_of_api: str, settings: dict[str, str], window: Any, user: str
) -> Say:
    """Open the client, signed in, with boots in the cart: the next turn is the second."""
    window.set_default_timeout(PATIENCE * 1000)
    token = token_of(user, settings)
    await window.add_init_script(f"localStorage.setItem('lg:chat:apiKey', '{token}')")
    given = {"apiUrl": server_url_of_api, "assistantId": "shop"}
    await window.goto(f"{chat_ui_url}/?{urlencode(given)}")

    async def say(text: str) -> None:
        await window.get_by_placeholder("Type your message...").fill(text)
        await window.get_by_role("button", name="Send", exact=True).click()

    await say("add BOOT-013")
    await window.get_by_text("Added: 1 x Swift River Waterproof Hiking Boot").wait_for()
    return say


async def test_a_purchase_is_edited_and_accepted_by_clicks(say: Say, window: Any, shop: Shop):
    await say("check out")
    await window.get_by_text("charge 131.90 USD to visa ending in 4242").wait_for()
    title = window.get_by_text("Check out for 131.90 USD", exact=True).last
    await title.wait_for()
    await say("yes")
    await window.get_by_text(ANSWER_ABOVE).wait_for()
    assert shop.happened() == []

    field = window.get_by_role("textbox").filter(has_text="card_ada_1")
    await field.fill("card_of_nobody")
    await window.get_by_role("button", name="Submit").click()
    await window.get_by_text("There is no card_id card_of_nobody").first.wait_for()
    assert shop.happened() == []

    await window.get_by_role("button", name="Accept").click()
    await window.get_by_text("Your order is placed").wait_for()
    assert shop.happened() == PURCHASE
    await window.get_by_role("heading", name="Tool Result: checkout").wait_for()
    await window.get_by_role("button", name="Refresh").last.click(force=True)
    await window.get_by_role("button", name="Send", exact=True).wait_for()
    assert await window.get_by_text("Your order is placed").count() == 1
    assert shop.happened() == PURCHASE


@pytest.mark.parametrize("user", ["esme"])
async def test_a_purchase_is_edited_to_another_address(say: Say, window: Any, shop: Shop):
    await say("check out")
    field = window.get_by_role("textbox").filter(has_text="addr_esme_1")
    await field.fill("addr_esme_2")
    await window.get_by_role("button", name="Submit").click()
    await window.get_by_text("confirmed as esme changed it").last.wait_for()
    assert shop.happened() == PURCHASE
    assert orders(shop, "esme")[-1]["address_id"] == "addr_esme_2"


@pytest.mark.parametrize("button", ["Ignore", "Mark as Resolved"])
async def test_a_purchase_that_is_put_away_is_not_made_and_says_so(
    say: Say, window: Any, shop: Shop, button: str
):
    await say("check out")
    await window.get_by_role("button", name=button).click()
    said = "rejected by ada" if button == "Ignore" else "Stopped by ada: Check out for 131.90 USD"
    await window.get_by_text(said).last.wait_for()
    await window.get_by_role("button", name=button).wait_for(state="detached")
    assert shop.happened() == []


async def test_a_doubt_is_settled_in_words(say: Say, window: Any, shop: Shop):
    shop.fault("mail", "drop", seconds=30)
    await say("check out")
    await window.get_by_role("button", name="Accept").click()
    await window.get_by_text("went out (send_email)").first.wait_for()
    await window.get_by_role("button", name="Mark as Resolved").click()
    await window.get_by_placeholder("Your response here...").fill("I do not know")
    await window.get_by_role("button", name="Send Response").click()
    await window.get_by_text("That says neither that it happened nor").first.wait_for()
    await window.get_by_placeholder("Your response here...").fill("it happened")
    await window.get_by_role("button", name="Send Response").click()
    await window.get_by_placeholder("Your response here...").wait_for(state="detached")
    assert shop.happened() == PURCHASE
