"""Rows of what was read: objects of documents, and lines of parts, each with its names and figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from daybook.state.once import once_for_each
from daybook.tools.said.numbers import numbers_in
from daybook.tools.said.text import is_row, plain

_NAMES = ("name", "title", "label", "product_name")

_OTHERS = ("user_id", "order_id", "customer_id", "payment_method_id")
"""Ids that an object of another kind may hold."""

_COUNTS = ("quantity", "qty", "count")

_PRICES = ("price", "unit_price", "amount", "total", "cost")

_STOCK = ("stock", "in_stock", "inventory", "available")

_OUT_OF = re.compile(r"(?<=\d) (?:of|out of) (?:5|10)\b|(?<=\d)/(?:5|10)\b")

_REVIEW = re.compile(r"\s*\d of 5 \|")

_IN_STOCK = re.compile(r"\b(\d+) in stock\b")

_STATUS = re.compile(
    r"\b(?:placed|cancelled|canceled|delivered|shipped|refunded|returned|pending|processed|open)\b",
    re.IGNORECASE,
)

ID = re.compile(
    r"#?[^\W\d_]+[-_]?(?:[^\W_]+[-_])*[^\W_]*\d[^\W_]*(?:-[^\W_]*)*|#?\d{5,}", re.UNICODE
)

_OF_OTHERS = re.compile(r" x\d|^(?:card|addr)")
"""In a name that is what an order holds, or what it was paid with or sent to."""

_TIMES = re.compile(r"(?<![\w.])x\s?(\d{1,3})\b|(?<![\w.])(\d{1,3})\s?[x×]\s")

_ITEMS = re.compile(r"\b([A-Z]{2,})-\d+ x(\d{1,3})\b")

_LEAST_NAME = 4

_CODE_LENGTH = 5


@dataclass(frozen=True)
class Record:
    """One thing that was read: a product, an order, a line of a cart.

    Attributes:
        names: by which an answer may speak of it, as `plain` writes them.
        figures: numbers in it, as they stand and as hundredths.
        counts: how many of it, where that is said.
        stock: how many of it there are.
        statuses: words in which a state of it is said, in small letters.
        shown: the line in which the model was shown it, or "".
    """

    names: frozenset[str]
    figures: frozenset[Decimal]
    counts: frozenset[int] = frozenset()
    stock: frozenset[int] = frozenset()
    statuses: frozenset[str] = frozenset()
    shown: str = ""


def document_of(text: str) -> Any:
    """Read a result that is JSON, behind the line that names its call if there is one."""
    _, brace, _ = text.partition("{")
    start = text.find("{") if brace else -1
    begins = [at for at in (start, text.find("[")) if at >= 0]
    if not begins:
        return None
    head = text[: min(begins)]
    if head.strip() and not head.endswith("\n"):
        return None
    try:
        found = json.loads(text[min(begins) :])
    except ValueError:
        return None
    return found if isinstance(found, dict | list) else None


def records_of(value: Any, of: str = "") -> Iterator[Record]:
    """Yield the objects of a document that have a name or an id, each with all that is in it.

    Args:
        of: the name of the object that they are variants of, which have none of their own.
    """
    if isinstance(value, Mapping):
        names = frozenset(_names_of(value))
        name = next((str(value[key]) for key in _NAMES if isinstance(value.get(key), str)), "")
        of = name if len(name) >= _LEAST_NAME else of
        if names and of and not name:
            names |= {plain(of)}
        if names:
            numbers = with_hundredths((*numbers_of(value), *_sums_of(value)))
            status = value.get("status")
            yield Record(
                names,
                frozenset(numbers),
                frozenset(_ints_of(value, _COUNTS)),
                frozenset(_ints_of(value, _STOCK)),
                frozenset(map(str.lower, _STATUS.findall(str(status)))),
            )
        for item in value.values():
            yield from records_of(item, of)
    elif isinstance(value, list):
        for item in value:
            yield from records_of(item, of)


def prices_of(value: Any) -> Iterator[tuple[str, Decimal]]:
    """Yield what each thing of a document costs, by every id that is its own."""
    if isinstance(value, Mapping):
        price = next((value[key] for key in _PRICES if key in value), None)
        if isinstance(price, int | float) and not isinstance(price, bool):
            for key, item in value.items():
                if isinstance(item, str) and (key.endswith("id") or key == "sku"):
                    yield item.lower().lstrip("#"), Decimal(str(price))
        for item in value.values():
            yield from prices_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from prices_of(item)


def _ints_of(value: Mapping[str, Any], keys: Sequence[str]) -> Iterator[int]:
    for key in keys:
        if isinstance(item := value.get(key), int) and not isinstance(item, bool):
            yield item


def _names_of(value: Mapping[str, Any]) -> Iterator[str]:
    for key, item in value.items():
        if not isinstance(item, str) or not item.strip():
            continue
        is_id = key == "id" or key.endswith("_id") or key == "sku"
        if (key in _NAMES and len(item) >= _LEAST_NAME) or (is_id and _is_own(key, value)):
            yield plain(item).lstrip("#")


def _is_own(key: str, value: Mapping[str, Any]) -> bool:
    """Tell whether an id is an object's own: the first one in it."""
    ids = [name for name in value if name == "id" or name.endswith("_id") or name == "sku"]
    is_a_thing = isinstance(value.get("name"), str) and key not in _OTHERS
    return ids[0] == key or is_a_thing


