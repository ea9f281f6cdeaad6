"""Judge what is said of how a thing is made, against the attributes that were read of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from daybook.tools.said.clauses import Clauses, is_open
from daybook.tools.said.grammar.made_of import (
    A_COLOUR,
    ALIKE,
    COLOURS,
    HEIGHTS,
    MADE_OF,
    SHADES,
    SORTS_OF_PARTS,
    WOVEN,
)
from daybook.tools.said.judges.added_up import is_of_a_thing
from daybook.tools.said.judges.goods.alone.told_in_figures import (
    AS_WELL,
    NOT,
    counts_otherwise,
    measures_otherwise,
)
from daybook.tools.said.known import Known
from daybook.tools.said.rows import Record, record_of_line
from daybook.tools.said.spoken_of import Mentioned, heads_in, mentioned
from daybook.tools.said.text import plain

_YES: Final = frozenset({"yes", "true"})
_NO: Final = frozenset({"no", "false"})
_FILLINGS: Final = {
    "down": "down",
    "synthetic": "synthetic",
    "fibre": "synthetic",
    "fiber": "synthetic",
    "feather": "down",
}
_FILLED: Final = re.compile(
    r"\b(down|synthetic|feather|fibre|fiber) (?:fill|filling|filled|insulation|bag)\b|\b(?:filled with|fill(?:ing)? (?:is|of)|stuffed with) (?:\w+ ){0,2}?(down|synthetic|feather|fibre|fiber)\b"
)
_LARGEST: Final = re.compile(
    r"\b(?:only|just) (?:go|goes|run|runs|come|comes|available|made|get|reach)?(?: \w+){0,2} ?(?:up )?to (?:size )?(\d\d)\b|\b(?:biggest|largest|top) size(?: \w+)? is (?:a )?(\d\d)\b"
)

_ATTRIBUTES: Final = re.compile(r"^attributes: (.+)$", re.MULTILINE)
_ONE: Final = re.compile(r"(?:^|, )(\w+)=([^=]*?)(?=, \w+=|$)")
_GOES_ON: Final = re.compile(
    r"^\W*(?:not|never|is|isn't|are|aren't|has|hasn't|have|haven't|also|still|only|rather|with|without)\b|^\W*[a-z]+\W*$"
)
"""Begins a clause, or is all of one, whose subject stands in the one before it: "it is windproof but not waterproof"."""

_OF_A_PERSON: Final = re.compile(r"\ballerg|^\W*noted\b", re.IGNORECASE)
"""Tells what somebody is known to be or to like, and of no goods."""

_BOTH: Final = re.compile(r"^\W*both\b(?! of (?:us|you)\b)")
_BOTH_OF: Final = re.compile(
    r"^\W*both\b(?: of them| of these)?(?: [a-z]+)? are (?:made )?(?:of|from|in) ([a-z]+)\W*$"
)
_LETTERED: Final = re.compile(
    r"^\W*sizes? (?:are |run |go |range |from )*(xxs|xs|s|m|l|xl|xxl|xxxl) (?:to |through |till |up to )?(xs|s|m|l|xl|xxl|xxxl)\W*$"
)
_UP_TO: Final = re.compile(r"\bup to (?:a |an |size )?(xs|s|m|l|xl|xxl|xxxl)\b")
_SORT_OF_COLOUR: Final = re.compile(
    r"\b(?:i (?:imagine|picture|presume|suppose|take it|guess)|sort of|kind of|\w{3,}ish|something (?:like|between)|close to|think of|reminds?|a shade of|i(?:'d| would) (?:say|call|describe))\b"
)
"""In a clause that only tells how somebody imagines a colour."""

_IT: Final = re.compile(r"\b(?:it|its|it's|they|their|they're)\b")
_BRAND: Final = re.compile(r"^\W*(?:the )?brand (?:is |name )*(\w+(?: \w+){0,2})\W*$")
_MEN: Final = re.compile(
    r"\b(men|women|unisex)(?:'?s)? (?:fit|cut)\b|\bfit (?:is )?(men|women|unisex)\b"
)
_HEIGHT: Final = re.compile(
    rf"\b({'|'.join(HEIGHTS)}) (?:high|height|length|cut)\b|\bheight (?:is )?({'|'.join(HEIGHTS)})\b"
)
_SIZE: Final = re.compile(
    r"\bsizes? (?:up to |of )?(\d{2})\b|\bup to (?:a )?(?:size )?(\d{2})\b(?![.,]\d| ?(?:usd|dollars|g|kg|l|cm|litres?|liters?|stars?|of)\b)"
)
_RANGE: Final = re.compile(
    r"\b(?:come|comes|available|made|sold|run|runs|go|goes|range|ranges)(?: in| from| in sizes?)* (?:size )?(\d\d)(?: to| through| till| up to)? (\d\d)\b(?! (?:usd|dollars|g\b|days|in stock))"
)
_SIZES: Final = re.compile(
    r"\bsizes?(?: are| go| run| range)? (?:from )?(\d{2})(?: to| through| till)? (\d{2})\b"
)
_OF_NO_TRAIT: Final = re.compile(
    r"\bwash\w*\b[^,.;]*?\bdegrees\b|\b(?:per|every|for each) \d+ (?:litres?|liters?|ml|grams?|g|kilomet\w+|km|met\w+)\b"
)
"""How hot a thing may be washed, and by how much a price is told."""
_PERCENT: Final = re.compile(
    rf"\b(?P<n>\d{{1,3}}) ?(?:%|percent)(?: of)?(?: pure)? (?P<what>{WOVEN})\b|"
    rf"\b(?P<label>{WOVEN})(?: content| share)?(?: is)? (?P<m>\d{{1,3}}) ?(?:%|percent)"
)


@dataclass(frozen=True)
class _Read:
    """A thing of which attributes were read."""

    names: frozenset[str]
    traits: Mapping[str, str]
    line: str


def of_traits(clauses: Clauses, about: Sequence[Mentioned], known: Known) -> Iterator[str]:
    """Yield the attributes of a thing that was read, where a clause says otherwise."""
    read = [one for text in known.texts for one in _read_in(text)]
    if _OF_A_PERSON.search(clauses.text):
        return
    if not read:
        yield from _of_what_was_listed(clauses, known)
        return
    held = plain(" ".join((*known.texts, *known.beside, *known.said)))
    before: Sequence[_Read] = ()
    for clause in _with_answers(clauses.asserted):
        clause = _OF_NO_TRAIT.sub(" ", clause)
        if _is_of_what_was_not_read(clause, about, read, known):
            before = ()
            continue
        goes_on = before and _GOES_ON.match(clause) is not None
        named = _named_in(clause, read, known)
        spoken_of = named or (
            before if goes_on else _spoken_of(_named_by(clause, clauses, about), read)
        )
        before = named or (before if goes_on else ())
        traits = [one.traits for one in spoken_of]
        told = [one for one in (_gainsays(clause, one) for one in traits) if one is not None]
        if (
            _is_made_up(clause, held)
            or _is_of_no_colour(clause, held, spoken_of or read, known)
            or (told and (all(told) or (any(told) and _is_of_both(clause, read))))
            or _is_of_another_stuff(clause, read)
            or measures_otherwise(clause, traits)
            or counts_otherwise(clause, traits, plain(clauses.text))
        ):
            yield spoken_of[0].line


def _is_of_what_was_not_read(
    clause: str, about: Sequence[Mentioned], read: Sequence[_Read], known: Known
) -> bool:
    """Tell whether a clause names goods of which no attributes were read, beside others of which some were."""
    named = mentioned(clause, known) or (
        about if len({id(one.record) for one in about}) == 1 else ()
    )
    records = [one.record for one in named if not one.record.statuses and is_of_a_thing(one)]
    return bool(records) and not _of_records(records, read)


def _of_what_was_listed(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield that nothing tells of it, where something that was only listed is said to be made of something."""
    if not any(one.stock for one in known.records):
        return
    held = plain(" ".join((*known.texts, *known.beside, *known.said)))
    if any(_is_made_up(clause, held) for clause in clauses.asserted):
        yield "Nothing that was read tells what it is made of."


