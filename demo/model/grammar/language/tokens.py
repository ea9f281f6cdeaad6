"""Cut a sentence into tokens: the first of the two steps of understanding it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import Final

from daybook.demo.model.grammar.language.chat.names import is_model, joined_model, model_of
from daybook.demo.model.grammar.language.chat.wording.spelling import spelt
from daybook.demo.model.grammar.language.words import (
    ADJECTIVES,
    CARD_WORDS,
    EXPANSIONS,
    FILLERS,
    HEDGES,
    KINDS,
    NUMBERS,
    ORDINALS,
)
from daybook.demo.model.grammar.language.written.grammar import GRAMMAR


class Kind(StrEnum):
    """What a token is; the names stand as terminals in the grammar."""

    SKU = "SKU"  # BOOT-004
    ORDER = "ORDER"  # DB-10001
    CARD = "CARD"  # card_ada_1
    ADDRESS = "ADDRESS"  # addr_ada_1
    MONEY = "MONEY"  # $80, 49.99: value in cents
    TIMES = "TIMES"  # x2, 2x: value is the number
    NTH = "NTH"  # 2nd, #2, second: value is the number
    NUMBER = "NUMBER"  # 3, three: value is the number
    WORD = "WORD"  # everything else that has letters
    MARK = "MARK"  # . , ; : ! ? & - and line ends
    ODD = "ODD"  # a sign that no rule knows: -1, 20%, a@b


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its text in lower case, its value and where it stood."""

    kind: Kind
    text: str
    value: int
    start: int
    end: int


MOST_TOKENS: Final = 80
"""A longer text is a letter, not an order: the grammar does not try it."""

