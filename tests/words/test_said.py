"""Sentences held against what is known, without a model and without a database."""

import pytest
from daybook.tools.said.check import corrected, untrue_in
from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.kinds import KINDS, kinds_of, participle
from daybook.tools.said.known import Effect, Known, Outcome, known
from daybook.tools.said.text import Sentence

ORDER, CHARGE, REFUND, CANCEL, MAIL, RESERVE = KINDS[:6]
ROWS = """r1 search_products ok: 2 hits
1. BOOT-001 | Pebble Strand Hiking Boot | 98.90 USD | 4.7 of 5 (12) | 14 in stock
2. BOOT-002 | Black Tarn Hiking Boot | 120.00 USD | 4.1 of 5 (3) | 2 in stock"""
ORDERS = "r2 list_orders ok: 1 orders\nDB-10442190 | placed | 161.50 USD | SOCK-001 x2"


def about(*effects: Effect) -> Known:
    return known([ROWS, ORDERS], ["boots under 150"], effects=effects, kinds=KINDS[:6])


def bought(outcome: Outcome) -> Known:
    """Know of a checkout of this turn."""
    ids = frozenset({"db-20000001"})
    done = outcome == "done"
    return about(
        *(
            Effect(kind, outcome, ids, is_now=True, line="the line.", succeeded=done)
            for kind in (ORDER, CHARGE, MAIL)
        )
    )


FALSE = {
    "done": [
        "Nothing was charged.",
        "I couldn't place the order.",
        "Your order was not placed.",
        "The payment did not go through.",
        "It didn't work, sorry.",
        "Your card was charged twice.",
        "Your card was declined.",
    ],
    "not done": [
        "Placed it.",
        "Your order has been placed.",
        "The order is confirmed.",
        "I've charged your card.",
        "Your payment went through!",
        "Order placed, see your mail.",
        "I have sent you the confirmation.",
        "All done!",
        "Everything went through.",
        "That's ordered, okay?",
    ],
    "in doubt": [
        "Your order has been placed.",
        "Nothing was charged.",
        "Your card was not charged.",
    ],
}


@pytest.mark.parametrize(
    ("outcome", "said"), [(outcome, said) for outcome, all_ in FALSE.items() for said in all_]
)
def test_what_contradicts_an_effect_is_found(outcome: Outcome, said: str):
    found = untrue_in(said, bought(outcome))
    assert [one.text for one in found] == [said]
    assert "the line." in found[0].so


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        *(("done", one) for one in FALSE["not done"]),
        *(("not done", one) for one in FALSE["done"] if "twice" not in one),
        ("done", "You weren't charged twice."),
        ("done", "It was refused, but the payment and the order both went through."),
        ("in doubt", "It is in doubt whether your card was charged."),
        ("done", "Your order DB-10442190 of last week was placed, too."),
        ("not done", "Shall I place the order again?"),
        ("not done", "Once your order has been placed, you get a mail."),
        ("not done", "When you say yes, the order is placed."),
        ("not done", "If the card is charged, you will see it."),
        ("not done", "Do you want me to have it charged?"),
        ("not done", "Your order will be placed when you approve."),
        ("not done", "The order of yesterday was already placed."),
    ],
)
def test_what_agrees_or_claims_nothing_passes(outcome: Outcome, said: str):
    assert untrue_in(said, bought(outcome)) == []


@pytest.mark.parametrize(
    "said",
    [
        "The Pebble Strand Hiking Boot costs 120.00 USD.",
        "BOOT-001 is 99.90 USD.",
        "**Pebble Strand** Hiking Boot: $89.90",
        "Pebble\u2011Strand Hiking Boot, 15.00 USD",
        "Black Tarn Hiking Boot (BOOT-001): nice",
        "BOOT-001 has 15 in stock.",
        "The Black Tarn Hiking Boot is sold out.",
        "It is rated 4.9 of 5.",
        "Only 1 left of BOOT-002.",
        "Order DB-10442199 is on its way.",
        "Bestellung DB-99999999 ist unterwegs.",
        "Le prix est de 77,77 EUR.",
        "It arrives on Friday.",
        "Paid by card_ada_9.",
        "Your order DB-10442190 was cancelled.",
        "DB-10442190: cancelled.",
    ],
)
def test_a_figure_or_id_that_was_not_read_is_found(said: str):
    assert len(untrue_in(said, about())) == 1


@pytest.mark.parametrize(
    "said",
    [
        "The Pebble Strand Hiking Boot costs 98.90 USD, 14 in stock, rated 4.7 of 5 (12 reviews).",
        "Two pairs of BOOT-001 would be 197.80 USD.",
        "Together they are 218.90 USD.",
        "BOOT-002 is 21.10 USD more than BOOT-001.",
        "Both are under 150 USD.",
        "BOOT-001 leaves you 51.10 USD of your limit of 150.",
        "The Black Tarn boots are 120 dollars.",
        "It weighs about 1.2 kg.",
        "Order DB-10442190 was placed, 161.50 USD.",
        "Open from 9:00 to 18:00.",
        "BOOT-002 and BOOT-001 are in stock.",
        "14 pairs of BOOT-001 are in stock.",
    ],
)
def test_what_was_read_or_follows_from_it_passes(said: str):
    assert untrue_in(said, about()) == []


