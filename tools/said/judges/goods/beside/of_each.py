"""Judge what is said of one of a few things that were read by themselves, and is so of another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.dimensions import DIMENSIONS
from daybook.tools.said.grammar.things import sorts_in, sorts_of
from daybook.tools.said.judges.goods.beside.read_alone import Thing, things_read, words_of
from daybook.tools.said.known import Known
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.spoken_of import mentioned
from daybook.tools.said.text import amounts_in

_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")

_MOST_READ: Final = 6
"""Things that are set beside one another."""

_NOT: Final = re.compile(
    r"\b(?:not|never|neither|nor|no|none|without|than|unlike|like|while|whereas|instead|other|would|could|if|"
    r"or|as(?! well\b)|but|against|vs|versus|except|compared|difference|almost|nearly|looks?|want\w*)\b|n't\b"
)
_BOTH: Final = re.compile(
    r"^\W*(?:both|each(?= (?:of|one|is|has|comes|costs|weighs|holds)\b)|all (?:of )?(?:them|two)|the two|they(?:'re| are| have)? (?:both|all))\b"
)
_ALL: Final = re.compile(
    rf"^\W*(?:all (?:of (?:them|these|those|the )?)?(?:the )?(?P<n>\d|{'|'.join(SMALL)})?|every one|each(?= (?:of|one|is|has|comes|costs|weighs|holds)\b)|they all|they're all)(?!\w)"
)
_ABOUT: Final = re.compile(
    r"\b(?:at least|at most|over|under|about|around|roughly|or (?:more|less)|up to|between|minimum|nearly|almost|more|less|from|to|within)\b"
)
_COSTS: Final = re.compile(r"\b(?:costs?|is|are|at|for|asks?|comes? to|price)\b")
_COMES_WITH: Final = re.compile(
    r"\b(?:comes? with|sold with|brings?|includes?|is|has|have)\b((?: [\w-]+){1,5})\W*$"
)
_IT: Final = re.compile(r"^\W*(?:and |but )?(?:it|that one|this one)(?:'s| is|'s also| is also)\b")
_ONLY: Final = re.compile(r"^\W*only\b")
_BESIDE: Final = re.compile(r"\b(?:than|unlike|compared|against|versus|vs|over|beside)\b")
_LEAST_TELLING: Final = 5
_SMALL_WORDS: Final = frozenset(
    [
        "and",
        "the",
        "for",
        "with",
        "one",
        "two",
        "person",
        "fill",
        "min",
        "per",
        "yes",
        "true",
        "false",
        "hiking",
        "walking",
        "light",
        "made",
        "stretch",
        "brushed",
        "recycled",
    ]
)


def of_each(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield what was read of a thing, where a clause says of it what is so of another one alone."""
    things = things_read(known.texts)
    if not 1 < len(things) <= _MOST_READ:
        return
    if len(things) == 2 and _is_so_of_neither(clauses, things, known):
        yield "; ".join(one.line for one in things)
    subject: Thing | None = None
    for clause in clauses.asserted:
        named, rest = _named(clause, things, known)
        if not named or not _BESIDE.search(clause):
            # What something is only set beside is not what the next clause goes on with.
            subject = (
                named[0] if len(named) == 1 else None if named or sorts_in(clause) else subject
            )
        if _NOT.search(clause) or is_open(_ONLY.sub("", clause)):
            continue
        if _is_of_all(clause, things) and not named:
            whole = " ".join(clauses.asserted)
            yield from (one.line for one in things if _is_of_one_alone(rest, one, things, whole))
        elif (
            subject is not None
            and len(named) <= 1
            and (
                (named and _is_anothers(rest, subject, things))
                or (named and _is_of_more(rest, subject, things))
                or (named and _costs_what_another_does(rest, subject, things))
                or _is_compared_wrongly(rest, subject, things)
            )
        ):
            yield subject.line


def _is_so_of_neither(clauses: Clauses, things: Sequence[Thing], known: Known) -> bool:
    """Tell whether "it is cheaper and lighter" is so of neither of two things, whichever is meant."""
    text = " ".join(clauses.asserted)
    if not _IT.match(text) or _NOT.search(text) or mentioned(text, known) or len(things) != 2:
        return False
    told = [
        (name, is_more)
        for name, more, less in DIMENSIONS
        for is_more, words in ((True, more), (False, less))
        if words.search(text) and all(name in one.figures for one in things)
    ]
    one, other = things
    return len(told) > 1 and all(
        any(
            (it.figures[name] < than.figures[name]) is is_more
            and it.figures[name] != than.figures[name]
            for name, is_more in told
        )
        for it, than in ((one, other), (other, one))
    )


def _is_of_all(clause: str, things: Sequence[Thing]) -> bool:
    """Tell whether a clause says something of both, or of all three, and of nothing else."""
    traits = " ".join(name for one in things for name in one.traits)
    told = {sort for sort, _, _ in sorts_in(clause)} - {sort for sort, _, _ in sorts_in(traits)}
    every = _ALL.match(clause)
    is_of_all = _BOTH.match(clause) is not None if len(things) == 2 else every is not None
    if every is not None and every["n"]:
        is_of_all = (SMALL.get(every["n"]) or int(every["n"])) == len(things)
    return is_of_all and all(told <= sorts_of(one.names) for one in things)


