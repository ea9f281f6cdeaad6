"""What a clause can mean: the typed intents, and the ways to point at something.

An intent holds only what the words say. What "the second one" is, only the dialogue knows.
Prices are integer cents in the currency of the shop.
"""

from dataclasses import dataclass, field
from typing import Literal

from daybook.demo.model.grammar.language.intents_past import PastIntent

# ---- ways to point at a product --------------------------------------------------------------


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


# ---- intents ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Talk:
    """Say something that needs no tool."""

    about: Literal[
        "greeting",
        "thanks",
        "bye",
        "help",
        "identity",
        "name",
        "human",
        "trouble",
        "language",
        "off topic",
        "looking",
        "leave",
        "advice",
        "how to buy",
        "how to add",
        "how to cancel",
        "why",
        "as many",
        "how to change",
        "receipt",
        "unsure",
        "premises",
        "privacy",
        "pleased",
        "sorry",
        "told",
    ]
    name: str = ""


@dataclass(frozen=True)
class Agree:
    """Say yes to a question."""


@dataclass(frozen=True)
class Refuse:
    """Say no to a question."""


@dataclass(frozen=True)
class Finished:
    """Want nothing more, without saying to buy."""


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
class Times:
    """Hear what so many of a product would cost, without having them.

    `also` are others beside it, with how many of each; `sets` says that there shall be so many in
    all, and not so many more; `among` is how many share what it all costs.
    """

    count: int
    item: Reference = It()
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
class ClearCart:
    """Take everything out of the cart."""


@dataclass(frozen=True)
class ShowCart:
    """See the cart and its total."""


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


@dataclass(frozen=True)
class NotUnderstood:
    """A clause outside the grammar. `hedged` means that it may reverse the clauses beside it."""

    text: str
    hedged: bool = False


Intent = (
    Talk
    | Agree
    | Refuse
    | Finished
    | Search
    | Those
    | ShowList
    | AskKinds
    | Add
    | Remove
    | SetQuantity
    | Keep
    | Swap
    | Offer
    | Doubtful
    | Times
    | Differ
    | SameAgain
    | OrderNews
    | AskPolicy
    | ClearCart
    | ShowCart
    | Details
    | Reviews
    | AskPrice
    | AskProperty
    | Mention
    | Pick
    | Suggest
    | Checkout
    | ChooseAgain
    | CancelOrder
    | ShowOrders
    | OrderStatus
    | Mail
    | ShowProfile
    | CompareReviews
    | NewGoal
    | PastIntent
    | NotUnderstood
)

World = Checkout | CancelOrder | Mail
"""Intents that act on the outside world: nothing may be doubtful about them."""
