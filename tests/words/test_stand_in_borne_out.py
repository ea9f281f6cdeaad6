"""A change of the cart that nothing in the talk bears out is asked about, however it was read."""

import pytest

from tests.words.shop_talk import ShopTalk

BOOTS = "show me waterproof hiking boots"


def after(*said: str) -> ShopTalk:
    """Return a conversation in which so much was said."""
    talk = ShopTalk()
    for one in said:
        talk.say(one)
    return talk


@pytest.mark.parametrize(
    "said",
    [
        ("tell me about SOCK-012", "tell me about SOCK-003", "the one I asked about first, I'll take that"),
        (BOOTS, "how heavy is the first?", "do you have a piano?", "ok that one then"),
        ("tell me about SOCK-012", "I think about to buy two of it, is possible?"),
        ("tell me about SOCK-012", "is two possible of it?"),
        (BOOTS, "2 pairs. no 3"),
        (BOOTS, "give me number 1 and 3 times two"),
        (BOOTS, "ill take one of the first two"),
        ("how much is SOCK-012?", "nooo. ok and the Larch trekking poles"),
    ],
)  # fmt: skip
def test_nothing_is_added_without_a_question(said: tuple[str, ...]):
    talk = after(*said[:-1])
    assert "?" in talk.say(said[-1])
    assert talk.cart == {}


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        (("add SOCK-012 x4 and POLE-002 x6", "halve everything"), {"SOCK-012": 2, "POLE-002": 3}),
        (("add SOCK-012 and SOCK-003 x3", "the socks to two"), {"SOCK-012": 2, "SOCK-003": 2}),
        (("add SOCK-012 x2 and SOCK-003", "one of the two is enough"), {"SOCK-012": 1}),
        (("add SOCK-012 x2", BOOTS, "two of everything"), {"SOCK-012": 2}),
        (("add SOCK-012 x2", "make the lamps 3 and drop one SOCK-012"), {"SOCK-012": 1}),
    ],
)
def test_a_change_is_whole_or_asked_about(said: tuple[str, ...], cart: dict[str, int]):
    before = after(*said[:-1]).cart
    assert after(*said).cart in (before, cart)


@pytest.mark.parametrize(
    ("said", "cart"),
    [
        ((BOOTS, "the second one please"), {"BOOT-004": 1}),
        (("tell me about SOCK-012", "what does shipping cost?", "ok add it"), {"SOCK-012": 1}),
        (("tell me about SOCK-012", "is it warm?", "fine, two pairs of those"), {"SOCK-012": 2}),
        ((BOOTS, "how heavy is the second?", "i'll take it"), {"BOOT-004": 1}),
        ((BOOTS, "the first and the last"), {"BOOT-001": 1, "BOOT-007": 1}),
        (("add SOCK-012", "what's in my cart?", "one more of those"), {"SOCK-012": 2}),
        ((BOOTS, "give me number 1 and 3"), {"BOOT-001": 1, "BOOT-007": 1}),
        ((BOOTS, "numbers 1 and 2 please"), {"BOOT-001": 1, "BOOT-004": 1}),
    ],
)
def test_what_the_talk_bears_out_is_done(said: tuple[str, ...], cart: dict[str, int]):
    assert after(*said).cart == cart


@pytest.mark.parametrize("said", ["Now I want to finish and pay", "ok i'll take it and pay"])
def test_words_of_paying_buy_once_what_was_offered(said: str):
    talk = after("tell me about SOCK-012", said)
    assert [name for name, _ in talk.calls] == ["add_to_cart", "checkout"]


def test_words_of_paying_take_none_of_several_offers():
    talk = after("tell me about SOCK-012", "tell me about POLE-002")
    assert "?" in talk.say("perfect, let's order")
    assert talk.calls == []


@pytest.mark.parametrize(
    "said",
    [
        "that pair and one Alder Ridge boot",
        "I'll have it along with an Alder Ridge boot",
        "and throw in an Alder Ridge boot with that",
        "let's do that pair, and for my dad the Alder Ridge boot",
    ],
)
def test_of_two_that_are_wanted_both_are_put_in_or_it_is_asked(said: str):
    talk = after("show me hiking boots", "tell me about SOCK-012")
    asks = "?" in talk.say(said)
    assert talk.cart == {"SOCK-012": 1, "BOOT-004": 1} or (asks and talk.cart == {})
