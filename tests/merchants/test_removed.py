"""A product that the user removed from a merchant's cart: left out of reads, asked about again."""

from typing import Any

import pytest

from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Stranger

Calls = list[tuple[str, dict[str, Any]]]


def added(merchant: Stranger) -> Calls:
    return [("add_to_cart", {"merchant": merchant.name, "item_id": "BOOT"})]


async def _without_it(buyer: Buyer, merchant: Stranger) -> tuple[Conversation, str]:
    """Add the product to the cart and remove it; return the conversation and the product's name."""
    talk = buyer.talk()
    found = await buyer.says(talk, *added(merchant))
    title = found.values["carts"][0].lines[0].name
    buyer.model.then(
        [("remove_from_cart", {"merchant": merchant.name, "item_id": "BOOT"})], "It is out."
    )
    assert answer_of(await talk.say("take it out")) == "It is out."
    return talk, title


@pytest.mark.parametrize(("answer", "count"), [("yes", 1), ("no", 0)])
async def test_a_model_that_adds_it_unasked_is_stopped_by_a_question(
    buyer: Buyer, merchant: Stranger, answer: str, count: int
):
    talk, title = await _without_it(buyer, merchant)
    buyer.model.then(added(merchant))
    asked = await talk.say("add the best you have")
    assert title in answer_of(asked)
    assert answer_of(asked).endswith("?")
    assert sum(len(cart.lines) for cart in asked.values["carts"]) == 0
    buyer.model.then(added(merchant), *(["All right."] if count else []))
    done = await talk.say(answer)
    assert sum(len(cart.lines) for cart in done.values["carts"]) == count
