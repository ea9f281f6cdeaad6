"""What was taken out of a cart at a merchant is not brought up again, unless its person does."""

from typing import Any

import pytest

from tests.conversation import Conversation, answer_of
from tests.merchants.conftest import Buyer
from tests.merchants.stranger import Stranger

Calls = list[tuple[str, dict[str, Any]]]


def added(merchant: Stranger) -> Calls:
    return [("add_to_cart", {"merchant": merchant.name, "item_id": "BOOT"})]


async def _without_it(buyer: Buyer, merchant: Stranger) -> tuple[Conversation, str]:
    talk = buyer.talk()
    found = await buyer.says(talk, *added(merchant))
    title = found.values["carts"][0].lines[0].title
    buyer.model.then(
        [("remove_from_cart", {"merchant": merchant.name, "item_id": "BOOT"})], "It is out."
    )
    assert answer_of(await talk.say("take it out")) == "It is out."
    return talk, title


async def test_its_name_is_cut_out_of_answers_until_its_person_says_it(
    buyer: Buyer, merchant: Stranger
):
    talk, title = await _without_it(buyer, merchant)
    answer = f"Try it on. The **{title.upper()}** is the best. What do you think?"
    buyer.model.then(answer, answer)
    told = answer_of(await talk.say("what else is there?"))
    assert told == "Try it on. What do you think?"
    assert answer_of(await talk.say(f"what about the {title}?")) == answer


@pytest.mark.parametrize(("answer", "count"), [("yes", 1), ("no", 0)])
async def test_a_model_that_adds_it_unasked_is_stopped_by_a_question(
    buyer: Buyer, merchant: Stranger, answer: str, count: int
):
    talk, title = await _without_it(buyer, merchant)
    buyer.model.then(added(merchant))
    asked = await talk.say("add the best you have")
    assert answer_of(asked) == f"{title} was taken out of the cart before; add it again?"
    buyer.model.then(added(merchant), *(["All right."] if count else []))
    done = await talk.say(answer)
    assert sum(len(cart.lines) for cart in done.values["carts"]) == count


async def test_what_stands_in_a_cart_elsewhere_may_be_spoken_of(
    buyer: Buyer, merchant: Stranger, other: Stranger
):
    talk, title = await _without_it(buyer, merchant)
    buyer.model.then(added(other), f"The {title} is in the cart at {other.name}.")
    told = answer_of(await talk.say("what do you suggest?"))
    assert told == f"The {title} is in the cart at {other.name}."


async def test_whoever_names_it_or_wants_it_back_is_not_asked(buyer: Buyer, merchant: Stranger):
    for words in ("add the {}", "put it back", "I changed my mind, add it again"):
        talk, title = await _without_it(buyer, merchant)
        buyer.model.then(added(merchant), "It is in the cart.")
        done = await talk.say(words.format(title))
        assert len(done.values["carts"][0].lines) == 1
