"""Judge which one of several things that were read is said to be the only one with a part, or without it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.judges.goods.beside.read_alone import things_read
from daybook.tools.said.known import Known
from daybook.tools.said.spoken_of import mentioned

_ONLY_ONE: Final = re.compile(
    r"\b(?:the|is|its|a) (?:only|lone|sole|single) (?:one|model|[a-z]+)(?: (?:here|there|(?:of|among) (?:all |the |these |those |them )*(?:two|three|four|five|\d)?))? ?"
    r"(?P<how>without|with|that lacks|lacking|that has no|that has|that comes with|that is not|that isn't|that's not|that is|that's) (?:an? |any |its own )?(?P<what>[a-z]+(?: [a-z]+)?)"
)
_LACKS: Final = frozenset(
    {"without", "that lacks", "lacking", "that has no", "that is not", "that isn't", "that's not"}
)
_OF_SOME: Final = re.compile(r"\b(?:not|if|would|could|whether|unless|no)\b|n't\b|'d\b")


def of_the_only_one(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what was read of another one, where one is said to be the only one with a part, and is not."""
    things = things_read(known.texts)
    if len(things) < 2:
        return
    for clause in clauses.asserted:
        found = _ONLY_ONE.search(clause)
        if found is None or is_open(clause[: found.start()]):
            continue
        if _OF_SOME.search(clause[: found.start()]):
            continue
        words = (found["what"], found["what"].split()[0])
        name = next(
            (
                one
                for word in words
                for one in things[0].traits
                if one.replace("_", " ") in (word, word.rstrip("s"))
            ),
            None,
        )
        values = [one.traits.get(name) for one in things] if name else []
        if not values or not {*values} <= {"yes", "no"}:
            continue
        told = "no" if found["how"] in _LACKS else "yes"
        such = [one for one, value in zip(things, values, strict=True) if value == told]
        named = mentioned(clause[: found.start()], known)
        is_it = not named or any(such[0].names & one.record.names for one in named if such)
        if len(such) != 1 or not is_it:
            yield (such or [*things])[0].line