def test_only_the_sentence_goes_and_what_is_so_stands_first():
    answer = "Hello. Placed it.\n\n1. BOOT-001, 98.90 USD\n2. BOOT-002, 99.99 USD\n\nMore?"
    found = untrue_in(answer, bought("not done"))
    assert corrected(answer, found) == (
        "Nothing was ordered: the line.\n\n"
        "BOOT-002 | Black Tarn Hiking Boot | 120.00 USD | 4.1 of 5 (3) | 2 in stock\n\n"
        "Hello.\n\n1. BOOT-001, 98.90 USD\n\nMore?"
    )


BOTTLES = """r1 get_product ok
BOTL-001 | Otter Ford Filter Bottle | 43.00 USD | 4.8 of 5 (5) | 21 in stock
attributes: insulated=no, height=mid, sizes=35-46, boil_minutes=4
cart r0 (USD):
  BOTL-001 x2 @ 43.00 = 86.00 | Otter Ford Filter Bottle"""
GONE = "r3 get_order ok\nDB-10338706 | cancelled | 64.00 USD | POLE-001 x2"


def after(line: str) -> Known:
    """Know of a checkout of this turn of which the machine tells this line."""
    effects = [
        Effect(kind, "not done", is_now=True, line=line) for kind in (RESERVE, CHARGE, ORDER, MAIL)
    ]
    return known([ROWS, BOTTLES], [], effects=effects, kinds=KINDS[:6])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("checkout rejected: x", "The payment squeezed through after all."),
        ("checkout rejected: x", "Jacket secured, payment taken."),
        ("checkout rejected: x", "| Charge | $43.00 taken |"),
        ("checkout rejected: x", "| Item | Charged |\n|---|---|\n| Bottle | $43.00 |"),
        ("checkout rejected: x", "I just tucked it aside for you in case you change your mind."),
        ("checkout rejected: x", "Unless I'm mistaken, one is still being held under your name."),
        ("checkout rejected: x", "I shot the overview over to your mailbox."),
        ("checkout rejected: x", "You'll see the refund appear in a few days."),
        ("checkout rejected: x", "You didn't answer in time."),
        ("checkout rejected: x", "Your card was declined, so I couldn't order it."),
        ("checkout rejected: x", "In accordance with your approval nothing else was changed."),
        ("checkout expired: x", "You said no to it."),
        ("checkout declined: x", "They had sold out before we got that far."),
        ("checkout declined: x", "Your card wasn't declined."),
        ("checkout declined: x", "Good news, the order went through without a hitch."),
        ("checkout expired: x", "The bank turned the payment down."),
        ("checkout expired: x", "Bottle reserved for 24h."),
        ("checkout out_of_stock: x", "The bank refused your card."),
    ],
)
def test_a_turn_of_phrase_or_another_reason_is_found(line: str, said: str):
    assert untrue_in(said, after(line))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("checkout rejected: x", "You turned it down, so your card was left alone."),
        ("checkout rejected: x", "Neither a reservation nor a charge was made."),
        ("checkout rejected: x", "- Bought so far: none\n- Charged: $0.00"),
        ("checkout rejected: x", "If you change your mind, it will be on its way in no time."),
        ("checkout rejected: x", "We'll keep this out of your inbox."),
        ("checkout expired: x", "Nobody answered the question in time."),
        ("checkout expired: x", "There was no response to the request for approval."),
        ("checkout declined: x", "The bank refused your card."),
        ("checkout declined: x", "The hold we had placed was lifted when the card was refused."),
        ("checkout rejected: x", "Had you said yes, your card would have been charged."),
        ("checkout out_of_stock: x", "Someone else got the last pair."),
        ("checkout rejected: x", "Your card wasn't declined."),
        ("checkout rejected: x", "The bottle was taken out of the list."),
    ],
)
def test_the_reason_that_was_told_passes_and_so_does_a_condition(line: str, said: str):
    assert untrue_in(said, after(line)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Three bottles are in your cart.",
        "Otter Ford bottles x3",
        "Only five of the Otter Ford remain.",
        "It is fully insulated.",
        "It goes up to size 49.",
        "It boils in two minutes flat.",
        "The Black Tarn Hiking Boot is the cheapest of them.",
        "The best rated one is the Black Tarn Hiking Boot.",
        "None of the boots costs less than 110 dollars.",
        "I'm sorry, nothing came up at all.",
        "Both of your orders are active.",
        "I couldn't find a single order under your account.",
        "You have two open orders.",
        "You haven't been refunded for DB-10338706.",
        "I've just cancelled DB-10338706 for you.",
        "I've cancelled DB-10338706 this very minute.",
        "You have no open orders.",
        "DB-10338706 was never cancelled.",
        "The refund for DB-10338706 is still pending.",
        "It burns propane.",
        "The refund for DB-10338706 was issued as store credit.",
        "I added it to your list: bottles 3.",
        "The Pebble Strand Hiking Boot is priced at 120.00 USD, two together 197.80 USD.",
        "The Pebble Strand Hiking Boot (leather, 120.00 USD) is what you save on.",
        "Exchanged: Pebble Strand Hiking Boot, now in black (item BOOT-002).",
    ],
)
def test_a_number_place_trait_or_status_that_is_anothers_is_found(said: str):
    know = known([ROWS, BOTTLES, ORDERS, GONE], [], kinds=KINDS[:6])
    assert len(untrue_in(said, know)) == 1


