"""A wish cut into clauses, with a sign for each of its goods and counts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.answers.deciding.wanting.put_together import put_together
from daybook.demo.model.grammar.answers.deciding.wanting.turning import JOINS, MARKS, TELLERS
from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import Count, things_in
from daybook.demo.model.grammar.language.tokens import Token

_SENTENCE: Final = frozenset({".", "!", "?", ";", "\n"})


@dataclass(frozen=True)
class Clause:
    """A clause of a wish: its form with signs for goods (@) and counts (#), and what these are."""

    shape: str
    things: tuple[Thing, ...]
    counts: tuple[Count, ...]
    asks: bool
    joined: str
    texts: tuple[str, ...]


def clauses_of(tokens: Sequence[Token]) -> Iterator[Clause]:
    """Cut tokens into clauses at marks and joining words."""
    things, counts = things_in(tokens)
    things, counts = put_together(tokens, things, counts)
    marks: dict[int, tuple[str, Thing | Count]] = {one.start: ("@", one) for one in things}
    marks |= {one.start: ("#", one) for one in counts}
    at, shape, found, texts = 0, list[str](), list[Thing | Count](), list[str]()
    joined = ""
    pieces: list[Clause] = []

    def piece(*, asks: bool) -> Clause:
        return Clause(
            " ".join(shape),
            tuple(one for one in found if isinstance(one, Thing)),
            tuple(one for one in found if isinstance(one, Count)),
            asks,
            joined,
            tuple(texts),
        )

    while at < len(tokens):
        text = tokens[at].text
        if at in marks:
            sign, one = marks[at]
            shape.append(sign)
            found.append(one)
            at = one.end
            continue
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        joins = text in JOINS or (text == "so" and after in TELLERS)
        if text in MARKS or (joins and shape):
            if shape:
                pieces.append(piece(asks=text == "?"))
            if text == "?":
                pieces = _asked(pieces)
            yield from pieces if text in _SENTENCE else ()
            pieces = [] if text in _SENTENCE else pieces
            shape, found, texts = [], [], []
            joined = text
        else:
            shape.append(text)
            texts.append(text)
        at += 1
    if shape:
        pieces.append(piece(asks=False))
    yield from pieces


def _asked(pieces: list[Clause]) -> list[Clause]:
    """Mark what a sentence asks: from where the question begins, or else the whole of it."""
    begins = [n for n, one in enumerate(pieces) if n and _ASKS.match(one.shape)]
    return [replace(one, asks=n >= (begins or [0])[0]) for n, one in enumerate(pieces)]


_ASKS: Final = re.compile(
    r"(?:so |and |then )*(?:what|how|which|who|when|where|why|is|are|do|does|did|will|would|can"
    r"|could|should|whats|hows)\b"
)