def _with_answers(clauses: Sequence[str]) -> list[str]:
    """Put a yes or a no behind a colon to what it says it of: "waterproof: no"."""
    joined = list[str]()
    for clause in clauses:
        if joined and clause.strip(" .*_") in _YES | _NO:
            asked = joined.pop()
            # Behind the name of a thing it may stand there with that, too.
            asked = joined.pop() if joined and joined[-1].endswith(f" {asked}") else asked
            joined.append(f"{asked} {clause}")
        else:
            joined.append(clause)
    return joined


@lru_cache(maxsize=256)
def _read_in(text: str) -> tuple[_Read, ...]:
    found = list[_Read]()
    for line in _ATTRIBUTES.finditer(text):
        rows = [record_of_line(row) for row in text[: line.start()].split("\n") if " | " in row]
        names = rows[-1].names if rows and rows[-1] is not None else frozenset[str]()
        found.append(_Read(names, dict(_ONE.findall(line[1])), " ".join(line.group().split())))
    return tuple(found)


def _named_in(clause: str, read: Sequence[_Read], known: Known) -> Sequence[_Read]:
    """Return what a clause names of what was read, by its name or its noun."""
    if len(read) == 1:
        return read
    by_name = [one.record for one in mentioned(clause, known)]
    by_noun = [one for _, some in heads_in(clause, known) for one in some]
    return _of_records(by_name, read) or _of_records(by_noun, read)


