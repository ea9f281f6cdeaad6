"""How the steps of a checkout are named: business operations, from which keys are made."""

from __future__ import annotations

from typing import Final

ROUNDS: Final = ("settle", "settle again")
"""Steps that bring a fresh checkout to what is wanted: the address first, then how it is sent."""


def checkout_name(cart_id: str, n: int) -> str:
    """Name the n-th checkout of a cart, from 1."""
    return f"merchant/{cart_id}/{n}"


def order_of_checkout(op: str) -> str:
    """Name the operation that places the order of the checkout that another operation is about."""
    return "/".join([*op.split("/")[:3], "complete"])


def number_of(op: str) -> int:
    """Return which checkout of its cart an operation is about."""
    return int(op.split("/")[2])
