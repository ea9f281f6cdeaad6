"""What is known when an answer is given: the rows the model was shown, and what became of effects.

Rows are found in results that are JSON (an object with a name or an id) and in results that are
lines (`BOOT-004 | Trail boot | 98.90 USD | 14 in stock`). Whatever stands in neither form is known
as a number, an identifier or a date that was read somewhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, TypeAlias

from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import StepState
from daybook.tools.said.grammar import Kind, kinds_of
from daybook.tools.said.mentions import held_in, mentions_in
from daybook.tools.said.numbers import numbers_in
from daybook.tools.said.text import bounded, is_row, plain

Outcome: TypeAlias = Literal["done", "not done", "in doubt", "undone", "open"]

_OUTCOMES: Mapping[StepState, Outcome] = {
    StepState.DONE: "done",
    StepState.NEGATIVE: "not done",
    StepState.VOID: "not done",
    StepState.UNDONE: "undone",
    StepState.INTENDED: "open",
}

_NAMES = ("name", "title", "label", "product_name")
_OTHERS = ("user_id", "order_id", "customer_id", "payment_method_id")
"""Ids that an object of another kind may hold."""

_COUNTS = ("quantity", "qty", "count")
_PRICES = ("price", "unit_price", "amount", "total", "cost")
_STOCK = ("stock", "in_stock", "inventory", "available")
_OUT_OF = re.compile(r"(?<=\d) (?:of|out of) (?:5|10)\b|(?<=\d)/(?:5|10)\b")
_IN_STOCK = re.compile(r"\b(\d+) in stock\b")
_STATUS = re.compile(
    r"\b(?:placed|cancelled|canceled|delivered|shipped|refunded|returned|pending|processed|open)\b",
    re.IGNORECASE,
)
_MOST_OF_ALIAS = 2
_ID = re.compile(
    r"#?[^\W\d_]+[-_]?(?:[^\W_]+[-_])*[^\W_]*\d[^\W_]*(?:-[^\W_]*)*|#?\d{5,}", re.UNICODE
)
_TIMES = re.compile(r"(?<![\w.])x\s?(\d{1,3})\b|(?<![\w.])(\d{1,3})\s?[x×]\s")
_MOST_READ = 100_000
"""Characters of one result; those that a prompt shows are shorter."""

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


@dataclass(frozen=True)
class Effect:
    """An effect that was to be made, and what came of it.

    Attributes:
        ids: identifiers in its arguments and result.
        succeeded: its action did what it was to do.
        is_now: it is of the turn that is answered.
        line: what the machine says of the plan that it belongs to.
    """

    kind: Kind
    outcome: Outcome
    ids: frozenset[str] = frozenset()
    is_now: bool = False
    line: str = ""
    succeeded: bool = False


@dataclass(frozen=True, kw_only=True)
class Known:
    """What an answer is held against.

    Attributes:
        kinds: kinds of effect that the domain can have: of others nothing is judged.
        texts: all that was read or done, as text.
        prices: what things cost, by their ids.
        beside: instructions, and what was answered before.
        lines: what the machine itself told of calls; an answer may repeat it.
        said: what the person said.
    """

    records: tuple[Record, ...] = ()
    effects: tuple[Effect, ...] = ()
    kinds: tuple[Kind, ...] = ()
    texts: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    prices: Mapping[str, Decimal] = field(default_factory=dict)
    loose: frozenset[Decimal] = field(default_factory=frozenset)
    aside: frozenset[Decimal] = field(default_factory=frozenset)

    @cached_property
    def figures(self) -> frozenset[Decimal]:
        """Return all numbers that are known."""
        inside = (record.figures for record in self.records)
        return self.loose.union(self.aside, *inside)

    @cached_property
    def words(self) -> frozenset[str]:
        """Return all words and identifiers that are known, in small letters."""
        found = set[str]()
        for text in (*self.texts, *self.beside, *self.said):
            found |= held_in(text).words
            found |= {one.lower().lstrip("#") for one in _ID.findall(text)}
        return frozenset(found)

    @cached_property
    def days(self) -> frozenset[tuple[int, int]]:
        """Return month and day of all dates that are known."""
        days = set[tuple[int, int]]()
        for text in (*self.texts, *self.beside, *self.said):
            days |= held_in(text).days
            days |= {
                (int(one.text[5:7]), int(one.text[8:10]))
                for one in mentions_in(_ISO.findall(text))
                if one.sort == "date"
            }
        return frozenset(days)

    @cached_property
    def by_name(self) -> dict[str, list[Record]]:
        """Return the records by each of their names."""
        found: dict[str, list[Record]] = {}
        short: dict[str, list[Record]] = {}
        for record in self.records:
            for name in record.names:
                found.setdefault(name, []).append(record)
                if alias := _alias(name):
                    short.setdefault(alias, []).append(record)
        return {**{name: few for name, few in short.items() if len(few) == 1}, **found}


_ISO = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


def known(
    results: Iterable[str],
    said: Sequence[str],
    *,
    effects: Iterable[Effect] = (),
    kinds: Iterable[Kind] = (),
    beside: Iterable[str] = (),
    lines: Iterable[str] = (),
) -> Known:
    """Gather what is known.

    Args:
        results: what the model was shown: results of its calls, state, digests.
        said: what the person said.
        kinds: of effect that the domain can have.
        beside: texts whose words and numbers are known and which hold no records: instructions.
        lines: what the machine itself told of calls.
    """
    texts = [bounded(text, _MOST_READ) for text in results]
    records, loose, prices = list[Record](), set[Decimal](), dict[str, Decimal]()
    for text in texts:
        document = _document(text)
        if document is not None:
            found = [*_records_of(document)]
            records += found
            prices |= dict(_prices_of(document))
            loose |= set() if found else _both(_numbers_of(document))
            continue
        for line in _lines_of(text):
            record = _record_of_line(line)
            if record is not None:
                records.append(record)
            else:
                loose |= _both(numbers_in(line))
    said = [bounded(text, _MOST_READ) for text in said]
    beside = [bounded(text, _MOST_READ) for text in beside]
    aside = {number for text in (*said, *beside) for number in _both(numbers_in(text))}
    return Known(
        records=tuple(_merged(records)),
        effects=tuple(effects),
        kinds=tuple(kinds),
        texts=tuple(texts),
        beside=tuple(beside),
        lines=tuple(map(plain, lines)),
        said=tuple(said),
        prices=prices,
        loose=frozenset(loose),
        aside=frozenset(aside),
    )


def effects_of(plans: Iterable[Plan], turn_id: str, told: Mapping[str, str]) -> Iterator[Effect]:
    """Yield the effects of plans.

    Args:
        turn_id: the turn that is answered.
        told: what the machine says of a plan that is over, by the plan's id.
    """
    for plan in plans:
        if plan.edits:
            # Another version stands in its place.
            continue
        for action, step in plan.located:
            ids = frozenset(_ids_of([dict(step.args), step.result or {}, step.reference or ""]))
            for kind in kinds_of(step.tool):
                yield Effect(
                    kind,
                    _OUTCOMES.get(step.state, "in doubt"),
                    ids,
                    plan.turn_id == turn_id,
                    told.get(plan.plan_id, ""),
                    action.succeeded,
                )


def _document(text: str) -> Any:
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


def _records_of(value: Any, of: str = "") -> Iterator[Record]:
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
            numbers = _both((*_numbers_of(value), *_sums_of(value)))
            status = value.get("status")
            yield Record(
                names,
                frozenset(numbers),
                frozenset(_ints_of(value, _COUNTS)),
                frozenset(_ints_of(value, _STOCK)),
                frozenset(map(str.lower, _STATUS.findall(str(status)))),
            )
        for item in value.values():
            yield from _records_of(item, of)
    elif isinstance(value, list):
        for item in value:
            yield from _records_of(item, of)


def _prices_of(value: Any) -> Iterator[tuple[str, Decimal]]:
    """Yield what each thing of a document costs, by every id that is its own."""
    if isinstance(value, Mapping):
        price = next((value[key] for key in _PRICES if key in value), None)
        if isinstance(price, int | float) and not isinstance(price, bool):
            for key, item in value.items():
                if isinstance(item, str) and (key.endswith("id") or key == "sku"):
                    yield item.lower().lstrip("#"), Decimal(str(price))
        for item in value.values():
            yield from _prices_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from _prices_of(item)


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


def _numbers_of(value: Any) -> Iterator[Decimal]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield Decimal(str(value))
    elif isinstance(value, str):
        yield from numbers_in(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _numbers_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from _numbers_of(item)


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


def _lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text; of one that lists several things each of them."""
    for line in text.split("\n"):
        parts = line.split("; ")
        yield from parts if len(parts) > 1 and "|" not in line else [line]