def numbers_of(value: Any) -> Iterator[Decimal]:
    """Yield all numbers of a document."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield Decimal(str(value))
    elif isinstance(value, str):
        yield from numbers_in(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from numbers_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from numbers_of(item)


def _sums_of(value: Any) -> Iterator[Decimal]:
    """Yield what the rows of each list add up to, by key."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _sums_of(item)
    elif isinstance(value, list):
        rows = [row for row in value if isinstance(row, Mapping)]
        keys = {key for row in rows for key, item in row.items() if isinstance(item, int | float)}
        for key in keys:
            yield sum((Decimal(str(row.get(key) or 0)) for row in rows), Decimal(0))
        for row in rows:
            yield from _sums_of(row)


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text; of one that lists several things each of them."""
    for line in text.split("\n"):
        parts = line.split("; ")
        yield from parts if len(parts) > 1 and "|" not in line else [line]


@once_for_each
def record_of_line(line: str) -> Record | None:
    """Read a line of parts that names something and has a number."""
    parts = [part.strip() for part in line.split("|")]
    if _REVIEW.match(line):
        # Its title names nothing: "Second one I own".
        return None
    ids = [found for found in ID.findall(parts[0]) if any(map(str.isdigit, found))]
    ids = [one for one in ids if len(one) >= _CODE_LENGTH]
    names = [part for part in parts if _is_a_name(part)] if len(parts) > 1 else []
    if not ids and not names:
        return None
    numbers = [
        number for part in parts for number in numbers_in(_without(_OUT_OF.sub("", part), ids))
    ]
    if len(parts) == 1 and not numbers:
        return None
    counts = {int(one or other) for one, other in _TIMES.findall(line)} | _alike_in(line)
    known_as = {plain(one).lstrip("#") for one in ids} | {plain(name) for name in names}
    shown = " ".join(line.split())
    return Record(
        frozenset(name for name in known_as if name),
        frozenset(with_hundredths(numbers)),
        frozenset(counts),
        frozenset(map(int, _IN_STOCK.findall(line))),
        frozenset(map(str.lower, _STATUS.findall(line))),
        re.sub(r"^\d+[.)] ", "", shown) if is_row(shown) else shown,
    )


def _alike_in(line: str) -> set[int]:
    """Return how many an order holds of each sort of which it holds several: COAT-001 x1, COAT-002 x1."""
    found = dict[str, list[int]]()
    for sort, many in _ITEMS.findall(line):
        found.setdefault(sort, []).append(int(many))
    return {number for some in found.values() if len(some) > 1 for number in (sum(some), len(some))}


def _is_a_name(part: str) -> bool:
    words = [word for word in part.split() if any(map(str.isalpha, word))]
    spelt = [word for word in words if word[:1].isupper() and len(word) > 1]
    return (
        len(part) >= _LEAST_NAME
        and bool(spelt)
        and len(words) <= 10
        and "=" not in part
        and not (re.match(r"[\d.,]+ [A-Z]{3}\b", part))
    )


def _without(part: str, ids: Sequence[str]) -> str:
    for one in ids:
        part = part.replace(one, " ")
    return part


def merged(records: Sequence[Record]) -> Iterator[Record]:
    """Join records of the same names: a hit, a product, a line of the cart."""
    groups: list[list[Record]] = []
    place: dict[str, int] = {}
    for record in records:
        found = {place[name] for name in _own(record.names) if name in place}
        at = min(found) if found else len(groups)
        if at == len(groups):
            groups.append([])
        groups[at].append(record)
        for other in sorted(found - {at}, reverse=True):
            groups[at] += groups[other]
            groups[other] = []
        for one in groups[at]:
            for name in _own(one.names):
                place[name] = at
    for group in groups:
        if group:
            # The last one that shows its figures is the newest.
            shown = [one.shown for one in group if one.shown]
            yield Record(
                frozenset[str]().union(*(one.names for one in group)),
                frozenset[Decimal]().union(*(one.figures for one in group)),
                frozenset[int]().union(*(one.counts for one in group)),
                frozenset[int]().union(*(one.stock for one in group)),
                frozenset[str]().union(*(one.statuses for one in group)),
                shown[-1] if shown else "",
            )


def _own(names: frozenset[str]) -> frozenset[str]:
    """Return what no other thing is called: two orders may hold the same, paid for by one card."""
    return frozenset(name for name in names if not _OF_OTHERS.search(name)) or names


def with_hundredths(numbers: Iterable[Decimal]) -> set[Decimal]:
    """Return numbers as they stand, and as cents in units."""
    found = set(numbers)
    return found | {number / 100 for number in found if number == number.to_integral_value()}
