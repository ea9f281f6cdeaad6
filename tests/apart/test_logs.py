"""What a log tells at its most talkative: nothing that a person said, and no way to their door."""

import logging

import pytest

from tests.conversation import Conversation
from tests.integration.wire import KEY, Wire
from tests.provider import Provider, Turn
from tests.purchases import PURCHASE

ADDRESS = "17 Quince Lane"
CARD = "4111 1111 1111 1111"
OWN = "daybook_abcdefghijklmnop1234"


async def test_a_purchase_at_the_lowest_level_logs_no_word_of_it(
    wire: Wire, provider: Provider, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    async with wire.agent() as opened:
        talk = Conversation(opened.graph)
        provider.then(
            Turn(calls=(("add_to_cart", {"sku": "BOOT-001"}),)), Turn("It is in the cart.")
        )
        await talk.say(f"add BOOT-001, I live at {ADDRESS}, my card is {CARD}, my token {OWN}")
        provider.then(Turn(calls=(("checkout", {}),)), Turn("Done."))
        await talk.say("check out")
        await talk.approve()
    assert wire.shop.happened() == PURCHASE
    logged = caplog.text
    assert "DEBUG" in logged
    hidden = (
        ADDRESS,
        "Quince",
        CARD,
        CARD.replace(" ", ""),
        OWN,
        KEY,
        "12 Birch Street",
        "@example",
    )
    assert [text for text in hidden if text in logged] == []
