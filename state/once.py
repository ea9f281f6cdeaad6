"""Ask a pure function about a text once: what a prompt shows is looked at with each decision."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

_MOST = 2_048
"""Texts of which each function's answer is kept."""

_LONGEST = 8_192
"""Characters of a text whose answer is kept; longer ones are few, and would take the room."""


def once_for_each(function: Callable[[str], T]) -> Callable[[str], T]:
    """Keep what a pure function said of the texts that it was given last."""
    kept = lru_cache(maxsize=_MOST)(function)

    @wraps(function)
    def asked(text: str) -> T:
        return kept(text) if len(text) <= _LONGEST else function(text)

    return asked
