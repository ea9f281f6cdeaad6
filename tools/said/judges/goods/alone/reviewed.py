"""Judge what reviews are said to tell, against those that were read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import combinations
from typing import Final

from daybook.tools.said.clauses import Clauses
from daybook.tools.said.grammar.reviewed import JUDGED, REVIEWER, SPAN
from daybook.tools.said.grammar.unknowable import ASKED_OR_HYPOTHETICAL, GAINSAID
from daybook.tools.said.known import Known, stem_of
from daybook.tools.said.numbers import SMALL
from daybook.tools.said.text import plain
from daybook.tools.said.wording import in_plain_english

_GIVEN: Final = re.compile(r"^\d of 5 \| ", re.MULTILINE)
_COUNT: Final = rf"(?:\d{{1,2}}|{'|'.join(SMALL)})"
_SO_MANY_GAVE: Final = re.compile(
    rf"\b(?<!of )(?<!of the )(?<!of all )(?P<who>half|most|all|every|each|both|none|nobody|no one|{_COUNT})(?: out)?(?: of)?(?: the| them| these| all)?(?: {_COUNT})? ?(?:reviewers?|reviews?|people|customers?|buyers?|person|of them|one)? ?"
    rf"(?:gave|gives|give|rated|awarded|went for)(?: it| them| this \w+| the (?:\w+ ){{0,5}}?\w+)?(?: only| just| with| the| a| all| full| at)* (?P<stars>[1-5]|one|two|three|four|five)(?: stars?| out of (?:five|5)| of 5|\W*$)"
)
_BY_STARS: Final = re.compile(
    rf"^\W*(?P<stars>[1-5]|one|two|three|four|five)[ -]?(?:stars?|★)(?: (?:reviews?|ratings?))?\W{{1,4}}(?P<n>{_COUNT})(?: (?:out )?of (?:the )?{_COUNT})?(?: (?:reviews?|people|reviewers?|times|x))?\W*$"
)
"""A row that tells how many gave so many stars."""
_TWO: Final = re.compile(r"\b(?!they\b|you\b|them\b|reviewers\b|buyers\b)\w+ $")
_GAVE: Final = re.compile(
    r"^\W*(?:\w+ ){0,2}?[a-z]+ (?:gave|gives|rated|awarded)(?: it| them| this \w+| the \w+)?(?: only| just| full| a| at)* (?P<stars>[1-5]|one|two|three|four|five)(?: stars?| out of (?:five|5)| of 5)"
)
"""Tells how many stars one person gave."""

_NOBODY_GAVE: Final = re.compile(
    r"\b(?:nobody|no one|no reviewer|none of (?:them|the reviewers)) (?:gave|rated|went)(?: it| them)? (?:with )?(?P<how>less|fewer|more) than (?P<stars>[1-5]|one|two|three|four|five)\b"
)
_OR_MORE: Final = re.compile(
    r"\b(?:or (?:more|better|above|five|5|four|4)|at least|at most|or less|average|fewer|less|more than|between)\b"
)
_ROOT: Final = 5
"""Letters by which two forms of a word are told to be of one."""
_SENTENCE: Final = re.compile(r"[.|;]")
_WORD: Final = re.compile(r"[^\W_]+")
_COLD: Final = re.compile(
    r"(?<![\w.])-(?P<n>\d{1,2})\b(?!\s?(?:%|usd|g\b|[x×]))|(?<![\w.$€£-])(?P<m>\d{1,2})\s?(?:°|degrees|[cC]\b)"
)
_SAYS: Final = re.compile(
    r"^\W*(?:\w+ ){0,2}?[A-Z][a-z]+(?: \w+ly| also)? +(?:says?|writes?|wrote|complain(?:s|ed)|report(?:s|ed)|mention(?:s|ed)|notes?|noted|praise[sd]?)\b|"
    r"\b(?:complaint|criticism|objection|praise|remark|warning|word|point|downside)s? (?:is|was|are|comes?|came) (?:from|by) [A-Z][a-z]|\b[Aa]ccording to [A-Z][a-z]+\b|"
    r"(?:^|[A-Z][a-z]+), (?:[\w ]+, )?(?:who )?(?:says?|writes?|wrote|reports?|reported|notes?|mentions?|complains?|found|finds) |\b(?:writes|wrote|says|said|reports|reported|notes) [A-Z][a-z]+\b"
)
"""Tells what a review says, by the name of whoever wrote it."""
_PRAISES: Final = re.compile(
    r"\b(?:prais(?:es?|ed|ing)|loves?|loved|likes?|liked|raves? about|(?:happy|pleased|delighted|satisfied) with|impressed (?:by|with))\b[^,.;]{0,40}?\b(?:the|its|their|these) (?:\w+ )?(?P<what>[a-z]{3,})\b"
)
_AMISS: Final = re.compile(
    r"\b(?:too|not|no|never|bit|short|loose|broke\w*|came|weak|poor\w*|hard|duller|drips?|worse|flimsy|fails?|failed|opened|own)\b|n't\b"
)
"""In a sentence of a review that finds fault with what it names."""
_OF_OURS: Final = re.compile(r"\b(?:i|you|we|i'm|you're|you'd|you'll)\b")
_OF_WARMTH: Final = re.compile(
    r"\b(?:it|it's|they|this one|that one|bag|quilt|boots?)(?:'s| is| are| keeps?| stays?)\b[^,.;]{0,30}\b(?:comfort\w*|rated|warm|good|limit)\b[^,.;]{0,15}\bto\b",
    re.IGNORECASE,
)
"""Tells how cold it may be for a thing."""
_FAHRENHEIT: Final = re.compile(
    r"(?<![\w.,])(?P<n>[-\u2212]?\d{1,3}(?:\.\d)?) ?(?:°|º|degrees?)? ?(?:F|fahrenheit)\b"
)
_OF_NONE: Final = re.compile(
    rf"{GAINSAID.pattern}|\b(?:if|would|could|should|might|whenever|unless|colder|warmer)\b|'d\b|\b(?:look|search|looking|searching|filter|find|show|suggest|recommend)\b(?: you| me| us)? (?:for |one |some |bags? |an? )"
)
_FOR_WHICH: Final = re.compile(
    r"^\W*(?:\w+ )?(?:for|on|in|at|with) (?:\w+ ){0,3}?(?:nights?|days?|mornings?|winters?|trips?|temps?|temperatures?|weather|conditions|lows?|frosts?)\b[^,;.:]{0,24}(?=-?\d)[^,;.:]{0,16}",
    re.IGNORECASE,
)
"""A temperature in which somebody wants a thing, and not how cold the thing may get."""
_APART: Final = re.compile(
    r"\b(?:giv(?:es?|ing) up|los(?:es?|ing)|gain(?:s|ing)?|short of|within|spread|gap|difference|differ|margin|apart|extra|additional|more|less|only|just|by|of (?:comfort|warmth))\b",
    re.IGNORECASE,
)
"""In a clause that tells by how much two temperatures differ."""
_PART: Final = re.compile(r"[,;](?!\d)")
_ONLY_HYPHEN: Final = re.compile(r"\w-\d|\d\s?-\s?\d")


def of_reviewers(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield that no review tells of it, for each fault or span of time that reviews are said to tell."""
    yield from _of_degrees(clauses, known)
    reviews = [text for text in known.texts if _GIVEN.search(text)]
    if not reviews:
        return
    is_of_reviews = (
        REVIEWER.search(clauses.text.lower()) is not None or _SAYS.search(clauses.text) is not None
    )
    given = [int(one[0]) for text in reviews for one in _GIVEN.findall(text)]
    by_stars = _BY_STARS.match(clauses.sentence.text.lower().replace("*", ""))
    if by_stars and given.count(_worth(by_stars["stars"])) != _worth(by_stars["n"]):
        yield f"Rated: {', '.join(map(str, given))} of 5."
    for clause in clauses.asserted:
        if _gave_otherwise(clause, given) or _gave_less(clause, given):
            yield f"Rated: {', '.join(map(str, given))} of 5."
        if what := _praises_otherwise(clause, reviews, known):
            yield f"No review that was read praises the {what}."
        if not is_of_reviews or GAINSAID.search(clause) or ASKED_OR_HYPOTHETICAL.search(clause):
            continue
        for found in (*JUDGED.finditer(clause), *SPAN.finditer(clause)):
            words = {
                stem_of(word)
                for word in _WORD.findall(found.groupdict().get("what") or found.group())
            }
            if not all(_is_known(word, known) for word in words) or _is_only_denied(
                found.group(), reviews
            ):
                yield f"No review that was read tells of {found.group()}."


