"""What is told of a part, of some of those listed, of one order or of another thing: true sentences stand, false ones do not."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, known

from tests.words.known_of import came, read

SOCKS = """r1 get_product ok
SOCK-019 | Clover Bank Merino Wool Hiking Socks | 23.95 USD | 2.7 of 5 (7) | 27 in stock
Crew socks in 65% merino wool that stay pleasant for several days.
attributes: wool=yes, height=crew, cushion=medium, sizes=38-48, weight_g=70"""
PACK = """r1 get_product ok
PACK-022 | Arrow Pass Trekking Backpack | 281.50 USD | 4.5 of 5 (8) | 9 in stock
A 65 litre load carrier with an adjustable back.
attributes: capacity_litre=65, weight_g=2142"""
STOVE = """r1 get_product ok
STOV-018 | Timber Line Two-Burner Camping Stove | 128.95 USD | 4.4 of 5 (8) | 50 in stock
A table stove with wind flaps.
attributes: fuel=gas, weight_g=4686"""
POLES = """r2 get_product ok
POLE-018 | Stone Bridge Snow Trekking Poles | 88.95 USD | 4.1 of 5 (4) | 12 in stock
A pair in three parts.
attributes: material=aluminium, weight_g=498"""
MEMBRANE = """r1 search_products ok: 2 hits
1. SOCK-017 | Black Tarn Waterproof Membrane Socks | 37.90 USD | 4.7 of 5 (3) | 49 in stock
2. SOCK-029 | Fox Hollow Waterproof Membrane Socks | 45.50 USD | 4.4 of 5 (8) | 6 in stock"""
TENTS = (
    """r1 get_product ok
TENT-011 | Thistle Dale Four Person Family Tent | 261.90 USD | 4.7 of 5 (3) | 49 in stock
A family tent with standing height of 185 cm.
attributes: persons=4, height_cm=185, weight_g=5650""",
    """r2 get_product ok
TENT-017 | Amber Hollow Four Person Family Tent | 323.90 USD | 5.0 of 5 (2) | 57 in stock
A family tent with standing height of 185 cm.
attributes: persons=4, height_cm=185, weight_g=6566""",
)
LAMPS = """r1 search_products ok: 5 hits
1. LAMP-023 | Timber Line Red-Light Headlamp | 42.95 USD | 4.6 of 5 (7) | 31 in stock
2. LAMP-029 | Pebble Strand Red-Light Headlamp | 49.00 USD | 4.3 of 5 (6) | 17 in stock
3. LAMP-005 | Crane Lake Red-Light Headlamp | 23.50 USD | 3.0 of 5 (2) | 53 in stock
4. LAMP-011 | Moss Bridge Red-Light Headlamp | 29.50 USD | 2.9 of 5 (7) | 8 in stock
5. LAMP-017 | Fox Hollow Red-Light Headlamp | 35.90 USD | 2.8 of 5 (8) | 33 in stock"""
PACKS = (
    """r1 get_product ok
PACK-004 | Raven Crag Trekking Backpack | 168.90 USD | 4.5 of 5 (8) | 9 in stock
A 60 litre load carrier.
attributes: capacity_litre=60, weight_g=1870""",
    """r2 get_product ok
PACK-010 | Clover Bank Trekking Backpack | 206.00 USD | 3.8 of 5 (6) | 55 in stock
A 65 litre load carrier.
attributes: capacity_litre=65, weight_g=2142""",
    """r3 get_product ok
