"""Answers held against effects in domains that know nothing of a shop: rooms, parcels, merchants."""

import pytest
from daybook.nodes.prompt.spoken import kinds_in
from daybook.tools.said.check import untrue_in
from daybook.tools.said.known import Effect, Known, Outcome, known

from daybook.tools.domain import Domain
from daybook.tools.merchants.domain import MERCHANTS
from tests.parcels.domain import PARCELS
from tests.rooms.domain import ROOMS


def came(domain: Domain, outcome: Outcome) -> Known:
    """Know that all that the domain can do was to be done in this turn, and what came of it."""
    effects = [
        Effect(kind, outcome, is_now=True, line="the line.", succeeded=outcome == "done")
        for kind in kinds_in(domain)
    ]
    return known([], ["a room on Tuesday"], effects=effects, kinds=kinds_in(domain))


SAID = {
    "rooms": [
        "Booked.",
        "The room is booked.",
        "I've booked the Elm room for Tuesday.",
        "Your booking went through without a hitch.",
        "All done, see you there!",
        "The room is being held for you.",
        "I have ordered the coffee.",
        "Coffee ordered, room booked.",
        "It's booked, isn't it?",
        "We hereby confirm the reservation.",
    ],
    "parcels": [
        "Sent.",
        "Your parcel went out.",
        "The parcel has been sent.",
        "I sent it this morning.",
        "The package is on its way.",
        "Your parcel was dispatched.",
        "It's insured.",
        "I've insured the parcel.",
        "Parcel sent and insured.",
        "Your parcel, which has left by now, is insured.",
    ],
    "merchants": [
        "Your order at Fern & Finch is placed.",
        "Ordered.",
        "I've bought it for you.",
        "Your card was charged.",
        "The payment went through.",
        "The merchant has taken your order, and it should have been charged by now.",
        "Order placed, thank you for shopping.",
        "The purchase is complete.",
        "I cancelled the checkout for you.",
        "It's on its way to you.",
    ],
}
DOMAINS = {"rooms": ROOMS, "parcels": PARCELS, "merchants": MERCHANTS}
EACH = [(name, said) for name, all_ in SAID.items() for said in all_]


@pytest.mark.parametrize(("name", "said"), EACH)
def test_what_was_not_done_and_is_told_as_done_is_found(name: str, said: str):
    [one, *_] = untrue_in(said, came(DOMAINS[name], "not done"))
    assert "the line." in one.so


@pytest.mark.parametrize(("name", "said"), EACH)
def test_what_was_done_is_told(name: str, said: str):
    assert untrue_in(said, came(DOMAINS[name], "done")) == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("rooms", "Shall I book it?"),
        ("rooms", "The Elm room is free on Tuesday."),
        ("rooms", "Nothing was booked."),
        ("rooms", "As soon as you say yes, the room is booked."),
        ("parcels", "Your parcel was not sent."),
        ("parcels", "I can send it when you agree."),
        ("parcels", "Would you like it insured?"),
        ("merchants", "Nothing was ordered, and your card was not charged."),
        ("merchants", "Shall I place the order?"),
        ("merchants", "Once it is paid, the merchant sends you a mail."),
    ],
)
def test_what_claims_nothing_or_agrees_passes(name: str, said: str):
    assert untrue_in(said, came(DOMAINS[name], "not done")) == []


# "All done" may be of anything where nothing was tried.
@pytest.mark.parametrize(("name", "said"), [one for one in EACH if "All done" not in one[1]])
def test_what_was_never_tried_and_is_told_as_done_is_found(name: str, said: str):
    assert untrue_in(said, known([], ["a room on Tuesday"], kinds=kinds_in(DOMAINS[name])))
