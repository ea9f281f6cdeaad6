"""What models write at length: procedures, rates, comparisons, stock in a row, what a list is not, samples."""

import json

import pytest
from daybook.nodes.prompt.spoken import kinds_in
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, Outcome, known

from tests.parcels.domain import PARCELS
from tests.rooms.domain import ROOMS

JACKET = """r1 get_product ok
COAT-021 | Amber Hollow Softshell Jacket | 138.50 USD | 4.3 of 5 (6) | 10 in stock
It stops wind.
attributes: windproof=yes, waterproof=no, material=stretch polyester, sizes=S-XXL, colour=pine"""
SOCKS = """r2 get_product ok
SOCK-023 | Old Quarry Membrane Socks | 42.00 USD | 4.1 of 5 (7) | 57 in stock
Three layers. Sold as one pair.
attributes: wool=no, waterproof=yes, height=crew, sizes=38-48, colour=black"""
LAMPS = """r1 search_products ok: 4 hits
1. LAMP-009 | Amber Hollow Headlamp | 44.00 USD | 5.0 of 5 (2) | 4 in stock
2. LAMP-027 | Red Gorge Headlamp | 73.95 USD | 4.8 of 5 (5) | 17 in stock
3. LAMP-015 | Cairn Hill Headlamp | 54.00 USD | 4.4 of 5 (8) | 47 in stock
4. LAMP-003 | Quiet Valley Headlamp | 33.95 USD | 3.0 of 5 (7) | 10 in stock"""
BOOT = """r1 get_product ok
BOOT-027 | Copper Creek Hiking Boot | 118.90 USD | 4.6 of 5 (2) | 32 in stock
An airy boot.
attributes: waterproof=no, height=mid, sizes=36-47"""
REVIEWS = """r2 get_reviews ok: 2 reviews of BOOT-027
5 of 5 | Second one I own | The first lasted six years.
4 of 5 | Good, with one wish | I would like more colours."""
CART = """r1 get_cart ok
LAMP-004 x1 @ 68.50 = 68.50 | High Saddle Headlamp
BOTL-022 x2 @ 21.90 = 43.80 | Lark Rise Bottle
total: 112.30 USD"""
STOCK = """r2 get_product ok
LAMP-004 | High Saddle Headlamp | 68.50 USD | 4.2 of 5 (4) | 0 in stock
r3 get_product ok
BOTL-022 | Lark Rise Bottle | 21.90 USD | 3.5 of 5 (2) | 57 in stock"""
WOOL = """r1 get_product ok
SOCK-025 | Granite Bay Merino Socks | 26.90 USD | 4.7 of 5 (3) | 35 in stock
Machine wash at 40 degrees, no softener.
attributes: wool=yes, height=crew, weight_g=84"""
TENT = """r2 get_product ok
TENT-019 | Owl Beck One Person Tent | 232.00 USD | 4.2 of 5 (4) | 44 in stock
A tent for one.
attributes: persons=1, freestanding=yes, colour=sage, weight_g=1512"""
FILTER = """r1 get_product ok
BOTL-011 | Otter Ford Filter Water Bottle | 43.00 USD | 4.8 of 5 (5) | 21 in stock
A bottle with a filter.
attributes: filter=yes, capacity_litre=0.75, filter_litre=1000"""
ONE_CANCELLED = """r2 get_order ok
DB-29013366 | cancelled | 81.90 USD | LAMP-010 x1"""
SEVERAL = (
    json.dumps({"orders": ["#W4836353", "#W7342738", "#W1", "#W2", "#W3", "#W4"]}),
    *(
        json.dumps({"order_id": f"#W{number}", "status": status})
        for number, status in (
            (4836353, "pending"),
            (7342738, "pending"),
            (2586676, "cancelled"),
            (5400801, "cancelled"),
        )
    ),
)
KEYBOARDS = json.dumps(
    {
        "name": "Mechanical Keyboard",
        "product_id": "1656367028",
        "variants": {
            one: {"item_id": one, "available": True, "price": price}
            for one, price in (("7706410293", 269.16), ("9570044148", 231.37))
        },
    }
)
RESISTANT = json.dumps({"name": "Loud Speaker", "item_id": "1234567890", "water resistance": True})
PACKS = """r1 search_products ok: 2 hits
1. PACK-008 | Lone Pine Hiking Backpack | 99.00 USD | 4.5 of 5 (6) | 43 in stock
2. PACK-013 | North Col Daypack | 68.95 USD | 4.7 of 5 (3) | 28 in stock"""
ORDERS = """r2 list_orders ok: 2 orders
DB-28840115 | placed | 75.80 USD | SOCK-017 x2
DB-29013366 | placed | 81.90 USD | LAMP-010 x1"""
SHIPPING = """r1 get_policy ok: shipping
A parcel leaves within one working day and takes three to five working days. There is no express delivery."""
PAYMENT = """r1 get_policy ok: payment
We take cards that are on file. The card is charged when the order is placed.
There is no PayPal, Apple Pay, Google Pay, invoice, instalments, gift card, discount code or cash."""
DEPOT = json.dumps(
    {"done": [{"kind": "send", "to": "Berlin", "id": "P-1001"}, {"kind": "insure", "id": "I-2001"}]}
)
STORAGE = json.dumps({"storage": {"name": "Depot storage", "price_per_hour": 40}})
CAMERAS = json.dumps({"name": "Digital Camera", "item_id": "8940227892", "price": 2714.51})
SHELF = json.dumps({"order_id": "#W5362037", "item_id": "2244749153", "price": 537.01})


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


