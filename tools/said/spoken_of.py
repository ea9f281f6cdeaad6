"""The things that a sentence speaks of, by name or id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.rows import Record
from daybook.tools.said.text import plain

_IT = re.compile(r"\b(?:it|its|it's|they|they're|their|this one|that one)\b")
_THAN = re.compile(r"\b(?:than|unlike|like|beside|as) (?:the |your )?$")
_SETS_APART = re.compile(r"\b(?:while|whereas|which|but|it|they|its)\b|[;:]")
_WORD = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True)
class Mentioned:
    """A thing that a sentence names.

    Attributes:
        name: by which.
        start, end: where in the sentence, as `plain` writes it.
    """

    record: Record
    name: str
    start: int
    end: int


def only_one(known: Known) -> list[Mentioned]:
    """Return the one thing with a stock that was read, where there is no other."""
    goods = [record for record in known.records if record.stock]
    return [Mentioned(goods[0], "", 0, 0)] if len(goods) == 1 else []


def mentioned(text: str, known: Known) -> list[Mentioned]:
    """Find the records that a text names, longest names first, in the order of the text."""
    said = plain(text)
    found: list[Mentioned] = []
    for name in known.names:
        if name not in said:
            continue
        for place in re.finditer(rf"(?<![\w]){re.escape(name)}(?:e?s)?(?![\w])", said):
            if any(place.start() < one.end and one.start < place.end() for one in found):
                continue
            found += [
                Mentioned(record, name, place.start(), place.end())
                for record in known.by_name[name]
            ]
    return sorted(found, key=lambda one: one.start)


def is_of_what_went_before(text: str, place: int, about: Sequence[Mentioned]) -> bool:
    """Tell whether a figure is of what the sentence before spoke of, though this one names others.

    Args:
        place: of the figure; "it" stands near it, and the first name behind it.
    """
    said, before = plain(text), plain(text[:place])
    named = [one for one in about if one.name and said.startswith(one.name, one.start)]
    if not named:
        return False
    first = min(one.start for one in named)
    if first >= len(before):
        return _IT.search(said[:first]) is not None
    # Set beside it by name alone: "it costs more than the Silver Birch and gets 3.2".
    return (
        _IT.search(said[:first]) is not None
        and _THAN.search(said[:first]) is not None
        and all(one.start >= len(before) or one.start == first for one in named)
        and _SETS_APART.search(before[first:]) is None
    )


def heads_in(said: str, known: Known) -> list[tuple[re.Match[str], list[Record]]]:
    """Find the nouns by which things are called, such as "boots": each place, and whose it may be.

    Args:
        said: as `plain` writes it. The names themselves are called by their last word.
    """
    found = list[tuple[re.Match[str], list[Record]]]()
    if not known.by_head:
        return found
    for word in _WORD.finditer(_without_names(said, known)):
        stem = stem_of(word.group())
        records = known.by_head.get(stem) or known.by_head.get(_tail(stem, known), [])
        # An order is no thing that it holds.
        things = [one for one in records if not one.statuses]
        if records:
            found.append((word, things or records))
    return found


def _tail(stem: str, known: Known) -> str:
    """Return the head that a compound ends in: the lamp of a headlamp."""
    return next((one for one in known.by_head if len(one) > 3 and stem.endswith(one)), "")


def _without_names(said: str, known: Known) -> str:
    """Blank out what stands before the last word of each name, without moving a place."""
    for name in known.long_names:
        if (first := name.rpartition(" ")[0]) in said:
            said = said.replace(first, " " * len(first))
    return said


def shown_of(records: Sequence[Record]) -> str:
    """Return the line in which the model was shown one of them, or ""."""
    return next((one.shown for one in records if one.shown), "")
