"""A text that comes bit by bit, cut into what stands or goes as one: sentences and list items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

_MARKER = re.compile(
    r"(?:(\d{1,3})([.)])|[-*+\u2022\u2013]|\(?[a-h]\)|\(\d{1,2}\)|\d\ufe0f?\u20e3"
    r"|[\u2600-\u27bf\u25a0-\u25ff\u2b50\U0001f300-\U0001faff]\ufe0f?)(?=[ \t])[ \t]+"
)
_MAY_BE_MARKER = re.compile(
    r"(?:\d{1,3}[.)]?|[-*+\u2022\u2013]|\(?(?:[a-h]|\d{1,2})?\)?|\d\ufe0f?\u20e3?"
    r"|[\u2600-\u27bf\u25a0-\u25ff\u2b50\U0001f300-\U0001faff]\ufe0f?|[A-Z]{1,3}|`{1,2})\Z"
)
_ENDS_A_ROW = re.compile(
    r"\d[.,]\d\d(?:\s?(?:USD|EUR|GBP|CHF|[$\u20ac\u00a3]))?(?:[ \t]*\d{1,5} in stock)?[\s;,|*]*\Z"
)
_FENCE = "```"
_CURRENCY = re.compile(r"(?:USD|EUR|GBP|CHF)\b")
_CLOSING = "\"'\u201d\u2019)]*_`"
_SHORT = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|approx|incl|excl|vs|nr|st|mr|mrs|ms|dr|ca|[a-z])\.$",
    re.IGNORECASE,
)
_ENDINGS = ".!?\u2026"


class Shape(Enum):
    """What a piece is on its page."""

    SENTENCE = "sentence"
    ITEM = "item"
    HEADING = "heading"
    ROW = "row"


@dataclass(frozen=True)
class Piece:
    """Hold one sentence, list item, heading or table row.

    Attributes:
        before: the blanks and line breaks between it and the piece before.
        begins: no other piece stands before it on its line.
    """

    before: str
    text: str
    begins: bool

    @property
    def shape(self) -> Shape:
        """Say what it is."""
        if self.begins and _MARKER.match(self.text):
            return Shape.ITEM
        if self.begins and self.text.startswith("#"):
            return Shape.HEADING
        return Shape.ROW if self.begins and self.text.startswith("|") else Shape.SENTENCE

    @property
    def opens_block(self) -> bool:
        """Tell whether an empty line stands before it."""
        return self.before.count("\n") > 1

    @property
    def indent(self) -> int:
        """Return how far it stands from the margin."""
        return len(self.before.rpartition("\n")[2].expandtabs(4)) if self.begins else 0

    @property
    def number(self) -> int | None:
        """Return the number of a list item."""
        found = _MARKER.match(self.text) if self.begins else None
        return int(found[1]) if found and found[1] else None

    def numbered(self, number: int) -> Piece:
        """Return the item with another number."""
        text = re.sub(r"^\d{1,3}", str(number), self.text)
        return Piece(self.before, text, self.begins)


class Pieces:
    """Cut a text into pieces while it comes; how it is dealt out changes nothing."""

    def __init__(self) -> None:
        self._left = ""
        self._begins = True
        self._looked = 0

    def feed(self, text: str) -> Iterator[Piece]:
        """Take more of the text; give what is complete."""
        self._left += text
        while (piece := self._next()) is not None:
            yield piece

    def end(self) -> tuple[Piece, ...]:
        """Give what is left: a last piece, and the blanks behind it as an empty one."""
        rest, self._left = self._left, ""
        if not rest:
            return ()
        start, end = _first(rest), len(rest.rstrip())
        if start == len(rest):
            return (Piece(rest, "", True),)
        last = Piece(rest[:start], rest[start:end], self._begins or "\n" in rest[:start])
        return (last, Piece(rest[end:], "", True)) if end < len(rest) else (last,)

    def _next(self) -> Piece | None:
        start = _first(self._left)
        begins = self._begins or "\n" in self._left[:start]
        body = self._left[start:]
        if not body or (begins and _MAY_BE_MARKER.match(body)):
            # It may yet become a list item, whose first full stop ends no sentence.
            return None
        marker = _MARKER.match(body) if begins else None
        is_line = begins and (body[0] in "#|" or body.startswith(_FENCE))
        at = max(self._looked, marker.end() if marker else 0)
        ends = _no
        while at < len(body):
            ends = _ends_line(body, at, is_line, marker is not None)
            if ends == _no and marker is None and not is_line:
                ends = _ends_sentence(body, at)
            if ends != _no:
                break
            at += 1
        self._looked = at
        if ends in (_no, _unknown):
            return None
        piece = Piece(self._left[:start], body[:ends], begins)
        self._left, self._begins, self._looked = body[ends:], False, 0
        return piece


_no, _unknown = -1, -2
"""What is answered of a place where nothing ends, and where more of the text must be awaited.

What else is answered of a text is answered of every longer one.
"""


def _ends_line(body: str, at: int, is_line: bool, is_item: bool) -> int:
    """Return where a piece ends at a line break, if it does."""
    if body[at] != "\n":
        return _no
    if is_line:
        return at
    ahead = body[at + 1 :].lstrip(" \t\r")
    if not ahead or _MAY_BE_MARKER.match(ahead):
        return _unknown
    if ahead[0] in "\n#|>" or ahead.startswith(_FENCE) or _MARKER.match(ahead):
        return at
    if _ENDS_A_ROW.search(body[:at]) and ahead[0].isupper() and not _CURRENCY.match(ahead):
        return at
    is_inside = not is_item or body[at + 1].isspace() or ahead[0].islower()
    # Not indented, it is of the item where that is cut off in the middle.
    return _no if is_inside or body[at - 1] in ",-\u2014(" else at


def _ends_sentence(body: str, at: int) -> int:
    """Return where a sentence ends at a full stop or the like, if it does."""
    if body[at] not in _ENDINGS:
        return _no
    after = at + 1
    while after < len(body) and body[after] in _CLOSING + _ENDINGS:
        after += 1
    if after < len(body) and not body[after].isspace():
        return _no
    if body[at] == "." and _SHORT.search(body[max(at - 8, 0) : at + 1]):
        return _no
    follows = body[after:].lstrip()
    if not follows:
        return _unknown
    return _no if body[at] == "." and follows[0].islower() else after


def _first(text: str) -> int:
    return len(text) - len(text.lstrip())