def _praises_otherwise(clause: str, reviews: Sequence[str], known: Known) -> str:
    """Return the part of a thing that somebody is said to praise, where all who speak of it find fault with it."""
    found = _PRAISES.search(clause)
    if found is None or any(
        one.search(clause) for one in (GAINSAID, ASKED_OR_HYPOTHETICAL, _OF_OURS)
    ):
        return ""
    stem = stem_of(found["what"])
    if stem in known.by_head:
        # What the thing is called, a review need not name.
        return ""
    told = [
        one
        for text in reviews
        for one in _SENTENCE.split(plain(text))
        if stem in {stem_of(word) for word in _WORD.findall(one)}
    ]
    return found["what"] if told and all(map(_AMISS.search, told)) else ""


def _is_known(word: str, known: Known) -> bool:
    """Tell whether a word was read, in whatever form: "broken" of "broke"."""
    return word in known.stems or (
        len(word) > _ROOT and any(one.startswith(word[:_ROOT]) for one in known.stems)
    )


def _gave_otherwise(clause: str, given: Sequence[int]) -> bool:
    """Tell whether more reviewers are said to have given so many stars than did."""
    found = _SO_MANY_GAVE.search(clause)
    if _OR_MORE.search(clause):
        return False
    if found is None:
        gave_ = _GAVE.match(clause)
        return (
            gave_ is not None
            and GAINSAID.search(clause) is None
            and _worth(gave_["stars"]) not in given
        )
    stars = SMALL.get(found["stars"]) or int(found["stars"])
    gave = sum(one == stars for one in given)
    who = found["who"]
    if who.startswith("half"):
        return gave * 2 != len(given)
    if who.startswith("most"):
        return gave * 2 <= len(given)
    if who == "both" and _TWO.search(clause[: found.start()]):
        return gave < 2
    if who.startswith(("all", "every", "each", "both")):
        return gave != len(given)
    if who.startswith(("none", "nobody", "no one")):
        return gave > 0
    return gave < (SMALL.get(who) or int(who))


