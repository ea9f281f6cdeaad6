"""Load what the check reads by: the words and patterns of four languages (the .toml files here)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

LanguageCode = Literal["en", "de", "es", "fr"]
CODES: Final[tuple[LanguageCode, ...]] = ("en", "de", "es", "fr")


@cache
def table_of(name: str) -> dict[str, Any]:
    """Return the table of a language, or the one of `amounts_and_identifiers`."""
    path = files(__package__).joinpath("tables", f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


TABLES: Final[dict[str, Any]] = table_of("common")
WORDS: Final = {name: frozenset(text.split()) for name, text in TABLES["groups"].items()}
"""Groups of words."""


def compiled(name: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Return a pattern of the common table."""
    return re.compile(TABLES["patterns"][name].replace("\n", ""), flags)


def pattern_of(words: str) -> re.Pattern[str]:
    """Return a pattern of words separated by spaces; `refund*` is any word that begins so."""
    alternatives = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words.split())
    return re.compile(rf"(?<![\w'])(?:{alternatives})(?!\w)" if alternatives else r"(?!)")
