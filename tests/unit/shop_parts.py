"""The shop's domain without a shop: for what needs its declarations and renderers alone."""

from dataclasses import replace

from daybook.state.session import Session
from daybook.state.shop.cart import CartLine
from daybook.tools.domain import Domain
from daybook.tools.shop.domain import SHOP

ADA = Session(
    tenant_id="default",
    thread_id="thread",
    user_id="ada",
    author="ada",
    role="customer",
    worker="worker",
)


def a_domain() -> Domain:
    """Make a copy of the shop's domain, which is equal to no other."""
    return replace(SHOP)


def line(sku: str = "BOOT-1", quantity: int = 1, unit_price: int = 9_890) -> CartLine:
    """Make a line of a cart."""
    return CartLine(
        sku=sku,
        name=f"Name of {sku}",
        quantity=quantity,
        unit_price=unit_price,
    )
