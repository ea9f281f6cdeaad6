"""Judge a table with a column for each of several things: what stands below one must not be another one's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.judges.goods.beside.read_alone import things_read
from daybook.tools.said.known import Known
from daybook.tools.said.rows import Record
from daybook.tools.said.spoken_of import mentioned
from daybook.tools.said.text import Sentence, amounts_in, measures_in, ratings_in

_RATED = re.compile(r"\b(?:rating|rated|average)\W*$", re.IGNORECASE)
_LEAST = 2
"""Columns that each name a thing."""


def things_above(sentence: Sentence, known: Known) -> list[Record | None]:
    """Return what each column of a row names, nothing where fewer than two name one thing each."""
    named = [
        {id(one.record): one.record for one in mentioned(column, known)}
        for column in sentence.columns
    ]
    above = [next(iter(some.values())) if len(some) == 1 else None for some in named]
    return above if len({id(one) for one in above if one is not None}) >= _LEAST else []


def of_these_alone(sentence: Sentence, known: Known) -> Sentence:
    """Return a row of a table with a column for each of several things without the cells that name one.

    What stands beside a name is by how much one has more than the others: "Badger Moor, by $46.95".
    """
    above = things_above(sentence, known)
    cells = sentence.text.strip().strip("|").split("|")
    if not above or len(cells) != len(above):
        return sentence
    kept = [
        "" if at and above[at] is None and mentioned(cell, known) else cell.strip()
        for at, cell in enumerate(cells)
    ]
    return replace(sentence, text=f"| {' | '.join(kept)} |")


def of_columns(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what was read of a thing, where below its column stands a figure of the one beside it."""
    above = things_above(clauses.sentence, known)
    cells = clauses.sentence.text.strip().strip("|").split("|")
    if not above or len(cells) != len(above):
        return
    for cell, one in zip(cells, above, strict=True):
        told = _figures_in(f"rating {cell.strip()}" if _RATED.search(cells[0]) else cell)
        if one is None or len(told) != 1:
            continue
        own = _figures_of(one, known)
        others = [_figures_of(other, known) for other in above if other not in (None, one)]
        if own and all(others) and not told & own and any(told & some for some in others):
            yield one.shown


def _figures_in(cell: str) -> frozenset[Decimal]:
    """Return the price of a cell, or else its measures, or its rating."""
    amounts = frozenset(one.value for one in amounts_in(cell))
    measures = frozenset(
        one * (1000 if words.lower().endswith("kg") else 1) for one, words, _ in measures_in(cell)
    )
    return amounts or measures or frozenset(one for one, _ in [*ratings_in(cell)][:1])


def _figures_of(record: Record | None, known: Known) -> frozenset[Decimal]:
    if record is None:
        return frozenset()
    read: Sequence[frozenset[Decimal]] = [
        frozenset(thing.figures.values())
        for thing in things_read(known.texts)
        if thing.names & record.names
    ]
    return record.figures.union(*read)
