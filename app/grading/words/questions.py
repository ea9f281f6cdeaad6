"""Whether a read answers a person's question that its answer need not repeat: yes, no, how many."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from daybook.tools.said.numbers import numbers_in

from daybook.tools.own.recall import inner

_WHETHER = re.compile(
    r"(?:^|[.!?,;:]\s*|\b(?:and|but|so|or|hi|hello|ok|okay|tell me (?:if|whether)|"
    r"know (?:if|whether))\s+)(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|"
    r"isn'?t|aren'?t|doesn'?t|any|tell me (?:if|whether))\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow (?:many|much|often|long|heavy|old)\b|\bnumber of\b", re.IGNORECASE)
_COMPARES = re.compile(
    r"\bwhich\b|\bcompared?\b|\bdifferen(?:ce|t)\b|\bvs\b|"
    r"\b(?:\w{3,}er|more \w+|less \w+|better|worse|best|\w{3,}est)\b(?=.*\bthan\b|.*\?|$)",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"(?:^|[.!?:]\s+|\n)\W*(?:yes|no|yep|nope|sure|indeed|not|none|nothing|correct|right|"
    r"(?:it|they|this|that|you|there|we|i|both|neither|all)"
    r"(?:'s|'re|'ve| is| are| was| were| does| do| did| has| have| can| will)(?:n'?t| not)?)\b",
    re.IGNORECASE,
)
_ASKS_WHAT = re.compile(r"\b(?:what|which|who|where|when)\b|'s\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}", re.UNICODE)
_PLAIN_WORD = re.compile(r"[^\W\d_]{3,}", re.UNICODE)
_ALIKE = 6
"""Letters by which two words are one: deliver, delivery."""

_SMALL = frozenset(
    {
        *("have", "does", "this", "that", "these", "those", "there", "what", "which", "with"),
        *("they", "them", "your", "from", "about", "under", "over", "many", "much", "show"),
        *("tell", "need", "want", "would", "could", "should", "will", "been", "were", "some"),
        *("more", "than", "like", "anything", "something", "please", "best", "first", "second"),
        *("true", "false", "none", "name", "category", "product", "products", "hits"),
    }
)


def is_answered(said: str, answer: str, args: Mapping[str, Any], result: Any) -> bool:
    """Tell whether an answer to a question about what was read says what the read told.

    The question must be about it, in words that stand in the arguments or the result; the answer a
    yes or no, a number of it, what it tells of just that, or one of what was compared.
    """
    if _tells_what_was_asked(said, answer, inner(result)):
        return True
    asked = _stems(said)
    if not asked & (_stems(_text(dict(args))) | _stems(_text(inner(result)))):
        return False
    if _WHETHER.search(said) and _YES_OR_NO.search(answer):
        return True
    return _HOW_MANY.search(said) is not None and bool(_counts(result) & set(numbers_in(answer)))


def _tells_what_was_asked(said: str, answer: str, result: Any) -> bool:
    """Tell whether an answer tells what a result holds under a name that the question names."""
    if _ASKS_WHAT.search(said) is None or not isinstance(result, Mapping):
        return False
    asked, told = _plain_words(said), _plain_words(answer)
    return any(
        _plain_words(str(name).replace("_", " ")) & asked
        and isinstance(value, str)
        and bool(_plain_words(value) & told - asked)
        for name, value in result.items()
    )


def _plain_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _PLAIN_WORD.findall(text))


def compares(said: str) -> bool:
    """Tell whether a person asks to hold things against each other."""
    return _COMPARES.search(said) is not None


def _counts(result: Any) -> set[Any]:
    return set(_numbers(inner(result)))


def _numbers(value: Any) -> Iterator[Any]:
    """Yield the numbers of a result, and how many things its lists hold."""
    if isinstance(value, Mapping):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list | tuple):
        yield len(value)
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{str(key).replace('_', ' ')} {_text(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_text, value))
    return value.replace("-", " ") if isinstance(value, str) else ""


@lru_cache(maxsize=8_192)
def _stems(text: str) -> frozenset[str]:
    words = {word.lower() for word in _WORD.findall(text)} - _SMALL
    return frozenset(word.removesuffix("s")[:_ALIKE] for word in words)