def _gave_less(clause: str, given: Sequence[int]) -> bool:
    """Tell whether nobody is said to have given less, or more, than somebody did."""
    found = _NOBODY_GAVE.search(clause)
    if found is None:
        return False
    stars = SMALL.get(found["stars"]) or int(found["stars"])
    return any(one < stars if found["how"] in ("less", "fewer") else one > stars for one in given)


def _of_degrees(clauses: Clauses, known: Known) -> Iterator[str]:
    """Yield each temperature that stands in nothing that was read or said, above or below zero."""
    text = clauses.text
    if clauses.is_question or not clauses.asserted:
        return
    parts = [one for one in _PART.split(text) if not _OF_NONE.search(one.lower())]
    parts = [_FOR_WHICH.sub(" ", one) for one in parts]
    if not any(_degrees(one) or _FAHRENHEIT.search(one) for one in parts):
        return
    reads = (*known.texts, *known.beside, *known.said)
    held = frozenset[str]().union(*map(_degrees_read, reads))
    told = frozenset(one for part in parts for one in _degrees(_in_celsius(part, held)))
    apart = {str(abs(int(one) - int(other))) for one, other in combinations(sorted(held), 2)}
    told -= {one for part in parts if _APART.search(part) for one in apart & _degrees(part)}
    if not held and told and _OF_WARMTH.search(text):
        yield f"{', '.join(sorted(told))} degrees were read nowhere."
    if held and not told <= held:
        yield f"Read: {', '.join(sorted(held))} degrees."


def _in_celsius(text: str, held: Set[str]) -> str:
    """Write degrees Fahrenheit as degrees Celsius, rounded to what was read where that is near."""

    def written(found: re.Match[str]) -> str:
        degrees = (float(found["n"].replace("\u2212", "-")) - 32) * 5 / 9
        near = [one for one in held if abs(int(one) - degrees) <= 1]
        return f"{near[0] if near else round(degrees)} C"

    return _FAHRENHEIT.sub(written, text)


@lru_cache(maxsize=256)
def _degrees_read(text: str) -> frozenset[str]:
    return frozenset(_degrees(in_plain_english(text)))


def _degrees(text: str) -> set[str]:
    text = _ONLY_HYPHEN.sub(" ", text.replace("\u2212", "-"))
    return {f"-{one['n']}" if one["n"] else one["m"] for one in _COLD.finditer(text)}


def _is_only_denied(fault: str, reviews: Sequence[str]) -> bool:
    """Tell whether reviews speak of a fault only to say that there is none: "does not leak"."""
    lines = [plain(line) for text in reviews for line in text.split("\n")]
    told = [
        found
        for line in lines
        for found in re.finditer(rf"[^.|;]*\b{re.escape(stem_of(fault))}\w*", line)
    ]
    return bool(told) and all(
        re.search(r"\b(?:not|never|no|without)\b|n't\b", one.group()) for one in told
    )


def _worth(numeral: str) -> int:
    return SMALL.get(numeral) or int(numeral)
