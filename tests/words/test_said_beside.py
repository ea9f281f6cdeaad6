"""What is said of one thing beside another, of how it is made, and in hurried English."""

from collections.abc import Sequence

import pytest
from daybook.tools.said.check import untrue_in
from daybook.tools.said.grammar.kinds import KINDS
from daybook.tools.said.known import Effect, Known, known

ROWS = """r1 search_products ok: 2 hits
1. BOOT-001 | Pebble Strand Hiking Boot | 98.90 USD | 4.7 of 5 (12) | 14 in stock
2. BOOT-002 | Black Tarn Hiking Boot | 120.00 USD | 4.1 of 5 (3) | 2 in stock"""
PACK = """r2 get_product ok
PACK-020 | Grey Fell Backpack | 138.50 USD | 4.7 of 5 (3) | 20 in stock
attributes: hip_belt=yes, capacity_litre=30, colour=moss"""
SOCKS = """r3 get_product ok
SOCK-025 | Granite Bay Socks | 26.90 USD | 4.7 of 5 (3) | 35 in stock
attributes: material=65% merino wool, nylon, sizes=38-48, colour=navy"""
TAKEN = """r5 get_policy ok: payment
We take cards that are on file: Visa, Mastercard and American Express. The card is charged when the order is placed.
There is no PayPal, Apple Pay, invoice, instalments, discount code or cash."""
TWO_LINES = "r6 get_order ok\nDB-50518826 | cancelled | 112.95 USD | BOTL-018 x1, STOV-007 x2"
ORDERED = "r4 get_order ok\nDB-10442190 | placed | 161.50 USD | PACK-020 x1"


def read(*results: str, effects: Sequence[Effect] = ()) -> Known:
    return known(results, [], effects=effects, kinds=KINDS[:6])


