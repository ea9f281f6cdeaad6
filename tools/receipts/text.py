"""Split a text into sentences, clauses and words, in time linear in its length.

What the check reads by, in four languages, is loaded here (tables/*.toml). Every replacement keeps the length of the text, so that spans hold in the text as it was written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

LanguageCode = Literal["en", "de", "es", "fr"]
CODES: Final[tuple[LanguageCode, ...]] = ("en", "de", "es", "fr")


@cache
def table_of(name: str) -> dict[str, Any]:
    """Return the table of a language, or the common one."""
    path = files(__package__).joinpath("tables", f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


TABLES: Final[dict[str, Any]] = table_of("common")
WORDS: Final = {name: frozenset(text.split()) for name, text in TABLES["groups"].items()}
"""Groups of words."""


def compiled(name: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a pattern of the common table."""
    return re.compile(TABLES["patterns"][name].replace("\n", ""), flags)


def pattern_of(words: str) -> re.Pattern[str]:
    """Return a pattern of words separated by spaces; `refund*` is any word that begins so."""
    alternatives = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words.split())
    return re.compile(rf"(?<![\w'])(?:{alternatives})(?!\w)" if alternatives else r"(?!)")


Place = Literal["prose", "entry", "row", "header", "heading", "quote"]

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
_QUOTED: Final = re.compile('[“„«"][^“”„«»"\n]{1,400}[”“»"]|~~[^~\n]{1,400}~~')
_ENTRY: Final = re.compile(r"\s*(?:[-*•+\u2013]|\d{1,2}[.)]|.?\ufe0f?\u20e3|\[.\])\s?|\s{2,}\S")
_DRAFT: Final = compiled("draft")
_DRAFT_ENDS: Final = compiled("draft_ends")
_BREAKS: Final = WORDS["breaks"] | {"(", "["}
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

    @property
    def texts(self) -> list[str]:
        """Return the texts of its words."""
        return [word.text for word in self.words]


def normalised(text: str) -> str:
    """Return the text with one form of hyphen, apostrophe and space, and no bold; same length."""
    return text.translate(_ALIKE).replace("**", "  ")


def lower(text: str) -> str:
    """Return the text in lower case, same length: a letter whose lower case is longer stays."""
    if len(lowered := text.lower()) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a normalised text in lower case; what is quoted is left out."""
    lines = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text).split("\n")
    place: Place = "prose"
    start = 0
    is_fenced = is_draft = False
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        stripped = line.lstrip()
        is_fenced ^= stripped.startswith("```")
        is_draft = not _DRAFT_ENDS.match(stripped) and (
            is_draft or bool(start and _DRAFT.match(stripped))
        )
        if line.count("|") > 1:
            is_ruled = re.fullmatch(r"[ |:-]*-[ |:-]*", following[:400])
            place = "header" if is_ruled and place not in ("row", "header") else "row"
        elif is_fenced or is_draft or stripped.startswith(">") or "[ ]" in stripped[:8]:
            place = "quote"
        else:
            is_entry = _ENTRY.match(line)
            place = "heading" if stripped[:1] == "#" else "entry" if is_entry else "prose"
        for sentence in _in_line(line, start):
            sentence.place = place
            _number_clauses(sentence.words)
            yield sentence
        start += len(line) + 1


def _in_line(line: str, offset: int) -> Iterator[Sentence]:
    sentence = Sentence()
    for found in _WORD.finditer(line):
        sign = found[0]
        if sign in "!?…;" or (sign in ".:" and _ends(line, found, sentence.words)):
            sentence.ends_with = "?" if "?" in (sign, sentence.ends_with) else sign
        elif sign not in "*.`":
            if sentence.ends_with or len(sentence.words) > _MOST_WORDS:
                yield sentence
                sentence = Sentence()
            sentence.words += _split(sign, found.start() + offset)
    yield sentence


def _ends(line: str, found: re.Match[str], words: list[Word]) -> bool:
    """Tell whether a full stop or a colon ends a sentence."""
    last = words[-1].text if words else ""
    if found[0] == ":":
        return not line[found.end() : found.end() + 12].strip()
    is_short = (last.isalpha() and len(last) < 2) or (last.isdigit() and len(last) < 3)
    return bool(last) and not is_short and last not in WORDS["abbreviations"]


def _split(word: str, start: int) -> Iterator[Word]:
    """Yield the words of an elision ("j'ai") or a contraction ("I've")."""
    if "'" in word and len(word) < 40:
        if elided := _ELISION.match(word):
            yield Word(elided[0], start, start + elided.end())
            yield from _split(word[elided.end() :], start + elided.end())
            return
        if contracted := _CONTRACTED.search(word):
            at, stem = contracted.start(), word[: contracted.start()]
            yield Word({"wo": "will", "ca": "can"}.get(stem, stem), start, start + at)
            yield Word(_WHOLE.get(contracted[0], contracted[0]), start + at, start + len(word))
            return
    yield Word(word, start, start + len(word))


def _number_clauses(words: list[Word]) -> None:
    """Number the clauses; what stands behind a parenthesis goes on with the clause before it."""
    clause = latest = 0
    outer: list[int] = []
    for word in words:
        if word.text in ("(", "["):
            outer.append(clause)
        if word.text in (")", "]") and outer:
            clause = outer.pop()
        elif word.text in _BREAKS:
            clause = latest = latest + 1
        word.clause = clause
