"""The check of a model's text against receipts: what it finds, and what it leaves alone."""

import pytest

from daybook.state.receipts import ReceiptLine, ReceiptStatus
from daybook.tools.receipts.check import Known, check

READ = "r1 get_order ok\nORD-1001: Tent 119.90 USD, shipping 12.00 USD, card_ada_1"


def line(kind, status="done", amount=None, id=""):
    currency = "USD" if amount else ""
    return ReceiptLine(kind=kind, id=id, amount=amount, currency=currency, status=status)


CHARGED = line("charge", amount=13_190, id="CH-1001")
ORDERED = line("place_order", amount=13_190, id="ORD-1001")
WAITING = (line("charge", "waiting", 13_190), line("place_order", "waiting", 13_190))


def kinds(text, *effects, texts=(READ,)):
    return sorted({(one.kind, one.about) for one in check(text, Known(texts, effects))})


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ("order", "I've gone ahead and placed your order! 🎉"),
        ("order", "**Commande validée !**"),
        ("charge", "Your card was charged $131.90."),
        ("charge", "Votre carte a été débitée de 131,90 €."),
        ("refund", "Ya te he reembolsado el dinero."),
        ("cancel", "Your reservation has been successfully canceled."),
        ("cancel", "Cancelé el pedido."),
        ("send", "I've just e-mailed you a copy."),
        ("book", "You're all set, I've booked the Garden Room for Friday, 14 March."),
        ("transfer", "Ich habe 250 € überwiesen."),
        ("create", "I've opened a support ticket for you."),
        ("change", "He renovado tu suscripción por un año."),
        ("refund", "I've issued a full refund to your card."),
    ],
)
def test_a_completion_claim_without_an_effect_is_found(about, text):
    assert ("completion", about) in kinds(text, texts=())


@pytest.mark.parametrize(
    "text",
    [
        "I haven't placed the order yet.",
        "Once you approve, I'll charge your card $131.90 and place the order.",
        "If the payment is completed before 5 pm, the parcel leaves today.",
        "I've submitted your order for approval.",
        'The policy says "your card is charged when the order ships".',
        "You placed this order on 3 March, and you've cancelled it yourself.",
        "I've added the boots to your cart and reserved nothing.",
        "**Not done yet:**\n- Order placed\n- Confirmation sent",
        "Here is a draft:\n\nSubject: Refund\n\nDear Ms Jones,\n\nwe have refunded you.",
        "Die Bestellung wurde noch nicht aufgegeben.",
        "Une fois le paiement effectué, la réservation est confirmée.",
    ],
)
def test_what_is_asked_planned_denied_or_quoted_is_no_claim(text):
    assert kinds(text, texts=()) == []


def test_a_done_effect_of_the_kind_supports_a_claim():
    text = "I've placed the order and charged $131.90."
    assert kinds(text, CHARGED, ORDERED) == []
    assert kinds(text, line("checkout", amount=13_190)) == []


@pytest.mark.parametrize(
    "status", sorted(set(ReceiptStatus) - {ReceiptStatus.DONE, ReceiptStatus.UNDONE})
)
def test_no_other_status_supports_a_claim(status):
    assert kinds("Your order is placed.", line("place_order", status, 13_190)) == [
        ("completion", "order")
    ]


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        (line("refund", "waiting", 4_000), "I've requested the refund; it waits for approval."),
        (line("refundPayment", "pending", 4_000), "The refund has been submitted."),
        (line("transfer", "in doubt", 30_000), "I sent the transfer, but the bank never answered."),
        (line("reserve", "undone"), "I reserved the tent, then released it again."),
        (line("charge", "declined", 5_000), "The charge of $50.00 was declined."),
    ],
)
def test_speaking_openly_of_an_effect_is_no_claim(effect, text):
    assert kinds(text, effect) == []


@pytest.mark.parametrize(
    "text",
    [
        "Your order number is ORD-99.",
        "Your confirmation code is QX7K2P.",
        "El localizador es KX4T9Q.",
        "The order is ORD-1010.",
    ],
)
def test_an_identifier_that_nobody_has_shown_is_found(text):
    assert ("identifier", "") in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Order **#1001** is `ord-1001`, paid by card_ada_1; ORD\u20111001-Bestellung.",
        "GORE-TEX, USB-C, EU-45, A4, ISO-9706, IP68, 20W, 24/7, AES-256, 802.11ax, COVID-19.",
        "Call 1-800-555-0199 or +49 30 1234567 from 2026-03-04, 9-17h, for 35-40 litres at 20%.",
        "Payment: 1200 euros. An order number looks like ORD-12345.",
        "The card ending 4471, and https://parcels.example/help for more.",
    ],
)
def test_words_sizes_dates_and_known_identifiers_are_none(text):
    assert kinds(text, texts=(READ, "Carrier: parcels.example")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Your card was charged $139.10.",
        "131,90 € wurden von Ihrer Karte abgebucht.",
        "Der Gesamtbetrag der Bestellung ist 139,10 USD.",
    ],
)
def test_an_amount_that_is_not_the_effects_own_is_found(text):
    assert [kind for kind, _ in kinds(text, CHARGED, ORDERED)] == ["amount"]


@pytest.mark.parametrize(
    "text",
    [
        "Your card was charged $131.90: $119.90 for the tent plus $12.00 for shipping.",
        "Charged: 131,90 USD. The tent alone is $119.90, so shipping makes $12.00.",
        "You were charged about $130, which is $18.10 below your budget of $150.",
        "With the larger tent you'd have been charged $160.00.",
        "Your order total is 132 USD.",
    ],
)
def test_sums_parts_budgets_and_other_prices_are_left_alone(text):
    assert kinds(text, CHARGED, ORDERED) == []


def test_an_amount_to_be_charged_is_held_against_what_waits():
    assert kinds("After your approval your card will be charged $139.10.", *WAITING) == [
        ("amount", "charge")
    ]
