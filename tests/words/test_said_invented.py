"""What nobody can know who did not read it, what is said in passing, and what orders hold."""

import pytest
from daybook.tools.said.check import Hearing, untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, known

STOVE = """r1 get_product ok
STOV-015 | Copper Creek Liquid Fuel Stove | 158.50 USD | 4.5 of 5 (8) | 22 in stock
A roarer for cold days. A stuff sack comes with it; fuel is sold apart. The flame can be turned down to a simmer.
attributes: serviceable=yes, waterproof=no, fuel=white gas, boil_minutes=4.0, weight_g=340"""
TENTS = """r1 search_products ok: 2 hits
1. TENT-001 | Badger Moor One Person Tent | 88.95 USD | 4.0 of 5 (8) | 23 in stock
2. TENT-007 | Grey Heron One Person Tent | 135.90 USD | 3.0 of 5 (6) | 13 in stock"""
POLICY = """r1 get_policy ok: shipping
A parcel takes three to five working days. There is no express delivery and no pick-up.
What was not used can be returned within 30 days. An order that was placed can be cancelled in full."""
ORDERS = """r2 list_orders ok: 2 orders
DB-28840115 | placed | 75.80 USD | SOCK-017 x2
DB-29013366 | cancelled | 81.90 USD | LAMP-010 x1"""
REVIEWS = """r2 get_reviews ok: 2 reviews of STOV-015
5 of 5 | Exactly | Well made.
4 of 5 | Good | Loud."""


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


