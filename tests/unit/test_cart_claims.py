"""What the shop itself knows of a sentence: what is in the cart."""

import pytest

from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.tools.said.text import plain
from daybook.tools.shop.spoken.claimed.claims import denies

BOOT = CartLine(sku="BOOT-001", name="Pebble Strand Boot", quantity=2, unit_price=9890)
SOCKS = Removed(sku="SOCK-001", name="Black Tarn Socks", category="socks", turn_id="now")
STATE = {
    "cart": Cart(cart_id="c", currency="USD", lines=(BOOT,), removed=(SOCKS,)),
    "turn": {"turn_id": "now"},
}
HELD = "In the cart: BOOT-001 x2 @ 98.90 = 197.80 | Pebble Strand Boot; total: 197.80 USD."


def said(sentence: str) -> str:
    named = [
        frozenset({plain(sku), plain(name)})
        for sku, name in (("BOOT-001", "Pebble Strand Boot"), ("SOCK-001", "Black Tarn Socks"))
        if plain(name) in plain(sentence) or plain(sku) in plain(sentence)
    ]
    return denies(STATE, sentence, named)


@pytest.mark.parametrize(
    "sentence",
    [
        "Your cart is empty.",
        "There is nothing in your cart.",
        "I've added the Black Tarn Socks to your cart.",
        "The Black Tarn Socks are in your cart.",
        "I removed the Pebble Strand Boot.",
        "Removed the boot.",
        "I haven't removed anything.",
        "Added 3 to your cart.",
        "Your cart is all cleared out!",
        "You don't have anything in your cart at present.",
        "Boot removed, the socks stay.",
        "I wasn't able to take the socks out.",
        "The socks are still showing in your cart.",
        "Your cart has 3 items.",
        "| Black Tarn Socks | 1 |",
        "Done, and I took BOOT-001 out of your cart.",
        "Your cart total is $297.80.",
        "Sorry, I could only add one of them.",
        "I had to drop the boot from your cart.",
        "Added three boots.",
        "I have empty the cart for you.",
        "I put the boot away from your cart.",
        "The quantity of the Black Tarn Socks was reduced to one.",
        "Black Tarn socks in cart.",
    ],
)
def test_what_the_cart_gainsays_is_denied(sentence: str):
    assert said(sentence) == HELD


@pytest.mark.parametrize(
    "sentence",
    [
        "I removed the Black Tarn Socks.",
        "Added two boots.",
        "I put the socks away from your cart.",
        "The quantity of the boot was set to two.",
        "Boot in cart.",
        "Socks removed, the boot stays.",
        "The socks are gone from your cart, so the Pebble Strand Boot is left.",
        "Your cart has two items.",
        "Your cart total is $197.80.",
        "The Pebble Strand Boot is in your cart.",
        "Added: 1 x Pebble Strand Boot.",
        "Shall I add the Black Tarn Socks to your cart?",
        "You took out of your cart: BOOT-001 yesterday.",
        "If you like, I put the Black Tarn Socks into your cart.",
        "Pegs and a repair sleeve are in the bag.",
        "The Black Tarn Socks are not in your cart.",
    ],
)
def test_what_agrees_with_the_cart_or_claims_nothing_passes(sentence: str):
    assert said(sentence) == ""
