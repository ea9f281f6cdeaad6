"""What the shop promises its customers, in its own words: shipping, returns, payment and so on."""

from typing import Final

POLICIES: Final[dict[str, str]] = {
    "shipping": (
        "Shipping is free and included in every price; there is no least amount. A parcel leaves "
        "within one working day and takes three to five working days. We ship within the United "
        "States only, to an address on file; there is no express delivery and no pick-up."
    ),
    "returns": (
        "What was not used can be returned within 30 days of its arrival, and the money goes back "
        "to the card that was charged. The return label is free. An order that was placed can be "
        "cancelled in full. There is no exchange: return the one, and order the other."
    ),
    "payment": (
        "We take cards that are on file: Visa, Mastercard and American Express. The card is "
        "charged when the order is placed. There is no PayPal, Apple Pay, Google Pay, invoice, "
        "instalments, gift card, discount code or cash."
    ),
    "currency": (
        "Every price is in US dollars (USD), sales tax included, and nothing is sold in another "
        "currency. A card in another currency is converted by its bank."
    ),
    "warranty": (
        "Everything has a warranty of two years against faults of material and making. Wear and "
        "accidents are not covered."
    ),
    "gifts": "There is no gift wrapping, no gift card and no gift receipt.",
}
"""Topic -> what holds."""
