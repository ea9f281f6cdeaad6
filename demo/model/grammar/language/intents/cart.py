"""What a clause can mean of the cart: what shall be in it, and what it may be asked about."""

from dataclasses import dataclass, field
from typing import Literal

from daybook.demo.model.grammar.language.intents.references import Reference


@dataclass(frozen=True)
class Add:
    """Put something into the cart. `again` means something that was in it before."""

    item: Reference
    quantity: int = 1
    more: bool = False
    again: bool = False


@dataclass(frozen=True)
class Remove:
    """Take something out of the cart, or `quantity` of it."""

    item: Reference
    quantity: int | None = None


@dataclass(frozen=True)
class SetQuantity:
    """Set how many of something are in the cart; `double` wants twice as many as now."""

    item: Reference
    quantity: int = 0
    double: bool = False


@dataclass(frozen=True)
class Keep:
    """Take everything out of the cart but one product, or but `quantity` of it."""

    item: Reference
    quantity: int | None = None


@dataclass(frozen=True)
class Swap:
    """Put one product into the cart in the place of another, None for what was spoken of last.

    `wish` says that it is wanted even where there is nothing to take its place. `quantity` is how
    many of it go, None for all.
    """

    item: Reference
    gone: Reference | None = None
    wish: bool = field(default=False, compare=False)
    quantity: int | None = None


@dataclass(frozen=True)
class Offer:
    """Name several places of the list and nothing else: be asked whether to have them."""

    places: tuple[int, ...]


@dataclass(frozen=True)
class Doubtful:
    """Be asked about a change of which the act or the thing is not certain; nothing is changed.

    `items` are what it is about: of a swap what comes, then what goes. `said` is what it hangs on.
    """

    act: Literal["add", "remove", "set", "keep", "swap", "clear", "buy", "look"]
    items: tuple[Reference, ...] = ()
    quantity: int | None = None
    said: str = ""


@dataclass(frozen=True)
class ClearCart:
    """Take everything out of the cart."""


@dataclass(frozen=True)
class ShowCart:
    """See the cart and its total."""
