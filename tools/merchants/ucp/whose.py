"""Whose a message of a merchant is to settle: the machine's, the model's, or its person's.

What brings a checkout to its form is the machine's: it chooses a way of delivery, and says where to
and for whom. What changes what is bought is the model's to propose. What is paid with, where it is
sent to, and all that a merchant wants to hear from its customer is that person's. What nobody can
settle ends the checkout.
"""

from __future__ import annotations

from enum import StrEnum

from daybook.tools.merchants.ucp.answers import Message


class Whose(StrEnum):
    """Who settles what a merchant says is wrong; in the words that the model reads."""

    MACHINE = "settled by the machine with the next open_checkout"
    MODEL = "to settle: change the cart, or ask the customer"
    PERSON = "for the customer to decide: ask them"
    AT_ITS_PAGE = "for the customer to settle at the merchant's own page"
    NOBODY = "it ends this checkout: cancel_checkout, then open another one"


_PERSONS = ("payment", "address", "identity", "age", "consent", "eligibility")
"""What codes are about that a person decides."""


def whose(message: Message) -> Whose:
    """Tell who settles an error."""
    if message.severity == "unrecoverable":
        return Whose.NOBODY
    if message.severity.startswith("requires_"):
        # Also one that a later version of the protocol brings.
        return Whose.AT_ITS_PAGE
    if message.path.startswith("$.payment") or message.code.startswith(_PERSONS):
        return Whose.PERSON
    if message.code == "missing" and message.path.startswith(("$.fulfillment", "$.buyer")):
        return Whose.MACHINE
    return Whose.MODEL


def advised(message: Message) -> str:
    """Write a message with whose it is, for the model."""
    said = message.said
    return f"{said} ({whose(message)})" if message.kind == "error" else said