def _record_of_line(line: str) -> Record | None:
    """Read a line of parts that names something and has a number."""
    parts = [part.strip() for part in line.split("|")]
    ids = [found for found in _ID.findall(parts[0]) if any(map(str.isdigit, found))]
    ids = [one for one in ids if len(one) >= _CODE_LENGTH]
    names = [part for part in parts if _is_a_name(part)] if len(parts) > 1 else []
    if not ids and not names:
        return None
    numbers = [
        number for part in parts for number in numbers_in(_without(_OUT_OF.sub("", part), ids))
    ]
    if len(parts) == 1 and not numbers:
        return None
    counts = {int(one or other) for one, other in _TIMES.findall(line)}
    known_as = {plain(one).lstrip("#") for one in ids} | {plain(name) for name in names}
    shown = " ".join(line.split())
    return Record(
        frozenset(name for name in known_as if name),
        frozenset(_both(numbers)),
        frozenset(counts),
        frozenset(map(int, _IN_STOCK.findall(line))),
        frozenset(map(str.lower, _STATUS.findall(line))),
        re.sub(r"^\d+[.)] ", "", shown) if is_row(shown) else shown,
    )


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


def _merged(records: Sequence[Record]) -> Iterator[Record]:
    """Join records of the same names: a hit, a product, a line of the cart."""
    groups: list[list[Record]] = []
    place: dict[str, int] = {}
    for record in records:
        found = {place[name] for name in record.names if name in place}
        at = min(found) if found else len(groups)
        if at == len(groups):
            groups.append([])
        groups[at].append(record)
        for other in sorted(found - {at}, reverse=True):
            groups[at] += groups[other]
            groups[other] = []
        for one in groups[at]:
            for name in one.names:
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


def _alias(name: str) -> str:
    """Return the first words of a long name, by which people know it; "" of a short one."""
    words = name.split()
    is_long = len(words) > _MOST_OF_ALIAS and not any(map(str.isdigit, name))
    return " ".join(words[:_MOST_OF_ALIAS]) if is_long else ""


def _both(numbers: Iterable[Decimal]) -> set[Decimal]:
    """Return numbers as they stand, and as cents in units."""
    found = set(numbers)
    return found | {number / 100 for number in found if number == number.to_integral_value()}


def _ids_of(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _ids_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _ids_of(item)
    elif isinstance(value, str) and any(map(str.isdigit, value)) and len(value.split()) == 1:
        yield value.lower().lstrip("#")
