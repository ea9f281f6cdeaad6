"""Facts about users: facts, preferences and constraints, each with its source and date.

User memory, across threads. A thread's state holds a copy, for the prompt alone: nothing executes
from it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias, cast, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from daybook.state.errors import ToolRefused
from daybook.state.misfits import faults_of
from daybook.state.people.privacy import lacks_something, redacted

MEMORY_EVENTS = ("remember", "forget")
"""Types of the events that change what is known of a person."""

MOST_FACTS = 100
"""Facts that are kept of one person."""

LONGEST_SUBJECT, LONGEST_VALUE = 60, 200
"""Characters."""

_LONGEST_SOURCE = 200

Kind: TypeAlias = Literal["fact", "preference", "constraint"]
KINDS: tuple[Kind, ...] = get_args(Kind)

# What a person says before the thing itself.
_LEADING = frozenset({"a", "an", "the", "my", "our", "your", "their", "his", "her", "users"})
_SECRET = frozenset(
    {
        *("password", "passwords", "passphrase", "passcode", "pin", "cvc", "cvv", "iban"),
        *("address", "addresses"),
    }
)
"""Words of a subject under which nothing is kept, whatever it looks like."""

_APOSTROPHES = str.maketrans("", "", "'\u2019\u02bc")
_MAIL = re.compile(r"\S@\S")


class Fact(BaseModel):
    """One thing that a person said about themselves."""

    model_config = ConfigDict(frozen=True)

    subject: str = Field(description="what it is about, such as shoe size")
    value: str = Field(description="what the person said of it")
    kind: Kind = Field(
        default="fact", description="what is so, what is liked, or what must be kept to"
    )
    source: str = Field(description="the thread in which it was said")
    at: datetime = Field(description="UTC; when it was said")


def fact_of(subject: str, value: str, kind: str, source: str, at: datetime) -> Fact:
    """Make a fact of a person's words.

    Args:
        source: the thread in which it was said.
        at: when it was said.

    Raises:
        ToolRefused: it cannot be kept; the sentence says why.
    """
    about, said = subject_of(subject), " ".join(value.split())
    # Together as well: neither "cvv" nor "123" says what it is.
    texts = (subject, about, said, f"{about}: {said}", f"{about} {said}")
    for does_not_fit, why in (
        (
            not 0 < len(about) <= LONGEST_SUBJECT,
            f"A subject is a few words of at most {LONGEST_SUBJECT} characters, such as shoe size",
        ),
        (
            not _is_line(said, LONGEST_VALUE),
            f"What is remembered is one line of at most {LONGEST_VALUE} characters",
        ),
        (kind not in KINDS, f"Unknown kind {kind[:40]!r}; the kinds are {', '.join(KINDS)}"),
        (
            bool(_SECRET & set(about.split())) or any(map(_is_secret, texts)),
            "Card numbers, security codes, passwords and addresses are not remembered",
        ),
        (
            not _is_line(source, _LONGEST_SOURCE),
            "The source of what is remembered is the name of a thread",
        ),
    ):
        if does_not_fit:
            raise ToolRefused(f"{why}. Nothing was remembered.")
    try:
        said_at = at.astimezone(UTC)
    except OverflowError:
        raise ToolRefused("The time does not exist. Nothing was remembered.") from None
    return Fact(subject=about, value=said, kind=cast("Kind", kind), source=source, at=said_at)


def _is_line(text: str, longest: int) -> bool:
    return 0 < len(text) <= longest and text.isprintable()


def subject_of(words: str) -> str:
    """Bring the name of a subject to its normal form: "My shoe-size" is "shoe size".

    Lower-case words with single blanks between; what a person says before the thing is left out.
    """
    plain = _folded(words.translate(_APOSTROPHES))
    kept = "".join(sign if unicodedata.category(sign)[0] in "LNM" else " " for sign in plain)
    first, found = 0, kept.split()
    while first < len(found) and found[first] in _LEADING:
        first += 1
    return " ".join(found[first:])


def line_of(fact: Fact) -> str:
    """Write a fact as one line."""
    return f"{fact.subject}: {fact.value}"


def ordered(facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return facts in the order in which they were said."""
    return tuple(sorted(facts, key=lambda fact: (fact.at, fact.subject)))


def remembered(facts: tuple[Fact, ...], fact: Fact) -> tuple[Fact, ...]:
    """Return the facts with one more; a later word on the same subject takes its place."""
    return ordered((*(known for known in facts if known.subject != fact.subject), fact))


def forgotten(facts: tuple[Fact, ...], subject: str) -> tuple[Fact, ...]:
    """Return the facts without one.

    Raises:
        ToolRefused: nothing is known on that subject.
    """
    about = subject_of(subject)
    left = tuple(known for known in facts if known.subject != about)
    if len(left) == len(facts):
        known = ", ".join(fact.subject for fact in facts) or "nothing"
        raise ToolRefused(
            f'Nothing is known about "{about or "that"}"; nothing was forgotten. Known: {known}.',
            code="not_found",
        )
    return left


def refuse_one_more(facts: tuple[Fact, ...], fact: Fact) -> None:
    """Refuse a fact on a new subject where a person has as many as are kept.

    Raises:
        ToolRefused: they have.
    """
    if len(facts) >= MOST_FACTS and all(known.subject != fact.subject for known in facts):
        raise ToolRefused(
            f"{MOST_FACTS} facts are remembered already (limit). Nothing was remembered; forget "
            "one first."
        )


class _Told(BaseModel):
    """A `remember` event of a client."""

    subject: str
    value: str
    kind: str
    source: str
    at: AwareDatetime


def fact_from(event: Mapping[str, Any]) -> Fact:
    """Make the fact of a `remember` event, which may come from outside the chat.

    Raises:
        ToolRefused: it is invalid.
    """
    try:
        told = _Told.model_validate(event)
    except ValidationError as error:
        why = faults_of(error, "event")
        raise ToolRefused(f"The event is invalid: {why}. Nothing was remembered.") from error
    return fact_of(told.subject, told.value, told.kind, told.source, told.at)


def memory_changed(
    facts: tuple[Fact, ...], event: Mapping[str, Any]
) -> tuple[tuple[Fact, ...], str]:
    """Apply an event of `MEMORY_EVENTS`; returns the facts and what happened, as one line.

    What is not known any more is forgotten once more without a word: an event that is applied
    again, after a crash, must come to the same.

    Raises:
        ToolRefused: it cannot be applied.
    """
    if event["type"] == "forget":
        named = event.get("subject")
        about = subject_of(named) if isinstance(named, str) else ""
        if not about or len(about) > LONGEST_SUBJECT:
            raise ToolRefused(
                "A forget event needs a subject, such as shoe size. Nothing was forgotten."
            )
        left = tuple(known for known in facts if known.subject != about)
        return left, f"memory: forgot {about}"
    fact = fact_from(event)
    refuse_one_more(facts, fact)
    return remembered(facts, fact), f"memory: {line_of(fact)}"


def _folded(text: str) -> str:
    """Fold case and forms until nothing changes any more: one pass may make more to fold."""
    while (folded := unicodedata.normalize("NFKC", text).casefold()) != text:
        text = folded
    return text


def _is_secret(text: str) -> bool:
    return redacted(text) != text or lacks_something(text) or _MAIL.search(text) is not None
