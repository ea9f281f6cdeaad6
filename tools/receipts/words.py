"""Load what the check reads by: words, phrases and patterns of four languages (words.toml)."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any, Final

TABLES: Final[dict[str, Any]] = tomllib.loads(
    files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)
WORDS: Final = {name: frozenset(text.split()) for name, text in TABLES["groups"].items()}
"""Groups of words."""
PHRASES: Final = [
    (kind, re.compile(rf"(?<!\S)(?:{pattern})"))
    for kind, patterns in TABLES["phrases"].items()
    for pattern in patterns
]
"""Phrases that claim an effect of a kind; their words are separated by one space."""


def compiled(name: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a pattern of the tables."""
    return re.compile(TABLES["patterns"][name].replace("\n", ""), flags)