_PATTERN: Final = re.compile(
    r"""
      (?P<ODD1>   [\w.+-]+@[\w.-]+ | https?://\S+ | \d{8,} )
    | (?P<ORDER>  \bdb-\d{1,12}\b )
    | (?P<CARD>   \bcard_\w{1,60} )
    | (?P<ADDRESS>\baddr_\w{1,60} )
    | (?P<SKU>    \b[a-z]{2,8}-\d{2,6}\b )
    | (?P<MONEY>  [$€£]\s?\d[\d,]*(?:\.\d{1,2})?\b | \d[\d,]*(?:\.\d{1,2})?\s?[$€£]
                | \b\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?\b | \b\d+\.\d{1,2}\b )
    | (?P<TIMES>  \bx\d{1,4}\b | \b\d{1,4}x\b )
    | (?P<NTH>    \b\d{1,4}(?:st|nd|rd|th)\b | \#\d{1,4}\b )
    | (?P<WORD>   (?:\d+-)?[^\W\d_][^\W_]*(?:['-][^\W_]+)* )
    | (?P<MEASURE>\b\d+[^\W\d_]+\b )
    | (?P<ODD2>   [-+]\d+ )
    | (?P<NUMBER> \b\d{1,7}\b )
    | (?P<MARK>   [.,;:!?&\n] | (?<=\s)-(?=\s) )
    | (?P<SIGN>   <=|>=|<|> )
    | (?P<ODD3>   [%@+*/=\\^|~_-] )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN: Final = str.maketrans({"\u2019": "'", "\u2013": "-", "\u2014": "-"})
_ALL_RIGHT: Final = re.compile(r"\ball right\b", re.IGNORECASE)
"""Written as one word of the same length, so that what was cut stands where it stood."""
_SIGNS: Final = {"<": "under", "<=": "max", ">": "over", ">=": "min"}
_KINDS: Final = {"ODD1": Kind.ODD, "ODD2": Kind.ODD, "ODD3": Kind.ODD, "MEASURE": Kind.WORD}


def tokenise(text: str) -> list[Token]:
    """Cut `text` into tokens, contractions expanded ("I'll" is "i", "will").

    Brackets, quotation marks and signs without meaning here are dropped. At most `MOST_TOKENS` + 1
    tokens are read.
    """
    tokens: list[Token] = []
    plain = _ALL_RIGHT.sub("alright  ", text.translate(_PLAIN))
    matches = list(islice(_PATTERN.finditer(plain), MOST_TOKENS + 1))
    beside = ["", *(match.group().lower() for match in matches), ""]
    for at, match in enumerate(matches, 1):
        tokens += _read(match, beside[at - 1], beside[at + 1])
        if len(tokens) > MOST_TOKENS:
            break
    return _with_names(_counted(_by_ear(_times(_dozens(tokens)))))


def _dozens(tokens: list[Token]) -> list[Token]:
    """Read "two dozen" as 24."""
    read: list[Token] = []
    for one in tokens:
        last = read[-1] if read else None
        if one.text in ("dozen", "dozens") and last is not None and last.kind is Kind.NUMBER:
            many = 12 * int(last.value)
            read[-1] = Token(Kind.NUMBER, f"{many}", many, last.start, one.end)
            continue
        read.append(one)
    return read


def _times(tokens: list[Token]) -> list[Token]:
    """Read "x 14" as "x14"."""
    read: list[Token] = []
    for one in tokens:
        is_free = len(read) < _PAIR or read[-_PAIR].kind is not Kind.NUMBER
        if one.kind is Kind.NUMBER and one.text.isdigit() and read and is_free:
            last = read[-1]
            if last.text in ("x", "qty"):
                read[-1] = replace(one, kind=Kind.TIMES, start=last.start)
                continue
        read.append(one)
    return read


def _by_ear(tokens: list[Token]) -> list[Token]:
    """Read counts and pairs that are written as another word of the same sound: "for of those"."""
    read: list[Token] = []
    for at, one in enumerate(tokens):
        before = read[-1] if read else None
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        behind = tokens[at + 2].text if at + _PAIR < len(tokens) else ""
        word = one.text
        counted = before is not None and before.kind is Kind.NUMBER
        if word in ("pears", "pares", "pear", "pare", "pairs") and counted:
            word = "pairs" if word.endswith("s") else "pair"
        elif word in _SOUNDS:
            of_some = after == "of" and behind in _SOME
            of_pairs = after in ("pairs", "pears", "pares")
            is_won = word == "won" and before is not None and before.text in _WANTS
            if (of_some and word != "to") or (of_some and not _goes(before)) or of_pairs or is_won:
                read.append(Token(Kind.NUMBER, _SOUNDS[word], NUMBERS[_SOUNDS[word]], one.start,
                                  one.end))  # fmt: skip
                continue
        read.append(one if word == one.text else replace(one, text=word))
    return read


def _goes(before: Token | None) -> bool:
    """Tell whether "to" stands behind a verb or a noun that goes on with it: "listen to of"."""
    return before is not None and before.text in ("due", "prior", "thanks")


_SOUNDS: Final = {"for": "four", "fore": "four", "too": "two", "to": "two", "won": "one"}
_SOME: Final = frozenset("those these them the that this my em it".split())  # noqa: SIM905
_WANTS: Final = frozenset("need only just want add take get have the".split())  # noqa: SIM905
_PAIR: Final = 2


def _with_names(tokens: list[Token]) -> list[Token]:
    """Write the names of models as the shop does: "the sliver birchs" is the silver birch."""
    named: list[Token] = []
    at = 0
    while at < len(tokens):
        one, after = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else None
        pair = None
        if one.kind is Kind.WORD and after is not None and after.kind is Kind.WORD:
            is_as_written = is_model(one.text, after.text)
            pair = None if is_as_written else model_of(one.text, after.text)
            if pair is not None and one.text in _KNOWN and after.text in _KNOWN:
                pair = None
        if pair is not None and after is not None:
            named += [replace(one, text=pair[0]), replace(after, text=pair[1])]
            at += 2
        elif one.kind is Kind.WORD and (both := joined_model(one.text)) is not None:
            named += [replace(one, text=part) for part in both]
            at += 1
        else:
            named.append(one)
            at += 1
    return named


def _read(match: re.Match[str], before: str, after: str) -> list[Token]:
    group, text = str(match.lastgroup), match.group().lower()
    start, end = match.span()
    if group == "SIGN":
        return [Token(Kind.WORD, _SIGNS[text], 0, start, end)]
    if group == "WORD":
        if text.endswith("'ll") and text not in EXPANSIONS:
            # "He'll", and "the salt marsh'll do".
            return [_word(text.removesuffix("'ll"), start, end), _word("will", start, end)]
        words = EXPANSIONS.get(text) or spelt(text, before, after, _KNOWN)
        if text == "first" and after in ("time", "timer", "timers"):
            # It says that somebody is new to it, and not which of them.
            return [Token(Kind.WORD, text, 0, start, end)]
        expanded = (EXPANSIONS.get(word, word) for word in words.split())
        return [_word(word, start, end) for words in expanded for word in words.split()]
    if text == "+":
        return [Token(Kind.WORD, "plus", 0, start, end)]
    kind = _KINDS[group] if group in _KINDS else Kind(group)
    return [Token(kind, text, _value(kind, text), start, end)]


def _word(text: str, start: int, end: int) -> Token:
    if text in NUMBERS:
        return Token(Kind.NUMBER, text, NUMBERS[text], start, end)
    if text in ORDINALS:
        return Token(Kind.NTH, text, ORDINALS[text], start, end)
    return Token(Kind.WORD, text, 0, start, end)


def _value(kind: Kind, text: str) -> int:
    if kind is Kind.MONEY:
        whole, _, part = text.replace(",", "").strip("$€£ \t\n").partition(".")
        return int(whole[:7]) * 100 + int((part + "00")[:2])
    if kind in (Kind.TIMES, Kind.NTH, Kind.NUMBER):
        return int(re.sub(r"\D", "", text))
    return 0


def _counted(tokens: list[Token]) -> list[Token]:
    """Put numbers of several words together: "a hundred and fifty" is one token of value 150."""
    read: list[Token] = []
    at = 0
    while at < len(tokens):
        end, value = at, 0
        while end < len(tokens) and (grown := _grown(value, tokens, end)) is not None:
            end, value = grown
        if end > at and value > _LARGEST_BY_ONE_WORD:
            first, last = tokens[at], tokens[end - 1]
            read.append(Token(Kind.NUMBER, str(value), value, first.start, last.end))
            at = end
        else:
            read.append(tokens[at])
            at += 1
    return read


def _grown(value: int, tokens: list[Token], at: int) -> tuple[int, int] | None:
    """Return where a number goes on to and what it is then; None where it ends before `at`."""
    one = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else one
    if value and one.text == "and" and _is_spelt(following) and value >= _HUNDRED:
        return at + 2, value + following.value
    if not value and one.text == "a" and following.text == "hundred":
        return at + 2, _HUNDRED
    if (
        not value
        and one.kind is Kind.NUMBER
        and one.value < _HUNDRED
        and following.text == "hundred"
    ):
        return at + 2, one.value * _HUNDRED
    if not _is_spelt(one):
        return None
    if one.text == "hundred":
        return at + 1, max(1, value) * _HUNDRED
    if not value:
        return at + 1, one.value
    is_part = one.value < (10 if value % _HUNDRED else _HUNDRED) and value % 10 == 0
    return (at + 1, value + one.value) if is_part else None


def _is_spelt(token: Token) -> bool:
    return token.kind is Kind.NUMBER and token.text in NUMBERS


_HUNDRED: Final = 100
_LARGEST_BY_ONE_WORD: Final = 20
_KNOWN: Final = frozenset(
    {
        *re.findall(r"[a-z]+", GRAMMAR),
        *(word for nouns in KINDS.values() for noun in nouns for word in noun.split()),
        *(f"{noun.split()[-1]}s" for nouns in KINDS.values() for noun in nouns),
        *(word for words in EXPANSIONS.values() for word in words.split()),
        *ADJECTIVES,
        *CARD_WORDS,
        *FILLERS,
        *HEDGES,
        *NUMBERS,
        *ORDINALS,
    }
)
"""Words that are never taken for a typing error."""


def words_of(tokens: Iterable[Token], text: str) -> str:
    """Return the text that the tokens were cut from, as it was written, on one line."""
    spans = list(tokens)
    return " ".join(text[spans[0].start : spans[-1].end].split()) if spans else ""
