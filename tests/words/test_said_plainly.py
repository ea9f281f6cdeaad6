"""What is plain of a thing is judged of that thing; what is not plain passes."""

from typing import Any

import pytest
from daybook.tools.said.check import Untrue, untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, Outcome, known
from daybook.tools.shop.spoken.claimed.claims import denies

from daybook.state.shop.cart import Cart, CartLine, Removed

POLES = (
    """r1 get_product ok
POLE-009 | Silver Birch Folding Trekking Poles | 89.00 USD | 4.5 of 5 (8) | 27 in stock
A pair.
attributes: foldable=yes, folded_cm=38, weight_g=428""",
    """r2 get_product ok
POLE-015 | Otter Ford Folding Trekking Poles | 108.90 USD | 3.2 of 5 (6) | 45 in stock
A pair.
attributes: foldable=yes, folded_cm=36, weight_g=434""",
    """r3 get_product ok
POLE-021 | Long Scree Folding Trekking Poles | 129.00 USD | 4.7 of 5 (5) | 9 in stock
A pair.
attributes: foldable=yes, folded_cm=33, weight_g=302""",
)
STOVES = """r1 search_products ok: 3 hits
1. STOV-001 | Quiet Valley Gas Stove | 69.00 USD | 4.4 of 5 (5) | 6 in stock
2. STOV-002 | Marten Wood Gas Stove | 24.00 USD | 4.2 of 5 (6) | 31 in stock
3. STOV-003 | Fox Hollow Gas Stove | 52.00 USD | 4.0 of 5 (4) | 12 in stock"""
LAMP = """r1 get_product ok
LAMP-004 | High Saddle Headlamp | 68.50 USD | 4.6 of 5 (7) | 1 in stock"""
CART_OF_LAMPS = """r2 get_cart ok
LAMP-004 x2 @ 68.50 = 137.00 | High Saddle Headlamp
total: 137.00 USD"""
CART = """r1 get_cart ok
BOTL-028 x2 @ 26.00 = 52.00 | River Bend Soft Bottle
LAMP-021 x1 @ 63.95 = 63.95 | Stone Bridge Headlamp
total: 115.95 USD"""
BOUGHT = (
    POLES[1],
    """r2 get_product ok
SOCK-011 | Timber Line Membrane Socks | 32.50 USD | 4.4 of 5 (5) | 45 in stock""",
    """r3 get_order ok
DB-71930582 | placed | 173.90 USD | POLE-015 x1, SOCK-011 x2""",
)
PAYING = """r1 get_policy ok: payment
We take cards. There is no PayPal, Klarna, invoice or cash."""
STEEL = """r2 get_product ok
BOTL-001 | North Col Steel Bottle | 21.00 USD | 4.1 of 5 (9) | 8 in stock"""
LEFT = "It is told by nobody."


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


def came(outcome: Outcome, *results: str, names: str = "charge order mail") -> Known:
    """Know that the hold was made, and what came of what was to be done behind it."""
    effects = [
        Effect(kind, outcome if kind.name in names else "done", is_now=True, line=LEFT)
        for kind in KINDS[:6]
        if kind.name in f"reserve {names}"
    ]
    return known(results, [], effects=effects, kinds=KINDS[:6])


def let_go() -> Known:
    """Know of a charge that was declined, for which the hold was given back."""
    effects = [
        Effect(kind, "undone" if kind.name == "reserve" else "not done", is_now=True, line=LEFT)
        for kind in KINDS[:6]
        if kind.name in ("reserve", "charge", "order")
    ]
    return known([LAMP], [], effects=effects, kinds=KINDS[:6])


def held(about: Known, said: str) -> list[Untrue]:
    """Hold a sentence beside a cart in which a bottle of steel made room for two soft ones."""
    state: dict[str, Any] = {
        "cart": Cart(
            cart_id="cart",
            currency="USD",
            lines=(
                CartLine(
                    sku="BOTL-028", name="River Bend Soft Bottle", quantity=2, unit_price=2600
                ),
                CartLine(sku="LAMP-021", name="Stone Bridge Headlamp", quantity=1, unit_price=6395),
            ),
            removed=(Removed(sku="BOTL-001", name="North Col Steel Bottle", turn_id="turn"),),
        ),
        "turn": {"turn_id": "turn"},
    }
    return untrue_in(said, about, lambda sentence, names: denies(state, sentence, names))