def _named(clause: str, things: Sequence[Thing], known: Known) -> tuple[list[Thing], str]:
    """Return the things that a clause names, by name or by what only one of them is, and the rest of it."""
    rest, named = clause, list[Thing]()
    for one in mentioned(clause, known):
        named += [
            thing for thing in things if thing.names & one.record.names and thing not in named
        ]
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    if named:
        return named, rest
    firsts = [name.split()[0] for one in things for name in one.names if " " in name]
    for thing in things:
        for word in {name.split()[0] for name in thing.names if " " in name}:
            if firsts.count(word) == 1 and re.search(rf"\bthe {re.escape(word)}\b", clause):
                return [thing], clause
    for thing in things:
        others = frozenset[str]().union(*(words_of(one.text) for one in things if one is not thing))
        for word in sorted((thing.own | words_of(" ".join(thing.names))) - others - _SMALL_WORDS):
            place = re.search(rf"\bthe {word}(?: (?:one|{_noun(thing)})s?)\b", clause)
            if place is not None:
                named.append(thing)
                rest = rest[: place.start()] + " " * len(place.group()) + rest[place.end() :]
                break
    return named, rest


def _noun(thing: Thing) -> str:
    return (
        "|".join(sorted({re.escape(name.split()[-1]) for name in thing.names if " " in name}))
        or "one"
    )


def _is_anothers(clause: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """Tell whether a word of a clause is of an attribute that another one has, and this one not."""
    words = words_of(clause)
    for other in things:
        for name, value in other.traits.items():
            if other is thing or name not in thing.traits or thing.traits[name] == value:
                continue
            theirs = {one for one in words_of(value) if one not in thing.text} - _SMALL_WORDS
            own = words_of(thing.traits[name])
            if theirs & words and not (own and own <= words):
                return True
    return False


def _is_of_more(clause: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """Tell whether a thing alone is said to have a quality that another one has, too."""
    return _ONLY.match(clause) is not None and any(
        value == "yes" and name.replace("_", " ") in clause
        for other in things
        if other is not thing
        for name, value in other.traits.items()
    )


def _costs_what_another_does(clause: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """Tell whether a thing is said to cost what another one does, or to bring what that one brings."""
    prices = {one.figures["price"] for one in things if one is not thing and "price" in one.figures}
    own = thing.figures.get("price")
    if own is not None and _COSTS.search(clause):
        told = {one.value for one in amounts_in(clause)}
        if len(told) == 1 and told & prices and own not in told:
            return True
    return any(_brings(clause, other, thing) for other in things if other is not thing)


def _brings(clause: str, other: Thing, thing: Thing) -> bool:
    """Tell whether it is said to come with what only the other one comes with."""
    found = _COMES_WITH.search(clause)
    theirs = {
        one for one in words_of(other.text) - words_of(thing.text) if len(one) >= _LEAST_TELLING
    }
    return found is not None and bool(theirs & words_of(found[1]))


def _is_of_one_alone(clause: str, thing: Thing, things: Sequence[Thing], whole: str) -> bool:
    """Tell whether both are said to be what one of them is not, of an attribute that both have.

    Args:
        whole: the sentence, which may tell of each in turn: "the two weigh 420 g and 510 g".
    """
    if _is_anothers(clause, thing, things):
        return True
    if any(_brings(clause, other, thing) for other in things if other is not thing):
        return True
    for name, pattern in (
        ("rating", r"\b(?:rated|rating(?: of)?|at) (\d\.\d)\b"),
        ("weight_g", r"(?<![\w.,])(\d{1,3},\d{3}|\d{2,5}) ?(?:g|grams)\b"),
        ("boil_minutes", r"\b(\d(?:\.\d)?|\w+) minutes\b"),
        ("capacity_litre", r"(?<![\w.])(\d+(?:\.\d+)?) ?(?:litres?|liters?|l)\b"),
        ("persons", r"\bsleeps? (\w+)\b"),
    ):
        if _ABOUT.search(clause):
            continue
        found = re.search(pattern, clause)
        if (
            found is None
            or name not in thing.figures
            or (not found[1][0].isdigit() and found[1] not in SMALL)
        ):
            continue
        told = {one.replace(",", "") for one in re.findall(pattern, f"{clause} {whole}")}
        numbers = {Decimal(SMALL.get(one, one)) for one in told if one[0].isdigit() or one in SMALL}
        if thing.figures[name] not in numbers:
            return True
    return False


def _is_compared_wrongly(clause: str, thing: Thing, things: Sequence[Thing]) -> bool:
    """Tell whether it is said to have more or less of something than all others, and has not."""
    for name, more, less in DIMENSIONS:
        values = [one.figures.get(name) for one in things if one is not thing]
        own = thing.figures.get(name)
        others = [one for one in values if one is not None]
        if own is None or len(others) != len(values):
            continue
        if more.search(clause) and all(own < one for one in others):
            return True
        if less.search(clause) and all(own > one for one in others):
            return True
    return False
