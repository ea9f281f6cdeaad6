"""Sentences held against what is known, without a model and without a database."""

import pytest

from daybook.tools.said.check import corrected, untrue_in
from daybook.tools.said.grammar import KINDS, kinds_of, participle
from daybook.tools.said.known import Effect, Known, Outcome, known

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
        *(("not done", one) for one in FALSE["done"]),
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