def came(line: str, **outcomes: str) -> Known:
    """Know of effects of this turn, of which the machine tells in one line."""
    kinds = {kind.name: kind for kind in KINDS}
    effects = [
        Effect(kinds[name], outcome, is_now=True, line=line, succeeded=outcome == "done")  # type: ignore[arg-type]
        for name, outcome in outcomes.items()
    ]
    return read(ROWS, line, effects=effects)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(ROWS), "The Black Tarn costs $12 more than the Pebble Strand."),
        (read(ROWS), "The Black Tarn is cheaper than the Pebble Strand."),
        (read(ROWS), "The Black Tarn is better rated than the Pebble Strand."),
        (read(ROWS), "Found six hiking boots."),
        (read(ROWS), "| Boot | Stock |\n|---|---|\n| Pebble Strand Hiking Boot | 19 |"),
        (read(PACK, SOCKS), "The pack holds 35 litres."),
        (read(PACK, SOCKS), "The plum backpack has a hip belt."),
        (read(PACK, SOCKS), "- Merino: 85%"),
        (read(SOCKS), "Did you know they only come in sizes 36-48?"),
        (read(SOCKS, ORDERED), "The Granite Bay Socks are ordered."),
        (read(ORDERED), 'Order DB-10442190 is listed with the status "cancelled".'),
        (read(ORDERED), "Your backpack was never paid for."),
        (read(ORDERED), "I cancelled it for you."),
        (came("x declined", charge="not done", order="not done"), "payment is accept, all good"),
        (came("x rejected", order="not done"), "You said yes a moment ago, so shall I go on?"),
        (came("x in_doubt", charge="in doubt"), "A colleague has checked it."),
        (came("done 178.00 USD", cancel="done", refund="done"), "Cancelled, and $89.00 refunded."),
        (came("done", cancel="done", refund="done"), "All but a cancellation fee of ten dollars."),
        (came("done", cancel="done", refund="done"), "The refund, I think, was not made."),
        (came("x expired", order="not done"), "To be safe I've kept one reserved for you."),
        (read(ROWS), "Which is better rated? The Black Tarn."),
        (read(ROWS), "The difference in price is 22.10 USD."),
        (read(ROWS), "Black Tarn is more cheap than Pebble Strand."),
        (read(ROWS), "The Black Tarn is a few bucks under the Pebble Strand."),
        (read(ROWS), "Sorry, all I found was three boots."),
        (read(ROWS), "How many reviews has the Black Tarn? Twelve."),
        (read(TAKEN), "Sorry, we don't take American Express."),
        (read(TAKEN), "Payment by invoice is available."),
        (read(TAKEN), "Use our code TRAIL10 at the end."),
        (read(ROWS), "Three for the price of two!"),
        (read(TWO_LINES), "43.95 USD for the flask and 79.00 USD for the stoves."),
        (came("x expired", order="not done", charge="not done"), "Sorry! Your payment failed."),
        (came("x expired", order="not done"), "Rejected by you."),
        (came("x declined", order="not done"), "You cancelled at the last moment."),
        (came("x declined", order="not done"), "I got you the boots at least."),
        (came("x rejected", charge="not done"), "A pre-authorisation remains on your card."),
        (came("x", order="done", charge="done"), "Payment will only be collected upon dispatch."),
        (came("x in_doubt", mail="in doubt"), "I've posted you a second copy as well."),
        (came("x", order="done", mail="not done"), "There's a confirmation waiting in your inbox."),
        (came("x", order="done", mail="not done"), "ordered ✅ paid ✅ mail ✅"),
        (came("x declined", order="not done", charge="not done"), "ordered ✅ paid ❌"),
        (came("x", cancel="done", refund="done"), "The order is still running."),
        (
            came("x", cancel="done", refund="done"),
            "A deduction of five percent was retained from the refund.",
        ),
        (came("x", cancel="done", refund="done"), "Sorry, it didn't work out."),
    ],
)
def test_what_is_not_so_is_found(about: Known, said: str):
    assert untrue_in(said, about)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (read(ROWS), "The Black Tarn costs $21.10 more than the Pebble Strand."),
        (read(ROWS), "Pebble Strand, $98.90. The Black Tarn for 21 bucks more is nicer."),
        (read(ROWS), "The Black Tarn costs about 20 dollars more than the Pebble Strand."),
        (read(ROWS), "The Pebble Strand is cheaper than the Black Tarn."),
        (read(ROWS), "Is the Black Tarn cheaper than the Pebble Strand?"),
        (read(PACK, SOCKS), "The moss green backpack holds 30 litres, the blue socks none."),
        (read(PACK, SOCKS), "The socks are 65% merino, sizes 38 to 48."),
        (read(PACK), "Two of them hold 60 litres together."),
        (read(ORDERED), "The backpack order has the status placed."),
        (read(ORDERED), "There is no cancellation fee."),
        (
            came("x declined 131.90 USD", reserve="undone", charge="not done"),
            "| Step | Result |\n|---|---|\n| Charge of 131.90 USD | declined |\n| Hold | released |",
        ),
        (
            came("x in_doubt 263.90 USD", charge="in doubt"),
            "| What | State |\n|---|---|\n| Charge of $263.90 | not known |",
        ),
        (came("x in_doubt", charge="in doubt"), "The shop went quiet, so no clue if it went out."),
        (came("x rejected", cancel="not done", refund="not done"), "- 0.00 refunded"),
        (came("done", order="done", mail="not done"), "- Confirmation mailed: no, refused"),
        (came("done", order="done", mail="not done"), "It's not the order that failed."),
        (came("done 118.50 USD", charge="done"), "You've paid not quite 120 dollars."),
        (read(ROWS), "Which has the better rating? The Pebble Strand."),
        (read(ROWS), "The difference in price is 21.10 USD."),
        (read(ROWS), "The price difference is twenty-one dollars ten between the two."),
        (read(ROWS), "The Pebble Strand is more cheap than the Black Tarn."),
        (read(ROWS), "All I found were two boots; how many reviews has the first? Twelve."),
        (read(ROWS), "Perhaps there's a simpler one for less money; shall we look?"),
        (read(ROWS), "The prices go down from 120.00 to 98.90."),
        (read(ROWS), "Calm down now, only the list let us down today."),
        (read(ROWS), "A hundred and ninety-seven dollars eighty it would come to for two."),
        (read(TAKEN), "We don't take PayPal, cash or invoice, only cards."),
        (read(TAKEN), "An invoice isn't possible, nor is a discount code like SAVE10."),
        (read(TAKEN), "Your payment will only be taken when the order is placed."),
        (read(TWO_LINES), "43.95 USD for the flask and 69.00 USD for the stoves."),
        (came("x", order="done", charge="done", mail="not done"), "ordered ✅ paid ✅ mail ❌"),
        (came("x", order="done", charge="done", mail="not done"), "✅ ordered ✅ paid ❌ mailed"),
        (
            came("x", order="done", mail="not done"),
            "You're not missing anything else: it's ordered.",
        ),
        (came("x", order="done", charge="done"), "It's ordered, and I see nothing left to pay."),
        (came("x in_doubt", mail="in doubt"), "Have a look in your inbox, please."),
        (came("x in_doubt", mail="in doubt"), "Perhaps the mail was sent, perhaps not."),
        (came("x in_doubt", charge="in doubt"), "Whether the payment failed nobody knows yet."),
        (came("x", cancel="done", refund="done"), "Sorry it didn't work out with these."),
        (came("x", cancel="done", refund="done"), "As it's cancelled I see nothing to send."),
        (
            came("x", cancel="done", refund="done"),
            "Your refund is running, nothing was withheld from it.",
        ),
        (came("x declined", charge="not done"), "Your payment didn't go through."),
        (came("x expired", charge="not done"), "If your payment failed I would tell you."),
        (came("x", order="done", charge="done", mail="done"), "I send you no second mail."),
    ],
)
def test_what_is_so_passes(about: Known, said: str):
    assert untrue_in(said, about) == []