@pytest.mark.parametrize(
    "said",
    [
        "Two bottles are in your cart.",
        "I can add three bottles if you want.",
        "There are 21 of the Otter Ford left.",
        "It is not insulated.",
        "- insulated: no",
        "The Pebble Strand Hiking Boot is the cheapest of them.",
        "All of the boots cost less than 121 dollars.",
        "You have one open order, the other one was cancelled.",
        "DB-10338706 was cancelled earlier; the poles were 32.00 USD each.",
        "Your order DB-10338706 is paid and refunded.",
        "None of them is sold out.",
        "Your two bottles are in the cart, one bottle fewer than you asked.",
        "If you drop one bottle it'd come to 43.00 USD.",
        "A third one would bring it to 129.00 USD.",
        "The Pebble Strand Hiking Boot is priced at 98.90 USD, two together 197.80 USD.",
        "The Pebble Strand Hiking Boot is cheaper than the other one (item BOOT-002).",
        "It boils in 4 minutes, and not with propane.",
    ],
)
def test_a_number_place_trait_or_status_that_was_read_passes(said: str):
    know = known([ROWS, BOTTLES, ORDERS, GONE], [], kinds=KINDS[:6])
    assert untrue_in(said, know) == []


def test_a_rule_of_the_shop_is_repeated_and_a_review_of_somebody_is_no_rule():
    rule = "What was not used can be returned, and the money goes back to the card in full."
    review = "Great shop: the money went back to my card and your order was placed the same day."
    told = known(
        [f'{{"topic": "returns", "text": "{rule}", "review": "{review}"}}'], [], kinds=KINDS
    )
    assert untrue_in(rule, told) == []
    assert untrue_in(review, told) != []


SHELL = """r1 get_product ok
COAT-005 | Hazel Bank Three-Layer Waterproof Shell Jacket | 228.95 USD | 3.3 of 5 (3) | 8 in stock
A shell for men.
attributes: hood=yes, foldable=no, waterproof=yes"""
IN_CART = """cart r2 (USD):
  COAT-005 x1 @ 228.95 = 228.95 | Hazel Bank Three-Layer Waterproof Shell Jacket
total: 228.95 USD"""


@pytest.mark.parametrize(
    "said",
    [
        "Added: 1 x Hazel Bank Three-Layer Waterproof Shell Jacket.",
        "- Hazel Bank Three-Layer Waterproof Shell Jacket (COAT-005) x1: 228.95 USD",
        "That is yours to decide, and I do nothing until you say so.",
        "Hazel Bank Three-Layer Waterproof Shell Jacket: foldable: no.",
        "No. Hazel Bank Three-Layer Waterproof Shell Jacket: foldable: no.",
        "Yes. Hazel Bank Three-Layer Waterproof Shell Jacket: hood: yes.",
    ],
)
def test_a_name_and_an_answer_by_yes_or_no_claim_no_more_than_they_say(said: str):
    assert untrue_in(said, known([SHELL, IN_CART], ["a shell"], kinds=KINDS[:6])) == []


@pytest.mark.parametrize("said", ["foldable: yes", "foldable: yes, hood: yes"])
def test_a_yes_or_a_no_behind_a_colon_is_held_against_the_page(said: str):
    said = f"Hazel Bank Three-Layer Waterproof Shell Jacket: {said}."
    assert untrue_in(said, known([SHELL, IN_CART], ["a shell"], kinds=KINDS[:6]))


def test_of_one_sentence_a_bounded_number_of_clauses_is_judged():
    assert len(Clauses(Sentence("| a " * 100, 0, 0, begins=True)).asserted) == 24


def test_a_domain_of_another_kind_has_its_own_verbs():
    [book] = kinds_of("book_room")
    know = known([], [], kinds=[book])
    assert [one.so for one in untrue_in("I've booked it for you.", know)] == ["Nothing was booked."]
    assert untrue_in("Shall I have it booked?", know) == []
    assert [participle(verb) for verb in ("send", "carry", "release", "ship")] == [
        *("sent", "carried", "released", "shipped"),
    ]


def test_json_rows_are_known_by_name_id_and_their_figures():
    result = '{"rooms": [{"room_id": "R-1001", "name": "Blue Barn", "price": 14000}]}'
    know = known([result], [])
    assert untrue_in("The Blue Barn (R-1001) is 140.00 EUR.", know) == []
    assert len(untrue_in("The Blue Barn is 150.00 EUR.", know)) == 1
    assert len(untrue_in("R-1002 is free.", know)) == 1
