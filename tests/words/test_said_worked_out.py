"""What strangers write of several things at once, of what they suppose, and of what they work out themselves."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, Outcome, known

FLASK = """r1 get_product ok
BOTL-012 | Swift River Insulated Vacuum Flask | 35.90 USD | 4.6 of 5 (7) | 16 in stock
A flask of 0.7 litre with a cup for a lid; tea is hot at the summit.
attributes: material=stainless steel, capacity_litre=0.7, colour=ink, weight_g=566"""
BOUGHT = """r9 get_order ok
DB-61840275 | placed | 89.90 USD | BOTL-012 x1, SOCK-002 x3"""
LINES = (
    '{"lines": [{"sku": "BOTL-012", "name": "Swift River Insulated Vacuum Flask", "quantity": 1, "unit_price": 3590}, '
    '{"sku": "SOCK-002", "name": "Kestrel Edge Heavy Wool Socks", "quantity": 3, "unit_price": 1800}]}'
)
PACKS = (
    """r1 get_product ok
PACK-004 | Raven Crag Trekking Backpack | 168.90 USD | 4.5 of 5 (8) | 9 in stock
A 60 litre load carrier. The lid pocket has a clip for keys.
attributes: hip_belt=yes, rain_cover=yes, capacity_litre=60, material=420-denier nylon, colour=forest, weight_g=1870""",
    """r2 get_product ok
PACK-010 | Clover Bank Trekking Backpack | 206.00 USD | 3.8 of 5 (6) | 55 in stock
A 65 litre load carrier. Loops at the front take walking poles.
attributes: hip_belt=yes, rain_cover=yes, capacity_litre=65, material=500-denier nylon, colour=brick, weight_g=2142""",
    """r3 get_product ok
PACK-028 | Granite Bay Trekking Backpack | 319.00 USD | 4.7 of 5 (6) | 16 in stock
A 70 litre load carrier. A sleeve inside takes a drinking bladder.
attributes: hip_belt=yes, rain_cover=yes, capacity_litre=70, material=500-denier nylon, colour=forest, weight_g=1890""",
)
STOVE = """r1 get_product ok
STOV-015 | Copper Creek Liquid Fuel Stove | 158.50 USD | 4.5 of 5 (8) | 22 in stock
A roarer for cold and altitude that burns white gas.
attributes: fuel=white gas, boil_minutes=4.0, weight_g=340"""
REVIEWS = """r2 get_reviews ok: 4 reviews of STOV-015
5 of 5 | Exactly | Well made.
5 of 5 | Cold | Lit at the first try at 3000 metres.
4 of 5 | Good | Nothing to break.
4 of 5 | Simple | In wind it wants a shield."""
LAMPS = """r1 search_products ok: 3 hits
1. LAMP-009 | Amber Hollow Headlamp | 44.00 USD | 5.0 of 5 (2) | 4 in stock
2. LAMP-027 | Red Gorge Headlamp | 73.95 USD | 4.8 of 5 (5) | 17 in stock
3. LAMP-003 | Quiet Valley Headlamp | 33.95 USD | 3.0 of 5 (7) | 10 in stock"""
BAGS = """r1 get_product ok
SBAG-020 | Silver Birch Sleeping Bag | 136.00 USD | 4.2 of 5 (5) | 12 in stock
A mummy bag with synthetic fibre.
attributes: seasons=3, fill=synthetic fibre, weight_g=1178"""
BAGS_IN_CART = """cart r0 (USD):
  SBAG-020 x2 @ 136.00 = 272.00 | Silver Birch Sleeping Bag
