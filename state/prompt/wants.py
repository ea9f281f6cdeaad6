"""What a person said that matters later: wants, dislikes, limits, sizes, dates. Pure, and bounded.

It is read from their sentences by patterns, English ones, so that nothing depends on whether a
model remembered it by a call. What a later sentence contradicts is kept no more, and neither is
what nobody needs to keep: cards, addresses, secrets.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from daybook.state.people.forgotten import FORGOTTEN
from daybook.state.people.privacy.redaction import lacks_something, redacted
from daybook.state.prompt.stating import (
    ADDRESS,
    ARRIVES,
    BODY,
    CORRECTS,
    DEADLINE,
    ENDS_A_DISLIKE,
    FIRST_PERSON,
    IN_A_SIZE,
    NEVER_DROPPED,
    NO_DEADLINE,
    NO_LIMIT,
    NOT_BUT,
    OF_ALLERGIES,
    OF_PRICE,
    OF_SO_MANY,
    OF_THE_MOMENT,
    ONLY_TAGGED,
    PATTERNS,
    PEOPLE,
    SAYS_NOTHING,
    SCALES,
    TAKES_BACK,
    TAKES_BACK_THE_LAST,
    UNITS,
    plainly,
)

MOST_KEPT = 40
"""Sentences of one thread; the oldest of those that only say what is liked goes first."""

LONGEST = 200
"""Characters of one sentence; a longer one is read and kept in pieces."""

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CLAUSE = re.compile(r"(?<=[,:])\s+|\s+(?=(?:and|but|so|also|because)\b)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[-'\u2019][^\W_]+)*")

_OF_ONE_VALUE = frozenset({"limit", "size", "date"})
_SHORTEST_VALUE = 4
"""Letters from which a word that is remembered is known again anywhere."""

_MOST_BESIDE = 2
"""Words that a sentence may hold beside what is remembered of it."""

_WOULD_BE = re.compile(r"\bwould be\b", re.IGNORECASE)
"""What is said of a thing that is liked, and of one that may be after all."""

_OF_A_BODY = re.compile(
    rf"\b(?:sizes?|wears?|takes?|tall|{BODY}s?|eu|us|uk)\b|\bin \d\d\b", re.IGNORECASE
)
_SHORT = 8
"""Words of a sentence that says otherwise what was said just before."""


@dataclass(frozen=True)
class Stated:
    """Hold one thing that a person stated.

    Attributes:
        kinds: what it states, of the names in the patterns.
        about: the stems of the words that say of what.
        unit: of a limit; of a size its scale.
        source: the message in which it was said.
    """

    text: str
    kinds: frozenset[str]
    about: frozenset[str]
    unit: str = ""
    source: str = ""

    def is_contradicted_by(self, later: Stated) -> bool:
        """Tell whether a later statement takes this one's place."""
        if self.text.casefold() == later.text.casefold():
            return True
        if NEVER_DROPPED.search(plainly(self.text)):
            return False
        # "Warm boots" and "red boots" are not the same thing; "boots" and "red boots" are.
        mine, other = self.about, later.about
        is_same_thing = mine == other or (bool(mine and other) and (mine <= other or other <= mine))
        if not is_same_thing or self.people != later.people:
            return False
        if self.kinds & later.kinds & _OF_ONE_VALUE and _may_be_alike(self.unit, later.unit):
            return True
        turned = {"want", "dislike"}
        is_turned = bool(self.about) and len((self.kinds & turned) | (later.kinds & turned)) > 1
        return is_turned and self.kinds & turned != later.kinds & turned

    @property
    def people(self) -> frozenset[str]:
        """Return of whom else it speaks."""
        return frozenset(one.casefold() for one in PEOPLE.findall(self.text))

    @property
    def is_lasting(self) -> bool:
        """Tell whether only a sentence that names it takes it back: a size, an allergy."""
        return "size" in self.kinds or NEVER_DROPPED.search(plainly(self.text)) is not None

    def is_told_by(self, subject: str, value: str) -> bool:
        """Tell whether what is remembered on a subject says all that this sentence does."""
        words = [word.casefold() for word in _WORD.findall(plainly(self.text))]
        stems = {_singular(word) for word in words}
        told = [word.casefold() for word in _WORD.findall(plainly(value))]
        if not told or not stems.issuperset(map(_singular, told)):
            return False
        # A letter or a number alone may be of something else.
        is_short = len(told) == 1 and (len(told[0]) < _SHORTEST_VALUE or _has_digit(told[0]))
        on_it = any(_singular(word) in stems for word in subject.split())
        if is_short and not on_it and "size" not in self.kinds:
            return False
        rest = self.about - {_singular(word) for word in (*told, *subject.split())}
        return len(rest) <= _MOST_BESIDE

    def is_on(self, subject: str) -> bool:
        """Tell whether it states a limit, a size or a date of a subject: there is one of each.

        Of colours there may be several that are liked, and several that are not.
        """
        if not self.kinds & _OF_ONE_VALUE:
            return False
        words = {_singular(word.casefold()) for word in _WORD.findall(self.text)}
        return all(_singular(word) in words for word in subject.split())


