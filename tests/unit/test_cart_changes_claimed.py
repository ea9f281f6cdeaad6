"""What is said to have been changed in a cart: how many, in whose place, what stayed in, and what its list holds."""

import pytest

from daybook.state.shop.cart import Cart, CartLine, Removed
from daybook.tools.said.text import plain
from daybook.tools.shop.spoken.claimed.claims import denies

SOCKS = CartLine(sku="SOCK-026", name="Amber Hollow Wool Socks", quantity=3, unit_price=3390)
BOTTLE = CartLine(sku="BOTL-004", name="Timber Line Soft Bottle", quantity=1, unit_price=1190)
LAMP = Removed(sku="LAMP-025", name="Cedar Fork Headlamp", category="headlamps", turn_id="now")
TENT = CartLine(sku="TENT-003", name="Willow Reach Tent", quantity=1, unit_price=31890)

CHANGED = (SOCKS, BOTTLE)
GOODS = {
    "SOCK-026": "Amber Hollow Wool Socks",
    "BOTL-004": "Timber Line Soft Bottle",
    "LAMP-025": "Cedar Fork Headlamp",
    "TENT-003": "Willow Reach Tent",
    "TENT-006": "Salt Marsh Tent",
}


def said(sentence: str, lines: tuple[CartLine, ...], removed: tuple[Removed, ...] = ()) -> str:
    named = [
        frozenset({plain(sku), plain(name)})
        for sku, name in GOODS.items()
        if plain(" ".join(name.split()[:2])) in plain(sentence)
    ]
    cart = Cart(cart_id="c", currency="USD", lines=lines, removed=removed)
    return denies({"cart": cart, "turn": {"turn_id": "now"}}, sentence, named)


@pytest.mark.parametrize(
    "sentence",
    [
        "I've set the socks to two pairs and added the bottle.",
        "I lowered the socks to one pair.",
        "I changed the socks from one pair to four.",
        "I went ahead and bumped the bottle up to two.",
        "The quantity of the socks is now five.",
        "I've adjusted the quantity in your cart from three to two.",
        "The socks are down to one pair.",
        "Your cart now holds three pairs of Amber Hollow socks, the bottle and the Cedar Fork lamp.",
        "In your cart: three pairs of socks, a bottle and a headlamp.",
        "I left the headlamp in.",
        "The bottle is out and the headlamp is in.",
        "I swapped the bottle for the headlamp.",
        "Nothing in your cart has changed.",
        "Your cart is unchanged.",
    ],
)
def test_other_changes_than_the_cart_tells_are_denied(sentence: str):
    assert said(sentence, CHANGED, (LAMP,)).startswith("In the cart: ")


@pytest.mark.parametrize(
    "sentence",
    [
        "I set the socks to three, took the headlamp out and added the bottle.",
        "From one pair to three: the socks are updated.",
        "The quantity of the socks is now three.",
        "The headlamp is out, the bottle is in.",
        "I swapped the headlamp for the bottle and raised the socks to three.",
        "Your cart now holds three pairs of socks and one bottle.",
        "Instead of the headlamp there's a bottle in your cart.",
        "The cart no longer has the headlamp.",
        "I can set the socks to two, take the bottle out or put the headlamp back in your cart.",
        "Shall I lower the socks to two?",
        "Whether the money has been taken from the card is what we don't know.",
        "It's possible that the mail went out.",
    ],
)
def test_the_changes_that_were_made_and_what_could_be_pass(sentence: str):
    assert said(sentence, CHANGED, (LAMP,)) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "I went ahead and replaced it in your cart with the Salt Marsh tent.",
        "I've swapped it for the Salt Marsh.",
        "Your cart now contains the Salt Marsh Tent instead of the Willow Reach.",
        "The Salt Marsh replaces the Willow Reach in your cart.",
        "I've updated your cart with the Salt Marsh.",
        "I've added the Salt Marsh Tent ($381.90) to your cart.",
        "Both the Willow Reach and the Salt Marsh are in your cart.",
    ],
)
def test_goods_of_the_same_sort_that_are_not_in_it_are_denied(sentence: str):
    assert said(sentence, (TENT,)).startswith("In the cart: TENT-003")


@pytest.mark.parametrize(
    "sentence",
    [
        "I could replace it with the Salt Marsh in your cart.",
        "I can remove the Willow Reach and put the Salt Marsh in its place.",
        "I can read you its reviews, look for another, or put the Salt Marsh in your cart.",
        "I haven't added the Salt Marsh to your cart.",
        "Nothing in your cart has changed: the Willow Reach is still there.",
        "The Willow Reach is in your cart, not the Salt Marsh.",
    ],
)
def test_what_only_could_be_exchanged_passes(sentence: str):
    assert said(sentence, (TENT,)) == ""