total: 272.00 USD"""
POLICY = """r1 get_policy ok: returns
What was not used can be returned within 30 days of its arrival. The return label is free.
A parcel leaves within one working day and takes three to five working days."""
ORDERS = """r1 list_orders ok: 3 orders
DB-19450632 | placed | 88.90 USD | POLE-002 x1
DB-19588174 | cancelled | 59.00 USD | SBAG-024 x1
DB-19760341 | placed | 35.70 USD | LAMP-006 x3"""


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


def came(names: str, outcome: Outcome, line: str, *results: str) -> Known:
    """Know of what was to be done in this turn, and what came of it."""
    effects = [
        Effect(kind, outcome, is_now=True, line=line, succeeded=outcome == "done")
        for kind in KINDS[:6]
        if kind.name in names.split()
    ]
    return known(results, [], effects=effects, kinds=KINDS[:6])


def bought() -> Known:
    line = "checkout done: DB-61840275 card_mia_1 89.90 USD"
    return came("reserve charge order mail", "done", line, FLASK, BOUGHT, LINES)


def expired() -> Known:
    line = "checkout expired: card_noa_1 272.00 USD"
    return came("reserve charge order mail", "not done", line, BAGS, BAGS_IN_CART)


def mail_in_doubt() -> Known:
    return came("mail", "in doubt", "send_email in_doubt: ", FLASK)


def cancelled() -> Known:
    line = "cancel_order done: DB-28517306 153.80 USD"
    return came("cancel refund mail", "done", line, FLASK)


def stove_charge_in_doubt() -> Known:
    line = "checkout in_doubt: card_mia_1 158.50 USD"
    charge = came("charge", "in doubt", line, STOVE)
    held = came("reserve", "done", line)
    return known([STOVE], [], effects=(*held.effects, *charge.effects), kinds=KINDS[:6])


@pytest.mark.parametrize(
    ("about", "said"),
    [
        # An amount is of what a noun calls nearest before it, and of all that is named before "all in".
        (bought(), "The flask was $35.90, and the socks worked out at $18.00 a pair."),
        (bought(), "The socks made up more of it: three pairs at $18.00 come to $54.00."),
        (bought(), "One Swift River flask and three pairs of woolly socks, $89.90 all in."),
        (bought(), "If you'd wanted just two pairs, it would've been $71.90."),
        (read(*PACKS), "I'd take the Raven Crag and put the $150.10 you save into a sleeping bag."),
        (read(*PACKS), "Compared with the cheapest: Clover Bank +$37.10, Granite Bay +$150.10."),
        (read(LAMPS), "- **$30-45:** Quiet Valley ($33.95), Amber Hollow ($44.00)"),
        (read(STOVE), "A rule of thumb: your height in centimetres times 0.68."),
        (read(ORDERS), "Two stand, $124.60 in all. With the cancelled one it'd have been $183.60."),
        (read(LAMPS), "Under $50 you have two to choose from."),
        # A measure works out from others, or is what nobody has read.
        (read(*PACKS), "There's next to nothing between the Raven Crag and the Granite Bay: 20 g."),
        (read(*PACKS), "The Clover Bank is the heaviest, 272 g over the Raven Crag."),
        (read(*PACKS), "Per litre, the Raven Crag is 31 g and the Granite Bay 27 g."),
        (read(*PACKS), "For a hut trip something around 35 to 40 litres would do."),
        (read(*PACKS), "$168.90 for 60 litres works out at $0.28 per 100 ml."),
        (read(BAGS), "1.2 kg carried by two is 0.6 kg each."),
        (read(STOVE), "A full bottle easily adds half a kilo."),
        (read(LAMPS), "For walking on a trail 200 to 300 lumens are enough."),
        (read(STOVE), "340 g is light; smaller ones weigh 70 to 90 g."),
        # What was tried, asked for, stopped or supposed was not done.
        (mail_in_doubt(), "I couldn't get a confirmation that it was sent."),
        (mail_in_doubt(), "I sent the request to the mail server and never heard back."),
        (expired(), "Two bags were placed in the cart; a checkout was submitted for approval."),
        (expired(), "Nobody answered, so the checkout had to stop."),
        (expired(), "The approval request has run out."),
        (expired(), "It needs a yes while the question is open, and there was none."),
        (expired(), "I've left the order alone."),
        (cancelled(), "I'm sorry it didn't work out this time!"),
        (cancelled(), "We settled on a flask and a bottle first."),
        (read(POLICY), "Say your parcel arrives on the 1st: you'd have until the month is over."),
        (read(POLICY), "Let's say you order on a Monday: it's there between Friday and Tuesday."),
        # How it was before is not how it is.
        (
            read(ORDERS),
            "| Order | Before | Now |\n|---|---|---|\n| DB-19588174 | placed | cancelled |",
        ),
        (read(ORDERS), "The poles ($88.90) and the lamps ($35.70) are both placed."),
        (read(STOVE, REVIEWS), "Two people gave the stove five stars, two gave it four."),
    ],
)
def test_what_is_worked_out_supposed_or_only_tried_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (bought(), "The flask was $18.00, and the socks worked out at $35.90 a pair."),
        (bought(), "The flask came to $53.90."),
        (bought(), "That's $35.90 for the two flasks together."),
        (read(*PACKS), "The Clover Bank costs just $27.10 more than the Raven Crag."),
        (read(*PACKS), "The Clover Bank costs $27.10 more than the Raven Crag for five litres."),
        (read(*PACKS), "My pick is the Raven Crag. It comes in brick red."),
        (read(*PACKS), "All three hold 65 litres."),
        (read(*PACKS), "All three weigh 1,890 g."),
        (read(*PACKS), "The Granite Bay doesn't have a rain cover."),
        (read(BAGS), "It weighs 1,718 g, which is 0.6 kg each."),
        (read(LAMPS), "All three have a rating of four stars or more."),
        (expired(), "Only two of the bags are left in stock, so be quick."),
        (expired(), "I've sent you an email about the failed payment."),
        (expired(), "The bags had run out."),
        (stove_charge_in_doubt(), "The stove isn't being held for you."),
        (stove_charge_in_doubt(), "You'll get an answer within 24 hours."),
        (read(STOVE, REVIEWS), "Three give it the full five stars."),
        (read(STOVE, REVIEWS), "One reviewer complains that it's loud."),
        (read(LAMPS), "Under $40 you have two to choose from."),
        (read(BAGS, BAGS_IN_CART), "One sleeping bag is in your cart."),
        (read(POLICY), "Returns cost you the postage."),
        (read(ORDERS), "You have two orders that are cancelled."),
        (read(ORDERS), "You've got four orders with us, two of them cancelled."),
    ],
)
def test_what_follows_from_nothing_that_was_read_is_found(about: Known, said: str):
    assert untrue_in(said, about)
