"""Effects in other words: who said no, what may be, what holds of all things of a kind, rules with a condition, orders by status."""

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, Outcome, known

STOVE = """r1 get_product ok
STOV-015 | Copper Creek Two-Burner Stove | 158.50 USD | 4.5 of 5 (8) | 22 in stock
A roarer for cold days.
attributes: fuel=gas, boil_minutes=4.0, weight_g=340"""
RULES = """r1 get_policy ok: returns
What was not used can be returned within 30 days of its arrival, and the money goes back to the card that was charged. The return label is free. There is no exchange: return the one, and order the other.
r2 get_policy ok: warranty
Everything has a warranty of two years against faults of material and making. Wear and accidents are not covered.
r3 get_policy ok: payment
We take cards that are on file: Visa, Mastercard and American Express. The card is charged when the order is placed. There is no PayPal, gift card, discount code or cash.
r4 get_policy ok: shipping
Shipping is free and included in every price. We ship within the United States only; there is no express delivery and no pick-up."""
FOUR = """r1 list_orders ok: 4 orders
DB-20417735 | placed | 38.50 USD | STOV-028 x1
DB-20588102 | cancelled | 193.95 USD | TENT-010 x1
DB-20693340 | placed | 37.90 USD | SOCK-028 x2
DB-20711896 | placed | 83.95 USD | COAT-022 x1, COAT-023 x1"""
ALIKE = """r1 list_orders ok: 2 orders
DB-30417735 | placed | 38.50 USD | STOV-015 x1
DB-30588102 | cancelled | 38.50 USD | STOV-015 x1"""
ORDER = """r1 get_order ok
DB-55902174 | placed | 158.50 USD | STOV-015 x1"""
CANCELLED = """r1 get_order ok
DB-28450716 | cancelled | 158.50 USD | STOV-015 x1"""


def read(*results: str) -> Known:
    return known(results, [], kinds=KINDS[:6])


def came(line: str, read: str = STOVE, **outcomes: Outcome) -> Known:
    """Know of what was to be done in this turn, and what came of each kind."""
    effects = [
        Effect(kind, outcomes[kind.name], is_now=True, line=line, succeeded="done" in line)
        for kind in KINDS[:6]
        if kind.name in outcomes
    ]
    return known([read], [], effects=effects, kinds=KINDS[:6])


def not_done(line: str, read: str = STOVE) -> Known:
    kinds = ("cancel", "refund", "mail") if "cancel" in line else ("charge", "order", "mail")
    return came(line, read, **dict.fromkeys(kinds, "not done"))


DECLINED = not_done("checkout declined: card_1 158.50 USD")
REJECTED = not_done("checkout rejected: card_1 158.50 USD")
EXPIRED = not_done("checkout expired: card_1 158.50 USD")
KEPT = not_done("cancel_order rejected: DB-55902174", ORDER)
REFUSED = came("send_email refused: ", ORDER, mail="not done")
IN_DOUBT = came(
    "checkout in_doubt: card_1", reserve="done", charge="in doubt", order="open", mail="open"
)
MAIL_IN_DOUBT = came(
    "checkout done: DB-55902174",
    ORDER,
    reserve="done",
    charge="done",
    order="done",
    mail="in doubt",
)
MAILED = came("send_email done: ", mail="done")


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (EXPIRED, 'As you pressed "no" on the approval, I didn\'t go through with it.'),
        (EXPIRED, "You decided not to approve it."),
        (EXPIRED, 'Since you hit "decline", I stopped the checkout.'),
        (REJECTED, 'You pressed "yes", so I placed the order.'),
        (REJECTED, "The shop declined the checkout."),
        (REJECTED, "The request is still open."),
        (KEPT, "The shop refused because it was already packed."),
        (KEPT, "The cancellation couldn't be completed because the shop said no."),
        (KEPT, "The cancellation is still pending."),
        (KEPT, "I've asked the shop to cancel it."),
        (REFUSED, "The email couldn't be sent because you declined to approve it."),
        (REFUSED, "The email wasn't sent since you never approved it."),
        (REFUSED, "The mail wasn't sent because the approval expired."),
        (REFUSED, "Your mailbox is full, so the server refused the mail."),
        (REFUSED, "Order DB-55902174 has been put on hold until your address is confirmed."),
        (REFUSED, "The order is suspended until we have a valid address."),
        (REFUSED, "Your order failed too."),
        (DECLINED, "The card was declined because it has expired."),
        (DECLINED, "The card was declined because the billing address didn't match."),
        (DECLINED, 'You chose "no" at the checkout.'),
        (IN_DOUBT, "The payment went through, there's only no order yet."),
        (IN_DOUBT, "I released the reserved items."),
        (MAIL_IN_DOUBT, "The confirmation email has been delivered to your inbox."),
        (MAIL_IN_DOUBT, "The confirmation mail bounced."),
        (MAIL_IN_DOUBT, "The payment is still open."),
        (MAILED, "The email is on hold until you approve it."),
        (MAILED, "I tried to send it, but it bounced."),
        (read(CANCELLED), "I can reinstate DB-28450716 if you change your mind."),
        (read(CANCELLED), "I've undone the cancellation for you."),
    ],
)
def test_other_reasons_and_states_than_what_was_done_are_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (REJECTED, 'You tapped "no", so nothing was ordered.'),
        (REJECTED, "I stopped at your request."),
        (EXPIRED, 'If you\'d pressed "yes" in time, it would have been ordered.'),
        (KEPT, "You decided not to cancel, so the order stands."),
        (REFUSED, "You did say yes; it was the mail server that refused it."),
        (REFUSED, "It may be that your mailbox is full."),
        (REFUSED, "A mail server can refuse a message for many reasons, such as a full mailbox."),
        (REFUSED, "Your order isn't on hold, only the mail failed."),
        (DECLINED, "Common reasons include an expired card, a limit, or a block by the bank."),
        (DECLINED, "Banks decline cards for all sorts of reasons: a limit, or a fraud check."),
        (DECLINED, "It can be a limit, a typo in the details, or a temporary block."),
        (DECLINED, "Typical reasons are:\n- not enough money\n- an expired card"),
        (IN_DOUBT, 'The payment didn\'t answer, so it is stuck between "reserved" and "ordered".'),
        (IN_DOUBT, "The checkout is hanging at the payment step."),
        (IN_DOUBT, "There are two possibilities: the charge went through, or it never did."),
        (IN_DOUBT, "It hasn't been confirmed that your card was charged."),
        (IN_DOUBT, "Perhaps the charge never went through."),
        (MAIL_IN_DOUBT, "It's possible the message was never sent."),
        (MAIL_IN_DOUBT, "Maybe the mail got lost. The order isn't affected."),
        (MAIL_IN_DOUBT, "I got no confirmation back from the mail server."),
        (read(CANCELLED), "I can't undo a cancellation, but I can set up a new order."),
        (read(STOVE), "I can look up others, read you reviews, or place an order for you."),
        (read(STOVE), "A stuff sack and a lighter are in the bag."),
        (read(STOVE), "Burning gas makes carbon monoxide, which you can't see or smell."),
        (read(STOVE), "Never use it in a tent: carbon monoxide is invisible."),
        (read(STOVE), "Gas canisters lose pressure in the cold."),
        (read(STOVE), "As a rule, you'll need about 100 g of gas per person and day."),
    ],
)
def test_what_may_be_what_is_usual_and_what_somebody_can_do_passes(about: Known, said: str):
    assert untrue_in(said, about) == []