def declined() -> Known:
    """Know of a checkout of this turn whose card was declined."""
    effects = [
        Effect(kind, "not done", is_now=True, line="checkout declined: x") for kind in KINDS[:6]
    ]
    return known([STOVE], [], effects=effects, kinds=KINDS[:6])


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(STOVE), "With your discount it's 142.20 USD."),
        (read(STOVE), "It is on sale this week."),
        (read(STOVE), "You get ten percent off as a member."),
        (read(STOVE), "That earns you 158 points."),
        (read(STOVE), "It'll be on your doorstep first thing tomorrow."),
        (read(STOVE), "It will arrive within three days."),
        (read(STOVE), "Your parcel can be followed with tracking number ZX-9911 at DHL."),
        (read(STOVE), "It comes with a two-year warranty."),
        (read(STOVE), "The refund takes 5 to 7 business days."),
        (read(STOVE), "New stock is expected next week."),
        (read(STOVE), "I called the bank about it."),
        (read(STOVE), "It costs a hundred and fifty-eight dollars ninety."),
        (read(STOVE), "It brings a bottle of fuel, which is included."),
        (read(STOVE), "It can't simmer."),
        (read(STOVE), "Is it waterproof? Yes, it is."),
        (read(STOVE), "The Cairn Hill Trail Stove would do as well."),
        (read(STOVE), "It weighs 360 grams."),
        (read(STOVE), "It costs about 190 dollars."),
        (read(STOVE), "It's under fifty dollars."),
        (read(STOVE), "It costs less than $50."),
        (read(STOVE), "It weighs under 300 g."),
        (read(STOVE, REVIEWS), "Everyone gave it five stars."),
        (read(STOVE, REVIEWS), "One reviewer gave it two stars."),
        (read(TENTS), "Grey Heron is cheaper."),
        (read(TENTS), "The Grey Heron costs less than half of the Badger Moor."),
        (read(TENTS), "Together, the Badger Moor and the Grey Heron are 214.85 USD."),
        (read(TENTS), "Which is the best rated? The Grey Heron."),
        (read(POLICY), "Pick the express option if you are in a hurry."),
        (read(POLICY), "You can pick it up yourself."),
        (read(POLICY), "You've got sixty days to send it back."),
        (read(POLICY), "An order can't be cancelled any more."),
        (read(POLICY), "We also deliver to Canada."),
        (read(ORDERS), "DB-28840115 is the lamp."),
        (read(ORDERS), "Your tent order was cancelled."),
        (read(ORDERS), "The three pairs of socks are on their way."),
        (read(ORDERS), "The socks have been refunded."),
        (read(ORDERS), "Your socks order hasn't been placed."),
        (read(ORDERS), "Your order number is 77777777."),
        (read(ORDERS), "Order no. 77777777 holds the socks."),
        (read(ORDERS), "Your confirmation code: **77777777**"),
        (read(ORDERS), "It is order DB\u201177777777."),
        (read(ORDERS), "It is order DB\u201377777777."),
        (read(ORDERS), "Your order: DB 77777777."),
        (declined(), "The stove, which is now on its way, is a roarer."),
        (declined(), "Stove ordered."),
        (declined(), "We hereby confirm receipt of your payment."),
        (declined(), "With your card charged, I only wait for the number."),
        (declined(), "It should have gone through by now."),
        (declined(), "They sold out just after your card was charged."),
        (declined(), "Was my card charged? Yes."),
        (declined(), "I was able to place it."),
        (declined(), "I managed to charge your card."),
        (declined(), "We succeeded in placing your order."),
        (declined(), "It was a technical problem on our side."),
        (declined(), "You called it off yourself."),
    ],
)
def test_what_was_not_read_or_done_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(STOVE), "I can't give you a discount."),
        (read(STOVE), "Are you looking for a discount?"),
        (read(STOVE), "If there were ten dollars off, it would be 148.50 USD."),
        (read(STOVE), "I can't say when it arrives, perhaps tomorrow."),
        (read(STOVE), "I don't know of any warranty."),
        (read(STOVE), "It costs a hundred and fifty-eight dollars fifty."),
        (read(STOVE), "It doesn't come with fuel, which is sold separately."),
        (read(STOVE), "A stuff sack is with it."),
        (read(STOVE), "Is it waterproof? No, it isn't."),
        (read(STOVE), "It weighs 340 grams; two weigh 680 grams."),
        (read(STOVE), "It costs about 160 dollars."),
        (read(STOVE), "It's under 160 dollars."),
        (read(STOVE), "It costs less than $200."),
        (read(STOVE), "Shipping is separate: it is under 10 dollars."),
        (read(STOVE), "Shipping is separate. It is under 10 dollars."),
        (read(STOVE), "If it costs less than $50, take it."),
        (read(STOVE, REVIEWS), "Both reviewers gave it four stars or more."),
        (read(TENTS), "Badger Moor is cheaper."),
        (read(TENTS), "Together, the Badger Moor and the Grey Heron are 224.85 USD."),
        (read(TENTS), "Which is the best rated? The Badger Moor."),
        (read(POLICY), "There is no express delivery, and you can't pick it up."),
        (read(POLICY), "You've got thirty days to send it back."),
        (read(POLICY), "It takes three to five working days."),
        (
            read(POLICY),
            "Things may be returned within 30 days; the amount is credited to the card.",
        ),
        (read(ORDERS), "DB-28840115 holds two pairs of socks."),
        (read(ORDERS), "DB\u201128840115 holds two pairs of socks."),
        (read(ORDERS), "Order number 28840115 holds two pairs of socks."),
        (read(ORDERS), "Your order: DB 28840115."),
        (read(ORDERS), "What is your order number: eight digits, such as 77777777?"),
        (
            known([ORDERS], ["my order number is 77777777"], kinds=KINDS[:6]),
            "I find no order number 77777777 here.",
        ),
        (read(ORDERS), "The lamp was cancelled."),
        (read(ORDERS), "I found no tent among your orders."),
        (declined(), "The stove, which burns white gas, is still in stock."),
        (declined(), "Nothing was charged, and nothing will be on its way."),
        (declined(), "Once your card was charged, I would have ordered it."),
        (declined(), "Was my card charged? No."),
        (declined(), "I wasn't able to place it."),
        (declined(), "I haven't managed to charge your card."),
        (declined(), "If I was able to place it, I would say so."),
        (declined(), "I can't tell whether it was a technical problem."),
    ],
)
def test_what_was_read_is_asked_or_is_denied_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


def test_what_answers_a_question_is_held_while_it_comes_too():
    answer = "Was my card charged? Yes."
    hearing = Hearing(declined(), lambda sentence, names: "")
    assert hearing.holds(answer) == len("Was my card charged?")