def tried(outcome: Outcome, *results: str, names: str = "reserve charge order mail") -> Known:
    """Know of what was to be done in this turn, and what came of it."""
    effects = [
        Effect(kind, outcome, is_now=True, line="checkout declined: x", succeeded=outcome == "done")
        for kind in KINDS[:6]
        if kind.name in names.split()
    ]
    return known(results, [], effects=effects, kinds=KINDS[:6])


def refused(how: str) -> Known:
    """Know of a checkout of which nothing was done, and why."""
    kinds = [kind for kind in KINDS[:6] if kind.name in ("reserve", "charge", "order", "mail")]
    line = f"checkout {how}: card_dan_1 118.90 USD"
    effects = [Effect(kind, "not done", is_now=True, line=line) for kind in kinds]
    return known([BOOT], [], effects=effects, kinds=KINDS[:6])


def returned() -> Known:
    """Know of a domain that exchanges what was delivered, where nothing was."""
    kinds = tuple(one for one in KINDS if one.name in ("exchange", "cancel", "change"))
    return known([KEYBOARDS], [], kinds=kinds)


def of_rooms() -> Known:
    return known(["r1 free_rooms: Attic (4 seats)"], ["a room"], kinds=kinds_in(ROOMS))


def of_parcels(*results: str) -> Known:
    return known(results, ["my parcel"], kinds=kinds_in(PARCELS))


