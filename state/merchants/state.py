"""What a thread holds that buys from merchants: one cart a merchant, its checkout, its orders.

What merchants say stands in it as bounded lines of text. No address, card or credential does.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from daybook.state.agent import AgentState
from daybook.state.effects.keys import digest
from daybook.state.money import Money

MOST_OF_ONE = 99


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class CartLine(_Frozen):
    """Something that is to be bought."""

    item_id: str = Field(description="the merchant's id for it")
    title: str = Field(description="the merchant's name for it")
    quantity: int = Field(ge=1, le=MOST_OF_ONE, description=f"1 to {MOST_OF_ONE}")
    unit_price: int = Field(ge=0, description="integer cents, as shown when it was added")


class OpenCheckout(_Frozen):
    """A checkout session that a merchant holds open for this thread."""

    checkout_id: str = Field(description="the merchant's id for it")
    status: str = Field(description="as the merchant calls it, such as ready_for_complete")
    total: int = Field(description="integer cents, by the merchant")
    currency: str = Field(description="ISO 4217 code")
    revision: int = Field(description="of the cart that it was made of")
    expires_at: str | None = Field(default=None, description="when it runs out, UTC, ISO 8601")
    continue_url: str | None = Field(default=None, description="where its person goes on")
    messages: tuple[str, ...] = Field(default=(), description="what the merchant says about it")


class MerchantCart(_Frozen):
    """What is to be bought from one merchant. Named after the thread, and after each order anew."""

    merchant: str = Field(description="the merchant's name: its host")
    cart_id: str = Field(description="names it for its checkouts")
    currency: str = Field(description="ISO 4217 code of the prices in it")
    revision: int = Field(default=0, description="grows by one with each change")
    lines: tuple[CartLine, ...] = Field(default=(), description="what is in it")
    removed: tuple[str, ...] = Field(default=(), description="ids of what was taken out of it")
    checkout: OpenCheckout | None = Field(default=None, description="open at the merchant")

    @property
    def total(self) -> Money:
        """Return the price of all lines as they were shown; the merchant's total decides."""
        amount = sum(line.quantity * line.unit_price for line in self.lines)
        return Money(amount=amount, currency=self.currency)

    def line(self, item_id: str) -> CartLine | None:
        """Return the line of an item, if there is one."""
        return next((line for line in self.lines if line.item_id == item_id), None)

    def with_lines(self, lines: tuple[CartLine, ...], removed: tuple[str, ...]) -> MerchantCart:
        """Return the cart with other lines, at its next revision."""
        changed = {"lines": lines, "removed": removed, "revision": self.revision + 1}
        return self.model_copy(update=changed)


class MerchantOrder(_Frozen):
    """An order that this thread placed."""

    merchant: str = Field(description="the merchant's name: its host")
    order_id: str = Field(description="the merchant's id for it")
    total: int = Field(description="integer cents")
    currency: str = Field(description="ISO 4217 code")
    url: str | None = Field(default=None, description="where its person finds it")


class MerchantsState(AgentState, total=False):
    """The state of a thread that buys from merchants."""

    carts: Annotated[
        tuple[MerchantCart, ...], Field(title="Carts", description="one for each merchant")
    ]
    orders: Annotated[
        tuple[MerchantOrder, ...], Field(title="Orders", description="placed, oldest first")
    ]


def cart_id(*parts: str) -> str:
    """Name a cart after the thread and turn, or the order, that it began with."""
    return digest(["merchant cart", *parts])[:32]
