"""Describe a validation error in words, without repeating the input."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError


def faults_of(error: ValidationError, whole: str, but: Collection[str] = ()) -> str:
    """Say which parts do not fit and why; nothing if only those of `but` do not.

    Args:
        whole: names the value itself, where no part of it is to blame.
    """
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(
        f"{'.'.join(str(part) for part in fault['loc']) or whole}: {_in_words(fault['msg'])}"
        for fault in found
        if not (fault["loc"] and fault["loc"][0] in but)
    )


_WORDS: Mapping[str, str] = {
    "Field required": "it is missing",
    "Extra inputs are not permitted": "it is not known here",
    "Input should be": "it must be",
    "Input should": "it must",
    "String should": "it must",
    "a valid integer": "a whole number",
    "a valid string": "text",
    "a valid number": "a number",
    "a valid boolean": "true or false",
    "a valid list": "a list",
    "a valid dictionary": "an object",
}
"""What pydantic says, and how it is said here."""


def _in_words(message: str) -> str:
    if message.startswith("Value error, "):
        # A check of ours says it in its own words.
        return message.removeprefix("Value error, ")
    message = message.partition(", unable to parse")[0].partition(", got a number")[0]
    for theirs, ours in _WORDS.items():
        message = message.replace(theirs, ours)
    return message
