"""What is known when an answer is given: the rows the model was shown, and what became of effects.

Rows are found in results that are JSON (an object with a name or an id) and in results that are
lines (`BOOT-004 | Trail boot | 98.90 USD | 14 in stock`). Whatever stands in neither form is known
as a number, an identifier or a date that was read somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, TypeAlias

from daybook.state.ledger.plan import Plan
from daybook.state.ledger.recovery import StepState
from daybook.state.once import once_for_each
from daybook.tools.said.grammar.kinds import Kind, kinds_of
from daybook.tools.said.grammar.things import ID_OF_A_SORT, SORTS, sorts_in, sorts_of
from daybook.tools.said.mentions import held_in, mentions_in
from daybook.tools.said.numbers import numbers_in
from daybook.tools.said.rows import (
    ID,
    Record,
    document_of,
    lines_of,
    merged,
    numbers_of,
    prices_of,
    record_of_line,
    records_of,
    with_hundredths,
)
from daybook.tools.said.text import bounded, plain

Outcome: TypeAlias = Literal["done", "not done", "in doubt", "undone", "open"]

_OUTCOMES: Mapping[StepState, Outcome] = {
    StepState.DONE: "done",
    StepState.NEGATIVE: "not done",
    StepState.VOID: "not done",
    StepState.UNDONE: "undone",
    StepState.INTENDED: "open",
}

_MOST_OF_ALIAS = 2

_MOST_READ = 100_000
"""Characters of one result; those that a prompt shows are shorter."""

_WORDS = re.compile(r"[^\W\d_]+")
_WORDS_AND_NUMBERS = re.compile(r"[^\W_]+")
_ITEM = re.compile(r"([a-z]{4,}) \d{2,4}(?: x\d+)?$")

_ISO = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")


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
            found |= {one.lower().lstrip("#") for one in ID.findall(text)}
        return frozenset(found)

    @cached_property
    def plain_texts(self) -> tuple[str, ...]:
        """Return all that was read or done, as `plain` writes it."""
        return tuple(map(plain, self.texts))

    @cached_property
    def plain_words(self) -> frozenset[str]:
        """Return all words that are known, as `plain` writes them."""
        texts = map(plain, (*self.texts, *self.beside, *self.said))
        return frozenset(word for text in texts for word in _WORDS.findall(text))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the words and numbers of all that was read or said, without the endings of plurals."""
        texts = (plain(one.replace("_", " ")) for one in (*self.texts, *self.beside, *self.said))
        return frozenset(
            stem_of(word) for text in texts for word in _WORDS_AND_NUMBERS.findall(text)
        )

    @cached_property
    def unnamed_sorts(self) -> frozenset[str]:
        """Return the sorts of goods of which an id was read, and no name."""
        named = {
            name for one in self.records if any(map(_is_spelt, one.names)) for name in one.names
        }
        ids = {one.group() for text in self.plain_texts for one in ID_OF_A_SORT.finditer(text)}
        return frozenset(one.split()[0] for one in ids - named)

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

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return all names of things, the longest first."""
        return tuple(sorted(self.by_name, key=len, reverse=True))

    @cached_property
    def long_names(self) -> tuple[str, ...]:
        """Return the names of things that are spelt and no ids, the longest first."""
        names = {name for one in self.records for name in one.names if not _has_digit(name)}
        return tuple(sorted((one for one in names if " " in one), key=len, reverse=True))

    @cached_property
    def sorts(self) -> frozenset[str]:
        """Return the sorts of goods of which anything was read or said."""
        texts = map(plain, (*self.texts, *self.beside, *self.said))
        found = {sort for text in texts for sort, _, _ in sorts_in(text)}
        return frozenset(found).union(*(sorts_of(record.names) for record in self.records))

    @cached_property
    def by_head(self) -> dict[str, list[Record]]:
        """Return the things that people call by a noun: the last word of a name, or its id's first."""
        found: dict[str, list[Record]] = {}
        for record in self.records:
            heads = {stem_of(name.split()[-1]) for name in record.names if not _has_digit(name)}
            heads |= {one[1] for name in record.names if (one := _ITEM.match(name))}
            heads |= {noun.split()[-1] for sort in sorts_of(record.names) for noun in SORTS[sort]}
            for head in heads:
                if len(head) > 2 and head.isalpha():
                    found.setdefault(head, []).append(record)
        return found


def _is_spelt(name: str) -> bool:
    return " " in name and not _has_digit(name)


def stem_of(word: str) -> str:
    """Return a noun without the ending of its plural, well enough to compare."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _has_digit(name: str) -> bool:
    return any(map(str.isdigit, name))


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
        held = _held(text)
        records += held.records
        prices |= held.prices
        loose |= held.loose
    said = [bounded(text, _MOST_READ) for text in said]
    beside = [bounded(text, _MOST_READ) for text in beside]
    aside = {number for text in (*said, *beside) for number in with_hundredths(numbers_in(text))}
    return Known(
        records=tuple(merged(records)),
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


@dataclass(frozen=True)
class _Held:
    """What one result holds: its rows, what they cost, and the numbers that stand in none."""

    records: Sequence[Record]
    prices: Mapping[str, Decimal]
    loose: Set[Decimal]


@once_for_each
def _held(text: str) -> _Held:
    document = document_of(text)
    if document is not None:
        found = [*records_of(document)]
        loose = set() if found else with_hundredths(numbers_of(document))
        return _Held(found, dict(prices_of(document)), loose)
    records, loose = list[Record](), set[Decimal]()
    for line in lines_of(text):
        record = record_of_line(line)
        if record is not None:
            records.append(record)
        else:
            loose |= with_hundredths(numbers_in(line))
    return _Held(records, {}, loose)


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


def _alias(name: str) -> str:
    """Return the first words of a long name, by which people know it; "" of a short one."""
    words = name.split()
    is_long = len(words) > _MOST_OF_ALIAS and not any(map(str.isdigit, name))
    return " ".join(words[:_MOST_OF_ALIAS]) if is_long else ""


def _ids_of(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _ids_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _ids_of(item)
    elif isinstance(value, str) and any(map(str.isdigit, value)) and len(value.split()) == 1:
        yield value.lower().lstrip("#")