def test_what_was_in_a_cart_that_was_bought_is_not_counted_in_it():
    assert said("Your cart is empty now, since all three items went into the order.", ()) == ""


BOUGHT = (
    CartLine(sku="SOCK-026", name="Amber Hollow Wool Socks", quantity=4, unit_price=3390),
    CartLine(sku="BOTL-004", name="Timber Line Soft Bottle", quantity=1, unit_price=1190),
)


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            (),
            "Nothing is left in the cart; the one bottle and the one pair of socks both went into your order.",
        ),
        ((), "The two pairs of socks that were in your cart are ordered."),
        ((), "Your cart is empty, as the three items were bought."),
        ((), "Three pieces went from your cart into the order."),
        ((), "The cart is empty now: one pair of socks and one bottle, all ordered."),
        ((TENT,), "I only looked up the other tent; I haven't put it in your cart."),
        ((TENT,), "There is another tent, but I haven't added it to your cart."),
        ((TENT,), "The Salt Marsh is lighter, and I have not put it in your cart."),
        ((TENT,), "As for the alternative: it isn't in your cart."),
        ((TENT,), "I looked at a similar tent and did not put it in your cart."),
        (BOUGHT, "Your cart went from one pair of socks to four pairs."),
        (BOUGHT, "The number of socks is unchanged: four pairs."),
        (BOUGHT, "The quantity of the bottle stays the same, one."),
        (BOUGHT, "You can check out for $147.50 now."),
        (BOUGHT, "You could check out for $45.80 with one pair."),
        (BOUGHT, "If you drop the bottle, you can check out for $135.60."),
        (BOUGHT, "The Amber Hollow socks are still in there as well."),
        (BOUGHT, "The Cedar Fork is not in there any more."),
    ],
)
def test_what_is_told_of_what_was_or_of_another_stands(
    lines: tuple[CartLine, ...], sentence: str
) -> None:
    assert said(sentence, lines, (LAMP,) if lines is BOUGHT else ()) == ""


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ((TENT,), "I haven't put it in your cart."),
        ((TENT,), "The tent isn't in your cart."),
        (BOUGHT, "Your cart went from one pair to three pairs."),
        (BOUGHT, "The number of socks is unchanged: one pair, at $33.90."),
        (BOUGHT, "The quantity of socks stays the same: two."),
        (BOUGHT, "You can check out for $45.80 now."),
        (BOUGHT, "The cart is set, so you can pay for $117.45 right away."),
        (BOUGHT, "The Cedar Fork Headlamp is still in there as well, so have a look."),
        (BOUGHT, "The Cedar Fork is also in there."),
    ],
)
def test_what_is_false_of_the_cart_beside_another_is_denied(
    lines: tuple[CartLine, ...], sentence: str
) -> None:
    assert said(sentence, lines, (LAMP,)).startswith("In the cart: ")


@pytest.mark.parametrize(
    ("sentence", "lines", "removed"),
    [
        ("Amber Hollow Wool Socks reduced to one pair.", (BOTTLE,), ()),
        ("All done: Cedar Fork Headlamp: left in the cart as before", (SOCKS,), (LAMP,)),
        ("I've already swapped it for the Salt Marsh in your cart.", (TENT,), ()),
        ("We've already replaced the tent.", (TENT,), ()),
        ("The tent raised to two.", (SOCKS, BOTTLE), ()),
    ],
)
def test_what_was_not_changed_is_denied(
    sentence: str, lines: tuple[CartLine, ...], removed: tuple[Removed, ...]
) -> None:
    assert said(sentence, lines, removed)


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        ("We need two fewer socks in the cart for it to work.", (SOCKS,)),
        ("Two more bottles in the cart would be too much.", (BOTTLE,)),
        ("That takes two extra bottles in the cart.", (BOTTLE,)),
        ("Wool socks reduced to three pairs.", (SOCKS, BOTTLE)),
        ("Timber Line Soft Bottle: still in the cart", (SOCKS, BOTTLE)),
    ],
)
def test_what_is_only_counted_apart_is_not_denied(
    sentence: str, lines: tuple[CartLine, ...]
) -> None:
    assert said(sentence, lines) == ""


@pytest.mark.parametrize(
    ("sentence", "lines", "removed"),
    [
        ("There is nothing like “2” in your cart.", (TENT,), ()),
        ("What else is in your cart comes to 98.90 USD, together 212.80 USD.", (TENT,), ()),
        ("Removed: Cedar Fork Headlamp.", (TENT,), (LAMP,)),
    ],
)
def test_what_is_told_beside_what_is_there_stands(
    sentence: str, lines: tuple[CartLine, ...], removed: tuple[Removed, ...]
) -> None:
    assert said(sentence, lines, removed) == ""