def stated_in(text: str) -> tuple[Stated, ...]:
    """Return what a message of a person states that matters later, in order.

    Example:
        >>> [one.text for one in stated_in("I hate red, need it by Friday. Show me boots?")]
        ['I hate red', 'need it by Friday']
    """
    return _stated_in(text)


def kept(messages: Iterable[tuple[str, str]]) -> tuple[Stated, ...]:
    """Return what a person's messages state and what no later one contradicts, oldest first.

    Args:
        messages: of the person, each with its id, oldest first.
    """
    found: list[Stated] = []
    before = ""
    for source, message in messages:
        for sentence in _sentences(message):
            known = found
            found = _taken_back(found, sentence, {source, before})
            fresh = [replace(one, source=source) for one in _stated_in(sentence)]
            if (anew := _corrected(found, sentence, fresh, {source, before})) is not None:
                found = [one for one in found if one is not anew[0]]
                fresh = [replace(anew[1], source=source)]
            elif ENDS_A_DISLIKE.search(plainly(sentence)) and len(found) < len(known):
                fresh = [one for one in fresh if one.kinds != {"want"}]
            for one in fresh:
                found = [*(known for known in found if not known.is_contradicted_by(one)), one]
        before = source
    return _bounded(found)


def _bounded(found: Sequence[Stated]) -> tuple[Stated, ...]:
    """Leave out the oldest of what is too many, and of that first what is only liked."""
    over = len(found) - MOST_KEPT
    if over <= 0:
        return tuple(found)
    lasting = [at for at, one in enumerate(found) if one.is_lasting]
    liked = [at for at, one in enumerate(found) if one.kinds == {"want"} and not one.is_lasting]
    rest = [at for at in range(len(found)) if at not in lasting and at not in liked]
    gone = frozenset([*liked, *rest, *lasting][:over])
    return tuple(one for at, one in enumerate(found) if at not in gone)


def _taken_back(found: list[Stated], sentence: str, near: Set[str]) -> list[Stated]:
    """Leave out what a sentence takes back: of the thing that it names, or the last where none.

    Args:
        near: the messages in which that may have been said.
    """
    plain, about = plainly(sentence), _about(sentence)
    for unit, pattern in NO_LIMIT.items():
        if pattern.search(plain):
            return [
                one
                for one in found
                if "limit" not in one.kinds or not _may_be_alike(one.unit, unit)
            ]
    if NO_DEADLINE.search(plain):
        return [one for one in found if "date" not in one.kinds or not DEADLINE.search(one.text)]
    if about and ENDS_A_DISLIKE.search(plain):
        return _without(found, about, lambda one: "dislike" in one.kinds)
    if about and TAKES_BACK.search(plain):
        is_named = NEVER_DROPPED.search(plain) is not None or "size" in _kinds(plain)
        return _without(found, about, lambda one: is_named or not one.is_lasting)
    if not about and found and TAKES_BACK_THE_LAST.search(plain):
        last = found[-1]
        return found[:-1] if last.source in near and not NEVER_DROPPED.search(last.text) else found
    return found


def _without(
    found: Sequence[Stated], about: Set[str], may_go: Callable[[Stated], bool]
) -> list[Stated]:
    """Leave out what is about a thing; of several that are listed, that one alone."""
    left: list[Stated] = []
    for one in found:
        if not one.about & about or not may_go(one):
            left.append(one)
            continue
        listed = _unlisted(one.text, about)
        rest = one.about - about
        if listed != one.text and rest and _about(listed) == rest:
            left.append(replace(one, text=listed, about=rest))
    return left


def _unlisted(text: str, gone: Set[str]) -> str:
    """Strike out of lists in a text, such as "red, orange and pink", what is one of some words."""
    words = {word for word in _WORD.findall(text) if _singular(word.casefold()) in gone}
    for word in words:
        bare = rf"\b{re.escape(word)}\b"
        text = re.sub(rf"(?:,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|nor)\s+){bare}", "", text)
        text = re.sub(rf"{bare}(?:,\s*|\s+(?:and|or|nor)\s+)", "", text)
    return text


def _corrected(
    found: Sequence[Stated], sentence: str, fresh: Sequence[Stated], near: Set[str]
) -> tuple[Stated, Stated] | None:
    """Return what a sentence says otherwise without naming it again, and how it stands now.

    Args:
        near: the messages in which it may have been said, but where it is quoted.
    """
    plain = plainly(sentence)
    if fresh and not all(one.kinds <= _OF_ONE_VALUE | {"dislike"} for one in fresh):
        return None
    if quoted := NOT_BUT.search(plain):
        old = next((one for one in reversed(found) if _has(one.text, quoted[1])), None)
    elif (
        CORRECTS.search(plain)
        and len(plain.split()) <= _SHORT
        and not any(one.about for one in fresh)
    ):
        old = next((one for one in reversed(found) if one.source in near), None)
        if old is not None and _has_digit(old.text) != _has_digit(plain):
            return None
    else:
        return None
    if old is None:
        return None
    text = f"{old.text} / {sentence.strip().rstrip('.!')}"
    return old, replace(old, text=text[-LONGEST:])


