"""What is supposed, chosen, told of others or worked out: true sentences stand, and their false twins do not."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.known import Known

from tests.words.known_of import came, read

STOVE = """r1 get_product ok
STOV-012 | Fallen Larch Two-Burner Camping Stove | 103.90 USD | 4.4 of 5 (8) | 50 in stock
A table stove with wind flaps. Tested with pots up to 20 centimetres. Pegs and a bag are in the bag.
attributes: fuel=gas, power_kw=3.2, boil_minutes=4.0, weight_g=4686"""
LAMP = """r1 get_product ok
LAMP-014 | Raven Crag Rechargeable Headlamp | 45.90 USD | 3.8 of 5 (5) | 17 in stock
A lamp of 350 lumen with a 1200 mAh pack.
attributes: lumen=350, battery=a 1200 mAh pack, weight_g=74"""
TWO = (
    """r1 get_product ok
BOTL-012 | Swift River Insulated Vacuum Flask | 35.90 USD | 4.6 of 5 (7) | 16 in stock
A flask of 0.7 litre.
attributes: capacity_litre=0.7, weight_g=566""",
    """r2 get_product ok
BOTL-020 | Kestrel Edge Insulated Steel Water Bottle | 42.90 USD | 4.0 of 5 (6) | 4 in stock
A double-walled bottle of 0.75 litre.
attributes: capacity_litre=0.75, weight_g=334""",
)
TENT = """r1 get_product ok
TENT-016 | Heather Top Three Person Tent | 239.00 USD | 3.6 of 5 (5) | 10 in stock
Pegs and a repair sleeve are in the bag. The groundsheet is sold with it.
attributes: persons=3, seasons=3, weight_g=3084"""
REVIEWS = """r2 get_reviews ok: 3 reviews of STOV-012
2 of 5 | Not as pictured | The colour is duller.
2 of 5 | Does not leak | Upside down in my bag since May.
4 of 5 | Solid | Here in three days."""
HITS = """r1 search_products ok: 2 hits
1. SBAG-020 | Silver Birch Synthetic Sleeping Bag | 136.00 USD | 4.2 of 5 (5) | 12 in stock
2. SBAG-002 | Pine Ledge Synthetic Sleeping Bag | 68.95 USD | 4.0 of 5 (3) | 27 in stock"""
BAG = """r1 get_product ok
SBAG-017 | Red Gorge Down Quilt | 283.50 USD | 3.0 of 5 (2) | 25 in stock
Comfortable to -20 C.
attributes: comfort=-20 C, weight_g=510"""


CART = """r2 get_cart ok
SBAG-017 x1 @ 283.50 = 283.50 | Red Gorge Down Quilt
SOCK-003 x3 @ 9.00 = 27.00 | Willow Reach Liner Socks
total: 310.50 USD"""
ORDER = """r1 get_order ok
DB-27509163 | placed | 185.00 USD | COAT-019 x1, SOCK-007 x2"""
REFUNDED = """| Item | Qty | Amount refunded |
| :--- | :---: | ---: |
| Willow Reach Rain Jacket | 1 | $152.00 |
| Arrow Pass Socks | 2 | $33.00 |
| **Total** | | **$185.00** |"""


DECLINED = came("not done", "charge order mail", "checkout declined: card 310.50 USD", BAG, CART)
STOPPED = came("not done", "reserve charge order mail", "checkout out_of_stock: 97.40 USD", STOVE)
KEPT = came("not done", "cancel refund mail", "cancel_order rejected: 239.00 USD", TENT)
CANCELLED = came("done", "cancel refund mail", "cancel_order done: DB-27509163 185.00 USD", ORDER)
UNSENT = came("in doubt", "mail", "send_email in_doubt: ", *TWO)
REFUSED = came("not done", "mail", "send_email refused: ", TENT)
BOUGHT = came("done", "reserve charge order mail", "checkout done: DB-1234567 120.30 USD", LAMP)
IN_DOUBT = came("in doubt", "charge", "checkout in_doubt: 319.00 USD", STOVE)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (DECLINED, "- ❌ Card declined for $310.50"),
        (DECLINED, "❌ **Payment failed**"),
        (DECLINED, "- ✖️ Refund: none, as nothing was charged"),
        (STOPPED, "The checkout was abandoned in full, and no email has been sent."),
        (KEPT, "- ✅ Pegs and a repair sleeve (in the bag)"),
        (IN_DOUBT, "I would rather tell you so than promise that the charge went through."),
        (UNSENT, "It was handed over, but nobody confirmed."),
        (UNSENT, "I handed the mail over but got no confirmation, so I can't tell."),
        (CANCELLED, REFUNDED),
        (read(STOVE, REVIEWS), "Tess says it arrived in three days."),
        (read(STOVE, REVIEWS), "Grace and Frank both gave two stars."),
        (read(STOVE), "A 24 cm pan would hang over by 2 cm on either side."),
        (read(STOVE), "If your pot is 26 centimetres wide, that is 6 centimetres more."),
        (read(STOVE), "Packed for a week you'd probably be carrying 12 to 15 kg."),
        (read(LAMP), "A 10,000 mAh power bank would refill it seven or eight times."),
        (
            read(HITS),
            "Two Pine Ledge bags cost 137.90 USD. That is 1.90 USD more than one Silver Birch.",
        ),
        (read(*TWO), "The flask is heavier than the bottle."),
        (read(*TWO), "The Kestrel is the dearer one."),
        (read(BAG), "They keep you warm to \u221220 °C."),
        (read(BAG), "I can look for bags that go down to \u22125 or \u221210 °C."),
        (read(BAG), "If something costs $20, you pay $20."),
        (read(BAG), "If it arrives on 1 June, you'd have until 1 July to send it back."),
        (BOUGHT, "Averaged over the three items, that comes to $40.10 apiece."),
        (read(TENT), "Three to five days on the road, and up to one to leave."),
        (
            read(*TWO),
            "The Swift River is cheaper by seven dollars, the Kestrel lighter by 232 grams.",
        ),
        (read(*TWO), "The Kestrel is under $45."),
        (read(*TWO), "A bottle under 400 g counts as light."),
        (read(*TWO), "Four people drinking 2 litres each a day need 8 litres a day."),
        (read(TENT), "Divide by three: about 1.03 kg each."),
        (read(TENT), "A $10 pair of socks ships as free as a $500 tent."),
        (read(TENT), "The tent made up 76% of what you spent."),
        (KEPT, "You'd have got all of it back had you agreed."),
        (DECLINED, "The second thing I'd check is the daily limit."),
        (CANCELLED, "That isn't possible within a cancelled order."),
        (read(*TWO), "If the price fell by $5.00, two would save you $10.00."),
        (
            read(*TWO),
            "For two Kestrel bottles you could have two Swift River flasks and $14.00 left.",
        ),
        (read(LAMP), "Two lamps weigh 148 g, so a single lamp is about 74 g."),
    ],
)
def test_what_is_supposed_or_worked_out_stands(about: Known, said: str) -> None:
    assert [one.so for one in untrue_in(said, about)] == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (DECLINED, "- ✅ Card charged for $310.50"),
        (DECLINED, "Your order has been saved as pending."),
        (DECLINED, "It will go through automatically as soon as your bank approves it."),
        (CANCELLED, "I've cancelled just the jacket."),
        (CANCELLED, "I cancelled the headlamps only."),
        (KEPT, "The groundsheet is sold separately."),
        (REFUSED, "The server was slow, but the email with the details did get through to you."),
        (read(STOVE), "It holds pots up to 26 centimetres."),
        (read(STOVE), "It weighs 2.4 kg."),
        (read(LAMP), "It has a 10,000 mAh pack."),
        (read(STOVE, REVIEWS), "Nils gave it five stars."),
        (read(STOVE, REVIEWS), "Marta complains that it leaks."),
        (read(*TWO), "The flask is lighter than the bottle."),
        (read(*TWO), "The Kestrel is the cheaper one."),
        (read(HITS), "The Pine Ledge is the cheapest, and it's comfortable down to -10 C."),
        (read(BAG), "It keeps you warm to \u221230 °C."),
        (read(BAG), "It arrives on 1 June."),
        (read(*TWO), "The Kestrel is under $40."),
        (read(*TWO), "The Swift River weighs under 500 g."),
        (read(*TWO), "The Kestrel holds a litre."),
        (read(*TWO), "The Kestrel is heavier."),
        (CANCELLED, "The cancellation is pending."),
        (CANCELLED, "Your order is on its way."),
        (CANCELLED, "Your request to cancel was refused."),
    ],
)
def test_a_false_twin_of_it_does_not(about: Known, said: str) -> None:
    assert untrue_in(said, about)
