"""The ways to point at a product, a card or an address.

A reference holds only what the words say. What "the second one" is, only the dialogue knows. Prices
are integer cents in the currency of the shop.
"""

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Sku:
    """A product by its id."""

    sku: str


@dataclass(frozen=True)
class Nth:
    """The n-th of the list on view, from 1; -1 is the last one, -2 the second from it.

    `words` may say of which kind. A list that leaves rows out keeps the numbers of the others.
    `counted` says that the place in the list as it is shown is meant ("the second one"), else it is
    the number ("number 7").
    """

    n: int
    words: tuple[str, ...] = ()
    # In most lists it is the same, and so it is no other meaning of a text.
    counted: bool = field(default=False, compare=False)


By = Literal[
    "cheapest",
    "dearest",
    "best",
    "lightest",
    "heaviest",
    "brightest",
    "warmest",
    "largest",
    "smallest",
    "tallest",
    "quickest",
]


@dataclass(frozen=True)
class Extreme:
    """The cheapest, dearest, lightest... of the list on view, or of what `words` name."""

    by: By
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Every:
    """All of the list on view, or its first `most`; `words` may say of which kind.

    `exact` says that there are so many of them: "both", "all three".
    """

    most: int | None = None
    words: tuple[str, ...] = ()
    exact: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class It:
    """What was spoken of last; `many` where the word means several: "them"."""

    many: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Other:
    """The one of two that was not spoken of last."""


@dataclass(frozen=True)
class Named:
    """Something by words. `definite` ("the socks") means one that both sides know already."""

    words: tuple[str, ...]
    definite: bool = False
    max_price: int | None = None


Reference = Sku | Nth | Extreme | Every | It | Other | Named


@dataclass(frozen=True)
class Choice:
    """A card or an address as the user names it: an id, a place in a list, or words."""

    words: tuple[str, ...] = ()
    n: int | None = None
