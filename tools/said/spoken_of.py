"""The things that a sentence speaks of, by name or id."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daybook.tools.said.known import Known
from daybook.tools.said.rows import Record
from daybook.tools.said.text import plain


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
    for name in sorted(known.by_name, key=len, reverse=True):
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


def shown_of(records: Sequence[Record]) -> str:
    """Return the line in which the model was shown one of them, or ""."""
    return next((one.shown for one in records if one.shown), "")
