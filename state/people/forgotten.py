"""What a person wanted to be forgotten stands in no prompt any more, in their own words neither.

Which words those are is kept as salted digests: state must not hold what it is to forget. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from daybook.state.effects.keys import digest
from daybook.state.people.facts import subject_of

FORGOTTEN = "[forgotten]"
"""Stands in the place of the words."""

MOST_KEPT = 20
"""Wishes to forget that are kept of one thread; the oldest goes first."""

_WORD = re.compile(r"[^\W_]+(?:[.,\u2019'-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_WISH = re.compile(
    r"\b(?:forget|delete|erase|(?:don.?t|do not) (?:remember|keep))\b"
    r"((?:[^,;!?.\n]|\.(?=\d))*)",
    re.IGNORECASE,
)
"""What a wish to forget names, up to the end of its clause."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LETTERS_AROUND = re.compile(r"(?:[^\W\d]+[-']?)?(\d+(?:[.,]\d+)*)(?:[-']?[^\W\d]{1,3})?")
"""EU47, size-47, 47s."""

_SHORTEST = 2
"""Letters of a word that alone may be what is to be forgotten."""

_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SPELT = {
    # Of one and two everything speaks.
    **{number: word for number, word in enumerate((*_UNITS, *_TEENS), 1) if number > 2},
    **{10 * ten: word for ten, word in enumerate(_TENS, 2)},
    **{
        10 * ten + unit: f"{word}-{one}"
        for ten, word in enumerate(_TENS, 2)
        for unit, one in enumerate(_UNITS, 1)
    },
}
_READ = {word: str(number) for number, word in _SPELT.items()}
_ALONE = "|".join((*_TENS, *_TEENS, *_UNITS[2:]))
_SPELT_OUT = re.compile(
    rf"\b(?:(?:{'|'.join(_TENS)})[ -](?:{'|'.join(_UNITS)})|{_ALONE})\b", re.IGNORECASE
)
"""A number below a hundred in English words."""


_ASKS_TO_FORGET = re.compile(
    r"\b(?:forget|erase|delete)(?: about| that)? (?:my|our|what i|i|everything|all)\b",
    re.IGNORECASE,
)
_HAS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|done|sure|yes|all ?right|of course)\W+)?"
    r"(?:(?:(?:i|we)(?: have|'ve)|your [\w ]{1,30} (?:is|was|has been)"
    r"|(?:it|that)(?: is|'s| was| has been))(?: now| just| already)? )?"
    r"(?:forgotten|erased)\b",
    re.IGNORECASE,
)
"""How an answer says that something was forgotten."""


class Forgotten(BaseModel):
    """One subject of which nothing is told that was said up to then."""

    model_config = ConfigDict(frozen=True)

    subject: str = Field(description="what it was about, such as shoe size")
    marks: tuple[str, ...] = Field(description="salted digests of its words, with their count")
    upto: str = Field(description="id of the last message by then, or of its turn")


def forgetting(state: Mapping[str, Any], subject: str) -> tuple[Forgotten, ...]:
    """Return what is forgotten of a thread, with one subject more.

    Args:
        state: in which what is known of the subject still stands.
    """
    about = subject_of(subject)
    salt = state.get("salt") or ""
    messages = state.get("messages") or ()
    values = [fact.value for fact in state.get("facts", ()) if fact.subject == about]
    mine = [m.text for m in messages if m.type == "human"]
    # A number that was said of it is what it was, whether or not it was remembered; and so is one
    # that the wish itself names.
    sentences = (one for text in mine for one in _SENTENCE.split(text) if is_on(one, about))
    wished = (found[1] for text in mine[-1:] for found in _WISH.finditer(text))
    bare = {number for one in (*sentences, *wished, *values) for number in _numbers(one)}
    phrases = {" ".join(_words(value)) for value in values} | bare
    marks = sorted(_mark(one, salt) for one in phrases if len(one) >= _SHORTEST or _has_digit(one))
    last = str(messages[-1].id) if messages else ""
    one = Forgotten(subject=about, marks=tuple(marks), upto=last)
    before = state.get("forgotten") or ()
    return (*(known for known in before if known != one), one)[-MOST_KEPT:]


