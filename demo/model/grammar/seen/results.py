"""Read the result texts of tools, as every model gets them.

Results hold names, descriptions and reviews that strangers wrote. They are data: only the places
of a text that its tool writes itself are read, and nothing in them is ever parsed for a wish.
"""

import re
from dataclasses import dataclass
from typing import Final

_ROW: Final = re.compile(r"^(?:(\d{1,3})\. )?([A-Za-z]+-\d+) \| (.*)$")
_COUNT: Final = re.compile(r" ok: (\d{1,4}) ")
_CENTS: Final = re.compile(r"^(\d{1,9})\.(\d\d) ([A-Z]{3})$")
_OPTION: Final = re.compile(r"^\s*(\S+) (.+?)\s*$")


@dataclass(frozen=True)
class Row:
    """One product as a line of a result; the price in cents and as it was written."""

    number: int
    sku: str
    name: str
    cents: int
    price: str
    rating: str
    stock: str

    @property
    def stars(self) -> float:
        """Return the rating as a number, 0 where there is none."""
        found = re.match(r"\d(?:\.\d+)?", self.rating)
        return float(found.group()) if found else 0.0

    @property
    def sold_out(self) -> bool:
        """Tell whether none is in stock."""
        return self.stock.startswith("0 ")


@dataclass(frozen=True)
class Product:
    """A product page: its row, what the shop writes about it, and its attributes."""

    row: Row
    description: str
    attributes: dict[str, str]


@dataclass(frozen=True)
class Option:
    """A card or an address to choose from: its id and what people call it."""

    id: str
    label: str


@dataclass(frozen=True)
class Options:
    """The cards and addresses that can be chosen; empty where no choice is needed."""

    cards: tuple[Option, ...] = ()
    addresses: tuple[Option, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.cards or self.addresses)


@dataclass(frozen=True)
class Ending:
    """How an action ended: the status word, by whom, and the sentence about it."""

    status: str
    by: str
    sentence: str


def hits(text: str) -> list[Row]:
    """Read the rows of a search; no more of them than its head line counts."""
    count = _COUNT.search(text.split("\n", 1)[0])
    rows = [row for line in text.split("\n")[1:] if (row := _row(line)) and row.number > 0]
    return rows[: int(count.group(1))] if count else []


def opened(text: str) -> tuple[str, bool]:
    """Read what was opened again: its text as it was read first, and whether it is still good."""
    head, _, rest = text.partition("\n")
    if " recall ok: " not in head:
        return text, True
    return rest, "superseded" not in head


def product(text: str) -> Product | None:
    """Read a product page, or None where the text is none."""
    lines = text.split("\n")
    row = _row(lines[1]) if len(lines) > 1 and " get_product ok" in lines[0] else None
    if row is None:
        return None
    body = lines[2:]
    attributes: dict[str, str] = {}
    if body and body[-1].startswith("attributes: "):
        for pair in re.split(r", (?=[\w-]+=)", body.pop()[len("attributes: ") :]):
            name, _, value = pair.partition("=")
            if value:
                attributes[name] = value
    return Product(row, " ".join(body), attributes)


def reviews(text: str) -> list[tuple[str, str, str]] | None:
    """Read (rating, title, text) of each review, or None where the text holds no reviews."""
    head, *lines = text.split("\n")
    if " get_reviews ok" not in head:
        return None
    rows = (line.split(" | ", 2) for line in lines)
    return [(row[0], row[1], row[2]) for row in rows if len(row) == 3]


def orders(text: str) -> list[tuple[str, ...]]:
    """Read (order id, status, total, lines) of each order in a result."""
    rows = (tuple(line.split(" | ", 3)) for line in text.split("\n")[1:])
    return [row for row in rows if len(row) == 4]


def profile(text: str) -> dict[str, str]:
    """Read the lines of a profile: name, cards, addresses, default card, default address."""
    pairs = (line.partition(": ") for line in text.split("\n")[1:])
    return {name: value for name, _, value in pairs if value}


def options_of_profile(text: str) -> Options:
    """Read all cards and addresses on file."""
    lines = profile(text)
    return Options(_options(lines.get("cards", "")), _options(lines.get("addresses", "")))


def options_needed(text: str) -> Options:
    """Read what a checkout needs to be told; empty where it needs nothing."""
    found = {"card_id": "", "address_id": ""}
    for line in text.split("\n"):
        for name in found:
            head = f"checkout needs {name}: "
            if line.startswith(head):
                found[name] = line[len(head) :]
    return Options(_options(found["card_id"]), _options(found["address_id"]))


def ending(tool: str, text: str) -> Ending | None:
    """Read how a call of an acting tool ended, or None where the text does not say."""
    match = re.match(rf"{re.escape(tool)} ([a-z][a-z ]*?)(?: by ([^:\n]+))?: (.*)", text, re.DOTALL)
    return Ending(match[1], match[2] or "", match[3].strip()) if match else None


def cart_event(text: str) -> tuple[str, str, int, str] | None:
    """Read (sign, sku, quantity, name) of a change of the cart; the sign is "+", "-" or "="."""
    match = re.match(r"cart r\d+>r\d+: ([+-]?)([A-Za-z]+-\d+)(?: x(\d{1,6}))? \((.*)\)", text)
    return (match[1] or "=", match[2], int(match[3] or 0), match[4]) if match else None


def cents(price: str) -> int:
    """Read "129.00 USD" as integer cents, 0 where it is none."""
    match = _CENTS.match(price)
    return int(match[1]) * 100 + int(match[2]) if match else 0


def _row(line: str) -> Row | None:
    match = _ROW.match(line)
    # A name may hold the separator itself: the last three columns are counted from the right.
    parts = match[3].rsplit(" | ", 3) if match else []
    if match is None or len(parts) != 4:
        return None
    name, price, rating, stock = parts
    return Row(int(match[1] or 0), match[2].upper(), name, cents(price), price, rating, stock)


def _options(text: str) -> tuple[Option, ...]:
    found = (_OPTION.match(part) for part in text.split("; "))
    return tuple(Option(match[1], match[2]) for match in found if match)