@pytest.mark.parametrize(
    "said",
    [
        "Swapped: steel bottle out, two soft ones in.",
        "I swapped the bottles in your cart.",
        "The steel bottle is gone and two soft ones have taken its place.",
        "Two soft bottles took the place of the steel one.",
        "I took the North Col Steel Bottle out, as you asked.",
        "I took the heavy North Col Steel Bottle you didn't like out.",
        "The North Col Steel Bottle was removed.",
        "I only changed your cart: two River Bend Soft Bottles were added and the North Col Steel Bottle was removed.",
        "I have taken away the steel bottle and have put two soft ones inside your cart.",
        "The steel bottle is out of your cart.",
        "I could look for others, or take this lamp out of your cart.",
        "Shall I leave it, or should I take the lamp out of your cart?",
    ],
)
def test_what_was_exchanged_in_a_cart_is_no_order(said: str):
    assert held(read(CART, STEEL), said) == []


@pytest.mark.parametrize(
    "said",
    [
        "I took the Stone Bridge Headlamp out, as you asked.",
        "The Stone Bridge Headlamp was removed.",
        "I removed the soft bottles from your cart.",
        "I took the money out of your account.",
        "Swapped the bottles in your order.",
        "Two soft bottles are bought, they have taken its place.",
    ],
)
def test_what_is_still_in_a_cart_is_not_said_to_be_out(said: str):
    assert held(read(CART, STEEL), said)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(LAMP), "Somebody snapped up the last ones."),
        (read(LAMP), "Bad luck: other customers have bought all but one."),
        (read(LAMP), "Someone else grabbed the second lamp."),
        (read(LAMP), "The other ones were snapped up quickly."),
        (read(LAMP), "For the one lamp it would be $68.50, delivered."),
        (read(LAMP), "It's $68.50, delivered."),
        (let_go(), "I therefore gave the reserved items back, and no order was made."),
        (let_go(), "No order was made, and the held lamp was let go again."),
        (let_go(), "No stock is set aside any more."),
        (came("not done", LAMP), "No stock was touched beside that."),
        (
            came("in doubt", LAMP),
            "Either the 68.50 USD were charged and only the answer got lost, or the charge never happened.",
        ),
        (came("in doubt", LAMP), "Either your card was charged, or it never was."),
        (
            came("in doubt", LAMP, names="charge"),
            "The payment step got no reply, and without knowing about the payment the order couldn't be placed.",
        ),
        (came("in doubt", LAMP), "A human colleague will check it."),
        (came("in doubt", LAMP), "Someone of our staff will look at it and settle it."),
        (read(CART_OF_LAMPS, LAMP), "The shop found one lamp where two were needed."),
        (read(CART_OF_LAMPS, LAMP), "There was one lamp, and two were wanted."),
    ],
)
def test_what_claims_no_effect_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(LAMP), "I snapped up the last one for you."),
        (read(LAMP), "Your lamp was delivered."),
        (let_go(), "The reserved items are still held for you."),
        (let_go(), "I gave nothing back: the lamp is still reserved."),
        (came("in doubt", LAMP), "Either way, your card was charged."),
        (came("in doubt", LAMP), "The payment couldn't be completed."),
        (came("in doubt", LAMP), "A colleague has checked it already."),
        (read(LAMP), "A colleague will check it in the warehouse."),
        (read(LAMP), "The High Saddle Headlamp is out of stock."),
        (read(CART_OF_LAMPS, LAMP), "There are three lamps in your cart."),
        (read(CART_OF_LAMPS, LAMP), "There is one lamp in your cart."),
    ],
)
def test_what_claims_one_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(*POLES), "For that you save 126 g and 5 cm of length when folded."),
        (read(*POLES), "The Silver Birch costs 89.00 USD, which is 40.00 USD less."),
        (read(STOVES), "The Marten Wood costs 24.00 USD, which is 45.00 USD less."),
        (read(STOVES), "With the Marten Wood you save $28.00."),
        (read(*POLES), "It has also the best evaluation, 4.7 points."),
        (read(*POLES), "The Long Scree got 4.7 points of 5."),
        (read(PAYING), "You asked for two things, paying by PayPal and 10% off."),
        (read(PAYING), "You wanted a discount, Klarna and 10% off."),
        (
            read(*POLES),
            "We looked at the Otter Ford. At 108.90 USD it costs more than the Silver Birch and gets only 3.2 stars, while the Silver Birch has 4.5 from 8 reviews.",
        ),
        (
            read(*POLES),
            "I'd pick the Long Scree. It's the dearest of the three at 129.00 USD, so if that's too much, the Silver Birch won't disappoint at 89.00 USD.",
        ),
        (
            read(*BOUGHT),
            "The order has one pair of poles at 108.90 USD and two pairs of the Timber Line socks at 32.50 USD each.",
        ),
        (
            read(*BOUGHT),
            "That gave order DB-71930582 for $173.90. The poles are rated 3.2 on average, so do have a close look at them when they arrive.",
        ),
        (
            read(STOVES),
            "With a budget of $60 you have two to choose from: Marten Wood at $24.00 and Fox Hollow at $52.00.",
        ),
        (read(STOVES), "Below $60 there are two to choose from."),
        (
            read(CART),
            "- Unchanged (2 \N{MULTIPLICATION SIGN} River Bend Soft Bottle, 1 \N{MULTIPLICATION SIGN} Stone Bridge Headlamp)",
        ),
        (read(LAMP), "Three of four gave the full five stars."),
    ],
)
def test_what_is_reckoned_asked_for_or_of_another_thing_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(*POLES), "You save 12.50 USD today with our discount."),
        (read(STOVES), "The Marten Wood costs 24.00 USD, that's 10.00 USD off."),
        (read(STOVES), "You saved $31.00."),
        (read(*POLES), "You have 120 points on your account."),
        (read(PAYING), "You can pay by PayPal."),
        (read(PAYING), "You asked how to pay. We take PayPal and Klarna."),
        (read(*POLES), "The Silver Birch costs 129.00 USD."),
        (read(*POLES), "The Silver Birch gets 3.2 stars."),
        (read(*POLES), "The Silver Birch is nice, and it costs 129.00 USD."),
        (read(*BOUGHT), "The Timber Line socks are 108.90 USD."),
        (read(STOVES), "There are two to choose from."),
        (
            read(CART),
            "- In your cart (2 \N{MULTIPLICATION SIGN} River Bend Soft Bottle, 3 \N{MULTIPLICATION SIGN} Stone Bridge Headlamp)",
        ),
        (read(LAMP), "It is rated 4.9 of 5."),
    ],
)
def test_what_is_of_that_very_thing_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(LAMP), "When I looked, there was just 1 of these lamps in stock."),
        (read(*POLES), "The Silver Birch poles are the cheapest of the three."),
        (read(*POLES), "The Silver Birch is the cheapest of the two that I like."),
        (read(PAYING), "Klarna isn't possible if you want to pay later."),
        (read(PAYING), "About PayPal and the 10% off: sorry, no."),
        (read(PAYING), "Had you asked for it, I would have looked, but luckily you didn't."),
        (read(LAMP), "One shopper bought two of them, says the review."),
        (read(LAMP), "It would be $68.50 all in, sent to your door."),
        (read(STOVES), "For $60 you have two to choose from."),
        (read(*POLES), "I like the Long Scree. At 302 g it beats the Otter Ford."),
    ],
)
def test_what_was_looked_up_in_time_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(LAMP), "When I looked, there were just 3 of these lamps in stock."),
        (read(*POLES), "The Otter Ford poles are the cheapest of the three."),
        (read(PAYING), "Klarna is possible if you'd rather not pay at once."),
        (
            read(LAMP),
            "Had you waited, it would have been gone, but luckily your order was placed in time.",
        ),
        (came("done", LAMP), "There's no email about it."),
        (
            read("r1 get_policy ok: currency\nEvery price is in USD, sales tax included."),
            "Sales tax will be added to the 128.95 USD.",
        ),
    ],
)
def test_what_was_looked_up_otherwise_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    "said",
    [
        "As you wished I swapped it for two soft ones; nothing is ordered yet.",
        "I took out the old bottle and put in two new ones.",
        "I've set the quantity of the bottles in your cart to 2.",
        "Your cart isn't empty.",
    ],
)
def test_what_a_cart_holds_passes(said: str):
    assert held(read(CART, STEEL), said) == []


@pytest.mark.parametrize(
    "said",
    [
        "I've lowered the quantity in your cart to 3.",
        "Your cart was cleared automatically.",
        "I removed the headlamp.",
    ],
)
def test_what_it_does_not_hold_is_found(said: str):
    assert held(read(CART, STEEL), said)


def test_the_number_of_an_id_before_a_name_counts_nothing():
    read = (
        "r1 get_product ok\n"
        "TENT-001 | Badger Moor One Person Tent | 88.95 USD | 4.0 of 5 (8) | 23 in stock"
    )
    known_now = known([read], [])
    said = "TENT-001 Badger Moor One Person Tent costs 88.95 USD; {} are in stock."
    assert not list(untrue_in(said.format(23), known_now))
    assert list(untrue_in(said.format(37), known_now))


def test_how_an_order_would_go_on_is_told_of_none_and_a_promise_of_the_shop_is():
    nothing = known([], [])
    assert not list(untrue_in("If you reorder it, UPS will deliver your order.", nothing))
    assert list(untrue_in("UPS will deliver your order.", nothing))
    assert list(untrue_in("If you order today, it will arrive on Friday.", nothing))
    assert list(untrue_in("If you buy two of them, you get a 10% discount.", nothing))
