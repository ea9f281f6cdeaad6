"""Which row or line somebody means: by its place, by its id, by the words of its name, or "it"."""

import re
from collections.abc import Sequence
from typing import Final, TypeVar

from daybook.demo.model.merchants.seen import CartLine, Hit

_ORDINALS: Final = {
    word: place
    for place, words in enumerate(
        (
            ("1st", "first"),
            ("2nd", "second"),
            ("3rd", "third"),
            ("4th", "fourth"),
            ("5th", "fifth"),
        ),
        1,
    )
    for word in words
}
_PLACE: Final = re.compile(
    r"^(?:number |no\.? |#)?(\d{1,2})$|^(" + "|".join(_ORDINALS) + r")(?: (?:one|item|of them))?$"
)
_IT: Final = frozenset({"it", "that", "this", "them", "that one", "this one", "one of it"})
_SMALL: Final = frozenset(("the", "a", "an", "of", "one", "ones", "some", "with", "and", "for"))


def is_place(thing: str) -> bool:
    """Tell whether something is named by its place in a list alone."""
    return _PLACE.match(thing) is not None


def is_it(thing: str) -> bool:
    """Tell whether something is only pointed at."""
    return thing in _IT


One = TypeVar("One", Hit, CartLine)


def meant(thing: str, rows: Sequence[One], last: str = "") -> list[One]:
    """Return the rows that may be meant: one where it is clear, several where it is not.

    Args:
        last: the id that "it" stands for.
    """
    if place := _PLACE.match(thing):
        at = int(place[1]) if place[1] else _ORDINALS[place[2]]
        return [rows[at - 1]] if 1 <= at <= len(rows) else []
    if thing in _IT or not thing:
        named = [row for row in rows if row.item_id == last]
        return named or (list(rows) if len(rows) == 1 else [])
    if by_id := [row for row in rows if row.item_id.lower() == thing]:
        return by_id
    words = {_stem(word) for word in re.findall(r"\w+", thing)} - _SMALL
    full = [row for row in rows if words and words <= _words(row.title)]
    return full


def _words(title: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"\w+", title.lower())}


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
