"""The shop's domain without a shop: for what needs its declarations and renderers alone."""

from state.cart import CartLine
from state.session import Session
from tools.domain import Domain
from tools.http import HttpService
from tools.mail import MailService
from tools.shop.domain import shop_domain
from tools.shop.services import ShopServices

NOWHERE = "http://127.0.0.1:9"

ADA = Session(
    tenant_id="default", thread_id="thread", user_id="ada", role="customer", worker="worker"
)


def a_domain() -> Domain:
    """Build the shop's domain on services that nobody serves."""
    services = ShopServices(HttpService(NOWHERE), MailService("smtp://127.0.0.1:9"), "USD", {})
    return shop_domain(services)


def line(sku: str = "BOOT-1", quantity: int = 1, unit_price: int = 9_890) -> CartLine:
    """Make a line of a cart."""
    return CartLine(
        sku=sku,
        name=f"Name of {sku}",
        category="hiking-boots",
        quantity=quantity,
        unit_price=unit_price,
    )