def _spoken_of(about: Sequence[Mentioned], read: Sequence[_Read]) -> Sequence[_Read]:
    """Return what a sentence that names nothing itself speaks of; all that was read where it is open."""
    return _of_records([one.record for one in about], read) or read


def _named_by(clause: str, clauses: Clauses, about: Sequence[Mentioned]) -> Sequence[Mentioned]:
    """Return what was named before a clause that says "it": what only stands behind it is not meant."""
    said = plain(clauses.sentence.text)
    place = said.find(clause)
    if place < 0 or _IT.search(clause) is None:
        return about
    return [
        one
        for one in about
        if one.start < place or not (one.name and said.startswith(one.name, one.start))
    ]


def _of_records(records: Sequence[Record], read: Sequence[_Read]) -> Sequence[_Read]:
    return [one for one in read if any(one.names & record.names for record in records)]


def _gainsays(clause: str, traits: Mapping[str, str]) -> bool | None:
    """Tell whether a clause says otherwise of an attribute; None where it speaks of none that is there."""
    agrees = False
    for name, value in traits.items():
        words = name.replace("_", " ")
        if value in _NO and _is_done_with_it(words, clause):
            return True
        if value in ("yes", "true") and _lacks(words, clause):
            return True
        found = re.search(rf"\b{re.escape(words)}\b", clause) if value in _YES | _NO else None
        if found is None:
            continue
        if value in _YES or NOT.search(clause):
            agrees = True
        elif not is_open(clause[: found.start()]):
            return True
    otherwise = _is_otherwise(clause, traits)
    return False if agrees and otherwise is None else otherwise


def _is_done_with_it(words: str, clause: str) -> bool:
    """Tell whether a clause says that a thing does what it cannot: "they fold up" of what is not foldable."""
    root = words.removesuffix("able").removesuffix("ible")
    if root == words or " " in words or NOT.search(clause):
        return False
    return (
        re.search(
            rf"\b(?:it|they|which|poles?|that|this|both|pair|\w+s?) (?:also |even |easily |can |all )*(?:be )?{root}(?:s|es|ed)?(?: up| down| away| small| flat| to\b| for\b|\W*$)",
            clause,
        )
        is not None
        and re.search(r"\b(?:you|i|we|to|please)\b (?:\w+ )?" + root, clause) is None
    )


