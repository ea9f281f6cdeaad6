"""What the prompt shows: carts, checkouts and orders under "# Now", and the lists before."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from daybook.demo.model.grammar.seen.prompt import Call, Turn
from daybook.demo.model.wire import Message

_CART: Final = re.compile(r"^cart at (\S+) r\d+ \([A-Z]{3}\):( empty)?$")
_LINE: Final = re.compile(r"^  (.+?) x(\d{1,6})(?: @ (\S+))? \| (.*)$")
_CHECKOUT: Final = re.compile(r"^  checkout (\S*): (\S+ [A-Z]{3})(, of an older cart.*)?$")
_HIT: Final = re.compile(r"^(\d{1,3})\. (\S+) \| (.+?) \| (.*) \| (\S+) ([A-Z]{3})( \| cannot.*)?$")
_ROW: Final = re.compile(
    r"^\d{1,3}\. \*\*(.+)\*\* at (\S+) \((\S+)\), (\S+) ([A-Z]{3})(, cannot be had now)?$"
)
_CHOICE: Final = re.compile(r"(?:there is: |, )([^,()]+?) \(([^()]*)\)")


@dataclass(frozen=True)
class Hit:
    """A row of a search; `price` as it is written, in units."""

    merchant: str
    item_id: str
    title: str
    price: str
    currency: str
    can_be_had: bool


@dataclass(frozen=True)
class CartLine:
    """A line of a cart."""

    item_id: str
    quantity: int
    title: str


@dataclass
class Cart:
    """A cart at a merchant, and the checkout that is open for it; "" where none is.

    Attributes:
        is_stale: the cart was changed since the checkout was opened.
        link: where its person goes on at the merchant's own page; "" where they need not.
    """

    merchant: str
    lines: list[CartLine] = field(default_factory=list)
    status: str = ""
    total: str = ""
    is_stale: bool = False
    link: str = ""

    def line(self, item_id: str) -> CartLine | None:
        """Return the line of something, where it is in the cart."""
        return next((one for one in self.lines if one.item_id == item_id), None)


@dataclass(frozen=True)
class Now:
    """The end of the prompt: the truth about carts and orders."""

    carts: tuple[Cart, ...] = ()
    orders: tuple[str, ...] = ()

    @property
    def filled(self) -> list[Cart]:
        """Return the carts that hold something."""
        return [cart for cart in self.carts if cart.lines]


def read_now(messages: Sequence[Message]) -> Now:
    """Read the last zone of the prompt, line by line."""
    tails = [one.text for one in messages if one.text.startswith("# Now")]
    carts: list[Cart] = []
    orders: tuple[str, ...] = ()
    for line in tails[-1].split("\n") if tails else ():
        cart, row, checkout = _CART.match(line), _LINE.match(line), _CHECKOUT.match(line)
        if cart:
            carts.append(Cart(cart[1]))
        elif checkout and carts:
            carts[-1].status, carts[-1].total = checkout[1], checkout[2]
            carts[-1].is_stale = bool(checkout[3])
        elif line.startswith("  to go on at: ") and carts:
            carts[-1].link = line.partition(": ")[2]
        elif row and carts:
            carts[-1].lines.append(CartLine(row[1], int(row[2]), row[4]))
        elif line.startswith("orders: "):
            orders = tuple(line.removeprefix("orders: ").split("; "))
    return Now(tuple(carts), orders)


def hits_of(call: Call) -> list[Hit]:
    """Return the rows of a search, as they are numbered."""
    rows = (_HIT.match(line) for line in call.result.split("\n"))
    return [Hit(r[2], r[3], r[4], r[5], r[6], r[7] is None) for r in rows if r]


def silent_of(call: Call) -> list[str]:
    """Return what the search says of merchants that gave no answer."""
    lines = call.result.split("\n")
    return [line for line in lines if line.startswith("no answer of ")]


def listed(turns: Iterable[Turn]) -> list[Hit]:
    """Return the list that was shown last, as it was shown: of what was found, or less."""
    turns = [*turns]
    shown = [rows for turn in turns if (rows := _shown(turn.answer))]
    if shown:
        return shown[-1]
    shows = ("search_catalog", "recall")
    calls = [call for turn in turns for call in turn.calls if call.tool in shows]
    lists = [found for call in calls if (found := hits_of(call))]
    return lists[-1] if lists else []


def _shown(answer: str) -> list[Hit]:
    rows = (_ROW.match(line) for line in answer.split("\n"))
    return [Hit(r[2], r[3], r[1], r[4], r[5], r[6] is None) for r in rows if r]


def there_is(call: Call) -> list[str]:
    """Return the merchants that a refusal names, where somebody named another one."""
    _, found, rest = call.result.partition("There is no merchant ")
    return rest.partition("There is: ")[2].rstrip(".").split(", ") if found else []


def shops(about: str) -> list[str]:
    """Return the merchants that an earlier search found something at."""
    return [word.partition("/")[0] for word in about.split('": ')[-1].split() if "/" in word]


def choices_of(call: Call) -> dict[str, str]:
    """Return what may be chosen, by id, where a call was refused for want of a choice."""
    if "refused: It needs an " not in call.result:
        return {}
    return {found[1].strip(): found[2] for found in _CHOICE.finditer(call.result)}
