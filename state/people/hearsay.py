"""What would be remembered of a person and was not said by them: they are asked first. Pure.

A review or a page may tell a model what to remember. What the person did not say in their own
words, in one message, is remembered only after their yes to the very sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from daybook.state.people.facts import subject_of
from daybook.state.prompt.stating import SAYS_NOTHING

_AGREES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|sure)\b"
    r"(?!.*(?:\b(?:no|nope|not|never|cannot|forget)\b|n['\u2019]t\b))",
    re.IGNORECASE | re.DOTALL,
)
"""A word that says nothing but yes, whatever is said beside it that takes nothing back."""

_NODS = re.compile(
    r"(?:\W*\b(?:yes|yeah|yep|yup|sure|ok(?:ay)?|fine|correct|right|exactly|please|of course"
    r"|do(?: so| that| it)?|go ahead|remember (?:it|that)|you may|absolutely"
    r"|that(?:['\u2019]s| is)|thanks|thank you)\b){1,8}\W*",
    re.IGNORECASE,
)
"""Words that are a yes where nothing else is said: "right, so about the boots" is none."""

_DENIES = re.compile(
    r"\b(?:no|none|not|never|without|nor|hat(?:e|es|ed)|dislik(?:e|es|ed)|avoid(?:s|ed)?|cannot"
    r"|detest(?:s|ed)?|loath(?:e|es|ed)|despis(?:e|es|ed)"
    r"|(?:ca|do|does|did|is|are|was|were|wo|would|could|should|must)nt)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:.!?\n]|\b(?:and|but)\b", re.IGNORECASE)

_LONG_SUBJECT = 3
"""Words from which a subject says something by itself; a shorter one names what was said."""

_STANCES = frozenset({"preferred", "disliked", "liked", "loved", "avoided", "wanted", "always"})
"""Words of a value that name how a person stands to the subject."""

_ALIKE = 5
"""Letters at the beginning of two words by which they are one: allergy, allergic."""


def question_about(subject: str, value: str) -> str:
    """Ask a person whether something may be remembered of them."""
    about = f"{subject_of(subject)}: {' '.join(value.split())}"
    return f"You did not tell me this in these words. Shall I remember of you: “{about}”?"


def is_hearsay(subject: str, value: str, said: Sequence[str]) -> bool:
    """Tell whether a fact is none that the person told.

    Args:
        said: the person's messages.
    """
    about, told = subject_of(subject).split(), _content(value)
    needed = [*told, *_content(" ".join(about))] if len(about) >= _LONG_SUBJECT else told
    needed = needed or about
    denies = _DENIES.search(f"{subject} {value}") is not None
    return not any(
        _holds(message, needed) and not _says_otherwise(message, needed, denies) for message in said
    )


def is_agreed(question: str, spoken: Sequence[tuple[str, str]]) -> bool:
    """Tell whether the person has just said yes to a question.

    Args:
        spoken: who spoke ("human", "ai") and the words, oldest first.
    """
    if len(spoken) < 2:
        return False
    (asker, asked), (answerer, answer) = spoken[-2:]
    is_answered = (asker, answerer) == ("ai", "human") and question in asked
    return is_answered and is_yes(answer)


def is_yes(answer: str) -> bool:
    """Tell whether an answer to a question says yes and takes nothing of it back."""
    return _AGREES.match(answer) is not None or _NODS.fullmatch(answer) is not None


def _content(text: str) -> list[str]:
    """Return the words that say something, in their normal form."""
    words = subject_of(text).split()
    return [word for word in words if word not in SAYS_NOTHING | _STANCES]


def _holds(message: str, words: Sequence[str]) -> bool:
    said = set(subject_of(message).split())
    begun = {word[:_ALIKE] for word in said}
    return all(
        word in said
        or f"{word}s" in said
        or word.removesuffix("s") in said
        or (len(word) >= _ALIKE and word.isalpha() and word[:_ALIKE] in begun)
        for word in words
    )


def _says_otherwise(message: str, words: Sequence[str], denies: bool) -> bool:
    """Tell whether a message denies what is to be noted, or says what that denies."""
    about = [
        clause for clause in _CLAUSE.split(message) if any(_holds(clause, [word]) for word in words)
    ]
    return bool(about) and all((_DENIES.search(one) is not None) != denies for one in about)