PACK-028 | Granite Bay Trekking Backpack | 319.00 USD | 4.7 of 5 (6) | 16 in stock
A 70 litre load carrier.
attributes: capacity_litre=70, weight_g=1890""",
)
ORDERS = """r1 list_orders ok: 4 orders
DB-40112876 | placed | 48.50 USD | POLE-005 x1
DB-40239018 | cancelled | 87.60 USD | BOTL-022 x4
DB-40377154 | placed | 97.00 USD | SBAG-018 x2
DB-40458823 | placed | 50.70 USD | LAMP-018 x3"""
SHIPPING = """r3 get_policy ok: shipping
A parcel leaves within one working day and takes three to five working days; there is no express delivery and no pick-up."""
FOUR = """r4 get_cart ok
SOCK-007 x4 @ 16.50 = 66.00 | Arrow Pass Merino Wool Hiking Socks
total: 66.00 USD"""
HELD = """r4 get_cart ok
STOV-018 x1 @ 128.95 = 128.95 | Timber Line Two-Burner Camping Stove
BOTL-002 x4 @ 8.90 = 35.60 | Fox Hollow Bottle
total: 164.55 USD"""

UNSENT = came("in doubt", "mail", "send_email in_doubt: ", *TENTS)
IN_DOUBT = known(
    (STOVE, HELD),
    [],
    effects=[
        Effect(kind, outcome, is_now=True, line="checkout in_doubt: card_mia_1 164.55 USD")
        for kind in KINDS[:6]
        for name, outcome in (
            ("reserve", "done"),
            ("charge", "in doubt"),
            ("order", "open"),
            ("mail", "open"),
        )
        if kind.name == name
    ],
    kinds=KINDS[:6],
)
DECLINED = came("not done", "reserve charge order mail", "checkout declined: card 164.55 USD", HELD)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        # Handing a mail over is no sending.
        (UNSENT, "We handed the confirmation over and got no reply."),
        (UNSENT, "I passed on the comparison mail, but the server never answered."),
        (UNSENT, "I handed over the summary, and nothing came back from the server."),
        (UNSENT, "The comparison was passed to the mail server, which gave no answer."),
        (UNSENT, "I submitted the email to the server and it went quiet."),
        (UNSENT, "The message with the two tents was handed over without any reply."),
        # A number counts what stands before "on" or "about".
        (read(FOUR), "One remark on the socks: they run small."),
        (read(FOUR), "Two notes about the socks before you pay."),
        (read(FOUR), "One thing regarding the socks, if I may."),
        (read(FOUR), "One drawback of the socks is the low rating."),
        (read(FOUR), "Three questions on the socks came up in the reviews."),
        # From so many to so many.
        (read(FOUR), "You went from one pair of socks to four."),
        (read(FOUR), "The quantity went from 1 pair of socks to 4."),
        (read(FOUR), "We moved from two pairs of socks up to four pairs."),
        (read(FOUR), "From one pair of socks to four, as you asked."),
        (read(FOUR), "The socks went from 1 to 4."),
        # What is put into a thing is not what it weighs.
        (read(PACK), "Load it with about 10 kg and walk around the block."),
        (read(PACK), "Put 8 kg in it and adjust the straps."),
        (read(PACK), "With 12 kg inside, tighten the hip belt first."),
        (read(PACK), "Fill the backpack with 6 kg of towels to try it on."),
        (read(PACK), "Keep it at least 2 m away from the fire."),
        (read(PACK), "Hang it 30 cm above the ground to dry."),
        # A part of it is done.
        (IN_DOUBT, "The goods are on hold, so at least that part of the checkout worked."),
        (IN_DOUBT, "That step went through."),
        (IN_DOUBT, "The first part worked: the goods are reserved."),
        (IN_DOUBT, "The first half of the checkout succeeded."),
        (IN_DOUBT, "That much is done: everything is set aside."),
        # A number in a name counts nothing.
        (
            IN_DOUBT,
            "I sent one charge: $128.95 for the two-burner stove plus 4 x $8.90 = $35.60 for the bottles.",
        ),
        (read(STOVE, HELD), "That makes 128.95 for the two-burner stove."),
        (read(*TENTS), "$261.90 for the four-person tent is fair."),
        (read(*TENTS), "261.90 USD for a four person tent from Thistle Dale is fair."),
        (read(FOUR), "$16.50 for four-season socks is fair."),
        # A few of one and a few of another.
        (
            read(MEMBRANE, POLES),
            "You could switch all three to Black Tarn for $202.65 including the poles.",
        ),
        (read(MEMBRANE, POLES), "Two pairs of the Fox Hollow and the poles come to $179.95."),
        (read(MEMBRANE, POLES), "With the poles, three Black Tarn would be $202.65."),
        (read(MEMBRANE, POLES), "The poles plus one pair of Black Tarn: $126.85."),
        (read(MEMBRANE, POLES), "Take two Black Tarn with the poles for $164.75."),
        # What the difference is worth.
        (read(*TENTS), "Whether that's worth $62.00 depends on your weather."),
        (read(*TENTS), "Is a dry inside worth the $62.00?"),
        (read(*TENTS), "You'd be paying a premium of $62.00."),
        (read(*TENTS), "That is a step up of $62.00."),
        (read(*TENTS), "I'd put the $62.00 into a groundsheet."),
        (read(*TENTS), "If $62.00 matters to you, take the Thistle Dale."),
        # Of those that the sentence before sets apart.
        (
            read(LAMPS),
            "Under $40 there are three: Fox Hollow, Moss Bridge and Crane Lake. None of them is rated above 3.0.",
        ),
        (
            read(LAMPS),
            "The Crane Lake and the Moss Bridge are the cheapest. Both cost less than 30 USD.",
        ),
        (read(LAMPS), "Three cost less than $40. All of them are rated 3.0 or lower."),
        (
            read(LAMPS),
            "There are the Timber Line and the Pebble Strand. Both of these are rated above 4.0.",
        ),
        (read(LAMPS), "I'd skip the last three. None of those is rated above 3.0."),
        # The most of several.
        (read(LAMPS), "The two cheapest are the Crane Lake and the Moss Bridge."),
        (read(LAMPS), "The Timber Line and the Pebble Strand are the best rated."),
        (read(LAMPS), "The three cheapest: Crane Lake, Moss Bridge and Fox Hollow."),
        (read(LAMPS), "The Pebble Strand and the Timber Line are the most expensive."),
        (
            read(LAMPS),
            "The two cheapest with a rating above 4 are the Timber Line and the Pebble Strand.",
        ),
        (read(*PACKS), "The Granite Bay is the biggest and the dearest of the three."),
        (
            read(*PACKS),
            "It's the biggest and the dearest, and the Raven Crag does the same for less.",
        ),
        (read(*PACKS), "Beside the Raven Crag it is the roomiest and the dearest."),
        # By so much.
        (read(*PACKS), "The Raven Crag is the cheapest and, by 20 grams, also the lightest."),
        (read(*PACKS), "By just 20 g the Raven Crag is the lightest."),
        (read(*PACKS), "The Raven Crag is lightest by a mere 20 grams."),
        (read(*PACKS), "By 272 grams the Clover Bank is the heaviest."),
        (read(*PACKS), "The Granite Bay is second lightest, by 252 grams."),
        # All of one sum.
        (
            read(ORDERS),
            "The bottles? That's DB-40239018. It was cancelled, and all of its $87.60 was refunded.",
        ),
        (read(ORDERS), "DB-40239018 was cancelled. All $87.60 was refunded."),
        (read(ORDERS), "DB-40239018 was cancelled. All of the money was refunded."),
        (read(ORDERS), "Your order DB-40239018 is cancelled. All the money was refunded."),
        (read(ORDERS), "DB-40239018 was cancelled. Every cent of it was refunded."),
        (read(ORDERS), "DB-40239018 was cancelled. Each bottle was refunded."),
        # What dries overnight is not delivered overnight.
        (read(SOCKS, SHIPPING), "Merino dries overnight if you wring it out in a towel."),
        (read(SOCKS, SHIPPING), "Hang it up overnight and it is dry by morning."),
        (read(SOCKS, SHIPPING), "You can wear them again the next day."),
        (read(SOCKS, SHIPPING), "They are good for overnight trips."),
        (read(SOCKS, SHIPPING), "Washed in the evening, they are dry the next day."),
    ],
)
def test_what_is_told_of_some_or_of_another_stands(about: Known, said: str) -> None:
    assert [one.so for one in untrue_in(said, about)] == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (UNSENT, "The comparison mail was sent."),
        (UNSENT, "I emailed you the comparison."),
        (UNSENT, "I passed on the comparison, and it was mailed."),
        (read(FOUR), "There are three pairs of socks in your cart."),
        (read(FOUR), "You went from one pair of socks to three."),
        (read(FOUR), "The quantity went from 1 pair of socks to 5."),
        (read(FOUR), "You went from four pairs of socks to one."),
        (read(PACK), "The Arrow Pass weighs about 10 kg."),
        (read(PACK), "It is a pack of 45 litres."),
        (read(PACK), "A pack with 45 litres, that is the Arrow Pass."),
        (read(PACK), "Pack weight: 900 g"),
        (read(PACK), "A load carrier with 45 litres."),
        (IN_DOUBT, "Every part of the checkout worked."),
        (IN_DOUBT, "The whole checkout worked."),
        (IN_DOUBT, "The checkout went through."),
        (DECLINED, "At least that part of the checkout worked."),
        (read(HELD), "That is 8.90 USD for the four bottles."),
        (read(MEMBRANE, POLES), "Three Black Tarn including the poles come to $212.65."),
        (read(MEMBRANE, POLES), "You could take the Black Tarn for $45.50."),
        (read(MEMBRANE, POLES), "Two pairs of the Black Tarn and the poles come to $126.85."),
        (read(HELD), "Your cart has the Timber Line stove and four bottles, $137.85 total."),
        (read(*TENTS), "Whether that's worth $71.00 depends on your weather."),
        (read(*TENTS), "You'd be paying a premium of $85.00."),
        (read(LAMPS), "I found five lamps. None of them is rated above 3.0."),
        (read(LAMPS), "None of them costs over $40."),
        (read(LAMPS), "The two cheapest are the Crane Lake and the Fox Hollow."),
        (read(LAMPS), "The Crane Lake and the Timber Line are the cheapest."),
        (read(LAMPS), "The two best rated are the Timber Line and the Crane Lake."),
        (read(LAMPS), "The Moss Bridge and the Fox Hollow are the most expensive."),
        (read(*PACKS), "The Granite Bay is the biggest and the lightest of the three as well."),
        (
            read(*PACKS),
            "The Granite Bay is the biggest and, at 1,890 g, the lightest of the three.",
        ),
        (read(*PACKS), "The Clover Bank is the roomiest, and also the cheapest."),
        (
            read(*PACKS),
            "The Raven Crag is light, but it costs exactly twice as much as the Clover Bank.",
        ),
        (read(*PACKS), "The Granite Bay costs exactly twice as much as the Clover Bank."),
        (read(*PACKS), "The Raven Crag is the lightest by 200 grams."),
        (read(*PACKS), "By 45 grams the Raven Crag is the lightest."),
        (read(ORDERS), "All of your orders were refunded."),
        (read(ORDERS), "Every order was cancelled."),
        (read(SOCKS, SHIPPING), "We can deliver overnight."),
        (read(SOCKS, SHIPPING), "You could have it overnight."),
        (read(SOCKS, SHIPPING), "Next day delivery is possible."),
        (read(SOCKS, SHIPPING), "We ship it the same day by express."),
    ],
)
def test_what_is_false_of_some_or_of_another_is_found(about: Known, said: str) -> None:
    assert untrue_in(said, about)
