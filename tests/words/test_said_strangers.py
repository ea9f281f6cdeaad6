"""What people write who do not know the check: of one of two things, of lists, rules, reviews, stock and what is to come."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, Outcome, known

TENTS = (
    """r1 get_product ok
TENT-001 | Badger Moor One Person Tent | 88.95 USD | 4.0 of 5 (8) | 23 in stock
A tent for one. Pegs and a repair sleeve are in the bag.
attributes: persons=1, waterproof=yes, seasons=3, poles=aluminium, colour=stone, weight_g=1766""",
    """r2 get_product ok
TENT-007 | Grey Heron One Person Tent | 135.90 USD | 3.0 of 5 (6) | 13 in stock
A tent for one. The groundsheet is sold with it.
attributes: persons=1, waterproof=yes, seasons=3, poles=fibreglass, colour=sage, weight_g=1350""",
)
STOVE = """r1 get_product ok
STOV-015 | Copper Creek Liquid Fuel Stove | 158.50 USD | 4.5 of 5 (8) | 22 in stock
A roarer for cold days. A stuff sack comes with it; fuel is sold apart.
attributes: fuel=white gas, comfort=6 C, boil_minutes=4.0, weight_g=340"""
LAMPS = """r1 search_products ok: 4 hits
1. LAMP-009 | Amber Hollow Headlamp | 44.00 USD | 5.0 of 5 (2) | 4 in stock
2. LAMP-027 | Red Gorge Headlamp | 73.95 USD | 4.8 of 5 (5) | 17 in stock
3. LAMP-015 | Cairn Hill Headlamp | 54.00 USD | 4.4 of 5 (8) | 47 in stock
4. LAMP-003 | Quiet Valley Headlamp | 33.95 USD | 3.0 of 5 (7) | 10 in stock"""
REVIEWS = """r2 get_reviews ok: 3 reviews of STOV-015
5 of 5 | Exactly | Well made.
5 of 5 | Cold | I sat on a summit at minus five for six hours.
4 of 5 | Good | Loud at first."""
POLICY = """r1 get_policy ok: returns
What was not used can be returned within 30 days, and the money goes back to the card. The return label is free. There is no exchange: return the one, and order the other. Accidents are not covered.
There is no PayPal, gift card, instalments or cash. The card is charged when the order is placed."""
ORDERS = """r2 list_orders ok: 2 orders
DB-28840115 | placed | 75.80 USD | SOCK-017 x2
DB-29013366 | cancelled | 81.90 USD | LAMP-010 x1"""
TWO_ORDERS = """r2 list_orders ok: 2 orders
DB-20715588 | cancelled | 78.50 USD | COAT-003 x1
DB-20771435 | placed | 205.95 USD | BOOT-010 x1"""
CART = """r1 get_cart ok
LAMP-013 x1 @ 23.90 = 23.90 | Clover Bank Headlamp
BOTL-004 x3 @ 11.90 = 35.70 | Timber Line Bottle
total: 59.60 USD"""
LEFT = "It is told by nobody."


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


def came(outcome: Outcome, names: str = "reserve charge order mail", line: str = LEFT) -> Known:
    """Know of what was to be done in this turn, and what came of it."""
    kinds = [kind for kind in KINDS[:6] if kind.name in names.split()]
    effects = [
        Effect(kind, outcome, is_now=True, line=line, succeeded=outcome == "done") for kind in kinds
    ]
    return known([STOVE], [], effects=effects, kinds=KINDS[:6])


def declined() -> Known:
    """Know of a charge that was declined, for which the hold was given back."""
    effects = [
        Effect(
            kind,
            "undone" if kind.name == "reserve" else "not done",
            is_now=True,
            line="checkout declined: x",
        )
        for kind in KINDS[:6]
        if kind.name in ("reserve", "charge", "order", "mail")
    ]
    return known([STOVE], [], effects=effects, kinds=KINDS[:6])


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(*TENTS), "The Badger Moor is sage."),
        (read(*TENTS), "The Badger Moor has fibreglass poles."),
        (read(*TENTS), "Both have fibreglass poles."),
        (read(*TENTS), "Both have steel poles."),
        (read(*TENTS), "The sage one is cheaper."),
        (read(*TENTS), "The stone one costs 135.90 USD."),
        (read(*TENTS), "The Grey Heron is the lighter, and folk rate it higher as well."),
        (read(*TENTS), "The Badger Moor comes with a groundsheet."),
        (read(*TENTS), "Only the Grey Heron is waterproof."),
        (read(*TENTS), "Both are rated 4.0."),
        (read(*TENTS), "Each costs less than 80 USD."),
        (read(*TENTS), "The Badger Moor was rated by six people."),
        (read(LAMPS), "Three of the four are under 50 USD."),
        (read(LAMPS), "All four are rated above 4."),
        (read(LAMPS), "Cairn Hill is the only one under 60 USD."),
        (read(LAMPS), "Cairn Hill is the second cheapest."),
        (read(LAMPS), "Most of them cost less than 40 USD."),
        (read(LAMPS), "The Cairn Hill is nearly sold out."),
        (read(LAMPS), "Amber Hollow has dozens of reviews."),
        (read(STOVE), "It has won an award."),
        (read(STOVE), "It comes with a windscreen."),
        (read(STOVE), "It's made in Sweden."),
        (read(STOVE), "It is rechargeable."),
        (read(STOVE), "It burns for 3 hours."),
        (read(STOVE), "It is cheaper here than in other shops."),
        (read(STOVE), "They raised the price last month."),
        (read(STOVE), "It's 158.50 USD plus 12 USD tax."),
        (read(STOVE), "It is good down to -6 C, so you won't be cold."),
        (read(STOVE), "I've asked the warehouse to keep one."),
        (read(STOVE), "I signed you up for a restock alert."),
        (read(STOVE), "I'll try again tomorrow morning."),
        (read(STOVE), "You'll get a text message about it."),
        (read(STOVE, REVIEWS), "One reviewer says that it leaks."),
        (read(STOVE, REVIEWS), "Somebody had it for ten years."),
        (read(STOVE, REVIEWS), "Half of the reviewers gave it four stars."),
        (read(POLICY), "You can swap it for another size."),
        (read(POLICY), "You pay for the return label."),
        (read(POLICY), "Used things can be returned."),
        (read(POLICY), "Accidents are covered."),
        (read(POLICY), "You can pay in three instalments."),
        (read(POLICY), "Your card is charged when the parcel leaves."),
        (read(ORDERS), "DB-28840115: shipped."),
        (read(ORDERS), "DB-28840115 has been delivered."),
        (read(ORDERS), "Nothing's been refunded on either one."),
        (read(ORDERS), "I can't be sure whether order DB-28840115 was placed."),
        (read(ORDERS), "DB-29013366 was cancelled with 40.95 USD back to you."),
        (read(ORDERS), "You sent the lamp back."),
        (came("done"), "The order is placed, but it still needs your confirmation."),
        (came("done"), "It was ordered, payable on delivery."),
        (came("done", "cancel refund mail"), "The order was only partly cancelled."),
        (came("done", "cancel refund mail"), "I've asked for the cancellation."),
        (declined(), "There wasn't enough money on the card."),
        (declined(), "The stove has been sold to somebody else."),
        (declined(), "158.50 USD are pending on your statement."),
        (declined(), "Fine, no mail then! 📦 Your stove has been ordered."),
    ],
)
def test_what_nobody_read_or_did_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(*TENTS), "Both are for one, both waterproof."),
        (read(*TENTS), "The stone one is cheaper, the sage one lighter."),
        (read(*TENTS), "The Grey Heron is 416 g lighter and 46.95 USD dearer."),
        (read(*TENTS), "They differ by 46.95 USD."),
        (read(*TENTS), "Each costs less than 140 USD."),
        (read(*TENTS), "The Badger Moor has no fibreglass poles, unlike the Grey Heron."),
        (read(LAMPS), "Two of the four are under 50 USD."),
        (read(LAMPS), "Three of them are rated above 4."),
        (read(LAMPS), "The one with the fewest left is Amber Hollow, just 4."),
        (read(LAMPS), "For the money I'd take the Cairn Hill: $54.00, 4.4 stars over 8 reviews."),
        (read(LAMPS), "Amber Hollow is the second cheapest."),
        (read(STOVE), "As for a warranty, I don't see one mentioned."),
        (read(STOVE), "A stuff sack comes with it."),
        (read(STOVE), "You'd have to buy fuel on top."),
        (read(STOVE), "I can't say where it's made."),
        (read(STOVE), "I said it weighs 430 g, which was wrong: it weighs 340 g."),
        (read(STOVE), "Good to 6 C."),
        (read(STOVE, REVIEWS), "Two of the three reviewers gave it five stars."),
        (read(STOVE, REVIEWS), "Nobody says that it leaks."),
        (read(STOVE, REVIEWS), "One person sat at minus five for six hours."),
        (read(POLICY), "We don't exchange it: send it back and order another."),
        (read(POLICY), "Worn things can't be returned."),
        (read(POLICY), "The card is charged when the order is placed, not before."),
        (read(POLICY), "No instalments and no gift cards, sorry."),
        (read(POLICY), "What we don't take:\n- PayPal\n- cash"),
        (read(ORDERS), "You've two: the socks, DB-28840115, still placed, and the lamp."),
        (read(ORDERS), "Still open: nothing but the socks."),
        (read(ORDERS), "81.90 USD came back for the lamp."),
        (came("done"), "Nothing else was charged."),
        (came("done"), "A mail with the details is on its way to you."),
        (came("done", "order charge"), "You needn't confirm anything."),
        (came("in doubt", "charge"), "The charge was sent off, and then came silence."),
        (came("in doubt", "charge"), "If 158.50 USD shows up there, the charge went through."),
        (came("in doubt", "charge"), "Charge of 158.50 USD: unknown."),
        (declined(), "The card was declined; nothing was charged, ordered or mailed."),
        (declined(), "First the shop set it aside, and then the card was declined."),
        (declined(), "The shop had set it aside for a moment, but let it go again."),
        (declined(), "The reservation was cancelled."),
        (declined(), "No $158.50 came off your card."),
        (declined(), "I can't tell you why the card was turned down."),
        (declined(), "I first wrote that it was ordered, sorry; it isn't."),
        (declined(), "Order ❌ Charge ❌ Mail ❌ none of them was made"),
    ],
)
def test_what_agrees_is_taken_back_or_hangs_on_a_condition_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (
            declined(),
            "No, you haven't paid twice — you haven't paid at all. The card was declined.",
        ),
        (declined(), "You're not out of pocket: the payment was refused."),
        (declined(), "It isn't paid: the card said no, so there's nothing to get back."),
        (declined(), "The 158.50 USD are still yours."),
        (declined(), "0 USD taken, 0 orders made."),
        (declined(), "The amount paid is nil, and an order isn't there."),
        (declined(), "No stove bought, no card touched."),
        (came("done"), "There's nothing left in your cart, and the stove has been ordered."),
        (came("done"), "It's not reserved, it's ordered."),
        (came("done"), "Nothing was charged twice."),
        (
            came("in doubt"),
            "Maybe it was charged, maybe not; until a person has settled that, wait.",
        ),
        (came("in doubt", "charge"), "I'm not saying you were charged, nor that you weren't."),
        (came("in doubt", "charge"), "Charge 158.50 USD, card: no reply, outcome unknown."),
        (came("in doubt", "charge"), "The 158.50 USD: taken or not, unknown."),
        (came("in doubt", "charge"), "The charge is up in the air."),
        (came("in doubt", "mail"), "The mail may be in your inbox, or it may not."),
        (read(STOVE), "More than 20 in stock."),
        (read(STOVE), "There are at least 20 of them in stock."),
        (read(STOVE), "Not even 25 are left."),
        (read(STOVE), "It has more than 4 stars."),
        (
            read(LAMPS),
            "Only two of the four are well past 4.5 stars, Amber Hollow (5.0) and Red Gorge (4.8).",
        ),
        (read(LAMPS), "The Cairn Hill and the Red Gorge beat four stars."),
        (read(STOVE, REVIEWS), "Two out of three gave it five stars and one gave it four."),
        (read(STOVE, REVIEWS), "All of them gave at least four stars."),
        (read(CART), "A single bottle is the cheapest at 11.90."),
        (read(CART), "The lamp and one bottle together cost 35.80."),
        (read(CART), "All together, with the lamp and all three bottles, it's 59.60."),
        (read(CART), "Lamp 23.90, bottles 3 x 11.90: 59.60."),
        (
            read(STOVE, ORDERS),
            "The stove costs 158.50 USD and the socks, which you've paid, 75.80.",
        ),
        (read(TWO_ORDERS), "It's the softshell that was cancelled, not the boots."),
        (read(TWO_ORDERS), "Not the boots but the softshell was cancelled."),
        (
            read(TWO_ORDERS),
            "You got the 78.50 USD back for that one; the boots, DB-20771435, are placed for 205.95.",
        ),
        (read(POLICY), "Send it back, get the money back on your card and order the other size."),
        (read(POLICY), "You return it, get refunded, and order another one."),
        (read(POLICY), "Refunds are made to the card that was charged."),
        (read(POLICY), "An order that's been placed gets charged."),
        (
            read(STOVE, "r2 get_policy ok: warranty\nEverything has a warranty of two years."),
            "The stove is 158.50 USD and comes with a two-year warranty.",
        ),
    ],
)
def test_what_a_sentence_only_sets_beside_it_or_bounds_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(STOVE), "More than 30 in stock."),
        (read(STOVE), "Fewer than 10 are in stock."),
        (read(LAMPS), "The Quiet Valley is rated above 4 stars."),
        (read(STOVE, REVIEWS), "Three out of three gave it five stars."),
        (read(CART), "The lamp and the bottle cost 35.90 together."),
        (read(TWO_ORDERS), "The boots were cancelled."),
        (declined(), "You aren't in debt: the payment went through."),
        (came("not done", "order charge"), "It's not reserved, it's ordered."),
        (came("in doubt", "charge"), "The charge went through, outcome of the mail unknown."),
        (read(POLICY), "I sent it back and got the money back on your card."),
    ],
)
def test_what_is_bounded_or_set_apart_otherwise_is_found(about: Known, said: str):
    assert untrue_in(said, about)
