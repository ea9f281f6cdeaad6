"""Split a text into sentences, clauses and words, in time linear in its length.

Every replacement keeps the length of the text, so that spans hold in the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

Place = Literal["prose", "entry", "row", "header", "heading", "quote"]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_ALIKE: Final = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u00b4\u02bc", "'")
    | dict.fromkeys("\u00a0\u202f\u2009\u2007\u200b\t\r", " ")
    | dict.fromkeys("\u2028\u2029\x0b\x0c\x85", "\n")
)
_WORD: Final = re.compile(r"[^\W_]+(?:(?:['._@-]|(?<=\d)[,:](?=\d))[^\W_]+)*|[^\w\s]")
_ELISION: Final = re.compile(r"(?:[jlndmc]|qu|jusqu|lorsqu|[st](?='[aeéêioy]))'(?=[^\W\d_])")
_CONTRACTED: Final = re.compile(r"(?<=.)(n't|'ve|'ll|'re|'d|'s|'m)$")
_WHOLE: Final = {"n't": "not", "'ve": "have", "'ll": "will", "'re": "are", "'d": "would"}
_ABBREVIATIONS: Final = word_set(
    "e.g i.e approx no nos nr ca z.b d.h bzw usw inkl zzgl ggf st mr mrs dr sr sra ud p.ej núm vs etc"
)
_MONTH: Final = re.compile(
    r"(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|de[zc]|ene|abr|ago|dic|f[ée]v|avr|"
    r"juin|juil|aoû|déc)[a-zéûä]*"
)
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d|[0-3]?\d[./](?:0?[1-9]|1[0-2])(?:[./]\d{2,4})?")
_DAY: Final = re.compile(r"\d{1,2}(?:st|nd|rd|th|er)?")
_QUOTED: Final = re.compile("[“„«\"][^“”„«»\"\n]{1,400}[”“»\"]|~~[^~\n]{1,400}~~")
_ENTRY: Final = re.compile(r"\s*(?:[-*•+–]|\d{1,2}[.)]|.?\ufe0f?\u20e3|\[.\])\s?|\s{2,}\S")
_RULE: Final = re.compile(r"[ |:-]*-[ |:-]*")
_DRAFT: Final = re.compile(
    r"(?:subject|betreff|asunto|objet) ?:|(?:dear|hi|hello|sehr geehrte[rn]?|liebe[r]?|estimad[oa]s?|"
    r"querid[oa]|cher|chère|bonjour|madame) [^.!?\n]{0,40},$"
)
_DRAFT_ENDS: Final = re.compile(
    r"(?:---|\*\*\*|___|best|kind regards|regards|sincerely|mit freundlichen|viele grüße|beste grüße|"
    r"saludos|atentamente|un saludo|cordialement|bien à vous)"
)
_MOST_WORDS: Final = 100
"""A sentence with more is cut: what is done for each word of one is then bounded."""


@dataclass(slots=True)
class Word:
    """A word, number or sign in lower case; a contraction is two words ("have", "not")."""

    text: str
    start: int
    end: int
    clause: int = 0


@dataclass(slots=True)
class Sentence:
    """A sentence, or part of a list or table; without words it is an empty line."""

    words: list[Word] = field(default_factory=list)
    ends_with: str = ""
    place: Place = "prose"
    begins_line: bool = False


def normalised(text: str) -> str:
    """Return the text with one form of hyphen, apostrophe and space, and no bold; same length."""
    return text.translate(_ALIKE).replace("**", "  ")


def lower(text: str) -> str:
    """Return the text in lower case, same length: a letter whose lower case is longer stays."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def has_date(words: list[str]) -> bool:
    """Tell whether words hold a date, such as "3 March", "3 de marzo" or "2026-03-01"."""
    words = [word for word in words if word != "de"]
    return any(
        _DATE.fullmatch(one)
        or (_DAY.fullmatch(one) and _MONTH.fullmatch(other))
        or (_DAY.fullmatch(other) and _MONTH.fullmatch(one))
        for one, other in zip(words, [*words[1:], ""], strict=True)
    )


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a normalised text in lower case; what is quoted is left out."""
    lines = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text).split("\n")
    place: Place = "prose"
    start = 0
    is_fenced = is_draft = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        stripped = line.lstrip()
        is_fenced ^= stripped.startswith("```")
        is_draft = not _DRAFT_ENDS.match(stripped) and (is_draft or bool(start and _DRAFT.match(stripped)))
        if line.count("|") > 1:
            is_first = place not in ("row", "header") and _RULE.fullmatch(following[:400])
            place = "header" if is_first else "row"
        elif stripped.startswith(("#", ">")) or "[ ]" in stripped[:8]:
            place = "heading" if stripped[0] == "#" else "quote"
        elif is_fenced or is_draft:
            place = "quote"
        else:
            place = "entry" if _ENTRY.match(line) else "prose"
        for index, sentence in enumerate(_in_line(line, start)):
            sentence.place, sentence.begins_line = place, not index
            _number_clauses(sentence.words)
            yield sentence
        start += len(line) + 1


def _in_line(line: str, offset: int) -> Iterator[Sentence]:
    sentence = Sentence()
    for found in _WORD.finditer(line):
        sign = found[0]
        if sign in "!?…" or (sign in ".:" and _ends(line, found, sentence.words)):
            if sentence.ends_with != "?":
                sentence.ends_with = sign
        elif sign not in "*.`":
            if sentence.ends_with or len(sentence.words) > _MOST_WORDS:
                yield sentence
                sentence = Sentence()
            sentence.words += _split(sign, found.start() + offset)
    yield sentence


def _ends(line: str, found: re.Match[str], words: list[Word]) -> bool:
    """Tell whether a full stop or a colon ends a sentence."""
    rest = line[found.end() : found.end() + 12].strip()
    last = words[-1].text if words else ""
    if found[0] == ":":
        return not rest
    if not last or last in _ABBREVIATIONS or (last.isalpha() and len(last) == 1):
        return False
    return not (last.isdigit() and len(last) < 3)


def _split(word: str, start: int) -> Iterator[Word]:
    """Yield the words of an elision ("j'ai") or a contraction ("I've")."""
    end = start + len(word)
    if "'" in word and len(word) < 40:
        if elided := _ELISION.match(word):
            yield Word(elided[0], start, start + elided.end())
            yield from _split(word[elided.end() :], start + elided.end())
            return
        if contracted := _CONTRACTED.search(word):
            middle = start + contracted.start()
            stem = word[: contracted.start()]
            yield Word({"wo": "will", "ca": "can"}.get(stem, stem), start, middle)
            yield Word(_WHOLE.get(contracted[0], contracted[0]), middle, end)
            return
    yield Word(word, start, end)


_BREAKS: Final = word_set(
    "; — – - → | • : but however although though while whereas so because since aber doch jedoch "
    "sondern obwohl während weil pero sino aunque mientras porque mais cependant parce car"
)
_AND: Final = word_set(", and und y e et &")
_PRONOUNS: Final = word_set(
    "i we you it they ich wir sie du es yo usted je nous vous on il elle j' he hemos te le les se lo habe"
)
_DETERMINERS: Final = word_set(
    "your the this that my no die der das den ihre ihr dein deine diese el la los las su tu este "
    "esta l' le les votre vos ton ta ce cette"
)
_FINITE: Final = word_set(
    "is are was were has have will would can 's wird werden wurde wurden ist sind hat haben habe "
    "kann he ha han fue está se es son será puede a ont est sont sera peut"
)


def _number_clauses(words: list[Word]) -> None:
    """Number the clauses; what stands behind a parenthesis goes on with the clause before it."""
    clause = latest = 0
    outer: list[int] = []
    for at, word in enumerate(words):
        if word.text in ("(", "["):
            outer.append(clause)
            clause = latest = latest + 1
        elif word.text in (")", "]") and outer:
            clause = outer.pop()
        elif word.text in _BREAKS or (word.text in _AND and _begins_clause(words[at + 1 : at + 10])):
            clause = latest = latest + 1
        word.clause = clause


def _begins_clause(words: list[Word]) -> bool:
    """Tell whether words are a subject and a finite verb."""
    first = words[0].text if words else ""
    finite = _FINITE.intersection(word.text for word in words[1:])
    return first in _PRONOUNS or (first in _DETERMINERS and bool(finite))