@pytest.mark.parametrize(
    ("about", "said"),
    [
        # What is denied of the subject that stands before it.
        (read(JACKET, SOCKS), "The jacket is windproof but **not** waterproof."),
        (read(JACKET, SOCKS), "It's not waterproof; the socks are."),
        # So many are wanting.
        (read(CART), "We are one bottle short."),
        (read(CART, STOCK), "Stock right now: headlamp 0, bottles 57."),
        # Only the first half of a noun.
        (tried("done", names="cancel refund"), "There was no cancellation fee."),
        (tried("done"), "There is no order confirmation number that I can see."),
        # By how much more, roughly, and what it is compared with.
        (read(LAMPS), "For about $10 more, the Amber Hollow ($44.00) is rated 5.0."),
        (read(CAMERAS, SHELF), "All digital cameras are priced higher than $537.01."),
        # The title of a review names nothing.
        (read(BOOT, REVIEWS), "Two pairs would be 237.80 USD, if you want a second one."),
        # A list whose no stands behind it.
        (read(PAYMENT), "PayPal, Apple Pay, Google Pay and instalments aren't available."),
        (read(PAYMENT), "Gift cards, invoices and cash are not accepted."),
        # How things go.
        (of_rooms(), "Booking works in two steps: first the room is held, then it's booked."),
        (of_rooms(), "First the room is held, then, once you've agreed, it's booked."),
        (tried("not done", SHIPPING), "Within a working day it's sent off."),
        (tried("not done", SHIPPING), "A parcel is sent off within one working day."),
        (read(LAMPS), "I can't combine two merchants; each has its own checkout."),
        # By the hour.
        (of_parcels(STORAGE), "Storing the parcel costs 40 USD an hour."),
        (of_parcels(STORAGE), "The depot holds parcels for 40 USD an hour."),
        # What was read of how it is washed.
        (read(WOOL), "They're machine-washable at 40 degrees."),
        # What there would be to choose, to spend or to pay on average.
        (read(CART), "Option A: 1 bottle + the headlamp = 90.40 USD."),
        (read(LAMPS), "With 60 USD you could get any of these except the Red Gorge."),
        (read(ORDERS), "You spent 157.70 USD on both orders, an average of 78.85 USD per order."),
        (
            read(PACKS),
            "2 x 68.95 = 137.90 USD for the daypacks, or 2 x 99.00 = 198.00 USD for the Lone Pines.",
        ),
        (read(ORDERS), "Your orders, newest last: DB-28840115 and DB-29013366."),
        # By how much a rating is lower, and a weight that is rounded.
        (read(LAMPS), "The Cairn Hill is rated 0.6 lower than the Amber Hollow."),
        (read(WOOL, TENT), "It's a freestanding tent at 1.5 kg."),
        (read(LAMPS), "The Quiet Valley is 33.95 USD. It's the cheapest by 10.05 USD."),
        (read(LAMPS), "If the Red Gorge were 10 USD cheaper, it'd be 63.95 USD."),
        (read(LAMPS), "The Quiet Valley has the lowest rating here."),
        (read(FILTER), "Each filter is good for 1,000 litres."),
        (read(ONE_CANCELLED), "DB-29013366 can't be cancelled again."),
        # How an id is written, and what is only looked for.
        (read(ORDERS), "What's the order ID (it starts with '#W', like '#W0000000')?"),
        (read(ORDERS), "It has the format '#W' with digits, e.g. #W1234567."),
        (read(ORDERS), "To assist you with the tracking number, I need your name."),
        (read(ORDERS), "I'm sorry about the mix-ups."),
        # Some of the orders, and those that are named.
        (read(*SEVERAL), "You have two pending orders with T-shirts."),
        (read(*SEVERAL), "You have **2 pending orders**:"),
        (read(*SEVERAL), "Your account shows 6 orders."),
        (read(*SEVERAL), "I'll cancel your two orders (#W4836353 and #W7342738)."),
        (known(SEVERAL, []), "Both orders are confirmed as pending."),
        # What variants of one thing cost apart, and what is added up in so many words.
        (read(KEYBOARDS), "There's a price difference of $37.79."),
        (read(KEYBOARDS), "Its total: $269.16 + $231.37 = $500.53."),
        (read(KEYBOARDS), "A change to itself costs $0."),
        (read(KEYBOARDS), "There are 2 available options."),
        # What is to be done when somebody agrees, and what then cannot be.
        (returned(), "Here is what I would change:\n- Laptop: exchanged to 15-inch"),
        (returned(), "After this the order cannot be modified, cancelled, or changed further."),
        (read(RESISTANT), "It's water resistant."),
        # What was tried, and what nobody knows.
        (
            tried("not done", BOOT),
            "I tried to charge 118.90 USD to your card, but the bank declined.",
        ),
        (tried("in doubt", names="charge"), "Either you were charged, or you weren't."),
        (tried("done", BOOT), "I ordered three pairs, as you asked, not two."),
        (refused("rejected"), "I've cancelled the checkout as you asked."),
        (refused("expired"), "Nobody answered in time, so I cancelled the checkout."),
        # What a read tells of an id.
        (of_parcels(DEPOT), "Your parcel P-1001 to Berlin was sent."),
    ],
)
def test_what_is_so_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(JACKET, SOCKS), "The socks are warm but not waterproof."),
        (read(JACKET, SOCKS), "The jacket is light and waterproof."),
        (read(FILTER), "Each filter is good for 1,500 litres."),
        (read(ORDERS), "Your order is #W1234567, like it or not."),
        (read(ORDERS), "Your tracking number is 12345."),
        (read(*SEVERAL), "You have three pending orders."),
        (read(*SEVERAL), "Your account shows 5 orders."),
        (read(KEYBOARDS), "There's a price difference of $47.79."),
        (read(KEYBOARDS), "Its total: $269.16 + $231.37 = $510.53."),
        (returned(), "Here is what happened:\n- Laptop: exchanged to 15-inch"),
        (read(LAMPS), "The Quiet Valley is 33.95 USD. It's the cheapest by 25.05 USD."),
        (read(LAMPS), "If the Red Gorge were 10 USD cheaper, it'd be 53.95 USD."),
        (tried("done", names="cancel refund"), "The order can't be cancelled."),
        (read(CART), "You have 1 bottle and the headlamp in your cart."),
        (read(LAMPS), "For 60 USD you could get the Red Gorge."),
        (read(ORDERS), "You spent 167.70 USD on both orders."),
        (read(LAMPS), "The Cairn Hill is rated 4.6."),
        (read(WOOL, TENT), "The Owl Beck is a freestanding tent at 1.7 kg."),
        (tried("not done", BOOT), "I tried to charge your card, and it was charged."),
        (tried("in doubt", names="charge"), "You weren't charged."),
        (refused("rejected"), "I've cancelled the order as you asked."),
        (refused("declined"), "I've cancelled the checkout as you asked."),
        (refused("rejected"), "Checkout stopped because you let the approval expire."),
        (read(CART, STOCK), "Stock right now: headlamp 3, bottles 57."),
        (tried("done", names="cancel refund"), "There was no cancellation."),
        (read(LAMPS), "The Amber Hollow costs about $54."),
        (read(CAMERAS, SHELF), "All digital cameras are priced higher than $637.01."),
        (read(PAYMENT), "PayPal, Apple Pay and instalments are fine."),
        (of_rooms(), "First the room is held, and now it's booked."),
        (tried("not done", SHIPPING), "It's sent off."),
        (of_parcels(STORAGE), "Storing the parcel costs 90 USD an hour."),
        (of_parcels(STORAGE), "The parcel arrives within an hour."),
        (of_parcels(DEPOT), "I sent a second parcel to Hamburg."),
    ],
)
def test_what_is_not_so_beside_it_is_found(about: Known, said: str):
    assert untrue_in(said, about)


HELP = """I search, keep your cart and check out.

I understand plain sentences such as:
- I need waterproof hiking boots under 150
- tell me more about the first one; is it waterproof
- add two pairs of SOCK-002"""


def test_rows_that_a_person_may_say_say_nothing():
    assert untrue_in(HELP, read()) == []
    assert (
        untrue_in("You can ask me:\n- where is my order DB-12345678?\n- it is paid", read()) == []
    )


def test_rows_under_another_line_are_judged():
    assert untrue_in("In your cart, such as it is:\n- two pairs of SOCK-002", read(CART))