def _has(text: str, number: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(number.rstrip('.,'))}(?![\w])", text) is not None


def _has_digit(text: str) -> bool:
    return any(sign.isdigit() for sign in text)


def _may_be_alike(unit: str, other: str) -> bool:
    """Tell whether two limits may be of the same unit; money is often not written."""
    return unit == other or {unit, other} == {"", "money"}


def _sentences(text: str) -> list[str]:
    """Part a message into sentences; one without an end is read in pieces.

    The patterns take the square of a sentence's length, and anybody may write one.
    """
    return [piece for part in _SENTENCE.split(text) for piece in textwrap.wrap(part, LONGEST)]


@lru_cache(maxsize=2_048)
def _stated_in(text: str) -> tuple[Stated, ...]:
    return tuple(
        one
        for sentence in _sentences(text)
        for clause in _clauses(sentence)
        if (one := _stated(clause, is_question=_is_question(sentence))) is not None
    )


def _is_question(sentence: str) -> bool:
    return sentence.endswith("?") and ONLY_TAGGED.search(plainly(sentence)) is None


def _clauses(sentence: str) -> list[str]:
    """Part a sentence before each clause that states something; what states nothing stays by it.

    What is to be done at once is parted from what is stated behind it.
    """
    parts: list[str] = []
    for clause in _CLAUSE.split(sentence):
        is_cut = bool(parts) and (FORGOTTEN in parts[-1]) != (FORGOTTEN in clause)
        states = bool(_kinds(clause))
        is_aside = bool(parts) and states and _is_of_the_moment(parts[-1])
        if parts and not is_cut and not is_aside and not (states and _kinds(parts[-1])):
            parts[-1] = f"{parts[-1]} {clause}"
        else:
            parts.append(clause)
    return parts


def _stated(clause: str, *, is_question: bool) -> Stated | None:
    text = " ".join(clause.split()).strip(" ,;:-")
    plain, kinds = plainly(text), _kinds(text)
    if not kinds or _is_of_the_moment(text) or _is_private(text):
        return None
    if is_question and not _is_stated_by_asking(plain, kinds):
        return None
    ends = TAKES_BACK.search(plain) or ENDS_A_DISLIKE.search(_WOULD_BE.sub("", plain))
    if ends and kinds <= {"want", "dislike"}:
        return None
    is_of_nothing = not _about(text) and not OF_PRICE.search(plain)
    if kinds <= {"want", "dislike"} and is_of_nothing and not OF_SO_MANY.search(plain):
        return None
    unit = next((name for name, pattern in UNITS.items() if re.search(pattern, text, re.I)), "")
    if "limit" not in kinds:
        unit = _scale(plain) if "size" in kinds else ""
    return Stated(text.rstrip(".!"), kinds, _about(text), unit)


def _scale(plain: str) -> str:
    """Name the scale of a size: what is worn as L is no other number than 43, but another size."""
    return next((name for name, pattern in SCALES.items() if re.search(pattern, plain, re.I)), "")


def _is_stated_by_asking(plain: str, kinds: frozenset[str]) -> bool:
    """Tell whether a question states something: "can it be here by Friday?"."""
    if kinds & {"dislike", "size"} and FIRST_PERSON.search(plain):
        return True
    if "size" in kinds and IN_A_SIZE.search(plain):
        return True
    return "date" in kinds and bool(DEADLINE.search(plain) and ARRIVES.search(plain))


def _is_of_the_moment(text: str) -> bool:
    return OF_THE_MOMENT.search(plainly(text)) is not None


@lru_cache(maxsize=4_096)
def _kinds(text: str) -> frozenset[str]:
    plain = plainly(text)
    found = {kind for kind, pattern in _COMPILED.items() if pattern.search(plain) is not None}
    if found & {"limit", "date"} and _OF_A_BODY.search(plain) is None:
        # "My budget is 300" has the form of "my foot is 28", and takes no size's place.
        found.discard("size")
    return frozenset(found)


_COMPILED = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in PATTERNS.items()}


def _about(text: str) -> frozenset[str]:
    """Return the words that say of what a sentence is, in the singular."""
    words = (word.casefold() for word in _WORD.findall(plainly(text)))
    return frozenset(
        one
        for one in map(_singular, words)
        if len(one) > 2
        and one not in SAYS_NOTHING
        and f"{one}s" not in SAYS_NOTHING
        and one not in OF_ALLERGIES
        and not any(sign.isdigit() for sign in one)
    )


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _is_private(text: str) -> bool:
    return redacted(text) != text or lacks_something(text) or ADDRESS.search(text) is not None
