"""Changes of the cart of which the counts or the goods are not those that were said."""

import pytest

from tests.words.shop_talk import ShopTalk


@pytest.mark.parametrize(
    ("before", "said", "cart"),
    [
        ("hello", "SOCK-012 x 14 please", {"SOCK-012": 14}),
        ("add SOCK-012 x14", "new numbers: 9 SOCK-012", {"SOCK-012": 9}),
        ("hello", "I'd like SOCK-012, three pairs. No, wait. Two.", {"SOCK-012": 2}),
        ("hello", "six pears of SOCK-012 please", {"SOCK-012": 6}),
        ("tell me about SOCK-012", "put for of those in the cart", {"SOCK-012": 4}),
        ("tell me about SOCK-012", "and now its reviews. All of them.", {}),
        ("add SOCK-012 x3", "make it two dozen", {"SOCK-012": 24}),
        ("add SOCK-012 x3", "Make it a dozen", {"SOCK-012": 12}),
        ("add SOCK-012", "remove it... just kidding", {"SOCK-012": 1}),
        ("show me hiking boots", "add the second. actually dont", {}),
        ("show me hiking boots", "add the second, oh wait, never mind", {}),
        ("show me hiking boots", "add the second, don't forget it", {"BOOT-004": 1}),
    ],
)
def test_the_count_that_was_said_is_done_or_asked_about(
    before: str, said: str, cart: dict[str, int]
):
    talk = ShopTalk()
    talk.say(before)
    talk.say(said)
    assert talk.cart == cart
