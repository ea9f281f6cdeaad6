"""Lessons: what the machine learnt from failures, keyed by tool, flow position and error.

They are of a tenant and of nobody in particular, so they hold nothing that a person said: an error
is a class of failures, and the advice is a sentence of the domain. For the prompt alone: nothing
executes from them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

MOST_SHOWN = 3
"""Lessons that stand in one prompt."""

LEARNT_AT, LEARNT_OF = 3, 2
"""How often it must have happened, and to how many people: what one does is no pattern."""

GIVEN_UP_AT = 3
"""How often it may have been shown in vain."""

_HIDDEN = "#"
_LONGEST, _LONGEST_READ = 100, 500
"""Characters of an error, and of the sentence that it is named by."""

_PLAIN = frozenset(
    {
        *("a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "does", "for"),
        *("has", "have", "here", "in", "is", "it", "no", "not", "of", "on", "or", "so", "that"),
        *("the", "there", "this", "to", "was", "what", "which", "with", "yet", "you", "your"),
    }
)
"""Words that say nothing of anybody, though a call was given them."""

_QUOTED = re.compile(
    r"""(?<!\w)(?:"[^"]*"|'[^']*'|\u201c[^\u201d]*\u201d|\u2018[^\u2019]*\u2019|`[^`]*`)(?!\w)"""
)
_END = re.compile(r"[.;:!?](?:\s|$)")
_OPENERS = frozenset(
    [
        "A",
        "An",
        "As",
        "At",
        "Expected",
        "For",
        "In",
        "It",
        "More",
        "No",
        "None",
        "Nobody",
        "Nothing",
        "On",
        "Only",
        "Since",
        "That",
        "The",
        "There",
        "These",
        "This",
        "Those",
        "To",
        "Too",
        "What",
        "Whoever",
        "You",
        "Your",
    ]
)
"""Words that may stand at the beginning with a capital: another one there may be a name."""

_WORD = re.compile(r"\b[a-z]+\b")
_AROUND = ".,;:!?()[]{}<>*\u2026\u2013\u2014-"
_APOSTROPHE = re.compile(r"(?<=[a-z])['\u2019](?=[a-z])")


class Lesson(BaseModel):
    """One lesson, of a tenant and of nobody in particular."""

    model_config = ConfigDict(frozen=True)

    tool: str = Field(description="name in the registry")
    flow: str = Field(description="where the work stood")
    error: str = Field(description="the kind of failure, without ids, numbers and names")
    advice: str = Field(description="what to do otherwise")
    count: int = Field(description="how often it happened")
    people: int = Field(default=0, description="to how many people at least")
    helped: int = Field(default=0, description="times that it was shown and the tool succeeded")
    missed: int = Field(default=0, description="times that it was shown and happened again")

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what it is known by."""
        return self.tool, self.flow, self.error

    @property
    def is_learnt(self) -> bool:
        """Tell whether it happened often enough, and to more than one, to be shown."""
        return self.count >= LEARNT_AT and self.people >= LEARNT_OF

    @property
    def is_useless(self) -> bool:
        """Tell whether it was shown in vain, so that it is to be retired."""
        return self.missed >= GIVEN_UP_AT and self.missed > self.helped

    def failed(self, *, was_shown: bool) -> Lesson:
        """Count one more failure of its kind.

        Args:
            was_shown: the model had read this lesson before.
        """
        missed = self.missed + was_shown
        return self.model_copy(update={"count": self.count + 1, "missed": missed})

    def heeded(self) -> Lesson:
        """Count that it was shown, and the tool succeeded."""
        return self.model_copy(update={"helped": self.helped + 1})


def line_of(lesson: Lesson) -> str:
    """Write a lesson as one line of the prompt."""
    return f"{lesson.tool}: {lesson.advice} ({lesson.count} times)"


def applicable(
    lessons: Iterable[Lesson], flow: str, offered: Collection[str], most: int = MOST_SHOWN
) -> tuple[Lesson, ...]:
    """Choose the lessons that the model is shown: where they apply, and no more than a few.

    Args:
        lessons: those that are not retired, the newest first.
        flow: where the work stands.
        offered: tools that the model may call there.
    """
    here = [
        one
        for one in lessons
        if one.flow == flow and one.tool in offered and one.is_learnt and not one.is_useless
    ]
    # Sorting keeps the order of equals: the newest of them comes first.
    return tuple(sorted(here, key=lambda one: -one.count)[:most])


def error_key(sentence: str, given: Mapping[str, Any] | None = None) -> str:
    """Name the class of a failure: its first sentence without what it was about.

    "Only 2 of ROOM-7 are free." is "only # of # are free". Whatever is no plain lower-case word is
    hidden: numbers, ids, names, what is quoted, and what the call was given.

    Args:
        sentence: in which it was refused or declined.
        given: the arguments of the call.
    """
    text = sentence[:_LONGEST_READ]
    given_words: set[str] = set()
    # The longest first: one may be a part of another.
    for said in sorted(_texts(given or {}), key=len, reverse=True):
        whole = rf"(?<!\w){re.escape(said[:_LONGEST_READ])}(?!\w)"
        text, found = re.subn(whole, _HIDDEN, text, flags=re.IGNORECASE)
        if not found:
            # A sentence may name a part of it, or bring it to a normal form first.
            given_words |= set(_WORD.findall(_APOSTROPHE.sub("", said.lower()))) - _PLAIN
    text = _APOSTROPHE.sub("", text)
    text = _QUOTED.sub(_HIDDEN, text)
    words: list[str] = []
    for number, word in enumerate(_END.split(text)[0].split()):
        bare = word.strip(_AROUND)
        opens = number == 0 and bare in _OPENERS
        is_plain = _WORD.fullmatch(bare) and bare not in given_words
        shown = bare.lower() if opens or is_plain else _HIDDEN
        if bare and (shown != _HIDDEN or words[-1:] != [_HIDDEN]):
            words.append(shown)
    return " ".join(words)[:_LONGEST].strip() or _HIDDEN


def _texts(value: Any) -> set[str]:
    """Collect the texts of a JSON value, whole, however deep they stand."""
    if isinstance(value, str):
        return {value.strip()} if value.strip() else set()
    if isinstance(value, Mapping):
        return {text for item in value.values() for text in _texts(item)}
    if isinstance(value, list | tuple):
        return {text for item in value for text in _texts(item)}
    return set()