def claims_forgetting(state: Mapping[str, Any], sentence: str) -> str:
    """Say that nothing was forgotten, where the person asked for it and a sentence says it was.

    Example:
        >>> from langchain_core.messages import HumanMessage
        >>> asked = {"messages": [HumanMessage("forget my shoe size", id="m-1")]}
        >>> claims_forgetting(asked, "I have forgotten it.")
        'Nothing was forgotten.'
    """
    human = [m for m in state.get("messages") or () if m.type == "human"]
    if not human or not _ASKS_TO_FORGET.search(human[-1].text) or not _HAS.match(sentence):
        return ""
    wishes: Sequence[Forgotten] = state.get("forgotten") or ()
    is_done = any(one.upto.startswith(str(human[-1].id)) for one in wishes)
    return "" if is_done else "Nothing was forgotten."


def spoken(state: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return id, type and text of what people read, without what was to be forgotten."""
    messages = state.get("messages") or ()
    wishes: Sequence[Forgotten] = state.get("forgotten") or ()
    if not wishes:
        return [(m.id, m.type, m.text) for m in messages]
    ends = [(_end(messages, one.upto), one) for one in wishes]
    salt = state.get("salt") or ""
    told = []
    for at, message in enumerate(messages):
        marks = tuple(mark for end, one in ends if at <= end for mark in one.marks)
        told.append((message.id, message.type, masked(message.text, marks, salt)))
    return told


def is_told_no_more(state: Mapping[str, Any], text: str) -> bool:
    """Tell whether a text, of before all wishes to forget, holds what was to be forgotten."""
    wishes: Sequence[Forgotten] = state.get("forgotten") or ()
    marks = tuple(mark for one in wishes for mark in one.marks)
    return FORGOTTEN in text or masked(text, marks, state.get("salt") or "") != text


def turns_before(state: Mapping[str, Any]) -> frozenset[str]:
    """Name the turns up to the last wish to forget, that one included."""
    messages = state.get("messages") or ()
    ends = [_end(messages, one.upto) for one in state.get("forgotten") or ()]
    return frozenset(m.id for m in messages[: max(ends, default=-1) + 1] if m.type == "human")


def is_on(sentence: str, subject: str) -> bool:
    """Tell whether a sentence holds all words of a subject."""
    words = set(subject_of(sentence).split())
    return bool(subject) and words.issuperset(subject.split())


@lru_cache(maxsize=4_096)
def masked(text: str, marks: tuple[str, ...], salt: str) -> str:
    """Put a word in the place of those that are marked."""
    if not marks:
        return text
    known = frozenset(marks)
    counts = sorted({int(mark.partition(":")[0]) for mark in marks}, reverse=True)
    found = list(_WORD.finditer(text))
    words = [_plain(one.group()) for one in found]
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(found):
        size = next(
            (
                count
                for count in counts
                if at + count <= len(found) and _is_known(words[at : at + count], known, salt)
            ),
            0,
        )
        if size:
            spans.append((found[at].start(), found[at + size - 1].end()))
        at += size or 1
    for start, end in reversed(spans):
        text = text[:start] + FORGOTTEN + text[end:]
    return text


def _is_known(words: Sequence[str], known: frozenset[str], salt: str) -> bool:
    """Tell whether words are marked, or one word is a marked number with letters around it."""
    if _mark(" ".join(words), salt) in known:
        return True
    if len(words) > 1 or not (number := _LETTERS_AROUND.fullmatch(words[0])):
        return False
    return _mark(number[1], salt) in known


def _end(messages: Sequence[Any], upto: str) -> int:
    """Return the place of the last message that is meant: all that answers it belongs to it."""
    at = next((place for place, m in enumerate(messages) if m.id == upto), -1)
    while 0 <= at < len(messages) - 1 and messages[at + 1].type != "human":
        # What shows its calls, and the answer in as many parts as it was given.
        at += 1
    return at


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text however they may be written: 47, eu47, forty-seven."""
    words = [word for word in _words(text) if _has_digit(word)]
    found = {one for word in words for one in (word, *_NUMBER.findall(word))}
    found |= {
        _READ[spelt.group().casefold().replace(" ", "-")] for spelt in _SPELT_OUT.finditer(text)
    }
    spelt = {_SPELT[int(one)] for one in found if one.isdecimal() and int(one) in _SPELT}
    return found | spelt | {one.replace("-", " ") for one in spelt}


def _words(text: str) -> list[str]:
    return [_plain(one) for one in _WORD.findall(text)]


def _plain(word: str) -> str:
    return word.casefold().replace("\u2019", "'")


def _has_digit(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def _mark(phrase: str, salt: str) -> str:
    return f"{phrase.count(' ') + 1}:{digest([salt, phrase])[:16]}"


def without_forgotten(state: Mapping[str, Any], lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines but those that hold what was to be forgotten."""
    return tuple(line for line in lines if not is_told_no_more(state, line))