@pytest.mark.parametrize(
    "said",
    [
        "You can send things back within 60 days of their arrival if they haven't been used.",
        "As long as it's unused, you can return it within 90 days.",
        "You can return used items, too, as long as it's within 30 days.",
        "Everything can be returned within 30 days, used or not.",
        "Everything is covered by a two-year warranty, including normal wear.",
        "Everything comes with a warranty, and that includes accidents.",
        "If you rip it on a rock, the warranty pays for the repair.",
        "A torn jacket would be repaired free of charge.",
        "The two years cover anything that can go wrong.",
        "If you're in a hurry, express delivery is available at checkout.",
        "You pay for return shipping yourself.",
        "We'll refund you in store credit.",
        "We also take bank transfers.",
        "If the size is wrong, we'll exchange it.",
        "If you buy two or more, you'll also get 10% off.",
        "Buy three and the fourth one is free.",
        "There's a bundle discount when you buy more than one.",
        "You'll save 15% if you take two.",
        "You'll be notified when it's back in stock.",
    ],
)
def test_a_rule_that_is_told_otherwise_with_a_condition_is_found(said: str):
    assert untrue_in(said, read(STOVE, RULES))


@pytest.mark.parametrize(
    "said",
    [
        "We accept Visa, Mastercard and American Express.",
        "* Payment: Visa, Mastercard and American Express.",
        "You've 30 days from the parcel's arrival, so long as it's not been used.",
        "If you use it on a trip, it couldn't be returned any more.",
        "After the 30 days are over, it can't be returned.",
        "If a seam fails because of a fault, you're covered for two years.",
        "Two years, though that's for faults of making rather than for accidents.",
        "For accidents you'd have to pay yourself.",
        "To return something, use the free return label.",
        "If there were an express option, I'd offer it.",
        "If you take two stoves, that's twice the price.",
        "I don't know of any discount for buying several.",
        "Refunds can take a few days to show up, depending on your bank.",
    ],
)
def test_a_rule_that_is_told_as_it_is_passes(said: str):
    assert untrue_in(said, read(STOVE, RULES)) == []


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(FOUR), "4 orders: 2 placed, 2 cancelled."),
        (read(FOUR), "All four orders are placed."),
        (read(FOUR), "Two of your orders were cancelled."),
        (read(FOUR), "None of your orders was cancelled."),
        (read(FOUR), "You have five orders in total."),
        (read(ALIKE), "Both orders are placed."),
        (read(ALIKE), "DB-30588102 is still placed."),
    ],
)
def test_another_count_of_orders_that_stand_so_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(FOUR), "4 orders: 3 placed, 1 cancelled (DB-20588102)."),
        (read(FOUR), "Of your four orders, three are placed and one is cancelled."),
        (read(FOUR), "All of them are placed, apart from DB-20588102, which is cancelled."),
        (read(FOUR), "DB-20588102 is the cancelled one, the others are all placed."),
        (read(FOUR), "Neither of the two orders with clothes was cancelled."),
        (read(FOUR), "Both jackets are still coming."),
        (read(ALIKE), "One of the two orders was cancelled, the other one is placed."),
        (read(ALIKE), "DB-30417735 is placed, DB-30588102 was cancelled."),
        (
            came("checkout done: DB-55902174", STOVE + "\n" + ORDER, charge="done", order="done"),
            "I placed the order for the Copper Creek Two-Burner Stove.",
        ),
    ],
)
def test_orders_counted_as_they_stand_pass(about: Known, said: str):
    assert untrue_in(said, about) == []
