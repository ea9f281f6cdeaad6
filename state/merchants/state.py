"""The state of a thread that buys from merchants: one cart per merchant, checkouts, orders.

What merchants say stands in it as bounded lines of text. No address, card or credential does.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from daybook.state.agent import AgentState
from daybook.state.effects.keys import digest
from daybook.state.errors import ToolRefused
from daybook.state.money import Money
from daybook.state.shop.cart import Cart, Frozen

UNKNOWN = "XXX"
"""No currency, by ISO 4217: a cart has it until the first price is told."""


class OpenCheckout(Frozen):
    """A checkout session that a merchant holds open for this thread."""

    checkout_id: str = Field(description="the merchant's id for it")
    status: str = Field(description="as the merchant calls it, such as ready_for_complete")
    total: Money = Field(description="by the merchant")
    sums: tuple[str, ...] = Field(default=(), description="what the total is made of")
    revision: int = Field(description="of the cart that it was made of")
    address_id: str | None = Field(default=None, description="where it is delivered to")
    n: int = Field(default=1, ge=1, description="which one of this cart it is")
    expires_at: str | None = Field(default=None, description="when it runs out, UTC, ISO 8601")
    continue_url: str | None = Field(default=None, description="where its person goes on")
    messages: tuple[str, ...] = Field(default=(), description="what the merchant says about it")
    discount_codes: tuple[str, ...] = Field(default=(), description="that are sent with it")
    delivery_options: tuple[str, ...] = Field(
        default=(), description="ways of delivery that its person wants; else the cheapest"
    )
    delivery: tuple[str, ...] = Field(default=(), description="how it is delivered")
    offered: tuple[str, ...] = Field(default=(), description="other ways of delivery")
    is_stuck: bool = Field(
        default=False, description="its merchant does not say what it lacks to be ordered"
    )

    @property
    def is_escalated(self) -> bool:
        """Tell whether the merchant wants its customer to go on at its own page."""
        return self.status == "requires_escalation"


class PerhapsOpen(Frozen):
    """Checkout sessions that a merchant may hold open, and that nobody here can name.

    An answer to their opening was lost, and the protocol has no way to look them up.
    """

    opening: str = Field(description="the step that may have opened them")
    count: int = Field(ge=1, description="how many there are at most")
    besides: bool = Field(description="whether another one came of that step")
    until: str = Field(description="when they have run out, UTC, ISO 8601")


class MerchantCart(Cart):
    """What is to be bought from one merchant. Named after the thread, and after each order anew."""

    merchant: str = Field(description="the merchant's name: its host")
    currency: str = Field(
        default=UNKNOWN, description="ISO 4217 code of the prices in it; XXX until one is told"
    )
    checkout: OpenCheckout | None = Field(
        default=None, title="Checkout", description="open at the merchant"
    )
    perhaps_open: tuple[PerhapsOpen, ...] = Field(
        default=(), description="what may be open there beside that; the newest are kept"
    )
    ended: str = Field(
        default="", description="how its last checkout ended without us, at the merchant"
    )

    @property
    def phrase(self) -> str:
        """Return how sentences name it."""
        return f"the cart at {self.merchant}"


class MerchantOrder(Frozen):
    """An order that this thread placed."""

    merchant: str = Field(description="the merchant's name: its host")
    order_id: str = Field(description="the merchant's id for it")
    total: Money = Field(description="what was paid, by the merchant")
    url: str | None = Field(default=None, description="where its person finds it")
    told: tuple[str, ...] = Field(
        default=(), description="what its merchant told of it: shipments, refunds"
    )
    newness: str = Field(default="", description="of what was told; older words change nothing")
    placed_there: bool = Field(
        default=False, description="by its person, at the merchant's own page"
    )

    def is_the(self, merchant: str, order_id: str) -> bool:
        """Tell whether it is a merchant's order of this id."""
        return (self.merchant, self.order_id) == (merchant, order_id)


class MerchantsState(AgentState, total=False):
    """The state of a thread that buys from merchants."""

    origin: Annotated[
        str, Field(title="Origin", description="names its carts: made of thread and turn")
    ]
    carts: Annotated[
        tuple[MerchantCart, ...], Field(title="Carts", description="one for each merchant")
    ]
    orders: Annotated[
        tuple[MerchantOrder, ...], Field(title="Orders", description="placed, oldest first")
    ]


def named_after(*parts: str) -> str:
    """Make a name of what something began with: a thread and its turn, or a cart and its order."""
    return digest(["merchants", *parts])[:32]


# -- carts, one a merchant: pure functions, changed by events alone --------------------------------

Carts = tuple[MerchantCart, ...]


def cart_of(carts: Carts, merchant: str) -> MerchantCart | None:
    """Return the cart at a merchant, if there is one."""
    return next((cart for cart in carts if cart.merchant == merchant), None)


def open_at(carts: Carts, merchant: str) -> tuple[MerchantCart, OpenCheckout]:
    """Return the cart at a merchant, and the checkout that is open for it.

    Raises:
        ToolRefused: none is open there.
    """
    cart = cart_of(carts, merchant)
    if cart is None or cart.checkout is None:
        raise ToolRefused(f"No checkout is open at {merchant}.")
    return cart, cart.checkout


def with_cart(carts: Carts, cart: MerchantCart) -> Carts:
    """Return the carts with this one instead of its merchant's, or beside the others."""
    if cart_of(carts, cart.merchant) is None:
        return (*carts, cart)
    return tuple(cart if one.merchant == cart.merchant else one for one in carts)


def new_cart(merchant: str, *named_by: str) -> MerchantCart:
    """Begin a cart at a merchant.

    Args:
        named_by: the origin of its thread, or the cart and order before it.
    """
    return MerchantCart(merchant=merchant, cart_id=named_after(merchant, *named_by))


def priced_in(cart: MerchantCart, currency: str) -> MerchantCart:
    """Return a cart whose prices are in a currency; `UNKNOWN` leaves it as it is.

    Raises:
        ToolRefused: it holds something that is priced in another one.
    """
    if currency in (UNKNOWN, cart.currency):
        return cart
    if cart.currency != UNKNOWN and cart.lines:
        raise ToolRefused(
            f"The price is in {currency}, but {cart.phrase} is in {cart.currency}. Nothing was "
            "changed."
        )
    return cart.model_copy(update={"currency": currency})


def emptied(cart: MerchantCart, order_id: str) -> MerchantCart:
    """Begin the next cart at a merchant: named after the order that emptied the last one."""
    fresh = new_cart(cart.merchant, cart.cart_id, order_id)
    kept = {name: getattr(cart, name) for name in ("currency", "removed", "perhaps_open")}
    return fresh.model_copy(update={**kept, "revision": cart.revision + 1})


_MOST_KEPT = 10
"""Openings whose answer was lost, of one cart: the oldest ran out long ago."""


def with_perhaps_open(cart: MerchantCart, found: PerhapsOpen) -> MerchantCart:
    """Return a cart that knows what an opening may have left at its merchant."""
    others = [one for one in cart.perhaps_open if one.opening != found.opening]
    return cart.model_copy(update={"perhaps_open": (*others, found)[-_MOST_KEPT:]})
