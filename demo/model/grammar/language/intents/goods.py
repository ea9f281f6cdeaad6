"""What a clause can mean of goods: looking for them, and asking about them.

Prices are integer cents in the currency of the shop.
"""

from dataclasses import dataclass, field
from typing import Literal

from daybook.demo.model.grammar.language.intents.references import Extreme, It, Reference


@dataclass(frozen=True)
class Measure:
    """How much of something goods shall have: an attribute of their pages, and its bounds.

    `strict` says that the bounds themselves are not wanted: "over 300 lumens".
    """

    name: str
    least: float | None = None
    most: float | None = None
    strict: bool = False

    def holds(self, amount: float) -> bool:
        """Tell whether an amount is within the bounds."""
        if self.strict and amount in (self.least, self.most):
            return False
        is_enough = self.least is None or amount >= self.least
        return is_enough and (self.most is None or amount <= self.most)


@dataclass(frozen=True)
class Search:
    """Look for products. An empty query goes on with the search before this one.

    It then narrows it, or wants `more` of its results; with `narrows` its words are added to those
    before. `bare` means that only the thing was named,
    with no verb: it may be the answer to a question. `my_size` and `my_budget` stand for what is
    known of the person. `without` are words that must not be true of the goods, `measures` what
    they must have of something. `in_stock` leaves out what is sold out. `first` says what stands
    first in the list: the cheapest, or the dearest.
    """

    query: str = ""
    category: str | None = None
    max_price: int | None = None
    min_price: int | None = None
    cheap: bool = False
    more: bool = False
    bare: bool = False
    foreign: str = ""
    my_size: bool = False
    my_budget: bool = False
    narrows: bool = False
    without: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    in_stock: bool = False
    first: Literal["", "cheapest", "dearest"] = ""


@dataclass(frozen=True)
class Those:
    """See which of the goods on view are so as a search says it; `said` is how it was put."""

    wanted: Search
    said: str = field(default="", compare=False)


@dataclass(frozen=True)
class AskKinds:
    """Hear which kinds of goods there are."""


@dataclass(frozen=True)
class ShowList:
    """See the list on view again."""


@dataclass(frozen=True)
class Times:
    """Hear what so many of a product would cost, without having them.

    `also` are others beside it, with how many of each; `sets` says that there shall be so many in
    all, and not so many more; `among` is how many share what it all costs.
    """

    count: int
    item: Reference = field(default_factory=It)
    also: tuple[tuple[int, Reference], ...] = ()
    sets: bool = field(default=False, compare=False)
    among: int = 1


Dimension = Literal[
    "price", "weight", "warmth", "brightness", "size", "height", "length", "time", "rating"
]


@dataclass(frozen=True)
class Differ:
    """Hear by how much products differ: those that are named, or what was spoken of last.

    `which` says that it is asked which one of them has more of it: that one is spoken of then.
    """

    by: Dimension
    items: tuple[Reference, ...] = ()
    which: bool = field(default=False, compare=False)


@dataclass(frozen=True)
class Details:
    """Hear more about a product."""

    item: Reference


@dataclass(frozen=True)
class Reviews:
    """Hear what customers say about a product."""

    item: Reference


@dataclass(frozen=True)
class CompareReviews:
    """Hear which of several products is reviewed best, or how they do on a `topic`."""

    items: tuple[Reference, ...]
    topic: str = ""


@dataclass(frozen=True)
class NewGoal:
    """Want something else than what the interview was about: its words, and as a search."""

    goal: str
    search: Search


@dataclass(frozen=True)
class AskPrice:
    """Hear what a product costs."""

    item: Reference


@dataclass(frozen=True)
class AskProperty:
    """Hear whether or how far a product has a property; with a `count`, what so many weigh."""

    item: Reference
    words: tuple[str, ...]
    count: int = 1


@dataclass(frozen=True)
class Mention:
    """Name a product and nothing else: the answer to a question, or a wish to see it."""

    item: Reference
    quantity: int | None = None


@dataclass(frozen=True)
class Pick:
    """Hear which one is the cheapest, dearest or best rated."""

    item: Extreme


@dataclass(frozen=True)
class Suggest:
    """Hear what else would fit the cart, or fit `words`."""

    words: tuple[str, ...] = ()