def _is_otherwise(clause: str, traits: Mapping[str, str]) -> bool | None:
    """Tell whether a clause says a height, a fit, a colour, a filling or a size that it has not.

    None where it says nothing of these.
    """
    if NOT.search(clause):
        return None
    for name, pattern in SORTS_OF_PARTS.items():
        if name in traits and (sort := pattern.search(clause)):
            told = next(one for one in sort.groups() if one)
            return not {told, ALIKE.get(told, told)} & set(plain(traits[name]).split())
    height = _HEIGHT.search(clause)
    if height is not None and traits.get("height") in (*HEIGHTS, "high"):
        return (height[1] or height[2]) != traits["height"]
    fit = _MEN.search(clause)
    if fit is not None and "fit" in traits:
        return (fit[1] or fit[2]) != traits["fit"]
    if (colour := re.match(r"^\W*colou?r (?:is )?(\w+)\W*$", clause)) and "colour" in traits:
        return colour[1] in COLOURS and not _is_shade(colour[1], traits["colour"])
    filled = _FILLED.search(clause)
    if filled is not None and "fill" in traits:
        told = filled[1] or filled[2]
        return _FILLINGS[told] not in {_FILLINGS[one] for one in _FILLINGS if one in traits["fill"]}
    letters = re.fullmatch(r"([A-Z]+)-([A-Z]+)", traits.get("sizes", ""))
    if letters is not None and (lettered := _LETTERED.search(clause)):
        return [one.lower() for one in letters.groups()] != [*lettered.groups()]
    if letters is not None and (up := _UP_TO.search(clause)):
        return up[1] != letters[2].lower()
    sizes = re.fullmatch(r"(\d\d)-(\d\d)", traits.get("sizes", ""))
    if sizes is None:
        return None
    size, both, end = _SIZE.search(clause), _SIZES.search(clause), _LARGEST.search(clause)
    if (end is not None and end[1]) or (end is not None and end[2]):
        return (end[1] or end[2]) != sizes[2]
    if (range_ := _RANGE.search(clause)) is not None:
        return [*range_.groups()] != [*sizes.groups()]
    told = [
        int(one) for one in ([both[1], both[2]] if both else [size[1] or size[2]] if size else ())
    ]
    if not told:
        return None
    return any(not int(sizes[1]) <= one <= int(sizes[2]) for one in told)


def _is_of_both(clause: str, read: Sequence[_Read]) -> bool:
    """Tell whether a clause says the same of both things that were read."""
    return len(read) == 2 and _BOTH.match(clause) is not None


def _is_of_another_stuff(clause: str, read: Sequence[_Read]) -> bool:
    """Tell whether both things that were read are said to be of a stuff that one of them is not."""
    found = _BOTH_OF.match(clause)
    stuffs = [one.traits["material"] for one in read if "material" in one.traits]
    if found is None or len(read) != 2 or len(stuffs) != 2 or NOT.search(clause):
        return False
    told = found[1]
    return any(told in one for one in stuffs) and not all(told in one for one in stuffs)


def _is_shade(colour: str, of: str) -> bool:
    return colour in of or any(colour in some and of in some for some in SHADES)


def _is_of_no_colour(clause: str, held: str, read: Sequence[_Read], known: Known) -> bool:
    """Tell whether a colour is told that nothing has of which one was read."""
    colours = [one.traits["colour"] for one in read if "colour" in one.traits]
    if len(colours) != len(read) or any(
        one.search(clause) for one in (NOT, AS_WELL, _SORT_OF_COLOUR)
    ):
        return False
    for name in known.names:
        clause = clause.replace(name, " ")
    # "Grey or red" tells of both.
    clause = clause.replace(" or ", " and ")
    return any(
        found.group() not in held and not any(_is_shade(found.group(), one) for one in colours)
        for found in A_COLOUR.finditer(clause)
        if not is_open(clause)
    )


def _lacks(words: str, clause: str) -> bool:
    """Tell whether a clause says of a quality that a thing has not what it has."""
    stem = re.escape(words.removesuffix("able"))
    return re.search(
        rf"(?:\b(?:not|never|isn't|aren't)|n't)(?: be| really| at all| even)* {stem}"
        rf"|\b(?:has|have|with|comes with|there's|there is) no {re.escape(words)}\b|(?:n't|\bnot) (?:have|come with|include|feature|offer|got) (?:an?|any|its own|the) {re.escape(words)}\b|\b(?:lacks|without) an? {re.escape(words)}\b",
        clause,
    ) is not None and not re.search(
        r"\b(?:if|whether|only|just|merely|not only|none|neither|nothing)\b", clause
    )


def _is_made_up(clause: str, held: str) -> bool:
    """Tell whether a fuel, a material, a share of one or a brand is told that stands nowhere."""
    if NOT.search(clause) or AS_WELL.search(clause):
        return False
    # "Gas or petrol" tells of both.
    clause = clause.replace(" or ", " and ")
    made = [found.group() for found in MADE_OF.finditer(clause) if not is_open(clause)]
    brand = _BRAND.search(clause)
    if any(one not in held for one in [*made, *([brand[1]] if brand else [])]):
        return True
    share = _PERCENT.search(clause)
    if share is None or is_open(clause):
        return False
    shares = re.findall(rf"(\d{{1,3}})% (?:\w+ )?{share['what'] or share['label']}\b", held)
    return bool(shares) and (share["n"] or share["m"]) not in shares
