"""What a clause can mean of buying, of orders and mails, and of what the shop promises."""

from dataclasses import dataclass
from typing import Literal

from daybook.demo.model.grammar.language.intents.references import Choice


@dataclass(frozen=True)
class SameAgain:
    """Want what was ordered the last time."""


@dataclass(frozen=True)
class OrderNews:
    """Hear what was done: whether a purchase went through, or what it was that was done last."""

    of: Literal["placed", "which", "cancelled", "mailed", "done"] = "placed"


Topic = Literal["shipping", "returns", "payment", "currency", "warranty", "gifts"]


@dataclass(frozen=True)
class AskPolicy:
    """Hear what the shop promises."""

    topic: Topic


@dataclass(frozen=True)
class Checkout:
    """Buy the cart, with the card and to the address named, if any."""

    card: Choice | None = None
    address: Choice | None = None


@dataclass(frozen=True)
class ChooseAgain:
    """Answer an open choice of card or address with nothing that can be chosen."""


@dataclass(frozen=True)
class CancelOrder:
    """Cancel an order. `vague` means that the word order was not said ("cancel it").

    `goods` name it by what was ordered; `some` means that it was left open which one.
    """

    order_id: str | None = None
    reason: str = ""
    vague: bool = False
    goods: tuple[str, ...] = ()
    some: bool = False


@dataclass(frozen=True)
class ShowOrders:
    """See all orders."""


@dataclass(frozen=True)
class OrderStatus:
    """Hear how an order stands, the last one unless named."""

    order_id: str | None = None


MailTopic = Literal["cart", "orders", "results", "said", "summary"]


@dataclass(frozen=True)
class Mail:
    """Get a mail about the cart, the orders, the list on view, what was said last, or all of it.

    `to` names who shall have it, "" where it is oneself.
    """

    topic: MailTopic
    to: str = ""


@dataclass(frozen=True)
class ShowProfile:
    """See name, cards and addresses on file."""
