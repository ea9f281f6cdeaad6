"""Write a text as a row of units, so that one pattern holds for all goods. Pure.

What points at goods is `@`, so many is `#`, so many more is `+`, and what was read is `~`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from daybook.demo.model.grammar.language.chat.frames.kinds import Thing
from daybook.demo.model.grammar.language.chat.frames.things import UNITS, things_in
from daybook.demo.model.grammar.language.intents.references import By, Extreme, It, Reference
from daybook.demo.model.grammar.language.tokens import Kind, Token

Whose = str
"""Of whom something is: "her", "him", "me"; or "=230", what has so much of something."""


@dataclass(frozen=True)
class Unit:
    """A word, a sign, a count or goods; `whose` where it is told by its owner or a measure.

    `at` is the token that it begins with.
    """

    text: str
    item: Reference | None = None
    count: int = 0
    whose: Whose = ""
    said: tuple[str, ...] = ()
    at: int = 0


_OWNERS: Final = {
    "hers": "her", "his": "him", "mine": "me", "theirs": "them",
}  # fmt: skip
BY: Final[dict[str, By]] = {
    "heavy": "heaviest", "light": "lightest", "expensive": "dearest", "dear": "dearest",
    "pricey": "dearest", "costly": "dearest", "posh": "dearest", "cheap": "cheapest",
    "big": "largest", "large": "largest", "small": "smallest", "warm": "warmest",
    "bright": "brightest",
}  # fmt: skip
"""What is meant among two where a plain word is said: "the heavy ones"."""
_FOR_WHOM: Final = re.compile(
    r"the (?:one|ones|pair|thing|things) (?:is )?(?:for|of) (?:(?:my|our|the|his|her) )?(\w+)"
)
_LAST: Final = re.compile(
    r"(?:what(?:ever)?|the (?:last |latest )?(?:one|ones|thing|item)(?: that)?|the last(?= i| we))"
    r" (?:i|we|you) (?:have )?(?:just|last) (?:added|put in|bought|chose|picked)(?: in| last)?\b"
    r"|the (?:last|latest|most recent) (?:one|thing|item)(?: that)? (?:(?:i|we|you) )?(?:have )?"
    r"(?:just )?(?:added|put in)\b"
)
_THE_ONE: Final = re.compile(r"the (?:one|ones|pair|light|lamp) (?:with|of|that has)")


def units_of(tokens: Sequence[Token]) -> list[Unit]:
    """Return the units of a text, from left to right."""
    things, counts = things_in(tokens)
    starts = {thing.start: thing for thing in things if not _is_adverb(thing, tokens)}
    counted = {count.start: count for count in counts}
    found: list[Unit] = []
    at, begin, came = 0, 0, 0
    while at < len(tokens):
        found[begin:] = [replace(one, at=came) for one in found[begin:]]
        begin, came = len(found), at
        token = tokens[at]
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        phrase = " ".join(one.text for one in tokens[at : at + 3])
        measured = tokens[at + 3] if at + 3 < len(tokens) else None
        if measured is not None and measured.kind is Kind.NUMBER and _THE_ONE.match(phrase):
            unit = tokens[at + 4].text if at + 4 < len(tokens) else ""
            found.append(Unit("@", whose=f"={measured.value}"))
            at += 5 if unit in UNITS or (len(unit) == 1 and unit.isalpha()) else 4
        elif (
            whom := _FOR_WHOM.match(" ".join(one.text for one in tokens[at : at + 5]))
        ) is not None:
            found.append(Unit("@", whose=f"for {whom[1]}"))
            at += len(whom.group().split())
        elif (last := _LAST.match(" ".join(one.text for one in tokens[at : at + 9]))) is not None:
            found.append(Unit("@", whose="last"))
            at += len(last.group().split())
        elif token.text == "the" and after in BY and _is_one(tokens, at + 2):
            found.append(Unit("@", Extreme(BY[after])))
            at += 3
        elif token.text in _OWNERS and after not in ("own", "new", "old"):
            found.append(Unit("@", whose=_OWNERS[token.text]))
            at += 1
        elif (thing := starts.get(at)) is not None:
            found += _of_thing(thing, tokens)
            at = thing.end
        elif (count := counted.get(at)) is not None:
            found.append(Unit("+" if count.more else "#", count=count.value))
            at = count.end
        elif token.kind is Kind.ODD and re.fullmatch(r"[-+]\d{1,2}", token.text):
            found.append(Unit("+" if token.text[0] == "+" else "minus", count=0))
            found[-1:] = [] if token.text[0] == "+" else found[-1:]
            found.append(Unit("+" if token.text[0] == "+" else "#", count=int(token.text[1:])))
            at += 1
        else:
            found.append(Unit(token.text, said=(token.text,)))
            at += 1
    found[begin:] = [replace(one, at=came) for one in found[begin:]]
    return found


def _is_one(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].text in ("one", "ones", "pair", "pairs")


def _is_adverb(thing: Thing, tokens: Sequence[Token]) -> bool:
    """Tell whether "that" only joins: "so that we match"; or people are meant: "both of us"."""
    after = tokens[thing.end].text if thing.end < len(tokens) else ""
    if after in ("us", "you", "thought", "thoughts"):
        return True
    before = tokens[thing.start - 1].text if thing.start else ""
    is_that = tokens[thing.start].text == "that" and thing.end == thing.start + 1
    return is_that and before in ("so", "said", "sure", "glad", "sorry", "now")


def _of_thing(thing: Thing, tokens: Sequence[Token]) -> Iterator[Unit]:
    said = tuple(one.text for one in tokens[thing.start : thing.end])
    goods = Unit("@", thing.item, said=said)
    number = tokens[thing.end - 1]
    if isinstance(thing.item, It) and said[0] in _SINGLE and number.kind is Kind.NUMBER:
        yield from (goods, Unit("#", count=number.value))
        return
    if thing.quantity is None:
        yield goods
        return
    count = Unit("+" if thing.more else "#", count=thing.quantity)
    last = [one for one in tokens[thing.start : thing.end] if one.kind in _NUMBERS]
    is_behind = bool(last) and last[-1] is not tokens[thing.start] and isinstance(thing.item, It)
    is_behind = is_behind or (bool(last) and last[-1] is tokens[thing.end - 1])
    yield from (goods, count) if is_behind else (count, goods)


_SINGLE: Final = ("it", "that", "this")
_NUMBERS: Final = (Kind.NUMBER, Kind.TIMES)


def shape_of(units: Sequence[Unit]) -> str:
    """Return the units as a text, with a space between them."""
    return " ".join(unit.text for unit in units)


def places(units: Sequence[Unit]) -> dict[int, int]:
    """Return the unit that begins at each place of the shape."""
    found: dict[int, int] = {}
    at = 0
    for number, unit in enumerate(units):
        found[at] = number
        at += len(unit.text) + 1
    return found


def struck(units: Sequence[Unit], begin: int, end: int) -> list[Unit]:
    """Return the units with those from `begin` to `end` as read."""
    return [
        replace(one, text="~", item=None) if begin <= at < end else one
        for at, one in enumerate(units)
    ]
