"""What models write that the check had not met: of things side by side, pairs, rules, doubts and what went before."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.known import Known

from tests.words.known_of import came, read

TENTS = (
    """r1 get_product ok
TENT-001 | Badger Moor One Person Tent | 88.95 USD | 4.0 of 5 (8) | 23 in stock
A tent for one with room for a pack beside you.
attributes: persons=1, seasons=3, poles=aluminium, colour=stone, weight_g=1766""",
    """r2 get_product ok
TENT-007 | Grey Heron One Person Tent | 135.90 USD | 3.0 of 5 (6) | 13 in stock
A tent for one with room for a pack beside you.
attributes: persons=1, seasons=3, poles=aluminium, colour=sage, weight_g=1350""",
)
SHELLS = (
    """r1 get_product ok
COAT-010 | Badger Moor Shell Jacket | 228.95 USD | 3.3 of 5 (3) | 8 in stock
Three layers.
attributes: material=70-denier nylon, fit=men, weight_g=440""",
    """r2 get_product ok
COAT-011 | Heather Top Shell Jacket | 283.90 USD | 4.8 of 5 (5) | 42 in stock
Three layers.
attributes: material=70-denier nylon, fit=women, weight_g=466""",
    """r3 get_product ok
COAT-029 | Elk Meadow Shell Jacket | 448.50 USD | 4.0 of 5 (4) | 6 in stock
Three layers.
attributes: material=40-denier nylon, fit=women, weight_g=396""",
)
PACK = """r1 get_product ok
PACK-021 | Pine Ledge Overnight Backpack | 193.90 USD | 4.3 of 5 (6) | 57 in stock
A 45 litre pack for one or two nights.
attributes: hip_belt=yes, capacity_litre=45, weight_g=1246"""
LAMP = """r2 get_product ok
LAMP-013 | Clover Bank Compact Headlamp | 23.90 USD | 4.6 of 5 (7) | 13 in stock
A small lamp of 150 lumen on two AAA cells.
attributes: lumen=150, battery=two AAA cells, weight_g=46"""
FAMILY = """r1 get_product ok
TENT-020 | Lake Field Family Tent | 389.00 USD | 4.2 of 5 (5) | 9 in stock
A tent for four.
attributes: persons=4, seasons=3, weight_g=5650"""
TENT = """r1 get_product ok
TENT-008 | Fox Hollow Two Person Tent | 113.90 USD | 4.7 of 5 (7) | 41 in stock
Two doors, two porches.
attributes: persons=2, seasons=3, weight_g=2362"""
POLICIES = """r1 get_policy ok: shipping
Shipping is free and included in every price. We ship within the United States only; there is no express delivery and no pick-up.
What was not used can be returned within 30 days of its arrival. There is no exchange: return the one, and order the other.
Everything has a warranty of two years against faults of material and making. Wear and accidents are not covered.
We take cards that are on file: Visa, Mastercard and American Express. The card is charged when the order is placed. There is no PayPal, Apple Pay, Google Pay, invoice, instalments or cash.
Every price is in US dollars (USD), sales tax included."""
REVIEWS = """r2 get_reviews ok: 4 reviews of TENT-008
4 of 5 | Solid | No surprises.
5 of 5 | Tough | No thread pulled.
5 of 5 | Well made | As described.
3 of 5 | Small | The porch is small."""
ORDERS = """r1 list_orders ok: 3 orders
DB-20417735 | placed | 38.50 USD | STOV-028 x1
DB-20588102 | cancelled | 193.95 USD | TENT-010 x1
DB-20711896 | placed | 83.95 USD | COAT-022 x1"""
TWO_LINES = """r1 get_order ok
DB-71150462 | cancelled | 140.80 USD | SBAG-018 x2, LAMP-030 x2"""
POLES = """r1 get_cart ok
POLE-001 x2 @ 33.95 = 67.90 | Arrow Pass Aluminium Trekking Poles
total: 67.90 USD"""
BOTTLES = """r1 get_cart ok
BOTL-020 x6 @ 42.90 = 257.40 | Kestrel Edge Steel Water Bottle
total: 257.40 USD"""
HITS = """r1 search_products ok: 2 hits
1. LAMP-009 | Crane Lake Headlamp | 23.50 USD | 3.0 of 5 (2) | 4 in stock
2. LAMP-023 | Timber Line Headlamp | 42.95 USD | 4.6 of 5 (7) | 31 in stock"""

REJECTED = came(
    "not done",
    "reserve charge order mail",
    "checkout rejected: 199.00 USD",
    PACK,
    "asked: checkout 199.00 USD",
)
EXPIRED = came("not done", "reserve charge order mail", "checkout expired: 217.80 USD", PACK, LAMP)
DECLINED = came("undone", "reserve", "checkout declined: 137.80 USD", PACK)
BOUGHT = came("done", "reserve charge order mail", "checkout done: 193.90 USD", PACK)
REFUSED = came("not done", "mail", "send_email refused: ", TENT)
MAILED = came("done", "mail", "send_email done: ", TENT)
CALLED_OFF = came("done", "cancel refund mail", "cancel_order done: 140.80 USD", TWO_LINES)

SIDE_BY_SIDE = """| | **Badger Moor** | **Grey Heron** | Advantage |
|---|---|---|---|
| Price | $88.95 | $135.90 | {price} |
| Weight | {weight} | 1,350 g | Grey Heron, by 416 g |
| Rating | 4.0 (8 reviews) | 3.0 (6 reviews) | Badger Moor |"""


@pytest.mark.parametrize(
    ("about", "said"),
    [
        # What ended it, and what somebody agreed to.
        (
            REJECTED,
            "The approval for $199.00 was turned down, which ended the checkout on the spot.",
        ),
        (REJECTED, "You said no, and that ended the order there and then."),
        (REJECTED, "Your no cut short the checkout before anything was paid."),
        (REJECTED, "The rejected approval put an end to the purchase."),
        (REJECTED, "It broke off the payment at once."),
        (REFUSED, "You had approved it, but the mail server **refused** the message."),
        (REFUSED, "You approved the email, yet the server turned it away."),
        (REFUSED, "Although you'd confirmed it, the mail was refused."),
        (REFUSED, "You've agreed to it already; the mail server still refused the mail."),
        # No stock of it was held.
        (EXPIRED, "- No stock reserved"),
        (EXPIRED, "- No stock held"),
        (EXPIRED, "No stock was ever put aside."),
        (EXPIRED, "🚫 No stock allocated, no charge, no mail"),
        (EXPIRED, "No stock has been touched."),
        # No second one.
        (BOUGHT, "No second charge was made."),
        (BOUGHT, "There was no duplicate charge."),
        (BOUGHT, "No further payment was taken."),
        (BOUGHT, "No additional order was placed."),
        (BOUGHT, "No second email was sent."),
        # When it is done.
        (read(POLICIES), "- Charged when the order is placed"),
        (read(POLICIES), "- Charged as soon as the order is placed"),
        (read(POLICIES), "Payment: card charged once the order is placed"),
        # Several of each in one sentence.
        (
            read(PACK, LAMP),
            "The two items weigh 1,246 g (backpack) and 46 g (headlamp), so 1,292 g together.",
        ),
        (read(*TENTS), "Both weigh under two kilos: 1,766 g and 1,350 g."),
        (read(*TENTS), "The two weigh 1,766 g and 1,350 g respectively."),
        (
            read(*TENTS),
            "Both are rated by buyers, the Badger Moor at 4.0 and the Grey Heron at 3.0.",
        ),
        (read(TENT), "It weighs 2,362 g, or about 1.2 kg each if you split it."),
        (read(TENT), "At 2,362 g, that's roughly 1.2 kg per person."),
        # Rows that tell how things are in general.
        (
            read(PACK),
            "A rough guide for an overnight trip:\n\n- Sleeping bag and mat: about 10 to 15 litres\n- Clothes: 8 to 10 litres",
        ),
        (
            read(PACK),
            "As a rule of thumb:\n- Food and cooking kit: 8 litres\n- Tent or tarp: 6 to 10 litres",
        ),
        (read(PACK), "What people typically pack:\n* Water: 2 litres\n* Sleeping bag: 12 litres"),
        (read(PACK), "You'd use 10 to 15 litres for the sleeping bag."),
        # What somebody may choose.
        (
            read(BOTTLES),
            "**Options from here:**\n\n1. **Buy four now and find two similar bottles:** I can search for another one",
        ),
        (read(BOTTLES), "Your choices:\n- Take four bottles\n- Look for two other bottles"),
        (read(BOTTLES), "Option 2: find five bottles of another make."),
        (read(BOTTLES), "Split the order: four bottles of this one and two alike."),
        # Pieces of pairs.
        (read(POLES), "With a quantity of 2 you're getting two pairs, so four poles."),
        (read(POLES), "Each unit is a pair, which makes four poles in your cart."),
        (read(POLES), "Two pairs means you have four poles."),
        # Lines of an order of which only the total was read.
        (
            CALLED_OFF,
            "| Item | Qty | Each | Subtotal |\n|---|---|---|---|\n| Kids Sleeping Bag | 2 | $48.50 | $97.00 |\n| Kids Headlamp | 2 | $21.90 | $43.80 |\n| **Refunded** | | | **$140.80** |",
        ),
        (CALLED_OFF, "The two headlamps came to $43.80 in the cancelled order (2 x $21.90)."),
        # By how much something goes beyond a limit that somebody set.
        (
            read(HITS),
            "You wanted to spend less than $40. For just $2.95 more than that limit you'd get the Timber Line.",
        ),
        (read(HITS), "The Timber Line is $2.95 above the $40 mark."),
        (read(*TENTS), "Shall I add the Grey Heron, or search for something closer to $59?"),
        (read(*TENTS), "Shall I add the Grey Heron, or look for one nearer $100?"),
        # Each of some.
        (read(TENT, REVIEWS), "Two of them gave five stars each; one gave three."),
        (read(TENT, REVIEWS), "Tess and Olga gave five stars each, and Nils three."),
        # What only says what is spoken of, and what is supposed.
        (read(POLICIES), "**🇨🇦 Shipping to Canada**\nUnfortunately not possible."),
        (read(POLICIES), "### Delivery to Canada"),
        (read(POLICIES), "Regarding shipping to Canada:"),
        (read(POLICIES), "Shipping to Germany: ❌"),
        (
            read(POLICIES),
            "On the warranty: imagine a zip that fails after a year because it was badly sewn.",
        ),
        (
            read(POLICIES),
            "An example: suppose a seam opens after six months because of a bad stitch, then the warranty applies.",
        ),
        # The most of those that are still there.
        (read(ORDERS), "Your most expensive active order is DB-20711896 at 83.95 USD."),
        (read(ORDERS), "Of what is still open, the dearest current order is DB-20711896."),
        (read(ORDERS), "DB-20711896 is your priciest remaining order."),
        # What something is set beside.
        (
            read(*SHELLS),
            "I'd take the Heather Top. It's far cheaper than the Elk Meadow, its fabric is the heavier-duty one, and it has the best rating.",
        ),
        (
            read(*SHELLS),
            "The Heather Top: less expensive than the Elk Meadow, and the best rated of the three.",
        ),
        (read(*SHELLS), "The Elk Meadow is dearer than the Heather Top, and the lightest of them."),
        (read(*SHELLS), "Compared with 2.5-layer jackets, three-layer shells tend to last longer."),
        (read(*SHELLS), "Shells with 2.5 layers cost less."),
        # A table with a column for each.
        (read(*TENTS), SIDE_BY_SIDE.format(price="Badger Moor, by $46.95", weight="1,766 g")),
        (read(*TENTS), SIDE_BY_SIDE.format(price="Badger Moor", weight="1.77 kg")),
        # For whom it has room.
        (read(FAMILY), "For two adults and two small children this should work fine."),
        (read(FAMILY), "For three people it would be comfortable."),
        (read(FAMILY), "It's roomy enough for two adults with two kids."),
        # By how much they lie apart.
        (read(*TENTS), "It's heavier, with a difference of 416 g."),
        (read(*TENTS), "It's 416 g lighter than the Badger Moor."),
        (read(*TENTS), "It's $46.95 cheaper than the Grey Heron."),
        (read(*TENTS), "The difference is about 0.4 kg."),
        # What is known to be in doubt, or known by others alone.
        (
            came("in doubt", "mail", "send_email in_doubt: "),
            "I can't tell whether the email was sent.",
        ),
        (MAILED, "I can't tell whether the email reached your inbox."),
        (BOUGHT, "I don't know whether your bank has booked the payment yet."),
        # Rules as they were read.
        (read(POLICIES), "The price includes sales tax, so no tax is added at the checkout."),
        (
            read(POLICIES),
            "You can pay by Visa, Mastercard or American Express, but not by PayPal or Apple Pay.",
        ),
        (read(POLICIES), "You can send it back at no cost, provided it hasn't been used."),
        (read(POLICIES), "3. **Warranty:** two years on faults of material and making"),
        (read(TENT, REVIEWS), "- **Five-star reviews:** two of the four"),
    ],
)
def test_a_true_sentence_of_a_model_that_was_not_met_stands(about: Known, said: str) -> None:
    assert [one.so for one in untrue_in(said, about)] == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (REJECTED, "The checkout ended well, and your order was placed."),
        (REFUSED, "You had approved it, and the mail has been sent."),
        (EXPIRED, "There is no stock left, so it could not be ordered."),
        (BOUGHT, "No charge was made."),
        (
            DECLINED,
            "The jacket and socks remain **reserved in your name** while you sort things out.",
        ),
        (DECLINED, "The pack stays on hold for you."),
        (DECLINED, "To keep you from losing out, your things are still reserved."),
        (EXPIRED, "I did **reserve the backpack and the headlamp** for you in the meantime."),
        (EXPIRED, "We did charge the card."),
        (EXPIRED, "What I *can* confirm is that your order has been placed."),
        (EXPIRED, "What I **can** tell you is that the card was charged."),
        (
            MAILED,
            "I'm sorry, but the email with the details of the green Fox Hollow two person tent wasn't sent in the end.",
        ),
        (MAILED, "There's no telling whether the email with the facts was sent."),
        (REFUSED, "I can't say whether the mail was sent, as the server hasn't answered."),
        (BOUGHT, "It's unclear whether the payment has been taken."),
        (
            CALLED_OFF,
            "The $43.80 for the headlamps will be handled separately once it's been reviewed.",
        ),
        (CALLED_OFF, "The rest will be refunded later."),
        (read(*TENTS), "Both weigh 1,350 g."),
        (read(*TENTS), SIDE_BY_SIDE.format(price="", weight="1,350 g")),
        (
            read(*TENTS),
            "| | Badger Moor | Grey Heron |\n|---|---|---|\n| Price | $135.90 | $88.95 |",
        ),
        (read(*TENTS), "| | Badger Moor | Grey Heron |\n|---|---|---|\n| Rating | 3.0 | 4.0 |"),
        (read(*TENTS), "It's heavier, with a difference of 216 g."),
        (read(*TENTS), "That's a gap of 516 g."),
        (read(*TENTS), "It's 416 g **heavier** than the Badger Moor."),
        (read(*TENTS), "It's $46.95 dearer than the Grey Heron."),
        (read(*SHELLS), "The **Heather Top** ($283.90) is the lightest of them at 466 g."),
        (read(*SHELLS), "The Badger Moor (8 left) has the best rating of the three."),
        (read(FAMILY), "For six people it is comfortable."),
        (read(LAMP), "1. Clover Bank Compact Headlamp, 150 lumens, rechargeable by USB, $23.90"),
        (read(TENT, REVIEWS), "- **Five-star reviews:** three of the four"),
        (
            read(POLICIES),
            "We'll gladly exchange it for another size at no cost, provided it hasn't been used.",
        ),
        (read(POLICIES), "An exchange is no problem, as long as you tell us within 30 days."),
        (read(POLICIES), "3. **Warranty:** five years on faults of material and making"),
        (read(POLICIES), "The $179.00 doesn't include sales tax, which will be added at checkout."),
        (read(POLICIES), "Sales tax is added at checkout."),
        (read(POLICIES), "That is the price before tax."),
        (read(POLICIES), "You can pay by Visa, Mastercard, American Express or **Apple Pay**."),
        (read(POLICIES), "We ship to Canada as well."),
        (read(POLES), "Your cart holds two pairs of socks and four pairs of poles."),
        (read(BOTTLES), "You have four bottles in your cart."),
    ],
)
def test_its_false_twin_is_found(about: Known, said: str) -> None:
    assert untrue_in(said, about)
