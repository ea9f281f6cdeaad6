"""Kinds of effects, by the names of tools and by the words of four languages.

A domain with other effects extends the table:

    >>> unlock = EffectKind("unlock", ("unlock",), {"en": "unlock* door*"})
    >>> [kind.name for kind in kinds_of("unlock_room", (*KINDS, unlock))]
    ['unlock']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from daybook.tools.receipts.text import CODES, TABLES, LanguageCode, pattern_of, table_of


@dataclass(frozen=True)
class EffectKind:
    """A kind of effect that a model may claim, for the receipts check.

    Attributes:
        name: such as `charge`.
        tools: words in the names of tools of this kind, such as `charge` and `pay`.
        words: by language, nouns and verbs for it, separated by spaces; `refund*` matches every
            word with that beginning.
        noun: the noun in a correction; "effect" with the name by default.
    """

    name: str
    tools: tuple[str, ...]
    words: Mapping[LanguageCode, str] = field(hash=False)
    noun: str = ""

    @property
    def label(self) -> str:
        """Return what corrections call such an effect."""
        return self.noun or f"effect ({self.name})"

    @cached_property
    def patterns(self) -> dict[LanguageCode, re.Pattern[str]]:
        """Return by language a pattern of its words."""
        return {code: pattern_of(text) for code, text in self.words.items()}


KINDS: Final = tuple(
    EffectKind(
        name,
        tuple(row["tools"].split()),
        {code: table_of(code)["kinds"][name] for code in CODES},
        row["noun"],
    )
    for name, row in TABLES["kinds"].items()
)
"""The default table."""


def kinds_of(tool: str, kinds: Iterable[EffectKind] = KINDS) -> tuple[EffectKind, ...]:
    """Return the kinds that a tool's name tells of; none for a name without a known word.

    Example:
        >>> [kind.name for kind in kinds_of("checkout")]
        ['charge', 'order']
    """
    words = set(re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", tool).lower()))
    found = tuple(kind for kind in kinds if words & set(kind.tools))
    # `cancel_order` and `send_order_confirmation` place no order.
    if {"confirmation", "receipt", "email", "mail", "message", "sms"} & words:
        return tuple(kind for kind in found if kind.name == "send") or found
    return tuple(kind for kind in found if kind.name in ("cancel", "refund")) or found
