"""What a thread holds that buys from merchants: one cart a merchant, its checkout, its orders.

What merchants say stands in it as bounded lines of text. No address, card or credential does.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from daybook.state.agent import AgentState
from daybook.state.effects.keys import digest
from daybook.state.errors import ToolRefused
from daybook.state.merchants.cart import CartOf, Line, add
from daybook.state.money import Money

UNKNOWN = "XXX"
"""No currency, by ISO 4217: a cart has it until the first price is told."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class OpenCheckout(_Frozen):
    """A checkout session that a merchant holds open for this thread."""

    checkout_id: str = Field(description="the merchant's id for it")
    status: str = Field(description="as the merchant calls it, such as ready_for_complete")
    total: int = Field(description="integer cents, by the merchant")
    currency: str = Field(description="ISO 4217 code")
    revision: int = Field(description="of the cart that it was made of")
    address_id: str | None = Field(default=None, description="where it is delivered to")
    n: int = Field(default=1, ge=1, description="which one of this cart it is")
    expires_at: str | None = Field(default=None, description="when it runs out, UTC, ISO 8601")
    continue_url: str | None = Field(default=None, description="where its person goes on")
    messages: tuple[str, ...] = Field(default=(), description="what the merchant says about it")


class PerhapsOpen(_Frozen):
    """Checkout sessions that a merchant may hold open, and that nobody here can name.

    An answer to their opening was lost, and the protocol has no way to look them up.
    """

    opening: str = Field(description="the step that may have opened them")
    count: int = Field(ge=1, description="how many there are at most")
    besides: bool = Field(description="whether another one came of that step")
    until: str = Field(description="when they have run out, UTC, ISO 8601")


class MerchantCart(CartOf[Line]):
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
    def total(self) -> Money | None:
        """Return the price of all lines as they were shown; None where one was not told.

        It is for a look: the merchant's total decides.
        """
        prices = [line.unit_price for line in self.lines]
        if not all(price is not None for price in prices):
            return None
        amount = sum(line.quantity * (line.unit_price or 0) for line in self.lines)
        return Money(amount=amount, currency=self.currency)

    @property
    def place(self) -> str:
        """Return how sentences name it."""
        return f"the cart at {self.merchant}"


class MerchantOrder(_Frozen):
    """An order that this thread placed."""

    merchant: str = Field(description="the merchant's name: its host")
    order_id: str = Field(description="the merchant's id for it")
    total: int = Field(description="integer cents")
    currency: str = Field(description="ISO 4217 code")
    url: str | None = Field(default=None, description="where its person finds it")
    told: tuple[str, ...] = Field(
        default=(), description="what its merchant told of it: shipments, refunds"
    )
    newness: str = Field(default="", description="of what was told; older words change nothing")
    placed_there: bool = Field(
        default=False, description="by its person, at the merchant's own page"
    )


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


def with_cart(carts: Carts, cart: MerchantCart) -> Carts:
    """Return the carts with this one in the place of its merchant's, or beside the others."""
    if cart_of(carts, cart.merchant) is None:
        return (*carts, cart)
    return tuple(cart if one.merchant == cart.merchant else one for one in carts)


def begun(merchant: str, *named_by: str) -> MerchantCart:
    """Begin a cart at a merchant.

    Args:
        named_by: the origin of its thread, or the cart and order before it.
    """
    return MerchantCart(merchant=merchant, cart_id=named_after(merchant, *named_by))


def add_priced(cart: MerchantCart, line: Line, currency: str) -> MerchantCart:
    """Put something into a cart, or more of what is there, at the price shown now.

    Args:
        currency: of its price; `UNKNOWN` where no price was told.

    Raises:
        ToolRefused: the quantity is outside 1 to 99, or the price in another currency.
    """
    if UNKNOWN not in (currency, cart.currency) and currency != cart.currency and cart.lines:
        raise ToolRefused(
            f"{line.name} is priced in {currency}, and {cart.place} is in {cart.currency}. "
            "Nothing was changed."
        )
    priced = cart if currency == UNKNOWN else cart.model_copy(update={"currency": currency})
    return add(priced, line)


def emptied(cart: MerchantCart, order_id: str) -> MerchantCart:
    """Begin the next cart at a merchant: named after the order that emptied the last one."""
    fresh = begun(cart.merchant, cart.cart_id, order_id)
    return fresh.model_copy(
        update={
            "currency": cart.currency,
            "revision": cart.revision + 1,
            "removed": cart.removed,
            "perhaps_open": cart.perhaps_open,
        }
    )


_MOST_KEPT = 10
"""Openings whose answer was lost, of one cart: the oldest ran out long ago."""


def with_perhaps_open(cart: MerchantCart, found: PerhapsOpen) -> MerchantCart:
    """Return a cart that knows what an opening may have left at its merchant."""
    others = [one for one in cart.perhaps_open if one.opening != found.opening]
    return cart.model_copy(update={"perhaps_open": (*others, found)[-_MOST_KEPT:]})
